//! No engine panics on any board that a match may have: each is searched a little at every level, and played on.

use tochki_engine::{Engine, Level, Limits};
use tochki_engine::{boxes::BoxesEngine, dots::DotsEngine, gomoku::GomokuEngine};
use tochki_rules::{Game, boxes, dots, gomoku};

/// A few moves of a game, each after one step.
fn play<E: Engine>(setup: &<E::Game as Game>::Setup, level: Level) {
    let limits = Limits {
        memory: Limits::MIN_MEMORY,
        level,
        ..Limits::nodes(100)
    };
    let mut position = E::Game::new(setup);
    let mut engine = E::new(&position, limits, 1);
    for seed in 0..2 {
        engine.set_position(&position, limits, seed);
        for _ in 0..2 {
            let choice = engine.best().choice.expect("the game goes on");
            assert!(position.clone().play(choice).is_ok(), "an illegal move");
            engine.step(50);
        }
        let choice = engine.best().choice.expect("the game goes on");
        assert!(position.play(choice).is_ok(), "an illegal move");
    }
}

/// The levels in turn.
fn level(number: usize) -> Level {
    Level::new(1 + (number % 8) as u8).expect("1 to 8")
}

#[test]
fn dots_are_searched_on_every_width_and_height() {
    let mut played = 0;
    for long in 5..=50 {
        for (width, height) in [(long, 5), (5, long), (long, long), (long, 55 - long)] {
            let start = dots::Opening::ALL[played % dots::Opening::ALL.len()];
            let setup = dots::Setup::new(width, height, start);
            // Four crosses need 10 × 10 points.
            let Ok(setup) = setup.and_then(dots::Setup::for_match) else {
                continue;
            };
            play::<DotsEngine>(&setup, level(played));
            played += 1;
        }
    }
    assert!(played > 100, "{played}");
}

#[test]
fn boxes_are_searched_on_every_board() {
    let mut played = 0;
    for (cols, rows) in (2..=10).flat_map(|cols| (2..=10).map(move |rows| (cols, rows))) {
        let setup = boxes::Setup::new(cols, rows).and_then(boxes::Setup::for_match);
        play::<BoxesEngine>(&setup.expect("a board for a match"), level(played));
        played += 1;
    }
    assert_eq!(played, 81);
}

#[test]
fn gomoku_is_searched_on_every_board() {
    let mut played = 0;
    for (size, rule) in gomoku::Rule::ALL
        .into_iter()
        .flat_map(|rule| [(15, rule), (19, rule)])
    {
        let setup = gomoku::Setup::new(size, rule).and_then(gomoku::Setup::for_match);
        let setup = setup.expect("a board for a match");
        for level in Level::all() {
            play::<GomokuEngine>(&setup, level);
            played += 1;
        }
    }
    assert_eq!(played, 32);
}
