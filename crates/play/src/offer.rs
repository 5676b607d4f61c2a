//! Offers of one player to the other during a match, and their endings.

use super::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tochki_rules::{GameKind, Seat};

/// The kind of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// A draw.
    Draw,
    /// An end of the match now; the player with more points wins.
    Finish,
    /// A take-back of the last move of the player who offers it, and of all moves after it.
    Takeback,
    /// An adjournment: unrated from then on, and the side on turn seals its move.
    Adjourn,
}

impl OfferKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Draw, Self::Finish, Self::Takeback, Self::Adjourn];

    /// Returns whether this game has such an offer. While Gomoku runs nobody has points, so it cannot end by points.
    pub fn is_in(self, game: GameKind) -> bool {
        self != Self::Finish || game != GameKind::Gomoku
    }

    /// Returns the name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draw => "draw",
            Self::Finish => "finish",
            Self::Takeback => "takeback",
            Self::Adjourn => "adjourn",
        }
    }
}

/// The error that there is no offer of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownOffer;

impl fmt::Display for UnknownOffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an offer is draw, finish, takeback or adjourn")
    }
}

impl std::error::Error for UnknownOffer {}

impl FromStr for OfferKind {
    type Err = UnknownOffer;

    fn from_str(name: &str) -> Result<Self, UnknownOffer> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == name)
            .ok_or(UnknownOffer)
    }
}

/// An open offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Offer {
    /// The kind of the offer.
    pub kind: OfferKind,
    /// The side that offers.
    pub seat: Seat,
    /// The version of the event that made the offer. An answer names it.
    pub version: u32,
    /// The time at which the offer expires. By correspondence it does not, and this is omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// The time at which the match would go on live, in an offer to adjourn. Omitted if none is proposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume_at: Option<Timestamp>,
}

/// The reason why an offer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OfferEnd {
    /// The opponent accepted.
    Accepted,
    /// The opponent declined.
    Declined,
    /// The player who made it cancelled it.
    Cancelled,
    /// The offer was not answered in time.
    Expired,
    /// A move was made instead of an answer; by correspondence also one of the player who made the offer.
    Moved,
    /// The match ended.
    Finished,
}
