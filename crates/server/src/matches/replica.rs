//! A match as far as this instance knows it: its events, and the time that was given back to it.

use super::super::db::{Db, matches, outages};
use super::super::outage_clock::OutageEpoch;
use crate::{About as _, Error};
use tochki_play::{Event, Match, Terms, Timestamp};
use tochki_protocol::MatchId;

/// How many events are read from the database at once.
pub(super) const PAGE: u32 = 500;

/// A match in memory.
pub(super) struct Replica {
    /// The match after the events that were read.
    pub(super) game: Match,
    /// What it was given back, by the version it stood at.
    outages: Vec<(u32, Timestamp)>,
    /// Up to when that is known.
    pub(super) era: OutageEpoch,
}

impl Replica {
    /// A match before its first event.
    pub(super) async fn begin(
        db: &Db,
        id: MatchId,
        terms: Terms,
        started_at: Timestamp,
        era: OutageEpoch,
    ) -> Result<Self, Error> {
        let done = async {
            let mut known = Self {
                game: Match::new(terms, started_at),
                outages: outages::of(db, id).await?,
                era,
            };
            known.postpone();
            Ok(known)
        };
        done.await.about(id)
    }

    /// Reads at most a page of events after the last one known, and those only up to a version. They do not happen by
    /// that yet.
    pub(super) async fn next_events(
        &self,
        db: &Db,
        id: MatchId,
        up_to: u32,
    ) -> Result<Vec<Event>, Error> {
        let done = async {
            let version = self.game.version();
            let limit = PAGE.min(up_to.saturating_sub(version));
            let stored = matches::events_after(db, id, version, limit).await?;
            let read = stored.iter().map(|row| {
                Event::read(&row.kind, &row.body).map_err(|unknown| {
                    Error::invariant(format!("event {} cannot be read: {unknown:?}", row.version))
                        .about(id)
                })
            });
            read.collect::<Result<_, Error>>()
        };
        done.await.about(id)
    }

    /// Takes in the next event.
    pub(super) fn apply(&mut self, event: &Event) {
        self.game.apply(event);
        self.postpone();
    }

    /// Whether somebody who knows the events may know the wrong times.
    pub(super) fn shows_other_times(&self) -> bool {
        let version = self.game.version();
        let late = |(at, _): &(u32, Timestamp)| *at == version || self.game.offer().is_some();
        self.game.deadline().is_some() && self.outages.iter().any(late)
    }

    fn postpone(&mut self) {
        let version = self.game.version();
        for (_, by) in self.outages.iter().filter(|(at, _)| *at == version) {
            self.game.postpone(*by);
        }
    }
}
