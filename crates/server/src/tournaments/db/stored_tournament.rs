//! A tournament as it is kept.

use crate::Error;
use std::time::Duration;
use tochki_play::{Millis, Timestamp};
use tochki_protocol::{Tournament, TournamentRounds, TournamentState, limits};
use tochki_rules::Seat;

/// A tournament, and what only the server knows of it.
pub struct StoredTournament {
    /// The tournament.
    pub tournament: Tournament,
    /// The hash of its password.
    pub password_hash: Option<String>,
    /// The time at which it was read, by the clock of the database, which all its times are compared with.
    pub now: Timestamp,
    /// The side of the first player in the first round of a Swiss, once it is drawn.
    pub first_side: Option<Seat>,
}

impl StoredTournament {
    /// Returns the rounds; those of an arena are none.
    pub fn rounds(&self) -> Result<&TournamentRounds, Error> {
        let rounds = self.tournament.rounds.as_ref();
        rounds.ok_or_else(|| Error::invariant("a tournament has no rounds"))
    }

    /// Returns the number of the next round.
    pub fn next_round(&self) -> Result<i32, Error> {
        Ok(self.rounds()?.round.cast_signed() + 1)
    }

    /// Returns whether this is the time to say that one is here: some time before a round, and in an arena from some time before the
    /// start on.
    pub fn asks_presence(&self) -> bool {
        match &self.tournament.rounds {
            Some(rounds) => rounds.asks_presence(self.now),
            None => match self.tournament.state {
                TournamentState::Open => {
                    let from = self.tournament.starts_at - presence_window(0, 0);
                    self.now >= from
                }
                TournamentState::Running => true,
                TournamentState::Finished | TournamentState::Cancelled => false,
            },
        }
    }

    /// Returns the round that players say to be here for: the next one, and the only one of an arena.
    pub fn presence_round(&self) -> i32 {
        let rounds = self.tournament.rounds.as_ref();
        rounds.map_or(1, |rounds| rounds.round.cast_signed() + 1)
    }

    /// Returns the time from the last game of a round to the next round.
    pub fn between(&self) -> Result<Duration, Error> {
        Ok(Duration::from_secs(self.rounds()?.break_seconds.into()))
    }
}

/// Returns how long before a round players say that they are here: nobody waits longer than between two rounds, but before the first
/// there is none to wait for.
pub(super) fn presence_window(round: u32, break_seconds: u32) -> Millis {
    let longest = limits::in_millis(limits::PRESENCE_WINDOW);
    if round == 0 {
        longest
    } else {
        longest.min(Millis::from_secs(break_seconds))
    }
}
