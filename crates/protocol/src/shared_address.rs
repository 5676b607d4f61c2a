//! Accounts that entered a tournament at one address, for operators.

use super::{Account, TournamentLink};
use serde::{Deserialize, Serialize};
use tochki_play::Timestamp;

/// Accounts that entered a tournament at one address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SharedAddress {
    /// The tournament.
    pub tournament: TournamentLink,
    /// The first of them in the order of joining, at most [`SHARED_ADDRESS_PLAYERS`](crate::limits::SHARED_ADDRESS_PLAYERS).
    pub players: Vec<Account>,
    /// The number of all of them.
    pub count: u32,
    /// The number of their games with each other.
    pub games: u32,
    /// The number of those that do not count.
    pub uncounted: u32,
    /// When the last of them entered.
    pub at: Timestamp,
}
