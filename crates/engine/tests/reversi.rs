//! The memory of Reversi's engine, and positions that are too large for a quick test.

mod ffo;

use tochki_engine::{Engine, Limits, Progress, reversi::ReversiEngine};
use tochki_rules::{
    Game,
    reversi::{Reversi, Setup},
};

#[test]
fn it_never_allocates_more_than_it_may() {
    let start = Reversi::new(&Setup::DEFAULT);
    for memory in [
        ReversiEngine::MIN_MEMORY,
        Limits::MIN_MEMORY,
        5 << 20,
        Limits::DEFAULT_MEMORY,
    ] {
        let limits = Limits {
            memory,
            ..Limits::nodes(20_000)
        };
        let used = allocation_counter::measure(|| {
            let mut engine = ReversiEngine::new(&start, limits, 1);
            while engine.step(1000) == Progress::Running {}
            let mut game = start.clone();
            game.play(engine.best().choice.expect("a move"))
                .expect("a legal move");
            engine.set_position(&game, limits, 1);
            while engine.step(1000) == Progress::Running {}
        });
        assert!(
            used.bytes_max <= memory as u64,
            "{} of {memory}",
            used.bytes_max
        );
    }
}

#[test]
fn a_search_allocates_nothing() {
    let start = Reversi::new(&Setup::DEFAULT);
    let limits = Limits {
        memory: 5 << 20,
        ..Limits::nodes(20_000)
    };
    let mut engine = ReversiEngine::new(&start, limits, 1);
    let used = allocation_counter::measure(|| while engine.step(1000) == Progress::Running {});
    assert_eq!(used.count_total, 0);
}

#[test]
fn the_positions_of_the_french_federation_are_solved() {
    let positions = ffo::positions();
    assert_eq!(positions.len(), 4);
    for position in positions {
        let mut engine = ReversiEngine::with_board(position.board, Limits::NONE, 1);
        while engine.step(1_000_000) == Progress::Running {}
        let report = engine.best();
        assert!(report.moves[0].exact);
        assert_eq!(
            report.moves[0].value as i32, position.value,
            "#{}",
            position.number
        );
        let choice = report.choice.expect("a move");
        assert!(
            position.moves.contains(&choice),
            "#{}: {choice}",
            position.number
        );
    }
}
