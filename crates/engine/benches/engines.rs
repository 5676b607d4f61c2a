//! Nodes a second of each engine: `cargo bench -p tochki-engine`. A node is the unit that each engine counts: a tactical position
//! or 16 dots of a playout in Dots, a position of the solver or a playout in Boxes, a position in Gomoku and Reversi.

// `criterion_group!` generates a public function without documentation.
#![allow(missing_docs)]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use tochki_engine::boxes::BoxesEngine;
use tochki_engine::dots::DotsEngine;
use tochki_engine::gomoku::GomokuEngine;
use tochki_engine::reversi::ReversiEngine;
use tochki_engine::{Engine, Limits, Progress};
use tochki_rules::{Game, boxes, dots, gomoku, reversi};

criterion_group!(benches, engines);
criterion_main!(benches);

fn engines(c: &mut Criterion) {
    let dots = dots::Setup::new(20, 20, dots::Opening::Cross).expect("a board");
    search::<DotsEngine>(c, "dots, 20 × 20", &dots, 5_000);
    search::<BoxesEngine>(c, "boxes, 5 × 5", &boxes::Setup::DEFAULT, 20_000);
    // An empty board needs no search.
    let moves = ["7,7", "8,8", "6,8", "7,9", "8,6", "5,9"];
    search_after::<GomokuEngine>(c, "gomoku", &gomoku::Setup::DEFAULT, &moves, 50_000);
    search::<ReversiEngine>(c, "reversi", &reversi::Setup::DEFAULT, 200_000);
}

/// A whole search from the start of a game, with a new engine.
fn search<E: Engine>(c: &mut Criterion, name: &str, setup: &<E::Game as Game>::Setup, nodes: u64) {
    search_after::<E>(c, name, setup, &[], nodes);
}

/// A whole search after some moves.
fn search_after<E: Engine>(
    c: &mut Criterion,
    name: &str,
    setup: &<E::Game as Game>::Setup,
    moves: &[&str],
    nodes: u64,
) {
    let mut position = E::Game::new(setup);
    for text in moves {
        let mv = E::Game::parse_move(text).expect("a move");
        position.play(mv).expect("a legal move");
    }
    let mut group = c.benchmark_group("search");
    group.sample_size(10);
    group.throughput(Throughput::Elements(nodes));
    group.bench_function(name, |bencher| {
        bencher.iter_batched_ref(
            || E::new(&position, Limits::nodes(nodes), 1),
            |engine| while engine.step(1_000) == Progress::Running {},
            BatchSize::PerIteration,
        );
    });
    group.finish();
}
