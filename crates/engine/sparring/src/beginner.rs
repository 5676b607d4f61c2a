//! A player who learnt the rules today: takes dots that can be taken at once, saves dots that would be taken next, and otherwise
//! plays somewhere near the last dot.

use tochki_engine::{Candidate, Engine, Limits, Progress, Report, Rng};
use tochki_rules::{
    Game, Seat,
    dots::{Dots, Point},
};

/// Steps from the last dot to the points that the move is drawn from.
const NEAR: u8 = 2;

/// Looks one dot ahead, for itself and for the other side, and knows nothing else.
#[derive(Clone, Debug)]
pub struct Beginner {
    choice: Option<Point>,
}

impl Beginner {
    fn choose(dots: &Dots, rng: &mut Rng) -> Option<Point> {
        let seat = dots.to_move()?;
        largest_capture(dots, seat)
            .or_else(|| largest_capture(dots, seat.other()))
            .or_else(|| draw(dots, rng, |point| is_near(dots, point)))
            .or_else(|| draw(dots, rng, |_| true))
            .or_else(|| dots.free_points().next())
    }
}

/// The point where a dot of the seat captures most.
fn largest_capture(dots: &Dots, seat: Seat) -> Option<Point> {
    let mut after = dots.clone();
    let mut best = (0, None);
    for point in dots.free_points() {
        let won = after
            .play_as(seat, point)
            .map_or(0, |change| match change.captor {
                Some(captor) if captor == seat => change.won,
                _ => 0,
            });
        after.undo();
        if won > best.0 {
            best = (won, Some(point));
        }
    }
    best.1
}

fn is_near(dots: &Dots, point: Point) -> bool {
    dots.last_move()
        .is_some_and(|last| last.x.abs_diff(point.x) <= NEAR && last.y.abs_diff(point.y) <= NEAR)
}

/// Draws one of the free points in no house that are wanted.
fn draw(dots: &Dots, rng: &mut Rng, is_wanted: impl Fn(Point) -> bool) -> Option<Point> {
    let points: Vec<Point> = dots
        .free_points()
        .filter(|&point| dots.house(point).is_none() && is_wanted(point))
        .collect();
    points.get(rng.below(points.len() as u32) as usize).copied()
}

impl Engine for Beginner {
    type Game = Dots;

    fn new(position: &Dots, _: Limits, seed: u64) -> Self {
        Self {
            choice: Self::choose(position, &mut Rng::new(seed)),
        }
    }

    fn set_position(&mut self, position: &Dots, limits: Limits, seed: u64) {
        *self = Self::new(position, limits, seed);
    }

    fn step(&mut self, _: u64) -> Progress {
        Progress::Done
    }

    fn best(&self) -> Report<Point> {
        let candidate = |mv: Point| Candidate {
            mv,
            value: 0.0,
            exact: false,
            visits: 0,
            depth: 1,
            pv: vec![mv],
        };
        Report {
            choice: self.choice,
            moves: self.choice.into_iter().map(candidate).collect(),
            nodes: 0,
            settled: false,
        }
    }
}
