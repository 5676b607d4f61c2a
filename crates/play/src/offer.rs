//! Offers of one player to the other during a match, and how they end.

use super::{Millis, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tochki_rules::{GameKind, Seat};

/// How long an offer is open.
pub const OFFER_TIMEOUT: Millis = Millis::from_secs(15);

/// What is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// A draw.
    Draw,
    /// To end the match now; the player with more points wins.
    Finish,
    /// To take back the last move of the player who offers it, and all moves after it.
    Takeback,
}

impl OfferKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Draw, Self::Finish, Self::Takeback];

    /// Whether this game has such an offer. While Gomoku runs nobody has points, so it cannot end by points.
    pub fn is_in(self, game: GameKind) -> bool {
        self != Self::Finish || game != GameKind::Gomoku
    }

    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draw => "draw",
            Self::Finish => "finish",
            Self::Takeback => "takeback",
        }
    }
}

/// There is no offer of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownOffer;

impl fmt::Display for UnknownOffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an offer is draw, finish or takeback")
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
    /// What is offered.
    pub kind: OfferKind,
    /// Who offers it.
    pub seat: Seat,
    /// The version of the event that made it. An answer names it.
    pub version: u32,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// Why an offer ended.
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
    /// Nobody answered in time.
    Expired,
    /// A move was made instead of an answer.
    Moved,
    /// The match ended.
    Finished,
}
