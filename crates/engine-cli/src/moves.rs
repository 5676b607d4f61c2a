//! The moves of a side: whether there is one, and how many are left in a game.

use tochki_rules::{Position, Seat};

/// Returns whether a side may move, whoever's turn it is.
#[must_use]
pub fn has_move(position: &Position, seat: Seat) -> bool {
    match position {
        Position::Reversi(reversi) => !reversi.legal(seat).is_empty(),
        _ => position.to_move().is_some(),
    }
}

/// The maximum number of moves that the side to move will still make, this one included.
#[must_use]
pub fn left(position: &Position) -> u32 {
    let plies = match position {
        Position::Dots(dots) => dots.free_points().count(),
        Position::Boxes(boxes) => boxes.free_lines().count(),
        Position::Gomoku(gomoku) => gomoku.free_points().count(),
        Position::Reversi(reversi) => {
            64 - Seat::BOTH
                .iter()
                .map(|&seat| reversi.discs(seat).len() as usize)
                .sum::<usize>()
        }
    };
    plies.div_ceil(2) as u32
}
