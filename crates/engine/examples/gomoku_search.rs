//! Measures the search of Gomoku: `gomoku_search SIZE POSITIONS NODES`, on positions after some reasonable moves.

use std::time::Instant;
use tochki_engine::{Engine, Level, Limits, Progress, gomoku::GomokuEngine};
use tochki_rules::{
    Game,
    gomoku::{Gomoku, Rule, Setup},
};

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .filter_map(|text| text.parse::<u64>().ok());
    let mut next = |default| arguments.next().unwrap_or(default);
    let (size, positions, nodes) = (next(15), next(10), next(200_000));
    let setup = Setup::new(size as u8, Rule::Freestyle).expect("a board");
    let (mut all_nodes, mut all_time) = (0, 0.0);
    for seed in 0..positions {
        let mut position = Gomoku::new(&setup);
        for ply in 0..8 + seed % 6 {
            let limits = Limits {
                level: Level::new(2).expect("a level"),
                memory: 2 << 20,
                ..Limits::NONE
            };
            let mut engine = GomokuEngine::new(&position, limits, seed * 100 + ply);
            while engine.step(1000) == Progress::Running {}
            if let Some(mv) = engine.best().choice {
                position.play(mv).expect("a legal move");
            }
        }
        let start = Instant::now();
        let mut engine = GomokuEngine::new(&position, Limits::nodes(nodes), seed);
        let made = start.elapsed();
        while engine.step(1000) == Progress::Running {}
        let time = start.elapsed().as_secs_f64();
        let report = engine.best();
        if let Some(best) = report.moves.first() {
            println!(
                "{seed}: {} {:.3} depth {} exact {} nodes {} in {:.0} ms (made in {:.1} ms) pv {}",
                best.mv,
                best.value,
                best.depth,
                best.exact,
                report.nodes,
                time * 1e3,
                made.as_secs_f64() * 1e3,
                best.pv.len()
            );
        }
        all_nodes += report.nodes;
        all_time += time;
    }
    println!("{:.0} nodes/s", all_nodes as f64 / all_time);
}
