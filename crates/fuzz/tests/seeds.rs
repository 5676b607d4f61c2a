//! Every seed, and inputs near it, break no target. If an input does, it is written into a file that the failure names.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use tochki_fuzz::{TARGETS, Target};

/// The number of inputs that are made of each seed: at most two seconds in all, without optimization.
const NEIGHBOURS: usize = 400;

#[test]
fn no_seed_breaks_its_target() {
    for (name, target) in TARGETS {
        for (seed, bytes) in seeds(name) {
            check(name, &seed, target, &bytes);
        }
    }
}

#[test]
fn nothing_near_a_seed_breaks_its_target() {
    for (name, target) in TARGETS {
        for (seed, bytes) in seeds(name) {
            for neighbour in neighbours(&bytes) {
                check(name, &seed, target, &neighbour);
            }
        }
    }
}

#[test]
fn every_folder_of_seeds_has_a_target() {
    let mut folders: Vec<String> = fs::read_dir(seed_folder(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    folders.sort();
    assert_eq!(folders, TARGETS.map(|(name, _)| name));
}

fn seed_folder(target: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("seeds")
        .join(target)
}

fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(seed_folder(target)).unwrap();
    let mut seeds: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect();
    seeds.sort();
    assert!(!seeds.is_empty(), "{target} has no seeds");
    seeds
}

/// The input cut off at places all over it, and with another byte there. The places are the same in each run.
fn neighbours(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let step = bytes.len().div_ceil(NEIGHBOURS / 2).max(1);
    (0..bytes.len()).step_by(step).flat_map(move |place| {
        let mut changed = bytes.to_vec();
        // Another digit, letter or bracket, or another byte of a move.
        changed[place] ^= 1 << (place % 7);
        [bytes[..place].to_vec(), changed]
    })
}

fn check(name: &str, seed: &str, target: Target, input: &[u8]) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| target(input))) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join(seed);
        fs::write(&file, input).unwrap();
        eprintln!("{name}: {} breaks it", file.display());
        resume_unwind(panic);
    }
}
