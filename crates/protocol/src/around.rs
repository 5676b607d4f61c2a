//! What goes on round a match without being part of it: who is away, who watches, who wants another.

use super::MatchId;
use super::json::{self, Unreadable};
use serde::{Deserialize, Serialize};
use tochki_play::Millis;
use tochki_rules::Seat;

/// What goes on round a match. At first everybody is there, nobody watches, and nobody wants another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// Since when each player has been away, once that is long enough to be told.
    pub gone_at: [Option<Millis>; 2],
    /// How many watch.
    pub watching: u32,
    /// Who has asked for another match.
    pub rematch: [bool; 2],
    /// The match that came of it.
    pub next_match: Option<MatchId>,
}

/// What the stream of a match says beside the events: what a client sees for itself in the next snapshot has no version.
///
/// A stream begins with what is not as in [`Around::default`], so that whoever comes back begins from there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableNotice {
    /// A player has been away for a moment, or is back.
    Present {
        /// Who.
        seat: Seat,
        /// Whether they are there.
        present: bool,
        /// Since when they are not; 30 seconds after that they lose.
        gone_at: Option<Millis>,
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

impl TableNotice {
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

    /// Its name and its body as JSON text, which travel side by side.
    pub fn written(&self) -> (&'static str, String) {
        let mut tagged = serde_json::to_value(self).unwrap_or_default();
        let name = self.name();
        (name, tagged[name].take().to_string())
    }

    /// Reads it back from name and body.
    pub fn read(name: &str, body: &str) -> Result<Self, Unreadable> {
        json::read_event(name, body)
    }
}

impl Around {
    /// How long after they went a player loses.
    pub const PATIENCE: Millis = Millis::seconds(30);

    /// What has to be told for those who know `before` to know this.
    pub fn news_since(&self, before: &Self) -> Vec<TableNotice> {
        let mut told = Vec::new();
        for seat in Seat::BOTH {
            let gone_at = self.gone_at[seat.index()];
            if gone_at != before.gone_at[seat.index()] {
                told.push(TableNotice::Present {
                    seat,
                    present: gone_at.is_none(),
                    gone_at,
                });
            }
            if self.rematch[seat.index()] && !before.rematch[seat.index()] {
                told.push(TableNotice::Rematch { seat });
            }
        }
        if self.watching != before.watching {
            told.push(TableNotice::Watching {
                count: self.watching,
            });
        }
        if let Some(match_id) = self.next_match
            && before.next_match.is_none()
        {
            told.push(TableNotice::NextMatch { match_id });
        }
        told
    }

    /// Takes in what was told. A `resync` is no news of this.
    pub fn hear(&mut self, notice: &TableNotice) {
        match *notice {
            TableNotice::Present { seat, gone_at, .. } => self.gone_at[seat.index()] = gone_at,
            TableNotice::Watching { count } => self.watching = count,
            TableNotice::Rematch { seat } => self.rematch[seat.index()] = true,
            TableNotice::NextMatch { match_id } => self.next_match = Some(match_id),
            TableNotice::Resync {} => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_brings_those_who_know_the_beginning_up_to_date() {
        let now = Around {
            gone_at: [None, Some(Millis(7))],
            watching: 3,
            rematch: [true, false],
            next_match: Some(MatchId(9)),
        };
        let mut known = Around::default();
        for notice in now.news_since(&known) {
            let (name, body) = notice.written();
            assert!(TableNotice::NAMES.contains(&name));
            known.hear(&TableNotice::read(name, &body).unwrap());
        }
        assert_eq!(known, now);
        assert!(now.news_since(&now).is_empty());

        let back = Around {
            gone_at: [None; 2],
            ..now.clone()
        };
        let seat = Seat::Second;
        let expected = TableNotice::Present {
            seat,
            present: true,
            gone_at: None,
        };
        assert_eq!(back.news_since(&now), [expected]);
    }

    #[test]
    fn notices_are_the_contracts() {
        let notices = [
            (
                TableNotice::Present {
                    seat: Seat::Second,
                    present: false,
                    gone_at: Some(Millis(5)),
                },
                "present",
                r#"{"gone_at":5,"present":false,"seat":2}"#,
            ),
            (
                TableNotice::NextMatch {
                    match_id: MatchId(4),
                },
                "next_match",
                r#"{"match":4}"#,
            ),
            (TableNotice::Resync {}, "resync", "{}"),
        ];
        for (notice, name, body) in notices {
            let written = notice.written();
            assert_eq!(written.0, name);
            let value = |text| serde_json::from_str::<serde_json::Value>(text).unwrap();
            assert_eq!(value(&written.1), value(body));
        }
    }
}
