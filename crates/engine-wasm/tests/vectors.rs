//! The results of the engines are the same on every platform: `vectors.json` has positions, limits and seeds with the report of
//! each. They are checked here natively, and by `node/vectors.test.js` as WebAssembly.
//!
//! After a change of an engine, `UPDATE_VECTORS=1 cargo test -p tochki-engine-wasm` writes the reports again.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use tochki_engine::boxes::BoxesEngine;
use tochki_engine::dots::DotsEngine;
use tochki_engine::gomoku::GomokuEngine;
use tochki_engine::reversi::ReversiEngine;
use tochki_engine::{Engine, Limits};
use tochki_engine_wasm::EngineGame;
use tochki_rules::Game;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors.json");

/// The number of vectors, so that the file does not lose any unnoticed.
const COUNT: usize = 43;

/// A position, the bounds of its search, and the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Vector {
    game: String,
    setup: String,
    moves: Vec<String>,
    nodes: u64,
    level: u8,
    seed: u64,
    report: Value,
}

impl Vector {
    fn of(
        game: &str,
        setup: &str,
        moves: Vec<String>,
        (nodes, level, seed): (u64, u8, u64),
    ) -> Self {
        let report = Value::Null;
        let (game, setup) = (game.to_owned(), setup.to_owned());
        Self {
            game,
            setup,
            moves,
            nodes,
            level,
            seed,
            report,
        }
    }

    /// The report of this build.
    fn searched<E>(&self) -> Value
    where
        E: Engine<Game: Game<Setup: DeserializeOwned>>,
    {
        let mut game = EngineGame::<E>::new(&self.setup).expect("a setup");
        for mv in &self.moves {
            game.play(mv).expect("a legal move");
        }
        let limits = Limits::DEFAULT_MEMORY;
        game.search(self.nodes, self.level, limits, self.seed)
            .expect("a level");
        while game.step(64) {}
        serde_json::from_str(&game.best()).expect("JSON")
    }

    fn report(&self) -> Value {
        match self.game.as_str() {
            "dots" => self.searched::<DotsEngine>(),
            "boxes" => self.searched::<BoxesEngine>(),
            "gomoku" => self.searched::<GomokuEngine>(),
            "reversi" => self.searched::<ReversiEngine>(),
            game => panic!("no engine for {game}"),
        }
    }
}

/// Plays so many moves of the engine against itself, each with few nodes and a seed of its own.
fn played<E>(setup: &str, plies: u64, nodes: u64) -> Vec<String>
where
    E: Engine<Game: Game<Setup: DeserializeOwned>>,
{
    let mut game = EngineGame::<E>::new(setup).expect("a setup");
    let mut moves = Vec::new();
    for ply in 0..plies {
        game.search(nodes, 4, Limits::DEFAULT_MEMORY, ply)
            .expect("a level");
        while game.step(nodes) {}
        let report: Value = serde_json::from_str(&game.best()).expect("JSON");
        let Some(mv) = report["choice"].as_str() else {
            break;
        };
        game.play(mv).expect("a legal move");
        moves.push(mv.to_owned());
    }
    moves
}

/// The vectors without their reports.
fn all() -> Vec<Vector> {
    let mut all = Vec::new();
    let setup = r#"{"width":12,"height":10,"start":"cross"}"#;
    let moves = played::<DotsEngine>(setup, 60, 50);
    all.extend(stages("dots", setup, &moves, 300));
    let setup = r#"{"cols":5,"rows":5}"#;
    let moves = played::<BoxesEngine>(setup, 50, 50);
    all.extend(stages("boxes", setup, &moves, 2_000));
    all.extend(levels("boxes", setup, &moves, 2_000));
    let setup = r#"{"cols":7,"rows":7}"#;
    let moves = played::<BoxesEngine>(setup, 96, 50);
    all.extend(stages("boxes", setup, &moves, 2_000));
    all.extend(levels("boxes", setup, &moves, 2_000));
    let setup = r#"{"size":15,"rule":"standard"}"#;
    let moves = played::<GomokuEngine>(setup, 24, 200);
    all.extend(stages("gomoku", setup, &moves, 3_000));
    all.extend(levels("gomoku", setup, &moves, 3_000));
    for setup in [
        r#"{"size":19,"rule":"freestyle"}"#,
        r#"{"size":19,"rule":"standard"}"#,
    ] {
        let moves = played::<GomokuEngine>(setup, 20, 200);
        all.extend(stages("gomoku", setup, &moves, 3_000));
        all.extend(levels("gomoku", setup, &moves, 3_000));
    }
    let setup = "{}";
    let moves = played::<ReversiEngine>(setup, 52, 200);
    all.extend(stages("reversi", setup, &moves, 5_000));
    all.extend(levels("reversi", setup, &moves, 5_000));
    // Deeper, where multi-ProbCut cuts most, and where the endgame solver begins.
    for (seed, plies) in [(7, 20), (8, 32), (9, 44)] {
        let moves = moves[..plies].to_vec();
        all.push(Vector::of("reversi", setup, moves, (30_000, 8, seed)));
    }
    all
}

/// An early, a middle and a late position of a game, and a weak level.
fn stages(game: &str, setup: &str, moves: &[String], nodes: u64) -> [Vector; 4] {
    [(1, 4, 8), (2, 2, 8), (3, 1, 8), (4, 2, 2)].map(|(seed, share, level)| {
        let moves = moves[..moves.len() / share].to_vec();
        Vector::of(game, setup, moves, (nodes, level, seed))
    })
}

/// Levels between, which draw some of their moves, in the middle of a game.
fn levels(game: &str, setup: &str, moves: &[String], nodes: u64) -> [Vector; 2] {
    [(5, 4), (6, 6)].map(|(seed, level)| {
        let moves = moves[..moves.len() / 2].to_vec();
        Vector::of(game, setup, moves, (nodes, level, seed))
    })
}

#[test]
fn every_platform_finds_the_same() {
    if std::env::var_os("UPDATE_VECTORS").is_some() {
        let mut vectors = all();
        for vector in &mut vectors {
            vector.report = vector.report();
        }
        let lines: Vec<_> = vectors
            .iter()
            .map(|vector| serde_json::to_string(vector).expect("JSON"))
            .collect();
        std::fs::write(FILE, format!("[\n{}\n]\n", lines.join(",\n")))
            .expect("the file is written");
    }
    let text = std::fs::read_to_string(Path::new(FILE)).expect("the file is there");
    let vectors: Vec<Vector> = serde_json::from_str(&text).expect("vectors");
    assert_eq!(vectors.len(), COUNT);
    for (number, vector) in vectors.iter().enumerate() {
        assert_eq!(vector.report(), vector.report, "vector {number}");
    }
}
