//! The board of Reversi: discs in the squares, and where one may be put.

use super::{column, row};
use crate::play::Ply;
use crate::rules::reversi::{Reversi, Squares};
use crate::rules::{Game, Move, Point, Seat};
use crate::ui::board::{
    Face, Grid, Heading, Initials, Mark, Picture, Preview, Ruling, Shape, Sheet, Spot, circles,
    paper,
};
use crate::ui::games::place;
use crate::ui::texts::{Language, say};
use crate::ui::words;

const GRID: Grid = Grid {
    columns: 8,
    rows: 8,
};

/// Where discs stand before the first move.
const START: [Point; 4] = [
    Point::new(3, 3),
    Point::new(4, 3),
    Point::new(3, 4),
    Point::new(4, 4),
];

fn disc_at((x, y): (u8, u8)) -> Move {
    Move::Reversi(Point::new(x, y))
}

fn mark(Point { x, y }: Point, seat: Seat, step: u8) -> Mark {
    Mark {
        shape: Shape::Disc(step),
        seat,
        at: (x, y),
    }
}

fn places(squares: Squares) -> impl Iterator<Item = (u8, u8)> {
    squares.into_iter().map(|point| (point.x, point.y))
}

/// How many squares lie between two, by the longer way.
fn far(one: Point, other: Point) -> u8 {
    one.x.abs_diff(other.x).max(one.y.abs_diff(other.y))
}

impl Face for Reversi {
    fn sheet(&self) -> Sheet {
        GRID.sheet()
    }

    fn paper(&self) -> String {
        paper(GRID, Ruling::Squares, column, row)
    }

    fn label(&self, language: Language) -> String {
        say!(
            language,
            board.label,
            width = GRID.columns,
            height = GRID.rows
        )
    }

    fn move_at(&self, spot: Spot) -> Option<Move> {
        GRID.place_at(spot).map(disc_at)
    }

    fn middle(&self) -> Move {
        disc_at(GRID.middle())
    }

    fn step(&self, from: Move, heading: Heading) -> Move {
        match from {
            Move::Reversi(Point { x, y }) => disc_at(GRID.step((x, y), heading)),
            _ => from,
        }
    }

    /// A disc keeps its place among the marks when it is turned, so that it is seen turning, one after the other outwards
    /// from the new one.
    fn picture(&self, plies: &[Ply], _: Initials) -> Picture {
        let put = plies.iter().filter_map(|ply| match ply.mv {
            Move::Reversi(point) => Some(point),
            _ => None,
        });
        let new = put.clone().next_back();
        let marks: Vec<Mark> = START
            .into_iter()
            .chain(put)
            .filter_map(|point| {
                let step = new.map_or(0, |new| far(new, point));
                Some(mark(point, self.disc(point)?, step))
            })
            .collect();
        let last = marks.last().filter(|_| new.is_some());
        Picture {
            areas: Vec::new(),
            last: last.map(|mark| mark.ring()).unwrap_or_default(),
            marks,
        }
    }

    fn open_to(&self, seat: Seat) -> String {
        let class = format!("open {}", words::side(seat));
        circles(&class, "1", places(self.legal(seat)))
    }

    fn preview(&self, language: Language, seat: Seat, mv: Move) -> Preview {
        let Move::Reversi(point) = mv else {
            return Preview::default();
        };
        let mut after = self.clone();
        match after.play_as(seat, point) {
            Ok(change) => {
                let class = format!("turns {}", words::side(seat));
                let turned = circles(&class, "2", places(change.flipped));
                let count = change.flipped.len();
                Preview {
                    drawn: turned + &mark(point, seat, 0).ghost(),
                    words: Some(say!(language, reversi.would_turn, count)),
                    refused: false,
                }
            }
            Err(illegal) => Preview::refused(language, illegal),
        }
    }

    fn whats_at(&self, language: Language, mv: Move) -> String {
        let Move::Reversi(point) = mv else {
            return String::new();
        };
        let place = place(language, mv);
        match self.disc(point) {
            Some(seat) => words::taken(language, &place, seat),
            None => words::free(language, &place),
        }
    }

    fn cursor(&self, mv: Move) -> String {
        match mv {
            Move::Reversi(Point { x, y }) => Grid::cursor((x, y)),
            _ => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::square;
    use super::*;
    use crate::rules::reversi::Setup;

    #[test]
    fn a_square_is_written_as_it_is_read() {
        for x in 0..8 {
            for y in 0..8 {
                let point = Point::new(x, y);
                assert_eq!(Reversi::parse_move(&square(point)), Ok(point));
            }
        }
    }

    #[test]
    fn the_first_move_may_be_made_in_four_places_and_turns_one() {
        let reversi = Reversi::new(&Setup::DEFAULT);
        assert_eq!(reversi.open_to(Seat::First).matches("open red").count(), 4);
        let preview = reversi.preview(Language::En, Seat::First, disc_at((3, 2)));
        assert_eq!(preview.words.as_deref(), Some("Turns 1 disc."));
        assert!(
            preview
                .drawn
                .contains(r#"class="turns red" cx="30" cy="30""#)
        );
        assert!(
            reversi
                .preview(Language::En, Seat::First, disc_at((0, 0)))
                .refused
        );
    }

    #[test]
    fn discs_keep_their_places_when_they_are_turned() {
        let mut reversi = Reversi::new(&Setup::DEFAULT);
        let before = reversi.picture(&[], [' '; 2]);
        let point = Point::new(3, 2);
        let seat = Seat::First;
        reversi.play(point).unwrap();
        let mv = Move::Reversi(point);
        let after = reversi.picture(&[Ply { seat, mv }], [' '; 2]);
        let changed: Vec<_> = before
            .marks
            .iter()
            .zip(&after.marks)
            .filter(|(before, after)| before != after)
            .map(|(_, after)| after.at)
            .collect();
        assert_eq!(changed, [(3, 3)]);
        assert_eq!(after.marks.last().map(|mark| mark.at), Some((3, 2)));
    }
}
