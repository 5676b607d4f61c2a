//! Time zones of players, and the nights in which nobody's flag falls by correspondence.

pub mod db;

use crate::Error;
use crate::db::Db;
use crate::pairing::db::players::lock_players;
use jiff::tz::{self, TimeZone};
use jiff::{Timestamp as Instant, ToSpan as _, Zoned};
use tochki_play::{Millis, Timestamp};
use tochki_protocol::{Account, Code, TimeZoneSetting, limits};

/// The time zones as services of pages.
#[derive(Clone)]
pub struct TimeZones {
    db: Db,
}

impl TimeZones {
    pub(crate) const fn open(db: Db) -> Self {
        Self { db }
    }

    /// The time zone of this player, and all that there are.
    pub async fn setting(&self, player: &Account) -> Result<TimeZoneSetting, Error> {
        let stored = db::read(&self.db, player.id).await?;
        Ok(TimeZoneSetting {
            changeable_at: stored.as_ref().and_then(|stored| stored.changeable_at),
            zone: stored.map(|stored| stored.zone),
            zones: names(),
        })
    }

    /// Sets the time zone of this player, for the deadlines that are set afterwards.
    ///
    /// # Errors
    /// `bad_request` if there is no such zone, or `too_many_requests` if it was changed within
    /// [`limits::TIME_ZONE_CHANGE_INTERVAL`].
    pub async fn set(&self, player: &Account, zone: &str) -> Result<(), Error> {
        if !names().iter().any(|name| name == zone) {
            return Err(Code::BadRequest.into());
        }
        let mut tx = crate::db::begin(&self.db).await?;
        // Two changes at once come one after the other.
        lock_players(&mut tx, [player.id; 2]).await?;
        if let Some(stored) = db::read(&mut *tx, player.id).await? {
            if stored.zone == zone {
                return Ok(());
            }
            if let Some(at) = stored.changeable_at {
                let wait = (at - crate::now()).max(Millis::ZERO).0 / 1000 + 1;
                let wait = u32::try_from(wait).unwrap_or(u32::MAX);
                return Err(Error::Limited(Code::TooManyRequests, wait));
            }
        }
        db::write(&mut tx, player.id, zone).await?;
        tx.commit().await?;
        Ok(())
    }
}

/// Returns the names of all zones that are places.
fn names() -> Vec<String> {
    let places = tz::db().available().map(|name| name.to_string());
    let mut names: Vec<String> = places
        .filter(|name| name.contains('/') && !name.starts_with("Etc/"))
        .collect();
    names.push("UTC".to_owned());
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns by how much later a flag falls than on its clock, in the time zone of its owner: one that would fall at night falls in the
/// morning. Without a known zone nothing is later.
pub fn grace(flag_at: Timestamp, zone: &str) -> Millis {
    later(flag_at, zone).unwrap_or(Millis::ZERO)
}

fn later(flag_at: Timestamp, zone: &str) -> Option<Millis> {
    let zone = TimeZone::get(zone).ok()?;
    let local: Zoned = Instant::from_millisecond(flag_at.0)
        .ok()?
        .to_zoned(zone.clone());
    let date = if local.hour() >= limits::NIGHT_BEGINS_HOUR {
        local.date().checked_add(1.day()).ok()?
    } else if local.hour() < limits::NIGHT_ENDS_HOUR {
        local.date()
    } else {
        return None;
    };
    // A time that the zone leaves out is later by as much as is left out.
    let morning = date
        .at(limits::NIGHT_ENDS_HOUR, 0, 0, 0)
        .to_zoned(zone)
        .ok()?;
    let later = Timestamp(morning.timestamp().as_millisecond()) - flag_at;
    (later > Millis::ZERO).then_some(later)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(zone: &str, flag: &str, expected: &str) {
        let at = |text: &str| {
            let instant: Instant = text.parse().expect("a time");
            Timestamp(instant.as_millisecond())
        };
        let moved = at(flag) + grace(at(flag), zone);
        assert_eq!(moved, at(expected), "{zone} {flag}");
    }

    #[test]
    fn a_flag_falls_in_the_morning_of_its_owner() {
        check("UTC", "2026-11-26T22:59:59Z", "2026-11-26T22:59:59Z");
        check("UTC", "2026-11-26T23:00:00Z", "2026-11-27T07:00:00Z");
        check("UTC", "2026-11-27T00:00:00Z", "2026-11-27T07:00:00Z");
        check("UTC", "2026-11-27T06:59:59.999Z", "2026-11-27T07:00:00Z");
        check("UTC", "2026-11-27T07:00:00Z", "2026-11-27T07:00:00Z");
        check(
            "Europe/Berlin",
            "2026-11-26T22:30:00Z",
            "2026-11-27T06:00:00Z",
        );
        check(
            "Asia/Kolkata",
            "2026-11-26T20:00:00Z",
            "2026-11-27T01:30:00Z",
        );
        check(
            "America/New_York",
            "2026-11-26T20:00:00Z",
            "2026-11-26T20:00:00Z",
        );
    }

    #[test]
    fn the_night_in_which_clocks_change_is_an_hour_shorter_or_longer() {
        check(
            "Europe/Berlin",
            "2026-03-28T22:00:00Z",
            "2026-03-29T05:00:00Z",
        );
        check(
            "Europe/Berlin",
            "2026-10-24T21:00:00Z",
            "2026-10-25T06:00:00Z",
        );
    }

    #[test]
    fn a_time_that_does_not_exist_rolls_forward() {
        // Samoa had no 30th of December in 2011.
        check(
            "Pacific/Apia",
            "2011-12-30T09:30:00Z",
            "2011-12-30T17:00:00Z",
        );
    }

    #[test]
    fn what_is_no_zone_moves_nothing() {
        for zone in [
            "",
            "Nowhere/None",
            "EST5EDT,M3.2.0,M11.1.0",
            "../etc/passwd",
        ] {
            check(zone, "2026-11-27T00:00:00Z", "2026-11-27T00:00:00Z");
        }
        let names = names();
        assert!(names.len() > 300, "{}", names.len());
        assert!(names.iter().all(|name| TimeZone::get(name).is_ok()));
        assert!(names.iter().any(|name| name == "Europe/Kyiv"));
    }
}
