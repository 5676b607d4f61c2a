//! Reasons why a move is refused: it cannot be read, or it may not be played.

use std::{borrow::Cow, fmt};

/// The reason why a move that can be read may not be played. The position is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Illegal {
    /// The place is not on the board.
    OffBoard,
    /// The place is taken already, by a dot dead or alive, a stone or a disc.
    Occupied,
    /// The point lies in a captured area.
    CapturedArea,
    /// The line is drawn already (Dots and Boxes).
    AlreadyDrawn,
    /// The disc would flip nothing (Reversi).
    FlipsNothing,
}

impl Illegal {
    /// The name that programs see.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::OffBoard => "off_board",
            Self::Occupied => "occupied",
            Self::CapturedArea => "captured_area",
            Self::AlreadyDrawn => "already_drawn",
            Self::FlipsNothing => "flips_nothing",
        }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// The reason why a written move is not a move on this board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveError {
    /// The text does not read as a move of this game.
    Malformed,
    /// The text reads as a move that may not be played.
    Illegal(Illegal),
}

impl From<Illegal> for MoveError {
    fn from(illegal: Illegal) -> Self {
        Self::Illegal(illegal)
    }
}

impl MoveError {
    /// The name that programs see: `malformed_move`, or the reason of [`Illegal`].
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Malformed => "malformed_move",
            Self::Illegal(illegal) => illegal.code(),
        }
    }
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl std::error::Error for Illegal {}

impl std::error::Error for MoveError {}

/// The reason why a setup is refused, in a few English words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSetup(Cow<'static, str>);

impl InvalidSetup {
    pub(crate) const fn new(reason: &'static str) -> Self {
        Self(Cow::Borrowed(reason))
    }

    #[cfg(feature = "serde")]
    pub(crate) fn from_json(error: &serde_json::Error) -> Self {
        Self(Cow::Owned(error.to_string()))
    }
}

impl fmt::Display for InvalidSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidSetup {}
