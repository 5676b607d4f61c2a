//! A player as others see them.

use super::PlayerId;
use serde::{Deserialize, Serialize};

/// A player as others see them: name, and rating in the game at hand (a real number, shown rounded).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerCard {
    /// The player.
    pub id: PlayerId,
    /// The name as the player wrote it.
    pub name: String,
    /// Elo in this game.
    pub rating: f64,
    /// Whether they have no account, and so no ratings. Said only of guests.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guest: bool,
}

/// What a player is called who has deleted the account. There is a blank in it, so nobody else can have the name; pages say
/// it in their own language.
pub const DELETED: &str = "deleted player";
