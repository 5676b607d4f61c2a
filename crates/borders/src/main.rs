//! Checks the borders that ARCHITECTURE.md draws and the compiler does not see: which crate depends on which, which module
//! imports which, and what must not be said in some of them.
//!
//! ```text
//! cargo run --package borders              says what is wrong, with file and line
//! cargo run --package borders -- imports   lists the imports between modules
//! ```
//!
//! It reads the tokens of the sources and follows paths (`crate::`, `super::`, `use`, what is exported again). It does not
//! see what a macro makes, and not the types that a value has without anybody writing them.

mod imports;
mod packages;
mod source;
mod words;

use crate::imports::{Imports, circle, groups};
use crate::source::Source;
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// A module whose parts must not import each other in a circle.
struct Level {
    /// As it is called in lists.
    name: &'static str,
    /// The sources of the crate.
    folder: &'static str,
    /// The module in it; the root is empty.
    base: &'static [&'static str],
    /// Groups of parts, the highest first. An import goes down, or stays in a group. Parts that are not named may import
    /// whatever makes no circle.
    layers: &'static [&'static [&'static str]],
}

const fn crate_level(name: &'static str, folder: &'static str) -> Level {
    Level {
        name,
        folder,
        base: &[],
        layers: &[],
    }
}

const LEVELS: [Level; 19] = [
    crate_level("borders", "crates/borders/src"),
    crate_level("rules", "crates/rules/src"),
    crate_level("engine", "crates/engine/src"),
    crate_level("engine-cli", "crates/engine-cli/src"),
    crate_level("engine-wasm", "crates/engine-wasm/src"),
    crate_level("sparring", "crates/engine/sparring/src"),
    crate_level("train", "crates/engine/train/src"),
    crate_level("puzzles", "crates/puzzles/src"),
    crate_level("play", "crates/play/src"),
    crate_level("protocol", "crates/protocol/src"),
    crate_level("server", "crates/server/src"),
    crate_level("bot", "crates/bot/src"),
    crate_level("client", "crates/client/src"),
    crate_level("house-bots", "crates/house-bots/src"),
    crate_level("line", "crates/line/src"),
    crate_level("load", "crates/load/src"),
    crate_level("own-postgres", "crates/own-postgres/src"),
    Level {
        name: "tochki",
        folder: "src",
        base: &[],
        layers: &[
            &["line"],
            &["http"],
            &["ui"],
            &["api"],
            &["context"],
            &["error", "codec", "local_path"],
        ],
    },
    Level {
        name: "ui",
        folder: "src",
        base: &["ui"],
        layers: &[],
    },
];

fn main() -> ExitCode {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let lists = std::env::args()
        .nth(1)
        .is_some_and(|verb| verb == "imports");
    let done = std::env::set_current_dir(&workspace)
        .map_err(Into::into)
        .and_then(|()| if lists { list() } else { check() });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints who imports whom.
fn list() -> Result<bool, Box<dyn Error>> {
    for level in &LEVELS {
        let imports = Source::read(Path::new(level.folder))?.imports(level.base);
        println!("{}", level.name);
        let edges: BTreeSet<_> = imports.keys().cloned().collect();
        let all: BTreeSet<_> = edges.iter().map(|(from, _)| from).collect();
        for from in all {
            let to: Vec<_> = (edges.iter().filter(|(one, _)| one == from))
                .map(|(_, to)| to.as_str())
                .collect();
            println!("  {from} -> {}", to.join(", "));
        }
        let circles = groups(&edges);
        for group in &circles {
            let names: Vec<_> = group.iter().map(String::as_str).collect();
            println!("  import each other in a circle: {}", names.join(", "));
        }
        if circles.is_empty() {
            println!("  no circle");
        }
    }
    Ok(true)
}

/// Prints what is wrong; gives back whether nothing is.
fn check() -> Result<bool, Box<dyn Error>> {
    let mut faults = packages::faults(Path::new("."))?;
    for level in &LEVELS {
        let source = Source::read(Path::new(level.folder))?;
        let imports = source.imports(level.base);
        faults.extend(upward(level, &imports));
        faults.extend(circles(level.name, &imports));
        if level.base.is_empty() {
            faults.extend(words::unsafety(&source));
            faults.extend(vocabulary(level.name, &source));
        }
    }
    for fault in &faults {
        eprintln!("{fault}");
    }
    if faults.is_empty() {
        println!("no border is crossed");
    } else {
        eprintln!("{} borders are crossed", faults.len());
    }
    Ok(faults.is_empty())
}

/// The crates whose durations have one place.
const WITH_LIMITS: [&str; 7] = [
    "bot",
    "client",
    "house-bots",
    "line",
    "protocol",
    "server",
    "tochki",
];

/// What one crate must not say.
fn vocabulary(name: &str, source: &Source) -> Vec<String> {
    const IO: [&str; 6] = [
        "std::time",
        "std::fs",
        "std::net",
        "std::thread",
        "std::process",
        "rand",
    ];
    let mut faults = match name {
        "rules" => [words::floats(source, name), words::paths(source, name, &IO)].concat(),
        "engine" | "engine-wasm" => words::paths(source, name, &IO),
        // They have durations; they read no clock.
        "play" | "protocol" => {
            let clocks = ["std::time::Instant", "std::time::SystemTime"];
            [
                words::paths(source, name, &IO[1..]),
                words::paths(source, name, &clocks),
            ]
            .concat()
        }
        "server" => words::sql(source, Some("db")),
        "bot" | "client" | "house-bots" | "line" | "load" | "tochki" => [
            words::sql(source, None),
            words::paths(source, name, &["sqlx"]),
        ]
        .concat(),
        _ => Vec::new(),
    };
    if WITH_LIMITS.contains(&name) {
        faults.extend(words::durations(source));
    }
    faults
}

/// Imports that go from a lower layer to a higher one.
fn upward(level: &Level, imports: &Imports) -> Vec<String> {
    let rank = |name: &str| level.layers.iter().position(|layer| layer.contains(&name));
    (imports.iter())
        .filter(
            |((from, to), _)| matches!((rank(from), rank(to)), (Some(from), Some(to)) if from > to),
        )
        .map(|((from, to), places)| format!("{}: {from} must not import {to}", places[0]))
        .collect()
}

/// Circles among the imports.
fn circles(name: &str, imports: &Imports) -> Vec<String> {
    let mut left: BTreeSet<_> = imports.keys().cloned().collect();
    let mut faults = Vec::new();
    while let Some(circle) = circle(&left) {
        let mut text = format!("{name}: a circle of imports:");
        let next = circle.iter().cycle().skip(1);
        for (from, to) in circle.iter().zip(next) {
            let edge = (from.clone(), to.clone());
            let _ = write!(text, "\n    {}: {from} imports {to}", imports[&edge][0]);
        }
        faults.push(text);
        // So that each further circle has an import that none before had.
        left.remove(&(circle[circle.len() - 1].clone(), circle[0].clone()));
    }
    faults
}

#[cfg(test)]
mod tests;
