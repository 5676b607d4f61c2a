//! Looks for victories by fours on random boards, draws the longest and says how long they take: `gomoku_fours BOARDS STONES PLIES`.

use std::time::Instant;
use tochki_engine::{Engine, Limits, Progress, Rng, gomoku::GomokuEngine};
use tochki_rules::{
    Game, Point, Seat,
    gomoku::{Gomoku, Rule, Setup},
};

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .filter_map(|text| text.parse::<u64>().ok());
    let mut next = |default| arguments.next().unwrap_or(default);
    let (boards, stones, plies) = (next(1000), next(36), next(15));
    let setup = Setup::new(15, Rule::Freestyle).expect("a board");
    let mut rng = Rng::new(1);
    let mut times = Vec::new();
    let start_position = Gomoku::new(&setup);
    let mut engine = GomokuEngine::new(&start_position, Limits::nodes(1), 1);
    for _ in 0..boards {
        let mut position = Gomoku::new(&setup);
        for _ in 0..stones {
            let point = Point::new(3 + rng.below(9) as u8, 3 + rng.below(9) as u8);
            let _ = position.play(point);
        }
        if position.to_move() != Some(Seat::First) {
            continue;
        }
        engine.set_position(&position, Limits::nodes(300_000), 1);
        let start = Instant::now();
        while engine.step(1000) == Progress::Running {
            let found = engine.best();
            if found.nodes > 200_000 {
                break;
            }
        }
        let time = start.elapsed();
        let report = engine.best();
        let Some(best) = report.moves.first() else {
            continue;
        };
        if best.exact && best.pv.len() as u64 >= plies {
            times.push(time);
            println!("{} plies, {} nodes, {time:?}", best.pv.len(), report.nodes);
            if times.len() == 1 {
                for y in 0..15 {
                    let row: Vec<_> = (0..15)
                        .map(|x| match position.stone(Point::new(x, y)) {
                            Some(Seat::First) => "X",
                            Some(Seat::Second) => "O",
                            None => ".",
                        })
                        .collect();
                    println!("        {}", row.join(" "));
                }
            }
        }
    }
    times.sort_unstable();
    if let Some(slowest) = times.last() {
        println!(
            "{} of them, median {:?}, slowest {slowest:?}",
            times.len(),
            times[times.len() / 2]
        );
    }
}
