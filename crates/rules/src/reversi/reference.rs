//! The rule of Reversi once more, square by square, in as plain a way as can be: slow, to check the bit shifts against.

use super::Reversi;
use crate::{Point, Seat};

/// The disc on each square, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference([[Option<Seat>; 8]; 8]);

const DIRECTIONS: [(i8, i8); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

impl Reference {
    /// The discs of a position.
    pub(super) fn of(reversi: &Reversi) -> Self {
        let mut board = Self([[None; 8]; 8]);
        for point in squares() {
            board.0[usize::from(point.y)][usize::from(point.x)] = reversi.disc(point);
        }
        board
    }

    fn disc(&self, (x, y): (i8, i8)) -> Option<Seat> {
        let row = self.0.get(usize::try_from(y).ok()?)?;
        *row.get(usize::try_from(x).ok()?)?
    }

    /// The discs that a disc there flips, row by row; none on a square that is not empty.
    pub(super) fn flips(&self, seat: Seat, point: Point) -> Vec<Point> {
        let start = (point.x as i8, point.y as i8);
        let mut flipped = Vec::new();
        if self.disc(start).is_some() {
            return flipped;
        }
        for (dx, dy) in DIRECTIONS {
            let mut run = Vec::new();
            let mut place = (start.0 + dx, start.1 + dy);
            while self.disc(place) == Some(seat.other()) {
                run.push(Point::new(place.0 as u8, place.1 as u8));
                place = (place.0 + dx, place.1 + dy);
            }
            if self.disc(place) == Some(seat) {
                flipped.extend(run);
            }
        }
        flipped.sort();
        flipped
    }

    pub(super) fn legal(&self, seat: Seat) -> Vec<Point> {
        squares()
            .filter(|&point| !self.flips(seat, point).is_empty())
            .collect()
    }

    pub(super) fn play(&mut self, seat: Seat, point: Point) {
        for point in self.flips(seat, point).into_iter().chain([point]) {
            self.0[usize::from(point.y)][usize::from(point.x)] = Some(seat);
        }
    }

    pub(super) fn score(&self) -> [u32; 2] {
        let discs = |seat| {
            self.0
                .iter()
                .flatten()
                .filter(|&&disc| disc == Some(seat))
                .count()
        };
        Seat::BOTH.map(|seat| discs(seat) as u32)
    }
}

/// The squares of the board, row by row.
pub(super) fn squares() -> impl Iterator<Item = Point> {
    (0..8).flat_map(|y| (0..8).map(move |x| Point::new(x, y)))
}
