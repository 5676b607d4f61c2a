//! The lowest levels of Gomoku against a person who learnt the game today.

use tochki_engine::{Engine, Level, Limits, Progress, Rng, gomoku::GomokuEngine};
use tochki_rules::{
    Game, Outcome, Point, Seat,
    gomoku::{Gomoku, Rule, Setup},
};

/// The number of games of a level against the beginner that the level wins; it begins half of them.
fn won(level: u8, games: u64) -> u64 {
    let setup = Setup::new(13, Rule::Freestyle).unwrap();
    let limits = Limits {
        level: Level::new(level).unwrap(),
        memory: 2 << 20,
        ..Limits::NONE
    };
    let mut engine = GomokuEngine::new(&Gomoku::new(&setup), limits, 1);
    let game = |game: u64| {
        let mut rng = Rng::new(game);
        let mut position = opening(setup, game / 2);
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
                choose(&position, &mut rng)
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

/// The beginner looks one move ahead: completes five, blocks a four, blocks an open three, or plays next to own stones at random.
fn choose(position: &Gomoku, rng: &mut Rng) -> Point {
    let seat = position.to_move().expect("the game goes on");
    let free: Vec<Point> = position.free_points().collect();
    let draw = |points: &[Point], rng: &mut Rng| {
        points[rng.below(points.len() as u32) as usize % points.len()]
    };
    for side in [seat, seat.other()] {
        let fives = fives(position, side, &free);
        if !fives.is_empty() {
            return draw(&fives, rng);
        }
    }
    let near: Vec<Point> = (free.iter().copied())
        .filter(|&point| has_neighbour(position, point, seat.other()))
        .collect();
    let makes_open_four = |&point: &Point| {
        let mut after = position.clone();
        after.play_as(seat.other(), point).is_ok() && fives(&after, seat.other(), &free).len() > 1
    };
    if let Some(point) = near.into_iter().find(makes_open_four) {
        return point;
    }
    let own: Vec<Point> = (free.iter().copied())
        .filter(|&point| has_neighbour(position, point, seat))
        .collect();
    draw(if own.is_empty() { &free } else { &own }, rng)
}

/// The points where the side makes five.
fn fives(position: &Gomoku, seat: Seat, free: &[Point]) -> Vec<Point> {
    let mut tried = position.clone();
    let wins = |&point: &Point| {
        has_neighbour(position, point, seat)
            && tried.play_as(seat, point).is_ok_and(|change| {
                tried.undo();
                change.wins
            })
    };
    free.iter().copied().filter(wins).collect()
}

fn has_neighbour(position: &Gomoku, point: Point, seat: Seat) -> bool {
    let size = position.setup().size();
    let near = |at: u8| at.saturating_sub(1)..(at + 2).min(size);
    near(point.y).any(|y| {
        near(point.x).any(|x| {
            let other = Point::new(x, y);
            other != point && position.stone(other) == Some(seat)
        })
    })
}

/// A few random stones in the middle of a board.
fn opening(setup: Setup, seed: u64) -> Gomoku {
    let mut rng = Rng::new(seed);
    let mut position = Gomoku::new(&setup);
    let first = setup.size() / 2 - 2;
    let mut stones = 0;
    while stones < 4 {
        let point = Point::new(first + rng.below(5) as u8, first + rng.below(5) as u8);
        stones += u8::from(position.play(point).is_ok());
    }
    position
}
