//! Nodes a second of each engine, natively, in the searches that `node/speed.js` does as WebAssembly.

use serde::de::DeserializeOwned;
use std::time::Instant;
use tochki_engine::boxes::BoxesEngine;
use tochki_engine::dots::DotsEngine;
use tochki_engine::gomoku::GomokuEngine;
use tochki_engine::reversi::ReversiEngine;
use tochki_engine::{Engine, Limits};
use tochki_engine_wasm::Session;
use tochki_rules::Game;

fn main() {
    measure::<DotsEngine>(
        "dots",
        r#"{"width":20,"height":20,"start":"cross"}"#,
        &[],
        20_000,
    );
    measure::<BoxesEngine>("boxes", r#"{"cols":5,"rows":5}"#, &[], 200_000);
    // An empty board needs no search.
    measure::<GomokuEngine>(
        "gomoku",
        r#"{"size":15,"rule":"freestyle"}"#,
        &["7,7", "8,8", "6,8", "7,9", "8,6", "5,9"],
        500_000,
    );
    measure::<ReversiEngine>("reversi", "{}", &[], 2_000_000);
}

/// The best of three searches after the moves.
fn measure<E>(game: &str, setup: &str, moves: &[&str], nodes: u64)
where
    E: Engine<Game: Game<Setup: DeserializeOwned>>,
{
    let mut best = 0.0_f64;
    for _ in 0..3 {
        let mut session = Session::<E>::new(setup).expect("a setup");
        for mv in moves {
            session.play(mv).expect("a move");
        }
        let limits = (nodes, Limits::DEFAULT_MEMORY);
        session.search(limits.0, 8, limits.1, 1).expect("a level");
        let began = Instant::now();
        while session.step(1_000) {}
        let searched = serde_json::from_str::<serde_json::Value>(&session.best());
        let searched = searched.expect("JSON")["nodes"].as_u64().expect("a number");
        best = best.max(searched as f64 / began.elapsed().as_secs_f64());
    }
    println!("{game:8} {best:12.0} nodes a second, native");
}
