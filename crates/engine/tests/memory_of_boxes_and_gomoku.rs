//! The engines of Dots and Boxes and of Gomoku stay within the memory that they are given.

use tochki_engine::{Engine, Limits, Progress, boxes::BoxesEngine, gomoku::GomokuEngine};
use tochki_rules::{
    Game,
    boxes::{self, Boxes},
    gomoku::{self, Gomoku, Rule},
};

/// The most bytes that were allocated at once while the positions were searched one after the other.
fn most_bytes<E: Engine>(positions: &[E::Game], limits: Limits) -> u64 {
    let used = allocation_counter::measure(|| {
        let mut engine = E::new(&positions[0], limits, 1);
        for position in positions {
            engine.set_position(position, limits, 2);
            while engine.step(1_000) == Progress::Running {}
            let _ = engine.best();
        }
    });
    used.bytes_max
}

#[track_caller]
fn check<E: Engine>(positions: &[E::Game], nodes: u64) {
    for memory in [Limits::MIN_MEMORY, 12 << 20] {
        let limits = Limits {
            nodes,
            memory,
            ..Limits::NONE
        };
        let most = most_bytes::<E>(positions, limits);
        assert!(most <= memory as u64, "{most} of {memory}");
    }
}

#[test]
fn boxes_keep_their_bound() {
    let boards = [(5, 5), (10, 10), (4, 9), (3, 3)];
    let positions = boards.map(|(cols, rows)| {
        let mut position = Boxes::new(&boxes::Setup::new(cols, rows).unwrap());
        let lines: Vec<_> = position.free_lines().step_by(5).collect();
        for line in lines {
            position.play(line).unwrap();
        }
        position
    });
    check::<BoxesEngine>(&positions, 1_500);
}

#[test]
fn gomoku_keeps_its_bound() {
    let boards = [
        (15, Rule::Freestyle),
        (19, Rule::Standard),
        (5, Rule::Standard),
    ];
    let positions = boards.map(|(size, rule)| {
        let mut position = Gomoku::new(&gomoku::Setup::new(size, rule).unwrap());
        let points: Vec<_> = position.free_points().step_by(7).take(3).collect();
        for point in points {
            position.play(point).unwrap();
        }
        position
    });
    check::<GomokuEngine>(&positions, 1_500);
}
