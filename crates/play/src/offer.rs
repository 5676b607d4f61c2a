//! What one player may propose to the other during a match, and how that ends.

use super::{Millis, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tochki_rules::Seat;

/// How long an offer waits for an answer.
pub(super) const OFFER_TIMEOUT: Millis = Millis::from_secs(15);

/// What is proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// To end here, as a draw.
    Draw,
    /// To end here; more points win.
    Finish,
    /// To go back to before the last move of the one who asks.
    Takeback,
}

impl OfferKind {
    /// Everything that can be offered.
    pub const ALL: [Self; 3] = [Self::Draw, Self::Finish, Self::Takeback];

    /// The word on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Draw => "draw",
            Self::Finish => "finish",
            Self::Takeback => "takeback",
        }
    }
}

/// Nothing of that name can be offered.
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

    fn from_str(word: &str) -> Result<Self, UnknownOffer> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.word() == word)
            .ok_or(UnknownOffer)
    }
}

/// An open offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// What is proposed.
    pub kind: OfferKind,
    /// Who proposes it.
    pub seat: Seat,
    /// When it ends by itself.
    pub expires_at: Timestamp,
}

/// Why an offer is open no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferEnd {
    /// The other said yes.
    Accepted,
    /// The other said no.
    Declined,
    /// Whoever made it took it back.
    Cancelled,
    /// Nobody answered in time.
    Expired,
    /// A move was made instead of an answer.
    Moved,
    /// The match ended.
    Finished,
}
