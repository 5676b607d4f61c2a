//! Public data of a player.

use super::PlayerId;
use serde::{Deserialize, Serialize};

/// A player as others see them: name, and rating in the game at hand (a real number, shown rounded).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerCard {
    /// The player.
    pub id: PlayerId,
    /// The name as the player wrote it.
    pub name: String,
    /// Elo in this game.
    pub rating: f64,
    /// Whether they are a guest, who has no ratings. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guest: bool,
    /// Whether the rating is of fewer than [`RANKED_MATCHES`](crate::limits::RANKED_MATCHES) rated matches, or of fewer opponents
    /// than [`RANKED_OPPONENTS`](crate::limits::RANKED_OPPONENTS). Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
    /// Whether an engine plays for them. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
}

/// The name of a player who has deleted the account. Nobody else can have it, because it contains a space. Pages show a
/// text of their own language instead.
pub const DELETED: &str = "deleted player";

/// Returns a rating as it is shown: rounded, a half to the even number, so that two players of one rating see the same number won
/// and lost.
///
/// ```
/// use tochki_protocol::shown_rating;
///
/// assert_eq!(shown_rating(1612.5), 1612.0);
/// assert_eq!(shown_rating(1587.5), 1588.0);
/// ```
#[must_use]
pub fn shown_rating(rating: f64) -> f64 {
    rating.round_ties_even()
}
