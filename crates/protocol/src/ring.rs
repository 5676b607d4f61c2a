//! Suspected rings, for operators: players with most points from few, young, or same-address accounts.

use super::Account;
use serde::{Deserialize, Serialize};
use tochki_rules::GameKind;

/// A player whose points may have been given to them. The figures are of the latest rated matches of a game
/// ([`RING_MATCHES_LEN`](crate::limits::RING_MATCHES_LEN)) that are not annulled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ring {
    /// The player.
    pub player: Account,
    /// The game.
    pub game: GameKind,
    /// The rating.
    pub rating: f64,
    /// Whether the rating is shown with a question mark. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
    /// The number of matches.
    pub matches: u32,
    /// Points won from all opponents against whom more were won than lost.
    pub won: f64,
    /// Points won from the three opponents who gave most.
    pub from_few: f64,
    /// Points won from and lost to accounts that were younger than a week then.
    pub from_young: f64,
    /// Points won from and lost to accounts that had been seen at one address with the player within the days before.
    pub from_same_address: f64,
    /// The opponents who gave most, at most five.
    pub opponents: Vec<RingOpponent>,
}

/// An opponent of such a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RingOpponent {
    /// The opponent.
    pub player: Account,
    /// Points won from them, less those lost.
    pub points: f64,
    /// The number of matches.
    pub matches: u32,
    /// Whether the account was younger than a week in one of the matches. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub young: bool,
    /// Whether both had been seen at one address before one of the matches. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub same_address: bool,
}

/// The result of annulling all games of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnnulledGames {
    /// The number of annulled matches.
    pub annulled: u32,
    /// The number of matches that are left because the operator has played them: only another operator can annul those.
    pub own: u32,
}
