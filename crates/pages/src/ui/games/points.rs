//! Boards of points or squares: the places of moves, and the board in words for readers who do not see the diagrams of the rules.

use crate::ui::board::MoveTarget;
use crate::ui::text::side;
use crate::ui::text::{Language, t};
use tochki_rules::{GameKind, Move, Point, Seat};

/// Returns the place of a move. For a line, which is on no such board, its beginning.
pub(crate) fn target_of(mv: Move) -> MoveTarget {
    match mv {
        Move::Dots(Point { x, y })
        | Move::Gomoku(Point { x, y })
        | Move::Reversi(Point { x, y }) => MoveTarget::At(x, y),
        Move::Boxes(line) => MoveTarget::At(line.x, line.y),
    }
}

/// Returns a point as it is spoken.
pub(crate) fn name(Point { x, y }: Point) -> String {
    format!("{x}, {y}")
}

/// Describes each place, row by row.
pub(crate) fn rows(
    language: Language,
    (width, height): (u8, u8),
    describe: impl Fn(Point) -> String,
) -> String {
    let rows = (0..height).map(|y| {
        let points: Vec<_> = (0..width).map(|x| describe(Point::new(x, y))).collect();
        t!(language, rules.row, row = y + 1, points = points.join(", "))
    });
    rows.collect::<Vec<_>>().join(" ")
}

/// Describes a place by the side whose mark stands there, if nothing else is to be told.
pub(crate) fn owner(language: Language, game: GameKind, seat: Option<Seat>) -> String {
    seat.map_or(t!(language, rules.free).to_owned(), |seat| {
        side::colour(language, game, seat).to_lowercase()
    })
}

/// Describes a move to a place of such rows.
pub(crate) fn describe_move(
    language: Language,
    game: GameKind,
    seat: Seat,
    Point { x, y }: Point,
) -> String {
    let side = side::colour(language, game, seat);
    t!(
        language,
        rules.places,
        side = side,
        row = y + 1,
        place = x + 1
    )
}
