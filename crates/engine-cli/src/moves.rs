//! Whether a side may move, and how far a game is from its end.

use tochki_rules::{Position, Seat};

/// Whether a side may move, whoever's turn it is.
#[must_use]
pub fn has_move(position: &Position, seat: Seat) -> bool {
    match position {
        Position::Reversi(reversi) => !reversi.legal(seat).is_empty(),
        _ => position.to_move().is_some(),
    }
}

/// How many moves the side to move will make at most, itself included.
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
