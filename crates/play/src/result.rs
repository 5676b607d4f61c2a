//! The result of a match.

use super::RatingChange;
use serde::{Deserialize, Serialize};
use tochki_rules::{Ending, Outcome, Seat};

/// The reason why a match ended: by the rules, or by the actions of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Both players agreed on a draw.
    AgreedDraw,
    /// Both players agreed to end the match; more points win.
    AgreedFinish,
    /// A player resigned.
    Resigned,
    /// A player ran out of time.
    Time,
    /// A player stayed away.
    Absence,
    /// A player did not come to the first move of a match of a tournament, so nobody has played.
    Forfeit,
    /// The match ended before both had made a move, and counts for nothing.
    Aborted,
}

impl Reason {
    /// Returns the name in JSON and in the database.
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
            Self::Forfeit => "forfeit",
            Self::Aborted => "aborted",
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

/// The result of a match: `{winner: 0|1|2, reason, ratings}`; winner 0 is a draw. An aborted match is `{winner: null, reason,
/// ratings: null, by}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "ResultJson", try_from = "ResultJson")]
pub struct MatchResult {
    /// The winner; none in a draw, and in an aborted match.
    pub winner: Option<Seat>,
    /// The reason.
    pub reason: Reason,
    /// The change of both ratings. `decide` leaves it out: only the transaction that ends the match knows both.
    pub ratings: Option<[RatingChange; 2]>,
    /// The side that aborted the match or did not play on, in an aborted match.
    pub by: Option<Seat>,
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
            by: None,
        }
    }

    pub(super) const fn aborted(by: Option<Seat>) -> Self {
        Self {
            winner: None,
            reason: Reason::Aborted,
            ratings: None,
            by,
        }
    }

    /// Returns whether a result like this changes ratings: a match that nobody has played does not.
    pub fn is_played(&self) -> bool {
        !matches!(self.reason, Reason::Aborted | Reason::Forfeit)
    }

    /// Returns whether the match was aborted: it has no result that counts.
    pub fn is_aborted(&self) -> bool {
        self.reason == Reason::Aborted
    }
}

impl From<Outcome> for MatchResult {
    fn from(outcome: Outcome) -> Self {
        Self {
            winner: outcome.winner,
            reason: outcome.ending.into(),
            ratings: None,
            by: None,
        }
    }
}

/// The JSON form of a result.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MatchResult"))]
struct ResultJson {
    winner: Option<u8>,
    reason: Reason,
    ratings: Option<[RatingChange; 2]>,
    // Absent, `null`, or a seat.
    #[allow(clippy::option_option)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<Option<Seat>>,
}

impl From<MatchResult> for ResultJson {
    fn from(result: MatchResult) -> Self {
        let aborted = result.is_aborted();
        Self {
            winner: (!aborted).then(|| result.winner.map_or(0, Seat::number)),
            reason: result.reason,
            ratings: result.ratings,
            by: aborted.then_some(result.by),
        }
    }
}

impl TryFrom<ResultJson> for MatchResult {
    type Error = <Seat as TryFrom<u8>>::Error;

    fn try_from(json: ResultJson) -> Result<Self, Self::Error> {
        let winner = json.winner.filter(|number| *number != 0);
        Ok(Self {
            winner: winner.map(Seat::try_from).transpose()?,
            reason: json.reason,
            ratings: json.ratings,
            by: json.by.flatten(),
        })
    }
}
