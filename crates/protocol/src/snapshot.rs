//! The snapshot of a match, the base for later events.

use super::{MatchId, MatchStatus, PlayerCard};
use serde::{Deserialize, Serialize};
use tochki_play::{
    Adjournment, BrokenRecord, ClockKind, ClockReading, ClockRule, Event, Match, MatchResult,
    Millis, Offer, Pace, Resumed, Terms, Timestamp, TournamentMatch,
};
use tochki_rules::{Seat, Setup};

/// Everything a client needs to show a match and to apply the events after `version`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Snapshot {
    /// The match.
    pub id: MatchId,
    /// The version of the last event in the snapshot; 0 before the first event.
    pub version: u32,
    /// `game` and `setup`.
    #[serde(flatten)]
    pub setup: Setup,
    /// The time control.
    pub time_control: ClockRule,
    /// The pace, which follows from the time control.
    #[serde(default)]
    pub pace: Pace,
    /// Whether the match is rated.
    pub rated: bool,
    /// The rules of the tournament that the match is of. Omitted in other matches.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<TournamentMatch>,
    /// Seat 1, seat 2.
    pub players: [PlayerCard; 2],
    /// The moves in their text form.
    pub moves: Vec<String>,
    /// The seat of each move.
    pub seats: Vec<Seat>,
    /// The seat that is to move; `None` after the end, and while a sealed move waits.
    pub to_move: Option<Seat>,
    /// Points of both seats.
    pub score: [u32; 2],
    /// The reading of the clocks; `None` in a match without clocks.
    pub clock: Option<SnapshotClock>,
    /// Whether both have made a move. Until then the match can be aborted, and not be lost.
    pub begun: bool,
    /// The deadline of the next move, where the match itself limits it; beside a clock only for the first moves.
    pub move_by: Option<Timestamp>,
    /// When the vacation of each player ends at the latest, in which their clock stands still. It is over if that is past. Omitted
    /// without any.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    #[serde(default, skip_serializing_if = "is_without_vacation")]
    pub vacation_until: [Option<Timestamp>; 2],
    /// Whether each player has given half of the own clock and its increment, in an arena with berserk. Omitted if nobody has.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    #[serde(default, skip_serializing_if = "is_nobody")]
    pub berserk: [bool; 2],
    /// The open offer.
    pub offer: Option<Offer>,
    /// The adjournment, until the match is resumed. Omitted without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjournment: Option<Adjournment>,
    /// Whether each player has a stream open on this match.
    pub present: [bool; 2],
    /// Since when each player is absent; set after a short delay.
    pub gone_at: [Option<Timestamp>; 2],
    /// When each absent player loses the match, or it is aborted.
    pub lost_at: [Option<Timestamp>; 2],
    /// The number of spectators.
    pub watching: u32,
    /// Whether each player has asked for a rematch.
    pub rematch: [bool; 2],
    /// The rematch, once it has started.
    pub next_match: Option<MatchId>,
    /// Whether an operator has annulled the match, which then counts for nothing. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub annulled: bool,
    /// The server's time when the snapshot was read, so that clients can find the offset of their own clock. Only on request, so
    /// that the snapshot of a match without changes stays the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<Timestamp>,
    /// `running` or `finished`.
    pub status: Status,
    /// The result, once finished.
    pub result: Option<MatchResult>,
}

/// The reading of the clocks, and what the time control makes of it, for programs that do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SnapshotClock {
    /// The time that each side had left at `at` until its flag falls, bank and periods included.
    #[serde(rename = "left_ms")]
    pub left: [Millis; 2],
    /// The side whose clock runs from `at` on.
    pub running: Option<Seat>,
    /// The time of this reading.
    pub at: Timestamp,
    /// The kind of the time control. Omitted for `300+5`.
    // Browsers have the rules, so they need not read this and what follows.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ClockKind>,
    /// The time that is there anew for each move: beside a bank, a period of byo-yomi, or days. Omitted if there is none.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_move_ms: Option<Millis>,
    /// The bank of each side at `at`. Omitted if there is none.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank_ms: Option<[Millis; 2]>,
    /// The periods of byo-yomi of each side at `at`. Omitted if there are none.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub periods: Option<[u32; 2]>,
    /// When the flag of the running side falls. Only by correspondence.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_at: Option<Timestamp>,
}

impl SnapshotClock {
    /// Describes a reading of clocks with this time control.
    pub fn of(rule: ClockRule, reading: ClockReading) -> Self {
        let [first, second] =
            Seat::BOTH.map(|seat| reading.parts(rule, seat, reading.left[seat.index()]));
        Self {
            left: reading.left,
            running: reading.running,
            at: reading.at,
            kind: rule.kind(),
            per_move_ms: rule.per_move(),
            bank_ms: first.bank.zip(second.bank).map(<[Millis; 2]>::from),
            periods: first.periods.zip(second.periods).map(<[u32; 2]>::from),
            deadline_at: reading
                .flag_at()
                .filter(|_| rule.pace() == Pace::Correspondence),
        }
    }

    /// Returns the reading alone.
    pub const fn reading(&self) -> ClockReading {
        ClockReading {
            left: self.left,
            running: self.running,
            at: self.at,
        }
    }
}

fn is_without_vacation(until: &[Option<Timestamp>; 2]) -> bool {
    until.iter().all(Option::is_none)
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
fn is_nobody(sides: &[bool; 2]) -> bool {
    *sides == [false; 2]
}

/// State of a match: still running, or finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The match is being played.
    Running,
    /// The match has a result.
    Finished,
}

impl Snapshot {
    /// Returns the status of the match.
    pub fn match_status(&self) -> MatchStatus {
        MatchStatus {
            gone_at: self.gone_at,
            lost_at: self.lost_at,
            watching: self.watching,
            rematch: self.rematch,
            next_match: self.next_match,
            annulled: self.annulled,
        }
    }

    /// Replays the match, which the events after the snapshot continue. If the rules refuse a move, the match is the one before
    /// that move, and the reason is beside it.
    pub fn replay(&self) -> (Match, Result<(), BrokenRecord>) {
        let terms = Terms {
            setup: self.setup,
            clock: self.time_control,
            rated: self.rated,
        };
        // The start of the match is not known, and does not matter: the snapshot has the readings of the clocks.
        let mut game = Match::new(terms, Timestamp::default());
        // The rules compute score and turn; these fields are for clients without rules.
        let moved = |(mv, seat): (&String, &Seat)| Event::Moved {
            seat: *seat,
            mv: mv.clone(),
            score: [0, 0],
            to_move: None,
            passed: false,
            clock: None,
            client_id: None,
            move_by: None,
        };
        let mut events = self.moves.iter().zip(&self.seats).map(moved);
        let replayed = events.try_for_each(|event| game.apply(&event));
        let state = Resumed {
            version: self.version,
            clock: self.clock.map(|clock| clock.reading()),
            move_by: self.move_by,
            begun: self.begun,
            offer: self.offer,
            adjournment: self.adjournment,
            result: self.result.clone(),
            vacation_until: self.vacation_until,
            berserk: self.berserk,
        };
        (game.resume(state), replayed)
    }

    /// Takes the snapshot of a match.
    pub fn of(
        id: MatchId,
        game: &Match,
        players: [PlayerCard; 2],
        present: [bool; 2],
        match_status: &MatchStatus,
    ) -> Self {
        let terms = game.terms();
        Self {
            id,
            version: game.version(),
            setup: terms.setup,
            time_control: terms.clock,
            pace: terms.pace(),
            rated: terms.rated,
            tournament: game.tournament(),
            players,
            moves: game.plies().iter().map(|ply| ply.mv.to_string()).collect(),
            seats: game.plies().iter().map(|ply| ply.seat).collect(),
            to_move: game.to_move(),
            score: game.score(),
            clock: game
                .clock()
                .map(|clock| SnapshotClock::of(terms.clock, clock)),
            begun: game.has_begun(),
            move_by: game.move_by(),
            vacation_until: game.vacation_until(),
            berserk: game.berserk(),
            offer: game.offer(),
            adjournment: game.adjournment(),
            present,
            gone_at: match_status.gone_at,
            lost_at: match_status.lost_at,
            watching: match_status.watching,
            rematch: match_status.rematch,
            next_match: match_status.next_match,
            annulled: match_status.annulled,
            now: None,
            status: if game.result().is_some() {
                Status::Finished
            } else {
                Status::Running
            },
            result: game.result().cloned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_of_an_older_release_means_what_it_meant() {
        let snapshot: Snapshot = serde_json::from_str(
            r#"{
                "id": 7, "version": 1, "game": "gomoku", "setup": {"size": 15, "rule": "freestyle"},
                "time_control": "300+5", "rated": true,
                "players": [{"id": 1, "name": "ann", "rating": 1600.0}, {"id": 2, "name": "bob", "rating": 1700.0}],
                "moves": ["7,7"], "seats": [1], "to_move": 2, "score": [0, 0],
                "clock": {"left_ms": [295000, 300000], "running": 2, "at": 7000},
                "begun": false, "offer": null, "present": [true, true], "gone_at": [null, null], "lost_at": [null, null],
                "watching": 0, "rematch": [false, false], "next_match": null, "status": "running", "result": null
            }"#,
        )
        .unwrap();
        assert_eq!(snapshot.pace, Pace::Live);
        assert_eq!(snapshot.vacation_until, [None; 2]);
        let (game, replayed) = snapshot.replay();
        assert_eq!(replayed, Ok(()));
        assert_eq!((game.version(), game.to_move()), (1, Some(Seat::Second)));
        assert_eq!((game.move_by(), game.grace()), (None, Millis::ZERO));
        assert_eq!(game.vacation_until(), [None; 2]);
        assert_eq!(game.deadline(), Some(Timestamp(307_000)), "the flag alone");
    }
}
