//! The board of Reversi: discs in the squares, and the squares that may be played.

use crate::ui::board::{
    BoardPosition, Geometry, Grid, GridStyle, Initials, Mark, MoveTarget, Picture, Preview, Shape,
    circles, paper,
};
use crate::ui::games::points;
use crate::ui::games::reversi::{column, row, square};
use crate::ui::text::side;
use crate::ui::text::{Language, t};
use tochki_play::Ply;
use tochki_rules::reversi::{Reversi, Squares};
use tochki_rules::{Game, Illegal, Move, Point, Seat};

const GRID: Grid = Grid {
    columns: 8,
    rows: 8,
};

/// The places of the discs before the first move.
const START: [Point; 4] = [
    Point::new(3, 3),
    Point::new(4, 3),
    Point::new(3, 4),
    Point::new(4, 4),
];

fn mark(Point { x, y }: Point, seat: Seat, step: u8) -> Mark {
    Mark {
        shape: Shape::Disc(step),
        seat,
        target: MoveTarget::At(x, y),
    }
}

fn places(squares: Squares) -> impl Iterator<Item = (u8, u8)> {
    squares.into_iter().map(|point| (point.x, point.y))
}

/// Returns the distance of two squares, by the longer way.
fn far(one: Point, other: Point) -> u8 {
    one.x.abs_diff(other.x).max(one.y.abs_diff(other.y))
}

impl BoardPosition for Reversi {
    fn geometry(&self) -> Geometry {
        Geometry::Squares(GRID)
    }

    fn paper(&self) -> String {
        paper(GRID, GridStyle::Squares, column, row)
    }

    fn move_at(&self, target: MoveTarget) -> Move {
        Move::Reversi(target.point())
    }

    fn target_of(&self, mv: Move) -> MoveTarget {
        points::target_of(mv)
    }

    fn target_name(&self, _: Language, target: MoveTarget) -> String {
        square(target.point())
    }

    /// Describes the gain: of the points that a side has more now, one disc is new and the others were flipped.
    fn gain_text(&self, language: Language, _: Seat, own: u32, _: u32) -> Option<String> {
        let flipped = own.checked_sub(1)?;
        Some(t!(language, reversi.turns, count = flipped))
    }

    fn owner(&self, target: MoveTarget) -> Option<Seat> {
        self.disc(target.point())
    }

    /// A disc keeps its place among the marks when it is turned, so that it is seen turning, one after the other outwards
    /// from the new one.
    fn picture(&self, plies: &[Ply], _: Initials) -> Picture {
        let put = plies.iter().map(|ply| self.target_of(ply.mv).point());
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

    fn legal_moves(&self, seat: Seat) -> String {
        let class = format!("open {}", side::class(seat));
        circles(&class, "1", places(self.legal(seat)))
    }

    fn preview(
        &self,
        language: Language,
        seat: Seat,
        target: MoveTarget,
    ) -> Result<Preview, Illegal> {
        let change = self.clone().play_as(seat, target.point())?;
        let class = format!("flip-preview {}", side::class(seat));
        let turned = circles(&class, "2", places(change.flipped));
        let count = change.flipped.len();
        Ok(Preview {
            markup: turned + &mark(target.point(), seat, 0).ghost(),
            words: Some(t!(language, reversi.would_turn, count)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::square;
    use super::*;
    use tochki_rules::reversi::Setup;

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
        assert_eq!(
            reversi.legal_moves(Seat::First).matches("open red").count(),
            4
        );
        let preview = |target| reversi.preview(Language::En, Seat::First, target);
        let Preview { markup, words } = preview(MoveTarget::At(3, 2)).unwrap();
        assert_eq!(words.as_deref(), Some("Flips 1 disc."));
        assert!(markup.contains(r#"class="flip-preview red" cx="30" cy="30""#));
        assert_eq!(preview(MoveTarget::At(0, 0)), Err(Illegal::FlipsNothing));
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
            .map(|(_, after)| after.target)
            .collect();
        assert_eq!(changed, [MoveTarget::At(3, 3)]);
        assert_eq!(
            after.marks.last().map(|mark| mark.target),
            Some(MoveTarget::At(3, 2))
        );
    }
}
