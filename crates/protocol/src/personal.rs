//! The personal stream, for programs: challenges, matches and turns of one player.

use super::{
    Challenge, ChallengeClosed, MatchFinished, MatchId, MatchStarted, MatchSummary, RoundSoon,
    TournamentId,
};
use serde::{Deserialize, Serialize};
use tochki_play::{EncodeError, EncodedEvent};

/// Snapshot of the open challenges and the running match of a player, in all games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PersonalSnapshot {
    /// Challenges from and to the player, oldest first.
    pub challenges: Vec<Challenge>,
    /// The running match: at most one.
    pub matches: Vec<MatchSummary>,
}

/// `your_move {match}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct YourMove {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
}

/// `paired {tournament, match}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentPaired {
    /// The tournament.
    pub tournament: TournamentId,
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
}

/// An event of the personal stream. The first event is always the snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PersonalEvent {
    /// The whole snapshot, on connecting.
    Snapshot(PersonalSnapshot),
    /// A challenge from or to the player.
    Challenged(Challenge),
    /// A challenge ended.
    ChallengeClosed(ChallengeClosed),
    /// A match of the player started.
    MatchStarted(MatchStarted),
    /// A match of the player ended.
    MatchFinished(MatchFinished),
    /// The player is to move.
    YourMove(YourMove),
    /// The player was paired in a tournament: it follows the start of the match.
    Paired(TournamentPaired),
    /// A round of a tournament of the player begins soon: this is the time to say that one is here.
    RoundSoon(RoundSoon),
}

impl PersonalEvent {
    /// Encodes the event as a name and a JSON body.
    ///
    /// # Errors
    ///
    /// If the event cannot be written as JSON, which would be a bug.
    pub fn encode(&self) -> Result<EncodedEvent, EncodeError> {
        EncodedEvent::of(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_decoded_from_name_and_body() {
        let match_id = MatchId(4);
        for event in [
            PersonalEvent::Snapshot(PersonalSnapshot::default()),
            PersonalEvent::MatchFinished(MatchFinished { match_id }),
            PersonalEvent::YourMove(YourMove { match_id }),
        ] {
            let EncodedEvent { name, body } = event.encode().unwrap();
            let written = format!(r#"{{"{name}":{body}}}"#);
            let read: PersonalEvent = serde_json::from_str(&written).unwrap();
            assert_eq!(read, event);
        }
    }
}
