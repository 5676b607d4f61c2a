//! Times to known results: `cargo bench -p tochki-engine --bench exact` prints each endgame of the Fédération Française d'Othello
//! with its time, and the time to find victories by fours in Gomoku.

use std::time::{Duration, Instant};
use tochki_engine::{
    Engine, Limits, Progress, Report, gomoku::GomokuEngine, reversi::ReversiEngine,
};

#[path = "../tests/ffo/mod.rs"]
mod ffo;
#[path = "../tests/fours/mod.rs"]
mod fours;

fn main() {
    // `cargo test` runs benchmarks, too, without this argument.
    if std::env::args().any(|argument| argument == "--bench") {
        endgames();
        victories_by_fours();
    }
}

/// A whole search, and its time.
fn timed<E: Engine>(mut engine: E) -> (Report<<E::Game as tochki_rules::Game>::Move>, Duration) {
    let began = Instant::now();
    while engine.step(1_000) == Progress::Running {}
    (engine.best(), began.elapsed())
}

fn endgames() {
    let mut sum = Duration::ZERO;
    for position in ffo::positions() {
        let engine = ReversiEngine::with_board(position.board, Limits::NONE, 1);
        let (report, time) = timed(engine);
        let best = &report.moves[0];
        let is_right = best.exact
            && best.value as i32 == position.value
            && report
                .choice
                .is_some_and(|choice| position.moves.contains(&choice));
        let found = if is_right { "right" } else { "WRONG" };
        println!(
            "reversi, FFO #{}: {time:8.2?}, {:9} nodes, {:+3}, {found}",
            position.number, report.nodes, best.value
        );
        sum += time;
    }
    println!("reversi, FFO in all: {sum:.2?}");
}

/// Prints of each position the better of three searches, so that the load of the machine is not measured.
fn victories_by_fours() {
    let mut times = Vec::new();
    let mut missing = 0;
    for victory in fours::victories() {
        let searches = (0..3).map(|_| {
            let limits = Limits::nodes(fours::NODES);
            timed(GomokuEngine::new(&victory.position, limits, 1))
        });
        let best = searches.min_by_key(|(_, time)| *time);
        let (report, time) = best.expect("three searches");
        missing += usize::from(!fours::wins_by_fours(&victory.position, &report.moves[0]));
        times.push((time, victory.plies));
    }
    times.sort_unstable();
    let (worst, plies) = times.last().expect("a position");
    let (middle, _) = times[times.len() / 2];
    println!(
        "gomoku, victories by fours: {} positions, {missing} not found, {middle:.2?} in the middle, {worst:.2?} at worst ({plies} plies)",
        times.len()
    );
}
