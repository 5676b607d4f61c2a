//! The bracket of a knockout.

use super::{Account, MatchId, TournamentScore};
use serde::{Deserialize, Serialize};

/// The bracket of a knockout: none before its first round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentBracket {
    /// The rounds, with those to come.
    pub rounds: Vec<BracketRound>,
}

/// A round of a bracket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BracketRound {
    /// The round, from 1.
    pub number: u32,
    /// The pairs: the winners of the first two of a round are the first pair of the next.
    pub duels: Vec<BracketDuel>,
}

/// A pair of a bracket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BracketDuel {
    /// The players; `None` for a bye in the first round, and where it is not known yet.
    pub players: [Option<BracketPlayer>; 2],
    /// The points of both, once both are known.
    pub points: Option<[TournamentScore; 2]>,
    /// The winner, 1 or 2; `None` while that is open, and for a bye.
    pub winner: Option<u8>,
    /// The games, in their order.
    pub games: Vec<BracketGame>,
}

/// A player of a bracket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BracketPlayer {
    /// The player.
    pub player: Account,
    /// The place by rating, from 1.
    pub seed: u32,
}

/// A game of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BracketGame {
    /// The match; `None` where a player had left before.
    #[serde(rename = "match")]
    pub match_id: Option<MatchId>,
    /// The player with the first move, 1 or 2.
    pub first: u8,
    /// The winner, 1 or 2, or 0 for a draw; `None` while the game runs.
    pub winner: Option<u8>,
    /// Whether a side did not come.
    pub forfeit: bool,
}
