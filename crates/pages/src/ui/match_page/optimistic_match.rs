//! A match with optimistic updates: the events that the server has confirmed, and at most one pending move of the visitor.

use crate::ui::board::Shown;
use tochki_play::{Event, Match, MatchResult, Ply, Refusal};
use tochki_protocol::{ClientId, Snapshot};
use tochki_rules::Seat;

/// Confirmed events and a pending move. The page shows both together.
#[derive(Clone, Debug)]
pub(crate) struct OptimisticMatch {
    confirmed: Match,
    pending: Option<PendingMove>,
    shown: Shown,
}

/// A move that the server has not answered yet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PendingMove {
    /// The side that moves.
    seat: Seat,
    /// The move as text.
    pub(crate) mv: String,
    /// The id that makes the move idempotent: sent again, it is still made only once.
    pub(crate) client_id: ClientId,
    /// The version that the move is based on.
    pub(crate) version: u32,
}

/// The outcome of an event of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    /// The event was the next one, and was applied.
    Next,
    /// The event was applied before.
    Duplicate,
    /// An event before it is missing: the snapshot must be fetched.
    Gap,
}

impl OptimisticMatch {
    /// Replays the moves of a snapshot.
    pub(crate) fn from_snapshot(snapshot: &Snapshot) -> Self {
        let (confirmed, replayed) = snapshot.replay();
        // The server has replayed the same moves, so this page is of another version. It shows the moves before the one
        // that it does not understand.
        if let Err(broken) = replayed {
            leptos::logging::error!("{broken}");
        }
        let shown = with_pending(&confirmed, None);
        Self {
            confirmed,
            pending: None,
            shown,
        }
    }

    /// Replaces the match by a newer snapshot. A pending move stays only if the board has not changed.
    pub(crate) fn update_from_snapshot(&mut self, snapshot: &Snapshot) {
        if snapshot.version < self.version() {
            return;
        }
        let known_moves = self.confirmed.plies().iter().map(|ply| ply.mv.to_string());
        let same_board =
            snapshot.result.is_none() && known_moves.eq(snapshot.moves.iter().cloned());
        let pending = self.pending.take().filter(|_| same_board);
        *self = Self::from_snapshot(snapshot);
        self.set_pending(pending);
    }

    /// Applies an event of the stream. Any event that changes the board drops the pending move: it is that move, or the
    /// match went on without it. An offer, a vacation or a halved clock keeps it.
    pub(crate) fn apply_event(&mut self, version: u32, event: &Event) -> Applied {
        let known = self.version();
        if version <= known {
            return Applied::Duplicate;
        }
        if version > known + 1 {
            return Applied::Gap;
        }
        if self.confirmed.apply(event).is_err() {
            // The known state is not the one that the event follows.
            return Applied::Gap;
        }
        let pending = match event {
            Event::Offered { .. }
            | Event::OfferClosed { .. }
            | Event::VacationChanged { .. }
            | Event::Berserked { .. } => self.pending.take(),
            _ => None,
        };
        self.set_pending(pending);
        Applied::Next
    }

    /// Makes a pending move, if rules and turn allow it, and returns the move to send.
    pub(crate) fn propose(
        &mut self,
        seat: Seat,
        mv: &str,
        client_id: ClientId,
    ) -> Result<PendingMove, Refusal> {
        if self.pending.is_some() {
            return Err(Refusal::NotYourTurn);
        }
        // Only the server judges time: this computer's clock may be wrong.
        self.confirmed.check_move(seat, mv)?;
        let pending = PendingMove {
            seat,
            mv: mv.to_owned(),
            client_id,
            version: self.version(),
        };
        self.set_pending(Some(pending.clone()));
        Ok(pending)
    }

    /// Rolls back the pending move with this `client_id`. Returns whether it was still pending.
    pub(crate) fn discard_pending(&mut self, client_id: &ClientId) -> bool {
        let was_pending = self.is_pending(client_id);
        if was_pending {
            self.set_pending(None);
        }
        was_pending
    }

    /// Returns the pending move based on the current version, to be sent again: only an offer has come in between.
    pub(crate) fn rebase_pending(&self, client_id: &ClientId) -> Option<PendingMove> {
        let pending = self.pending.as_ref()?;
        let outdated = pending.client_id == *client_id && pending.version < self.version();
        outdated.then(|| PendingMove {
            version: self.version(),
            ..pending.clone()
        })
    }

    /// Returns whether the move with this `client_id` is pending.
    pub(crate) fn is_pending(&self, client_id: &ClientId) -> bool {
        self.pending
            .as_ref()
            .is_some_and(|pending| pending.client_id == *client_id)
    }

    fn set_pending(&mut self, pending: Option<PendingMove>) {
        self.shown = with_pending(&self.confirmed, pending.as_ref());
        self.pending = pending;
    }

    /// Returns the version of the last confirmed event.
    pub(crate) fn version(&self) -> u32 {
        self.confirmed.version()
    }

    /// Returns the shown match: confirmed and pending moves.
    pub(crate) fn shown(&self) -> &Shown {
        &self.shown
    }

    /// Returns whether a move is pending.
    pub(crate) fn has_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// Returns the confirmed match.
    pub(crate) fn confirmed(&self) -> &Match {
        &self.confirmed
    }

    /// Returns the side to move; `None` after the end, and while a sealed move waits.
    pub(crate) fn to_move(&self) -> Option<Seat> {
        self.confirmed.to_move()?;
        self.shown.position.to_move()
    }

    /// Returns the scores of both seats.
    pub(crate) fn score(&self) -> [u32; 2] {
        self.shown.position.score()
    }

    /// Returns the result, once there is one.
    pub(crate) fn result(&self) -> Option<&MatchResult> {
        self.confirmed.result()
    }
}

fn with_pending(confirmed: &Match, pending: Option<&PendingMove>) -> Shown {
    let mut position = confirmed.position().clone();
    let mut plies = confirmed.plies().to_vec();
    if let Some(PendingMove { seat, mv, .. }) = pending {
        let played = position
            .parse_move(mv)
            .and_then(|mv| position.play_as(*seat, mv).map(|_| mv));
        // It was legal when proposed, and the position is the same.
        plies.extend(played.map(|mv| Ply { seat: *seat, mv }));
    }
    Shown { position, plies }
}

#[cfg(test)]
mod tests;
