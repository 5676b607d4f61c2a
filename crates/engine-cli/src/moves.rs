//! The legal moves of a position, and how far its game is from its end.

use tochki_rules::{Move, Position, Seat};

/// The moves of the side to move, in a fixed order; none once the game is over.
///
/// ```
/// use tochki_engine_cli::moves::legal;
/// use tochki_rules::{GameKind, Position};
///
/// let reversi = Position::new(&GameKind::Reversi.default_setup());
/// let moves: Vec<_> = legal(&reversi).iter().map(ToString::to_string).collect();
/// assert_eq!(moves, ["3,2", "2,3", "5,4", "4,5"]);
/// ```
#[must_use]
pub fn legal(position: &Position) -> Vec<Move> {
    let Some(seat) = position.to_move() else {
        return Vec::new();
    };
    match position {
        Position::Dots(dots) => dots.free_points().map(Move::Dots).collect(),
        Position::Boxes(boxes) => boxes.free_lines().map(Move::Boxes).collect(),
        Position::Gomoku(gomoku) => gomoku.free_points().map(Move::Gomoku).collect(),
        Position::Reversi(reversi) => reversi.legal(seat).into_iter().map(Move::Reversi).collect(),
    }
}

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
