//! The lowest levels against a person who learnt the rules today. Nodes and seeds fix every game.

use tochki_engine::{Engine, Level, Limits, Progress, dots::DotsEngine};
use tochki_rules::{
    Game, Seat,
    dots::{Dots, Opening, Setup},
};
use tochki_sparring::Beginner;

/// Games that a level wins against the beginner, of so many.
fn wins(level: u8, games: u64) -> usize {
    (0..games).filter(|&game| is_won(level, game)).count()
}

fn is_won(level: u8, seed: u64) -> bool {
    let limits = Limits {
        level: Level::new(level).expect("a level"),
        memory: 4 << 20,
        ..Limits::NONE
    };
    let level = [Seat::First, Seat::Second][seed as usize % 2];
    let mut dots = Dots::new(&Setup::new(12, 12, Opening::Cross).expect("a board"));
    let mut engine = DotsEngine::new(&dots, limits, seed);
    let mut ply = 0;
    while let Some(seat) = dots.to_move() {
        ply += 1;
        let choice = if seat == level {
            engine.set_position(&dots, limits, seed * 1000 + ply);
            while engine.step(1000) == Progress::Running {}
            engine.best().choice
        } else {
            Beginner::new(&dots, limits, seed * 1000 + ply)
                .best()
                .choice
        };
        dots.play(choice.expect("the game goes on"))
            .expect("a legal move");
    }
    let score = dots.score();
    score[level.index()] > score[level.other().index()]
}

#[test]
fn the_first_level_loses_more_than_half_of_its_games() {
    let wins = wins(1, 10);
    assert!(wins < 5, "{wins} of 10");
}

#[test]
fn the_third_level_wins() {
    let wins = wins(3, 4);
    assert!(wins >= 3, "{wins} of 4");
}
