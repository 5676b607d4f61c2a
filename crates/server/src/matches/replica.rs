//! Replica of a match in this instance: the state after its events, with deadlines shifted by outages.

use crate::db::Db;
use crate::matches::db;
use crate::matches::db::{MatchStart, StoredEvent};
use crate::outages::{self, OutageEpoch};
use crate::{Error, WithSubject as _};
use tochki_play::{Event, Match, Millis};
use tochki_protocol::{MatchId, limits};

/// A match in memory.
pub(super) struct Replica {
    /// The match after the events that were read.
    pub(super) game: Match,
    /// By how much outages have shifted its deadlines, by the version at which they did.
    outages: Vec<(u32, Millis)>,
    /// The last outage that is applied.
    pub(super) epoch: OutageEpoch,
}

impl Replica {
    /// A match before its first event.
    pub(super) async fn begin(
        db: &Db,
        id: MatchId,
        start: MatchStart,
        epoch: OutageEpoch,
    ) -> Result<Self, Error> {
        let done = async {
            let mut replica = Self {
                game: start.game(),
                outages: outages::db::of_match(db, id).await?,
                epoch,
            };
            replica.postpone();
            Ok(replica)
        };
        done.await.with_subject(id)
    }

    /// Reads at most [`limits::MATCH_EVENTS_BATCH_LEN`] events after the last known one, up to a version. It does not apply
    /// them.
    pub(super) async fn next_events(
        &self,
        db: &Db,
        id: MatchId,
        up_to: u32,
    ) -> Result<Vec<(Event, StoredEvent)>, Error> {
        let version = self.game.version();
        let limit = limits::MATCH_EVENTS_BATCH_LEN.min(up_to.saturating_sub(version));
        let stored = db::events_after(db, id, version, limit)
            .await
            .with_subject(id)?;
        let read = stored.into_iter().map(|row| Ok((row.read(id)?, row)));
        read.collect()
    }

    /// Applies the next event.
    ///
    /// # Errors
    /// A broken record, if the event cannot have happened.
    pub(super) fn apply(&mut self, id: MatchId, event: &Event, grace: Millis) -> Result<(), Error> {
        self.game
            .reproduce(event)
            .map_err(|broken| Error::broken_record(id, broken))?;
        if event.sets_clocks() {
            self.game.extend_turn(grace);
        }
        self.postpone();
        Ok(())
    }

    /// Returns whether a client that has all events may have deadlines that an outage has shifted since.
    pub(super) fn has_shifted_times(&self) -> bool {
        let version = self.game.version();
        let shifts = |(at, _): &(u32, Millis)| *at == version || self.game.offer().is_some();
        self.game.deadline().is_some() && self.outages.iter().any(shifts)
    }

    fn postpone(&mut self) {
        let version = self.game.version();
        for (_, by) in self.outages.iter().filter(|(at, _)| *at == version) {
            self.game.postpone(*by);
        }
    }
}
