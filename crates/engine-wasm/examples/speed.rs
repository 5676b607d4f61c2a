//! The time for a placed dot, nodes a second of each engine, and the time to exact results: natively, as `node/speed.js` measures
//! them as WebAssembly.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Instant;
use tochki_engine::boxes::BoxesEngine;
use tochki_engine::dots::DotsEngine;
use tochki_engine::gomoku::GomokuEngine;
use tochki_engine::reversi::ReversiEngine;
use tochki_engine::{Engine, Limits};
use tochki_engine_wasm::{EngineGame, RandomGames};
use tochki_rules::Game;

/// Positions near enough to the end to be solved.
#[derive(Deserialize)]
struct Endings {
    name: String,
    game: String,
    setup: String,
    /// The moves to each position.
    positions: Vec<Vec<String>>,
}

fn main() {
    measure_dots();
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
    let endings: Vec<Endings> =
        serde_json::from_str(include_str!("../node/endings.json")).expect("endings");
    for endings in endings {
        match endings.game.as_str() {
            "boxes" => measure_exact::<BoxesEngine>(&endings),
            "reversi" => measure_exact::<ReversiEngine>(&endings),
            game => panic!("no exact results of {game}"),
        }
    }
}

/// The best of many stretches of random games.
fn measure_dots() {
    let mut games = RandomGames::new();
    let mut best = f64::MAX;
    for _ in 0..1000 {
        let began = Instant::now();
        let dots = games.play();
        best = best.min(1e9 * began.elapsed().as_secs_f64() / f64::from(dots));
        games.restart();
    }
    println!("{:16} {best:8.1} ns, native", "a placed dot");
}

fn searched_game<E>(setup: &str, moves: &[impl AsRef<str>], nodes: u64) -> EngineGame<E>
where
    E: Engine<Game: Game<Setup: DeserializeOwned>>,
{
    let mut game = EngineGame::<E>::new(setup).expect("a setup");
    for mv in moves {
        game.play(mv.as_ref()).expect("a move");
    }
    let memory = Limits::DEFAULT_MEMORY;
    game.search(nodes, 8, memory, 1).expect("a level");
    game
}

fn report<E: Engine>(game: &EngineGame<E>) -> Value {
    serde_json::from_str(&game.best()).expect("JSON")
}

/// The best of three searches after the moves.
fn measure<E>(game: &str, setup: &str, moves: &[&str], nodes: u64)
where
    E: Engine<Game: Game<Setup: DeserializeOwned>>,
{
    let mut best = 0.0_f64;
    for _ in 0..3 {
        let mut searched = searched_game::<E>(setup, moves, nodes);
        let began = Instant::now();
        while searched.step(1_000) {}
        let nodes = report(&searched)["nodes"].as_u64().expect("a number");
        best = best.max(nodes as f64 / began.elapsed().as_secs_f64());
    }
    println!("{game:16} {best:8.0} nodes a second, native");
}

/// The worst of all positions; of each the better of two searches, so that the load of the machine is not measured.
fn measure_exact<E>(endings: &Endings)
where
    E: Engine<Game: Game<Setup: DeserializeOwned>>,
{
    let time = |moves: &Vec<String>| {
        let mut best = f64::MAX;
        for _ in 0..2 {
            let mut game = searched_game::<E>(&endings.setup, moves, u64::MAX);
            let began = Instant::now();
            while game.step(1_000) {}
            best = best.min(1000.0 * began.elapsed().as_secs_f64());
            assert_eq!(report(&game)["moves"][0]["exact"], true);
        }
        best
    };
    let worst = endings.positions.iter().map(time).fold(0.0, f64::max);
    let count = endings.positions.len();
    println!(
        "{:16} {worst:8.1} ms to be exact, the worst of {count}, native",
        endings.name
    );
}
