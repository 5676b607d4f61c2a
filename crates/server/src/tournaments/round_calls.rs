//! The calls to rounds that begin soon, on this instance: each with its players.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard};
use tochki_play::Timestamp;
use tochki_protocol::{PlayerId, RoundSoon, TournamentId, limits};
use tokio::sync::broadcast;

/// A round that begins soon, and its players.
pub(crate) struct RoundCall {
    number: i32,
    soon: RoundSoon,
    players: HashSet<PlayerId>,
}

impl RoundCall {
    /// Returns the call to a round of a tournament that begins at this time.
    pub(super) fn new(
        tournament: TournamentId,
        number: i32,
        at: Timestamp,
        players: HashSet<PlayerId>,
    ) -> Self {
        Self {
            number,
            soon: RoundSoon { tournament, at },
            players,
        }
    }

    /// Returns the call for a player who takes part.
    pub(crate) fn for_player(&self, player: PlayerId) -> Option<RoundSoon> {
        self.players.contains(&player).then_some(self.soon)
    }

    /// Returns whether this is the call to a round.
    pub(super) fn is_to(&self, tournament: TournamentId, number: i32) -> bool {
        self.soon.tournament == tournament && self.number == number
    }
}

/// The calls of this instance.
pub(super) struct RoundCalls {
    /// Those whose rounds have not begun. Held for a lookup, never across an await.
    open: Mutex<Vec<Arc<RoundCall>>>,
    sender: broadcast::Sender<Arc<RoundCall>>,
}

impl Default for RoundCalls {
    fn default() -> Self {
        Self {
            open: Mutex::default(),
            sender: broadcast::channel(limits::ROUND_CALLS_CAPACITY).0,
        }
    }
}

impl RoundCalls {
    /// Subscribes to calls, and returns those that are open.
    pub(super) fn subscribe(&self) -> (Vec<Arc<RoundCall>>, broadcast::Receiver<Arc<RoundCall>>) {
        // In this order, so that none is missed; one may be told twice.
        let receiver = self.sender.subscribe();
        (self.lock().clone(), receiver)
    }

    /// Forgets the calls that `is_open` does not know any more, and returns the others.
    pub(super) fn keep(&self, is_open: impl Fn(&RoundCall) -> bool) -> Vec<Arc<RoundCall>> {
        let mut open = self.lock();
        open.retain(|call| is_open(call));
        open.clone()
    }

    /// Tells of a call.
    pub(super) fn send(&self, call: RoundCall) {
        let call = Arc::new(call);
        self.lock().push(call.clone());
        // Nobody may have a stream open.
        let _ = self.sender.send(call);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<RoundCall>>> {
        self.open.lock().expect("no panic while the lock is held")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_for_its_players_until_its_round_begins() {
        let calls = RoundCalls::default();
        let (open, mut told) = calls.subscribe();
        assert!(open.is_empty());
        let players = HashSet::from([PlayerId(7)]);
        calls.send(RoundCall::new(TournamentId(3), 2, Timestamp(60), players));
        let call = told.try_recv().unwrap();
        assert!(call.is_to(TournamentId(3), 2) && !call.is_to(TournamentId(3), 1));
        let soon = RoundSoon {
            tournament: TournamentId(3),
            at: Timestamp(60),
        };
        assert_eq!(call.for_player(PlayerId(7)), Some(soon));
        assert_eq!(call.for_player(PlayerId(8)), None);
        // Who subscribes later is told of it, too.
        assert_eq!(calls.subscribe().0.len(), 1);
        assert!(calls.keep(|_| false).is_empty());
        assert!(calls.subscribe().0.is_empty());
    }
}
