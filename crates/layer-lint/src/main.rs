//! Checks the borders that ARCHITECTURE.md draws and the compiler does not see: the dependencies of each crate, the imports of
//! each module, and words that some of them must not use.
//!
//! ```text
//! cargo run --package layer-lint              says what is wrong, with file and line
//! cargo run --package layer-lint -- imports   lists the imports between modules
//! ```
//!
//! The program reads the tokens of the sources and follows paths (`crate::`, `super::`, `use`, re-exports). It does not see the
//! code that a macro makes, and not the types that a value has without anybody writing them.

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

/// A crate: the parts of each of its modules must not import each other in a circle.
struct Crate {
    /// The name in lists.
    name: &'static str,
    /// The folder of the sources.
    folder: &'static str,
    /// Groups of modules below its root, the highest first. An import goes down, or stays in a group. Modules that are not
    /// named may import whatever makes no circle.
    layers: &'static [&'static [&'static str]],
}

const fn without_layers(name: &'static str, folder: &'static str) -> Crate {
    Crate {
        name,
        folder,
        layers: &[],
    }
}

const CRATES: [Crate; 26] = [
    without_layers("layer-lint", "crates/layer-lint/src"),
    without_layers("rules", "crates/rules/src"),
    without_layers("engine", "crates/engine/src"),
    without_layers("engine-cli", "crates/engine-cli/src"),
    without_layers("engine-wasm", "crates/engine-wasm/src"),
    without_layers("sparring", "crates/engine/sparring/src"),
    without_layers("train", "crates/engine/train/src"),
    without_layers("fuzz", "crates/fuzz/src"),
    without_layers("puzzles", "crates/puzzles/src"),
    without_layers("tournaments", "crates/tournaments/src"),
    without_layers("records", "crates/records/src"),
    without_layers("names", "crates/names/src"),
    without_layers("play", "crates/play/src"),
    without_layers("protocol", "crates/protocol/src"),
    without_layers("endpoint", "crates/endpoint/src"),
    without_layers("site-builder", "crates/site-builder/src"),
    without_layers("server", "crates/server/src"),
    without_layers("bot", "crates/bot/src"),
    without_layers("client", "crates/client/src"),
    without_layers("house-bots", "crates/house-bots/src"),
    without_layers("line", "crates/line/src"),
    without_layers("load", "crates/load/src"),
    without_layers("own-postgres", "crates/own-postgres/src"),
    Crate {
        name: "pages",
        folder: "crates/pages/src",
        layers: &[
            &["hydrate"],
            &["ui"],
            &["api"],
            &["context"],
            &["endpoint", "error", "codec", "local_path"],
            &["translations"],
            &["language"],
        ],
    },
    Crate {
        name: "web",
        folder: "crates/web/src",
        layers: &[&["line"], &["http"]],
    },
    without_layers("tochki", "src"),
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

/// Prints the imports of each module.
fn list() -> Result<bool, Box<dyn Error>> {
    for one in &CRATES {
        let source = Source::read(Path::new(one.folder))?;
        for level in source.levels() {
            println!("{}", level_name(one.name, &level));
            list_level(&source.imports(&level));
        }
    }
    Ok(true)
}

fn list_level(imports: &Imports) {
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

/// Prints the faults; returns whether there are none.
fn check() -> Result<bool, Box<dyn Error>> {
    let mut faults = packages::faults(Path::new("."))?;
    for one in &CRATES {
        let source = Source::read(Path::new(one.folder))?;
        faults.extend(upward(one, &source.imports(&[])));
        faults.extend(circles_in(one.name, &source));
        faults.extend(words::unsafety(&source));
        faults.extend(vocabulary(one.name, &source));
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

/// Returns a module as lists call it, such as `pages::ui::account`.
fn level_name(of_crate: &str, level: &[String]) -> String {
    [&[of_crate.to_owned()], level].concat().join("::")
}

/// The crates whose durations have one place.
const WITH_LIMITS: [&str; 9] = [
    "bot",
    "client",
    "house-bots",
    "line",
    "pages",
    "protocol",
    "server",
    "tochki",
    "web",
];

/// The crates that have no I/O.
const WITHOUT_IO: [&str; 8] = [
    "engine",
    "engine-wasm",
    "play",
    "protocol",
    "puzzles",
    "records",
    "rules",
    "tournaments",
];

/// The macros that print.
const PRINTING: [&str; 5] = ["dbg", "eprint", "eprintln", "print", "println"];

/// Finds the words that a crate uses and must not.
fn vocabulary(name: &str, source: &Source) -> Vec<String> {
    const IO: [&str; 8] = [
        "std::time",
        "std::env",
        "std::fs",
        "std::net",
        "std::thread",
        "std::process",
        "rand",
        "std::io",
    ];
    // The replay reads and writes streams that it is given; so do standings of records, and the readers and writers of records.
    const STREAMS: [&str; 3] = ["std::io::stdin", "std::io::stdout", "std::io::stderr"];
    let mut faults = match name {
        "rules" => [
            words::floats(source, name),
            words::paths(source, name, &IO[..7]),
            words::paths(source, name, &STREAMS),
        ]
        .concat(),
        "engine" | "engine-wasm" | "puzzles" => words::paths(source, name, &IO),
        "records" | "tournaments" => [
            words::paths(source, name, &IO[..7]),
            words::paths(source, name, &STREAMS),
        ]
        .concat(),
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
        "bot" | "client" | "house-bots" | "line" | "load" | "pages" | "tochki" | "web" => [
            words::sql(source, None),
            words::paths(source, name, &["sqlx"]),
        ]
        .concat(),
        _ => Vec::new(),
    };
    if WITHOUT_IO.contains(&name) {
        faults.extend(words::macros(source, name, &PRINTING));
    }
    if WITH_LIMITS.contains(&name) {
        let allowed = (name == "protocol").then_some("limits");
        faults.extend(words::durations(source, allowed));
    }
    faults
}

/// Finds imports that go from a lower layer to a higher one.
fn upward(of: &Crate, imports: &Imports) -> Vec<String> {
    let rank = |name: &str| of.layers.iter().position(|layer| layer.contains(&name));
    (imports.iter())
        .filter(
            |((from, to), _)| matches!((rank(from), rank(to)), (Some(from), Some(to)) if from > to),
        )
        .map(|((from, to), places)| format!("{}: {from} must not import {to}", places[0]))
        .collect()
}

/// Finds circles among the parts of any module of a crate.
fn circles_in(name: &str, source: &Source) -> Vec<String> {
    let levels = source.levels();
    let faults = levels
        .iter()
        .flat_map(|level| circles(&level_name(name, level), &source.imports(level)));
    faults.collect()
}

/// Finds circles among the imports.
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
