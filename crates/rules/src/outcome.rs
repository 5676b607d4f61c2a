//! Endings of games by their rules, and their winners.

use super::Seat;
use std::cmp::Ordering;

/// The rule by which a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Ending {
    /// No free point is left (Dots), or no intersection (Gomoku).
    BoardFull,
    /// Five in a row (Gomoku).
    FiveInRow,
    /// Neither side has a move (Reversi).
    NoMoves,
    /// Every box is taken (Dots and Boxes).
    AllBoxes,
}

/// A game that is over by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Seat>,
    /// The rule that ended the game.
    pub ending: Ending,
}

impl Outcome {
    /// The side with more points wins; equal is a draw.
    #[must_use]
    pub fn by_score(score: [u32; 2], ending: Ending) -> Self {
        let winner = match score[0].cmp(&score[1]) {
            Ordering::Greater => Some(Seat::First),
            Ordering::Less => Some(Seat::Second),
            Ordering::Equal => None,
        };
        Self { winner, ending }
    }
}
