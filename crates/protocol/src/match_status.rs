//! What goes on round a match without being part of it: who is away, who watches, who wants another.

use super::MatchId;
use super::json::{self, Unreadable};
use serde::{Deserialize, Serialize};
use tochki_play::{EncodeError, EncodedEvent, Millis, Timestamp};
use tochki_rules::Seat;

/// What goes on round a match. At first everybody is there, nobody watches, and nobody wants another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchStatus {
    /// Since when each player has been away, once that is long enough to be told.
    pub gone_at: [Option<Timestamp>; 2],
    /// How many watch.
    pub watching: u32,
    /// Who has asked for another match.
    pub rematch: [bool; 2],
    /// The match that came of it.
    pub next_match: Option<MatchId>,
}

/// What the stream of a match says beside the events: what a client sees for itself in the next snapshot has no version.
///
/// A stream begins with what is not as in [`MatchStatus::default`], so that whoever comes back begins from there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StatusEvent {
    /// A player has been away for a moment, or is back.
    Present {
        /// Who.
        seat: Seat,
        /// Whether they are there.
        present: bool,
        /// Since when they are not; 30 seconds after that they lose.
        gone_at: Option<Timestamp>,
    },
    /// How many watch.
    Watching {
        /// Streams of people who do not play.
        count: u32,
    },
    /// A player wants another match.
    Rematch {
        /// Who.
        seat: Seat,
    },
    /// Both wanted one, and here it is.
    NextMatch {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
    },
    /// What the client knows is of no use any more: fetch the snapshot, and go on from its version.
    Resync {},
}

impl StatusEvent {
    /// The names of all notices, as a browser has to listen for each.
    pub const NAMES: [&'static str; 5] = ["present", "watching", "rematch", "next_match", "resync"];

    const fn name(&self) -> &'static str {
        match self {
            Self::Present { .. } => "present",
            Self::Watching { .. } => "watching",
            Self::Rematch { .. } => "rematch",
            Self::NextMatch { .. } => "next_match",
            Self::Resync {} => "resync",
        }
    }

    /// Its name, and its body as JSON text.
    ///
    /// # Errors
    ///
    /// If it cannot be written as JSON, which would be a bug.
    pub fn encode(&self) -> Result<EncodedEvent, EncodeError> {
        EncodedEvent::of(self.name(), self)
    }

    /// Reads it back from name and body.
    ///
    /// # Errors
    ///
    /// If no event has this name, or the body is not that of such an event.
    pub fn read(name: &str, body: &str) -> Result<Self, Unreadable> {
        json::read_event(name, body)
    }
}

impl MatchStatus {
    /// How long after they went a player loses.
    pub const PATIENCE: Millis = Millis::from_secs(30);

    /// What has to be told for those who know `before` to know this.
    pub fn updates_since(&self, before: &Self) -> Vec<StatusEvent> {
        let mut told = Vec::new();
        for seat in Seat::BOTH {
            let gone_at = self.gone_at[seat.index()];
            if gone_at != before.gone_at[seat.index()] {
                told.push(StatusEvent::Present {
                    seat,
                    present: gone_at.is_none(),
                    gone_at,
                });
            }
            if self.rematch[seat.index()] && !before.rematch[seat.index()] {
                told.push(StatusEvent::Rematch { seat });
            }
        }
        if self.watching != before.watching {
            told.push(StatusEvent::Watching {
                count: self.watching,
            });
        }
        if let Some(match_id) = self.next_match
            && before.next_match.is_none()
        {
            told.push(StatusEvent::NextMatch { match_id });
        }
        told
    }

    /// Takes in what was told. A `resync` is no news of this.
    pub fn hear(&mut self, notice: &StatusEvent) {
        match *notice {
            StatusEvent::Present { seat, gone_at, .. } => self.gone_at[seat.index()] = gone_at,
            StatusEvent::Watching { count } => self.watching = count,
            StatusEvent::Rematch { seat } => self.rematch[seat.index()] = true,
            StatusEvent::NextMatch { match_id } => self.next_match = Some(match_id),
            StatusEvent::Resync {} => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_brings_those_who_know_the_beginning_up_to_date() {
        let now = MatchStatus {
            gone_at: [None, Some(Timestamp(7))],
            watching: 3,
            rematch: [true, false],
            next_match: Some(MatchId(9)),
        };
        let mut known = MatchStatus::default();
        for notice in now.updates_since(&known) {
            let EncodedEvent { name, body } = notice.encode().unwrap();
            assert!(StatusEvent::NAMES.contains(&name));
            known.hear(&StatusEvent::read(name, &body).unwrap());
        }
        assert_eq!(known, now);
        assert!(now.updates_since(&now).is_empty());

        let back = MatchStatus {
            gone_at: [None; 2],
            ..now.clone()
        };
        let seat = Seat::Second;
        let expected = StatusEvent::Present {
            seat,
            present: true,
            gone_at: None,
        };
        assert_eq!(back.updates_since(&now), [expected]);
    }

    #[test]
    fn notices_are_the_contracts() {
        let notices = [
            (
                StatusEvent::Present {
                    seat: Seat::Second,
                    present: false,
                    gone_at: Some(Timestamp(5)),
                },
                "present",
                r#"{"seat":2,"present":false,"gone_at":5}"#,
            ),
            (
                StatusEvent::NextMatch {
                    match_id: MatchId(4),
                },
                "next_match",
                r#"{"match":4}"#,
            ),
            (StatusEvent::Resync {}, "resync", "{}"),
        ];
        for (notice, name, body) in notices {
            let encoded = notice.encode().unwrap();
            assert_eq!((encoded.name, &*encoded.body), (name, body));
        }
    }
}
