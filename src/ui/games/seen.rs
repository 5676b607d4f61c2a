//! How a position of each game looks, and how its moves are told.

use crate::ui::board::{Face, Place};
use crate::ui::games::{boxes, dots, gomoku, reversi};
use crate::ui::text::Language;
use tochki_rules::{Move, Point, Position, Seat};

/// How a position looks.
pub(crate) fn face(position: &Position) -> &dyn Face {
    match position {
        Position::Dots(dots) => dots,
        Position::Boxes(boxes) => boxes,
        Position::Gomoku(gomoku) => gomoku,
        Position::Reversi(reversi) => reversi,
    }
}

/// A move as the players of the game write it. It can be typed like this.
pub(crate) fn written(mv: Move) -> String {
    match mv {
        Move::Reversi(point) => reversi::square(point),
        Move::Dots(_) | Move::Boxes(_) | Move::Gomoku(_) => mv.to_string(),
    }
}

/// A move as it is typed, for an example.
pub(crate) fn example(position: &Position) -> String {
    let face = face(position);
    written(face.move_in(face.geometry().middle()))
}

/// Where a move is made on the board.
pub(crate) fn place_of(mv: Move) -> Place {
    match mv {
        Move::Dots(Point { x, y })
        | Move::Gomoku(Point { x, y })
        | Move::Reversi(Point { x, y }) => Place::At(x, y),
        Move::Boxes(line) => boxes::place_of(line),
    }
}

/// The same as it is said aloud.
pub(crate) fn place(language: Language, mv: Move) -> String {
    match mv {
        Move::Dots(point) | Move::Gomoku(point) => format!("{}, {}", point.x, point.y),
        Move::Boxes(line) => boxes::place(language, line),
        Move::Reversi(point) => reversi::square(point),
    }
}

/// What a move has brought, by the scores before it and after it, as it is said aloud; nothing, where it was a move and no
/// more.
pub(crate) fn gain(
    language: Language,
    seat: Seat,
    mv: Move,
    [before, after]: [[u32; 2]; 2],
) -> Option<String> {
    let won = |seat: Seat| after[seat.index()].saturating_sub(before[seat.index()]);
    let (own, others) = (won(seat), won(seat.other()));
    match mv {
        Move::Dots(_) => dots::gain(language, seat, own, others),
        Move::Boxes(_) => boxes::gain(language, own),
        Move::Gomoku(_) => gomoku::gain(language, own),
        Move::Reversi(_) => reversi::gain(language, own),
    }
}
