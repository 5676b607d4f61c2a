//! The content of a file.

use crate::swiss::{Field, NoPairing, Pair, pair};
use std::fmt::Write as _;

/// A file: a Swiss before its next round, with names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The name of the tournament.
    pub name: String,
    /// The players and their rounds, in the order of their pairing numbers.
    pub field: Field,
    /// The other facts of each player.
    pub players: Vec<PlayerLine>,
}

/// A player in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerLine {
    /// The number by which the file names the player, from 1.
    pub id: u32,
    /// The name.
    pub name: String,
    /// The rating, if there is one.
    pub rating: Option<u32>,
}

impl File {
    /// Returns the pairs of the next round, a line each: `7 12` where 7 begins, `5 0` for the bye.
    ///
    /// # Errors
    ///
    /// If there is no pairing.
    pub fn pairings(&self) -> Result<String, NoPairing> {
        let id = |player: usize| self.players[player].id;
        let mut lines = String::new();
        for pair in pair(&self.field)? {
            let [first, second] = match pair {
                Pair::Game { first, second } => [id(first), id(second)],
                Pair::Bye(player) => [id(player), 0],
            };
            let _ = writeln!(lines, "{first} {second}");
        }
        Ok(lines)
    }
}
