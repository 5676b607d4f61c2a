//! Comparison with bbpPairings, another program that implements the Dutch system of 2026, where the variable `BBP_PAIRINGS`
//! names its binary.

use super::test_fields::Run;
use super::{NoPairing, pair};
use crate::testing::Random;
use crate::trf::{self, File, PlayerLine};
use std::path::Path;
use std::process::Command;

/// Pairs by the other program. Its exit status is 1 where no pairing exists.
fn pair_by(program: &Path, folder: &Path, file: &File) -> Result<String, NoPairing> {
    let [input, output] = ["in.trf", "out.txt"].map(|name| folder.join(name));
    std::fs::write(&input, trf::write(file)).unwrap();
    let run = Command::new(program)
        .arg("--dutch")
        .arg(&input)
        .arg("-p")
        .arg(&output)
        .output()
        .unwrap();
    match run.status.code() {
        Some(0) => {
            let lines = std::fs::read_to_string(&output).unwrap();
            // The first line is the number of pairs.
            Ok(lines.split_once('\n').unwrap().1.to_owned())
        }
        Some(1) => Err(NoPairing),
        _ => panic!(
            "{}\n{}",
            String::from_utf8_lossy(&run.stderr),
            trf::write(file)
        ),
    }
}

fn file(run: &Run) -> File {
    let line = |id: u32| PlayerLine {
        id,
        name: format!("Player {id}"),
        rating: Some(2500 - id),
    };
    File {
        name: "Random".into(),
        field: run.field.clone(),
        players: (1..=run.field.players.len() as u32).map(line).collect(),
    }
}

#[test]
fn no_random_tournament_differs() {
    let Some(program) = std::env::var_os("BBP_PAIRINGS") else {
        eprintln!("skipped: BBP_PAIRINGS names no binary of bbpPairings");
        return;
    };
    let tournaments =
        std::env::var("BBP_TOURNAMENTS").map_or(1000, |number| number.parse().unwrap());
    let folder = std::env::temp_dir().join(format!("tochki-bbp-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut rounds = 0;
    for seed in 0..tournaments {
        let mut random = Random(seed);
        let players = 6 + random.below(55);
        let mut run = Run::new(players, 3 + random.below(9) as u32, &mut random);
        while run.field.played_rounds() < run.field.rounds && run.present() > 0 {
            let file = file(&run);
            let theirs = pair_by(Path::new(&program), &folder, &file);
            assert_eq!(
                file.pairings(),
                theirs,
                "seed {seed}\n{}",
                trf::write(&file)
            );
            let Ok(pairs) = pair(&run.field) else { break };
            rounds += 1;
            run.go_on(&pairs, &mut random);
        }
    }
    eprintln!("{tournaments} tournaments, {rounds} rounds");
    std::fs::remove_dir_all(&folder).unwrap();
}
