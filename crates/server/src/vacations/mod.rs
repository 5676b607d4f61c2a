//! The vacation of a player as it is stored: the days, and the last vacation, which ends by itself. What it does to matches is in
//! `matches::vacations`.

pub mod db;

use tochki_play::{Timestamp, VacationDays};
use tochki_protocol::VacationStatus;

/// The stored vacation of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredVacation {
    /// The days before the last vacation.
    pub days: VacationDays,
    /// The beginning and the end of the last vacation, on or over, unless it is counted in the days.
    pub last: Option<(Timestamp, Timestamp)>,
    /// Whether one begins by itself before a clock runs out.
    pub automatic: bool,
}

impl StoredVacation {
    /// Returns the beginning and the latest end of the vacation that is on.
    pub fn current(&self, now: Timestamp) -> Option<(Timestamp, Timestamp)> {
        self.last.filter(|(_, until)| *until > now)
    }

    /// Returns the days that are left, without those that the last vacation has begun.
    pub fn days_left(&self, now: Timestamp) -> VacationDays {
        let left = self.last.map_or(self.days, |(since, until)| {
            self.days.after(since, until.min(now))
        });
        left.at(now)
    }

    /// Begins a vacation with all days that are left. `None` if there are none.
    #[must_use]
    pub fn begin(self, now: Timestamp) -> Option<Self> {
        let days = self.days_left(now);
        (days.days > 0).then(|| Self {
            days,
            last: Some((now, days.last_until(now))),
            ..self
        })
    }

    /// Counts the last vacation, which is over now.
    #[must_use]
    pub fn end(self, now: Timestamp) -> Self {
        Self {
            days: self.days_left(now),
            last: None,
            ..self
        }
    }

    /// Returns the vacation as the player sees it.
    pub fn status(&self, now: Timestamp) -> VacationStatus {
        let days = self.days_left(now);
        let current = self.current(now);
        VacationStatus {
            days: days.days,
            next_day_at: days.next_at(),
            since: current.map(|(since, _)| since),
            until: current.map(|(_, until)| until),
            automatic: self.automatic,
            now,
        }
    }
}
