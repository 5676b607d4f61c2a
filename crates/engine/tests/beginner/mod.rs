//! Somebody who learnt Gomoku today: looks one move ahead.

use tochki_engine::Rng;
use tochki_rules::{
    Game, Point, Seat,
    gomoku::{Gomoku, Setup},
};

/// Completes five, blocks a four, blocks an open three, or plays next to own stones at random.
pub fn choose(position: &Gomoku, rng: &mut Rng) -> Point {
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
pub fn opening(setup: &Setup, seed: u64) -> Gomoku {
    let mut rng = Rng::new(seed);
    let mut position = Gomoku::new(setup);
    let first = setup.size() / 2 - 2;
    let mut stones = 0;
    while stones < 4 {
        let point = Point::new(first + rng.below(5) as u8, first + rng.below(5) as u8);
        stones += u8::from(position.play(point).is_ok());
    }
    position
}
