//! The nights in which nobody's turn ends by correspondence.

use jiff::tz::TimeZone;
use jiff::{Timestamp as Instant, ToSpan as _, Zoned};
use tochki_play::{Millis, Timestamp};
use tochki_protocol::limits;

/// Returns by how much later a turn ends than its clock says, in the time zone of the player: one that would end at night ends in the
/// morning. Without a known zone nothing is later.
pub(crate) fn grace(turn_end: Timestamp, zone: &str) -> Millis {
    later(turn_end, zone).unwrap_or(Millis::ZERO)
}

fn later(turn_end: Timestamp, zone: &str) -> Option<Millis> {
    let zone = TimeZone::get(zone).ok()?;
    let local: Zoned = Instant::from_millisecond(turn_end.0)
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
    let later = Timestamp(morning.timestamp().as_millisecond()) - turn_end;
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
    }
}
