//! How a match ended.

use super::RatingChange;
use serde::{Deserialize, Serialize};
use tochki_rules::{Ending, Outcome, Seat};

/// Why a match ended: by the rules, or by what the players did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// No free point is left.
    BoardFull,
    /// Five in a row.
    FiveInRow,
    /// Neither side has a move.
    NoMoves,
    /// Every box is taken.
    AllBoxes,
    /// Both agreed on a draw.
    AgreedDraw,
    /// Both agreed to end here; more points win.
    AgreedFinish,
    /// One side gave up.
    Resigned,
    /// One side's time ran out.
    Time,
    /// One side stayed away.
    Absence,
}

impl Reason {
    /// The name in JSON and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BoardFull => "board_full",
            Self::FiveInRow => "five_in_row",
            Self::NoMoves => "no_moves",
            Self::AllBoxes => "all_boxes",
            Self::AgreedDraw => "agreed_draw",
            Self::AgreedFinish => "agreed_finish",
            Self::Resigned => "resigned",
            Self::Time => "time",
            Self::Absence => "absence",
        }
    }
}

impl From<Ending> for Reason {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::BoardFull => Self::BoardFull,
            Ending::FiveInRow => Self::FiveInRow,
            Ending::NoMoves => Self::NoMoves,
            Ending::AllBoxes => Self::AllBoxes,
        }
    }
}

/// `{winner: 0|1|2, reason, ratings}`; winner 0 is a draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchResult {
    /// Who won; nobody in a draw.
    #[serde(with = "winner")]
    pub winner: Option<Seat>,
    /// Why it ended.
    pub reason: Reason,
    /// What it did to both ratings. `decide` leaves it out: only the transaction that ends the match knows both.
    pub ratings: Option<[RatingChange; 2]>,
}

impl MatchResult {
    pub(super) const fn won(winner: Seat, reason: Reason) -> Self {
        Self::agreed(Some(winner), reason)
    }

    pub(super) const fn agreed(winner: Option<Seat>, reason: Reason) -> Self {
        Self {
            winner,
            reason,
            ratings: None,
        }
    }
}

impl From<Outcome> for MatchResult {
    fn from(outcome: Outcome) -> Self {
        Self {
            winner: outcome.winner,
            reason: outcome.ending.into(),
            ratings: None,
        }
    }
}

/// The winner as a number: 0 for nobody.
mod winner {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tochki_rules::Seat;

    // Serde calls it with a reference to the field.
    #[allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option)]
    pub(super) fn serialize<S: Serializer>(
        winner: &Option<Seat>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(winner.map_or(0, Seat::number))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Seat>, D::Error> {
        match u8::deserialize(deserializer)? {
            0 => Ok(None),
            number => Seat::try_from(number).map(Some).map_err(D::Error::custom),
        }
    }
}
