//! What somebody who learnt Gomoku today meets at the lowest levels.

mod beginner;

use tochki_engine::{Engine, Level, Limits, Progress, Rng, gomoku::GomokuEngine};
use tochki_rules::{
    Game, Outcome, Seat,
    gomoku::{Rule, Setup},
};

/// How many games of a level against the beginner the level wins; half of them it begins.
fn won(level: u8, games: u64) -> u64 {
    let setup = Setup::new(13, Rule::Freestyle).unwrap();
    let limits = Limits {
        level: Level::new(level).unwrap(),
        memory: 2 << 20,
        ..Limits::NONE
    };
    let mut engine = GomokuEngine::new(&Game::new(&setup), limits, 1);
    let game = |game: u64| {
        let mut rng = Rng::new(game);
        let mut position = beginner::opening(&setup, game / 2);
        let engine_seat = if game.is_multiple_of(2) {
            Seat::First
        } else {
            Seat::Second
        };
        while let Some(seat) = position.to_move() {
            let mv = if seat == engine_seat {
                engine.set_position(&position, limits, game);
                while engine.step(1_000) == Progress::Running {}
                engine.best().choice.unwrap()
            } else {
                beginner::choose(&position, &mut rng)
            };
            position.play(mv).unwrap();
        }
        u64::from(
            matches!(position.outcome(), Some(Outcome { winner, .. }) if winner == Some(engine_seat)),
        )
    };
    (0..games).map(game).sum()
}

#[test]
fn a_beginner_beats_the_first_level_and_loses_to_the_third() {
    let games = std::env::var("GAMES").map_or(16, |games| games.parse().unwrap());
    let (first, third) = (won(1, games), won(3, games));
    println!("of {games} games level 1 won {first}, level 3 won {third}");
    assert!(first * 2 < games, "{first}");
    assert!(third * 2 > games, "{third}");
}
