//! Events of a match, which are stored, sent and replayed.

use super::{
    ClientId, ClockReading, ClockRule, EncodeError, EncodedEvent, MatchResult, OfferEnd, OfferKind,
    Timestamp,
};
use serde::{Deserialize, Serialize};
use std::fmt;
use tochki_rules::Seat;

/// An event of a match. As JSON it is the body alone; its name travels beside it ([`EncodedEvent`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A move was made. Captures do not travel: both ends compute them; `score` and `to_move` are for simple clients.
    Moved {
        /// The side that moved.
        seat: Seat,
        /// The move in its text form.
        mv: String,
        /// The points of both seats after the move.
        score: [u32; 2],
        /// The side to move next; `None` if the move ended the game.
        to_move: Option<Seat>,
        /// Whether the other side had no move and was passed over.
        passed: bool,
        /// The clocks after the move.
        clock: Option<ClockReading>,
        /// The name that the client gave the move.
        client_id: Option<ClientId>,
        /// The time by which the next move has to be made, where the match itself limits it
        /// ([`Match::move_by`](crate::Match::move_by)).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        move_by: Option<Timestamp>,
    },
    /// An offer was made.
    Offered {
        /// The side that made the offer.
        seat: Seat,
        /// The kind of the offer.
        kind: OfferKind,
        /// The time at which the offer ends by itself. By correspondence it does not, and this is omitted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires_at: Option<Timestamp>,
        /// The time at which the match would go on live, in an offer to adjourn. Omitted if none is proposed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resume_at: Option<Timestamp>,
    },
    /// The open offer is open no longer.
    OfferClosed {
        /// The reason.
        why: OfferEnd,
    },
    /// The last moves were taken back.
    TakenBack {
        /// The number of moves.
        count: u32,
        /// The clocks after the take-back.
        clock: Option<ClockReading>,
        /// The time by which the next move has to be made, as in [`Event::Moved`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        move_by: Option<Timestamp>,
    },
    /// A vacation began or ended, by correspondence. While it is on, the clock of this side stands still.
    VacationChanged {
        /// The side on vacation.
        seat: Seat,
        /// The time of the event.
        at: Timestamp,
        /// The time at which the vacation ends by itself; `None` if this is its end.
        until: Option<Timestamp>,
        /// The clocks after the event. One that stands still runs from the end of the vacation on.
        clock: Option<ClockReading>,
        /// The time by which the next move has to be made, as in [`Event::Moved`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        move_by: Option<Timestamp>,
    },
    /// The match was adjourned by agreement: it is unrated from now on, and the side on turn seals its move.
    Adjourned {
        /// The time at which the match goes on live, if that was agreed on.
        #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resume_at: Option<Timestamp>,
        /// The time by which the move has to be sealed, in a match without a clock.
        #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        move_by: Option<Timestamp>,
    },
    /// A move was sealed. Nobody sees it until the match is resumed.
    Sealed {
        /// The side that has sealed.
        seat: Seat,
        /// The clocks, which stand still.
        #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
        #[serde(default)]
        clock: Option<ClockReading>,
        /// The time at which the match is lost for the other side, if it has not come.
        #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
        #[serde(default)]
        expires_at: Timestamp,
    },
    /// The match was resumed. The sealed move, or all sealed moves of a turn, are the next events.
    Resumed {
        /// The clocks.
        #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
        #[serde(default)]
        clock: Option<ClockReading>,
        /// The time control from now on. Omitted if the match goes on live with that of before.
        #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_control: Option<ClockRule>,
    },
    /// A player has given half of the own clock, and its increment, for a point more in an arena.
    Berserked {
        /// The side whose clock was halved.
        seat: Seat,
        /// The clocks after the event.
        clock: Option<ClockReading>,
    },
    /// The match ended.
    Finished {
        /// The result.
        result: MatchResult,
    },
}

/// The error that a stored event cannot be read: its name or body is of no version of this program.
#[derive(Debug)]
pub struct UnknownEvent(String);

impl fmt::Display for UnknownEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown event: {}", self.0)
    }
}

impl std::error::Error for UnknownEvent {}

impl Event {
    /// Returns the name of the event, and its body as JSON text.
    ///
    /// # Errors
    ///
    /// If the event cannot be written as JSON, which would be a bug.
    pub fn encode(&self) -> Result<EncodedEvent, EncodeError> {
        EncodedEvent::of(self)
    }

    /// Returns the event without the name that a client gave its move, as it is kept once its match has ended long ago.
    #[must_use]
    pub fn without_client_id(mut self) -> Self {
        if let Self::Moved { client_id, .. } = &mut self {
            *client_id = None;
        }
        self
    }

    /// Returns whether the event sets the clocks of a match that goes on.
    pub const fn sets_clocks(&self) -> bool {
        matches!(
            self,
            Self::Moved { .. }
                | Self::TakenBack { .. }
                | Self::VacationChanged { .. }
                | Self::Berserked { .. }
        )
    }

    /// Reads an event from its name and body.
    ///
    /// # Errors
    ///
    /// If no event has this name, or the body is not that of such an event.
    pub fn read(name: &str, body: &str) -> Result<Self, UnknownEvent> {
        let tagged = format!(r#"{{"{name}":{body}}}"#);
        serde_json::from_slice(tagged.as_bytes())
            .map_err(|error| UnknownEvent(format!("{name}: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Millis, Reason};

    #[test]
    fn name_and_body_read_back() {
        let moved = Event::Moved {
            seat: Seat::First,
            mv: "5,5".into(),
            score: [0, 1],
            to_move: Some(Seat::Second),
            passed: false,
            clock: None,
            client_id: Some("a-1".parse().unwrap()),
            move_by: Some(Timestamp(60_000)),
        };
        let finished = Event::Finished {
            result: MatchResult::won(Seat::Second, Reason::Resigned),
        };
        let offered = Event::Offered {
            seat: Seat::Second,
            kind: OfferKind::Takeback,
            expires_at: Some(Timestamp(15_000)),
            resume_at: None,
        };
        let closed = Event::OfferClosed {
            why: OfferEnd::Accepted,
        };
        let taken_back = Event::TakenBack {
            count: 2,
            clock: None,
            move_by: None,
        };
        let vacation = Event::VacationChanged {
            seat: Seat::First,
            at: Timestamp(1_000),
            until: Some(Timestamp(86_401_000)),
            clock: None,
            move_by: None,
        };
        let aborted = Event::Finished {
            result: MatchResult::aborted(None),
        };
        let adjourned = Event::Adjourned {
            resume_at: Some(Timestamp(7_200_000)),
            move_by: Some(Timestamp(60_000)),
        };
        let sealed = Event::Sealed {
            seat: Seat::First,
            clock: None,
            expires_at: Timestamp(90_000_000),
        };
        let resumed = Event::Resumed {
            clock: None,
            time_control: Some("3d".parse().unwrap()),
        };
        let berserked = Event::Berserked {
            seat: Seat::Second,
            clock: ClockReading::start("60+2".parse().unwrap(), Timestamp(1_000)),
        };
        let more = [adjourned, sealed, resumed, berserked];
        let events = [
            moved, offered, closed, taken_back, vacation, finished, aborted,
        ];
        for event in events.into_iter().chain(more) {
            let encoded = event.encode().unwrap();
            assert_eq!(Event::read(encoded.name, &encoded.body).unwrap(), event);
        }
    }

    #[test]
    fn bodies_of_older_releases_mean_what_they_meant() {
        let moved = r#"{"seat":1,"mv":"1,1","score":[0,0],"to_move":2,"passed":false,"clock":{"left_ms":[295000,300000],"running":2,"at":7000},"client_id":null}"#;
        let clock = ClockReading {
            left: [Millis(295_000), Millis(300_000)],
            running: Some(Seat::Second),
            at: Timestamp(7_000),
        };
        let expected = Event::Moved {
            seat: Seat::First,
            mv: "1,1".into(),
            score: [0, 0],
            to_move: Some(Seat::Second),
            passed: false,
            clock: Some(clock),
            client_id: None,
            move_by: None,
        };
        assert_eq!(Event::read("moved", moved).unwrap(), expected);
        let taken_back = Event::TakenBack {
            count: 1,
            clock: Some(clock),
            move_by: None,
        };
        let body = r#"{"count":1,"clock":{"left_ms":[295000,300000],"running":2,"at":7000}}"#;
        assert_eq!(Event::read("taken_back", body).unwrap(), taken_back);
        let offered = Event::Offered {
            seat: Seat::Second,
            kind: OfferKind::Draw,
            expires_at: Some(Timestamp(15_000)),
            resume_at: None,
        };
        let body = r#"{"seat":2,"kind":"draw","expires_at":15000}"#;
        assert_eq!(Event::read("offered", body).unwrap(), offered);
        let finished = Event::Finished {
            result: MatchResult::won(Seat::Second, Reason::Time),
        };
        let body = r#"{"result":{"winner":2,"reason":"time","ratings":null}}"#;
        assert_eq!(Event::read("finished", body).unwrap(), finished);
    }

    #[test]
    fn the_body_is_the_contracts() {
        let offered = Event::Offered {
            seat: Seat::Second,
            kind: OfferKind::Takeback,
            expires_at: Some(Timestamp(15_000)),
            resume_at: None,
        };
        let body = offered.encode().unwrap().body;
        assert_eq!(body, r#"{"seat":2,"kind":"takeback","expires_at":15000}"#);
        // A move is in no event before the match is resumed.
        let sealed = Event::Sealed {
            seat: Seat::Second,
            clock: None,
            expires_at: Timestamp(15_000),
        };
        let body = sealed.encode().unwrap().body;
        assert_eq!(body, r#"{"seat":2,"clock":null,"expires_at":15000}"#);
        let adjourned = Event::Adjourned {
            resume_at: None,
            move_by: None,
        };
        assert_eq!(adjourned.encode().unwrap().body, "{}");
        let berserked = Event::Berserked {
            seat: Seat::First,
            clock: None,
        };
        let berserked = berserked.encode().unwrap();
        assert_eq!(berserked.name, "berserked");
        assert_eq!(berserked.body, r#"{"seat":1,"clock":null}"#);
        let finished = |result| Event::Finished { result }.encode().unwrap().body;
        assert_eq!(
            finished(MatchResult::won(Seat::Second, Reason::Resigned)),
            r#"{"result":{"winner":2,"reason":"resigned","ratings":null}}"#
        );
        assert_eq!(
            finished(MatchResult::agreed(None, Reason::AgreedDraw)),
            r#"{"result":{"winner":0,"reason":"agreed_draw","ratings":null}}"#
        );
        assert_eq!(
            finished(MatchResult::aborted(Some(Seat::First))),
            r#"{"result":{"winner":null,"reason":"aborted","ratings":null,"by":1}}"#
        );
    }
}
