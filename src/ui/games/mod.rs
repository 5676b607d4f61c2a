//! What the pages know of each game: how it looks, and how its moves are told. Nowhere else do they ask which game it is.

mod dots;

use super::board::{Face, Initials};
use super::texts::Language;
use crate::rules::{Move, Position, Seat};

/// How a position looks.
pub(super) fn face(position: &Position) -> &dyn Face {
    match position {
        Position::Dots(dots) => dots,
    }
}

/// Where a move is made, as players of the game write it.
pub(super) fn name(mv: Move) -> String {
    match mv {
        Move::Dots(point) => point.to_string(),
    }
}

/// Where a move is made, as it is said aloud.
pub(super) fn place(_: Language, mv: Move) -> String {
    match mv {
        Move::Dots(point) => format!("{}, {}", point.x, point.y),
    }
}

/// What a move has brought, by the scores before it and after it, as it is said aloud; nothing, where it was a move and no
/// more.
pub(super) fn gain(
    language: Language,
    seat: Seat,
    mv: Move,
    scores: [[u32; 2]; 2],
) -> Option<String> {
    match mv {
        Move::Dots(_) => dots::gain(language, seat, scores),
    }
}

/// The letters of two names, which stand for the players where there is room for no more.
pub(super) fn initials(names: [&str; 2]) -> Initials {
    names.map(|name| name.chars().next().unwrap_or(' '))
}
