//! The live status of a match that is not part of its record: absences, spectators, rematch requests.

use super::MatchId;
use super::json::{self, DecodeError};
use serde::{Deserialize, Serialize};
use tochki_play::{EncodeError, EncodedEvent, Timestamp};
use tochki_rules::Seat;

/// The status of a match. Initially both players are present, nobody watches, and nobody wants a rematch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchStatus {
    /// Since when each player is absent; set after a short delay.
    pub gone_at: [Option<Timestamp>; 2],
    /// When each absent player loses: [`ABSENCE_TIMEOUT`](crate::limits::ABSENCE_TIMEOUT) later, or earlier if they have been
    /// away before.
    pub lost_at: [Option<Timestamp>; 2],
    /// The number of spectators.
    pub watching: u32,
    /// Whether each player has asked for a rematch.
    pub rematch: [bool; 2],
    /// The rematch, once it has started.
    pub next_match: Option<MatchId>,
    /// Whether an operator has annulled the match. Streams then send `resync`.
    pub annulled: bool,
}

/// A change of the status, sent on the stream of a match between its events. It has no version, because the next snapshot
/// contains the status.
///
/// A stream begins with everything that differs from [`MatchStatus::default`], so a client that reconnects resets to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StatusEvent {
    /// A player is absent, or is back.
    Present {
        /// The player's seat.
        seat: Seat,
        /// Whether the player is present.
        present: bool,
        /// When the absence began.
        gone_at: Option<Timestamp>,
        /// When the absent player loses.
        lost_at: Option<Timestamp>,
    },
    /// The number of spectators.
    Watching {
        /// The number of streams of people who do not play.
        count: u32,
    },
    /// A player asks for a rematch.
    Rematch {
        /// The player's seat.
        seat: Seat,
    },
    /// The rematch has started.
    NextMatch {
        /// The match.
        #[serde(rename = "match")]
        match_id: MatchId,
    },
    /// The client cannot be updated by events: it fetches the snapshot and continues from its version.
    Resync {},
    /// Nothing has changed for [`STREAM_HEARTBEAT_INTERVAL`](crate::limits::STREAM_HEARTBEAT_INTERVAL). A page that gets not
    /// even this has lost its connection.
    Heartbeat {},
}

impl StatusEvent {
    /// Encodes the event as a name and a JSON body.
    ///
    /// # Errors
    ///
    /// If the event cannot be written as JSON, which would be a bug.
    pub fn encode(&self) -> Result<EncodedEvent, EncodeError> {
        EncodedEvent::of(self)
    }

    /// Decodes an event from its name and body.
    ///
    /// # Errors
    ///
    /// If no event has this name, or the body is not that of such an event.
    pub fn read(name: &str, body: &str) -> Result<Self, DecodeError> {
        json::read_event(name, body)
    }
}

impl MatchStatus {
    /// Returns the events that change `before` into this status.
    pub fn updates_since(&self, before: &Self) -> Vec<StatusEvent> {
        let mut events = Vec::new();
        for seat in Seat::BOTH {
            let gone_at = self.gone_at[seat.index()];
            if gone_at != before.gone_at[seat.index()] {
                events.push(StatusEvent::Present {
                    seat,
                    present: gone_at.is_none(),
                    gone_at,
                    lost_at: self.lost_at[seat.index()],
                });
            }
            if self.rematch[seat.index()] && !before.rematch[seat.index()] {
                events.push(StatusEvent::Rematch { seat });
            }
        }
        if self.watching != before.watching {
            events.push(StatusEvent::Watching {
                count: self.watching,
            });
        }
        if let Some(match_id) = self.next_match
            && before.next_match.is_none()
        {
            events.push(StatusEvent::NextMatch { match_id });
        }
        // A request can be taken back only with both: when the rematch would differ from the one asked for.
        let withdrawn = self.next_match.is_none()
            && (0..2).any(|seat| before.rematch[seat] && !self.rematch[seat]);
        if withdrawn || self.annulled && !before.annulled {
            events.push(StatusEvent::Resync {});
        }
        events
    }

    /// Applies a change. `Resync` and `Heartbeat` change nothing here.
    pub fn apply(&mut self, event: &StatusEvent) {
        match *event {
            StatusEvent::Present {
                seat,
                gone_at,
                lost_at,
                ..
            } => {
                self.gone_at[seat.index()] = gone_at;
                self.lost_at[seat.index()] = lost_at;
            }
            StatusEvent::Watching { count } => self.watching = count,
            StatusEvent::Rematch { seat } => self.rematch[seat.index()] = true,
            StatusEvent::NextMatch { match_id } => self.next_match = Some(match_id),
            StatusEvent::Resync {} | StatusEvent::Heartbeat {} => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn updates_change_one_status_into_the_other() {
        let now = MatchStatus {
            gone_at: [None, Some(Timestamp(7))],
            lost_at: [None, Some(Timestamp(37))],
            watching: 3,
            rematch: [true, false],
            next_match: Some(MatchId(9)),
            annulled: false,
        };
        let mut known = MatchStatus::default();
        for event in now.updates_since(&known) {
            let EncodedEvent { name, body } = event.encode().unwrap();
            known.apply(&StatusEvent::read(name, &body).unwrap());
        }
        assert_eq!(known, now);
        assert!(now.updates_since(&now).is_empty());

        let back = MatchStatus {
            gone_at: [None; 2],
            lost_at: [None; 2],
            ..now.clone()
        };
        let seat = Seat::Second;
        let expected = StatusEvent::Present {
            seat,
            present: true,
            gone_at: None,
            lost_at: None,
        };
        assert_eq!(back.updates_since(&now), [expected]);
    }

    #[test]
    fn events_are_encoded_as_documented() {
        let events = [
            (
                StatusEvent::Present {
                    seat: Seat::Second,
                    present: false,
                    gone_at: Some(Timestamp(5)),
                    lost_at: Some(Timestamp(35)),
                },
                "present",
                r#"{"seat":2,"present":false,"gone_at":5,"lost_at":35}"#,
            ),
            (
                StatusEvent::NextMatch {
                    match_id: MatchId(4),
                },
                "next_match",
                r#"{"match":4}"#,
            ),
            (StatusEvent::Resync {}, "resync", "{}"),
            (StatusEvent::Heartbeat {}, "heartbeat", "{}"),
        ];
        for (event, name, body) in events {
            let encoded = event.encode().unwrap();
            assert_eq!((encoded.name, &*encoded.body), (name, body));
        }
    }
}
