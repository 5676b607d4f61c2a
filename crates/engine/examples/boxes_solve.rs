//! How long exact values of Dots and Boxes take: `boxes_solve COLS ROWS FREE GAMES [NODES]`.
//!
//! Positions come from games in which both sides draw safe lines at random.

use std::time::Instant;
use tochki_engine::{Engine, Limits, Progress, Rng, boxes::BoxesEngine};
use tochki_rules::{
    Game,
    boxes::{Boxes, Setup},
};

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .filter_map(|text| text.parse::<u64>().ok());
    let mut next = |default| arguments.next().unwrap_or(default);
    let (cols, rows, free, games) = (next(5), next(5), next(36), next(10));
    let limits = Limits {
        nodes: next(200_000_000),
        ..Limits::NONE
    };
    let setup = Setup::new(cols as u8, rows as u8).expect("a board");
    let mut times = Vec::new();
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut position = Boxes::new(&setup);
        while position.free_lines().count() > free as usize {
            let lines: Vec<_> = position.free_lines().collect();
            let line = lines[rng.below(lines.len() as u32) as usize];
            position.play(line).expect("a free line");
            let gives = position
                .free_lines()
                .collect::<Vec<_>>()
                .into_iter()
                .any(|line| {
                    let seat = position.to_move().expect("a side to move");
                    position
                        .preview(seat, line, |_, change| change.count())
                        .is_ok_and(|count| count > 0)
                });
            if gives && rng.below(64) > 0 {
                position.undo();
            }
        }
        let start = Instant::now();
        let mut engine = BoxesEngine::new(&position, limits, seed);
        while engine.step(10_000) == Progress::Running {}
        let time = start.elapsed();
        let report = engine.best();
        let best = &report.moves[0];
        println!(
            "{seed}: {} {} exact {} nodes {} in {:.0} ms",
            best.mv,
            best.value,
            best.exact,
            report.nodes,
            time.as_secs_f64() * 1e3
        );
        times.push(time);
    }
    times.sort_unstable();
    println!(
        "median {:?}, slowest {:?}",
        times[times.len() / 2],
        times[times.len() - 1]
    );
}
