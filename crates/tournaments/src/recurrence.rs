//! Tournaments that repeat: a recurrence rule of RFC 5545, on the clocks of a time zone.
//!
//! Dates are worked out on these clocks alone, and become points in time afterwards: what begins at seven in the evening does so in
//! summer and in winter. A time that the clocks leave out is later by as much as they are put forward; of a time that they have twice
//! the first is meant (RFC 5545, 3.3.5).

use jiff::tz::TimeZone;
use rrule::RRuleSet;
use std::fmt;
use tochki_play::{Millis, Timestamp};

/// The longest rule.
const RULE_MAX_LEN: usize = 120;

/// The largest interval of a rule.
const MAX_INTERVAL: u16 = 366;

/// The largest number of values of one part of a rule.
const MAX_VALUES: usize = 31;

/// The shortest time between two dates.
const MIN_GAP: Millis = Millis::from_hours(1);

/// The number of dates between which a new rule has to leave that time.
const CHECKED: usize = 60;

/// The number of dates that are looked at for one that is to come: more than a year of hours.
const SEARCHED: usize = 10_000;

const MINUTE: i64 = 60_000;

/// Says that a rule is none, or none for tournaments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidRecurrence;

impl fmt::Display for InvalidRecurrence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no rule by which tournaments repeat")
    }
}

impl std::error::Error for InvalidRecurrence {}

/// A time on the clocks of a zone, as milliseconds since 1970 there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LocalTime(pub i64);

/// A date of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The time on the clocks of the zone.
    pub local: LocalTime,
    /// The point in time.
    pub at: Timestamp,
}

/// A rule in a time zone.
#[derive(Clone, Debug)]
pub struct Recurrence {
    rule: String,
    zone: TimeZone,
}

impl Recurrence {
    /// Reads a rule, such as `FREQ=WEEKLY;BYDAY=MO,FR`, and the IANA name of a time zone. Of the parts of RFC 5545 there are `FREQ` (of
    /// hours, days, weeks and months), `INTERVAL`, `BYHOUR`, `BYDAY`, `BYMONTHDAY`, `BYMONTH` and `WKST`: minutes are those of the first
    /// date, and a series ends when it is ended.
    ///
    /// # Errors
    ///
    /// If the rule has anything else in it, is longer than that needs, or there is no such zone.
    pub fn read(rule: &str, zone: &str) -> Result<Self, InvalidRecurrence> {
        Ok(Self {
            rule: read_rule(rule)?,
            zone: TimeZone::get(zone).map_err(|_| InvalidRecurrence)?,
        })
    }

    /// Returns the rule as it is kept.
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// Returns the time on the clocks of the zone, without seconds.
    pub fn local(&self, at: Timestamp) -> Option<LocalTime> {
        let instant = jiff::Timestamp::from_millisecond(at.0).ok()?;
        let clocks = instant.to_zoned(self.zone.clone()).datetime();
        let local = clocks.to_zoned(TimeZone::UTC).ok()?.timestamp();
        Some(LocalTime(
            local.as_millisecond().div_euclid(MINUTE) * MINUTE,
        ))
    }

    /// Checks the dates that follow a first one.
    ///
    /// # Errors
    ///
    /// If there are fewer than two, or two within an hour.
    pub fn check(&self, first: LocalTime) -> Result<(), InvalidRecurrence> {
        let mut last = first;
        let mut count = 0;
        for date in self.dates(first)?.take(CHECKED) {
            if Millis(date.0 - last.0) < MIN_GAP {
                return Err(InvalidRecurrence);
            }
            last = date;
            count += 1;
        }
        if count < 2 {
            return Err(InvalidRecurrence);
        }
        Ok(())
    }

    /// Returns the first date after another one of the series that is after this time. Dates that have passed meanwhile are left out.
    pub fn next(&self, last: LocalTime, after: Timestamp) -> Option<Occurrence> {
        let found = self.after(last).find(|next| next.at > after);
        // A series by the hour has slept for a year: it goes on from the day before, at the same minutes.
        found.or_else(|| {
            let day = Millis::DAY.0;
            let midnight = self.local(after)?.0.div_euclid(day) * day;
            let from = midnight - day + last.0.rem_euclid(day);
            let mut dates = self.after(last.max(LocalTime(from)));
            dates.find(|next| next.at > after)
        })
    }

    /// Returns the dates after another one of the series.
    pub fn after(&self, last: LocalTime) -> impl Iterator<Item = Occurrence> {
        let dates = self.dates(last).into_iter().flatten();
        dates.filter_map(move |local| {
            let at = self.at(local)?;
            Some(Occurrence { local, at })
        })
    }

    /// Returns the dates after a first one, on the clocks of the zone, which the rule takes for those of UTC.
    fn dates(
        &self,
        first: LocalTime,
    ) -> Result<impl Iterator<Item = LocalTime> + use<>, InvalidRecurrence> {
        let begin = jiff::Timestamp::from_millisecond(first.0).map_err(|_| InvalidRecurrence)?;
        let begin = begin.strftime("%Y%m%dT%H%M%SZ");
        let text = format!("DTSTART:{begin}\nRRULE:{}", self.rule);
        let set: RRuleSet = text.parse().map_err(|_| InvalidRecurrence)?;
        // With the limits of the crate: a rule without any date ends.
        let dates = IntoIterator::into_iter(&set.limit());
        Ok(dates
            .map(|date| LocalTime(date.timestamp_millis()))
            .filter(move |date| *date > first)
            .take(SEARCHED))
    }

    fn at(&self, local: LocalTime) -> Option<Timestamp> {
        let clocks = jiff::Timestamp::from_millisecond(local.0).ok()?;
        let clocks = clocks.to_zoned(TimeZone::UTC).datetime();
        let at = clocks.to_zoned(self.zone.clone()).ok()?.timestamp();
        Some(Timestamp(at.as_millisecond()))
    }
}

/// Reads a rule. It has its parts once each, and no line of its own.
fn read_rule(text: &str) -> Result<String, InvalidRecurrence> {
    let text = text.trim().to_ascii_uppercase();
    let rule = text.strip_prefix("RRULE:").unwrap_or(&text);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"=;,+-".contains(&byte);
    if rule.len() > RULE_MAX_LEN || !rule.bytes().all(is_plain) {
        return Err(InvalidRecurrence);
    }
    let mut names = Vec::new();
    for part in rule.split(';') {
        let (name, value) = part.split_once('=').ok_or(InvalidRecurrence)?;
        if names.contains(&name) || !is_sensible(name, value) {
            return Err(InvalidRecurrence);
        }
        names.push(name);
    }
    if !names.contains(&"FREQ") {
        return Err(InvalidRecurrence);
    }
    Ok(rule.to_owned())
}

/// Returns whether this is a part that a rule of ours may have. The crate checks the values once more.
fn is_sensible(name: &str, value: &str) -> bool {
    let values = || value.split(',').take(MAX_VALUES + 1);
    let is_list =
        |is_value: &dyn Fn(&str) -> bool| values().count() <= MAX_VALUES && values().all(is_value);
    match name {
        "FREQ" => ["HOURLY", "DAILY", "WEEKLY", "MONTHLY"].contains(&value),
        "INTERVAL" => {
            let interval: Result<u16, _> = value.parse();
            interval.is_ok_and(|interval| (1..=MAX_INTERVAL).contains(&interval))
        }
        "BYHOUR" => is_list(&|hour| hour.parse().is_ok_and(|hour: u8| hour < 24)),
        "BYMONTH" => is_list(&|month| {
            month
                .parse()
                .is_ok_and(|month: u8| (1..=12).contains(&month))
        }),
        "BYMONTHDAY" => is_list(&|day| {
            let day: Result<i8, _> = day.parse();
            day.is_ok_and(|day| (1..=31).contains(&day.unsigned_abs()))
        }),
        "BYDAY" => is_list(&|day| {
            let number = day.trim_end_matches(|c: char| c.is_ascii_uppercase());
            let is_number = number.is_empty()
                || number
                    .parse()
                    .is_ok_and(|number: i8| (1..=5).contains(&number.unsigned_abs()));
            is_number && is_weekday(&day[number.len()..])
        }),
        "WKST" => is_weekday(value),
        _ => false,
    }
}

fn is_weekday(text: &str) -> bool {
    ["MO", "TU", "WE", "TH", "FR", "SA", "SU"].contains(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the milliseconds of a time as `2026-11-27T19:00`.
    fn millis(text: &str) -> i64 {
        let instant: jiff::Timestamp = format!("{text}:00Z").parse().unwrap();
        instant.as_millisecond()
    }

    /// Checks the dates after one on the clocks of a zone, in UTC.
    #[track_caller]
    fn check(rule: &str, zone: &str, first: &str, expected: &[&str]) {
        let recurrence = Recurrence::read(rule, zone).unwrap();
        let first = LocalTime(millis(first));
        recurrence.check(first).unwrap();
        let dates = recurrence.after(first).take(expected.len());
        let dates: Vec<_> = dates.map(|date| date.at).collect();
        let expected: Vec<_> = (expected.iter())
            .map(|text| Timestamp(millis(text)))
            .collect();
        assert_eq!(dates, expected, "{rule} in {zone}");
    }

    #[test]
    fn rules_have_their_dates() {
        check(
            "FREQ=DAILY",
            "UTC",
            "2026-11-27T19:00",
            &["2026-11-28T19:00", "2026-11-29T19:00"],
        );
        check(
            "rrule:freq=weekly;byday=mo,fr",
            "UTC",
            "2026-11-27T19:00",
            &["2026-11-30T19:00", "2026-12-04T19:00", "2026-12-07T19:00"],
        );
        check(
            "FREQ=WEEKLY;INTERVAL=2",
            "UTC",
            "2026-11-27T19:00",
            &["2026-12-11T19:00", "2026-12-25T19:00"],
        );
        // The first need not be one of the rule.
        check(
            "FREQ=MONTHLY;BYDAY=-1SU",
            "UTC",
            "2026-11-27T19:30",
            &["2026-11-29T19:30", "2026-12-27T19:30"],
        );
        check(
            "FREQ=DAILY;BYHOUR=9,21",
            "UTC",
            "2026-11-27T19:00",
            &["2026-11-27T21:00", "2026-11-28T09:00", "2026-11-28T21:00"],
        );
        // Months without a day 31 have none.
        check(
            "FREQ=MONTHLY",
            "UTC",
            "2026-10-31T12:00",
            &["2026-12-31T12:00", "2027-01-31T12:00"],
        );
    }

    #[test]
    fn the_hour_stays_when_the_clocks_change() {
        check(
            "FREQ=DAILY",
            "Europe/Prague",
            "2026-03-27T19:00",
            &["2026-03-28T18:00", "2026-03-29T17:00", "2026-03-30T17:00"],
        );
        check(
            "FREQ=WEEKLY",
            "America/New_York",
            "2026-10-30T20:00",
            &["2026-11-07T01:00", "2026-11-14T01:00"],
        );
        // There is no half past two in the night of spring, and two in that of autumn.
        check(
            "FREQ=DAILY",
            "Europe/Prague",
            "2026-03-27T02:30",
            &["2026-03-28T01:30", "2026-03-29T01:30", "2026-03-30T00:30"],
        );
        check(
            "FREQ=DAILY",
            "Europe/Prague",
            "2026-10-23T02:30",
            &["2026-10-24T00:30", "2026-10-25T00:30", "2026-10-26T01:30"],
        );
    }

    #[test]
    fn midnight_is_that_of_the_zone() {
        check(
            "FREQ=DAILY",
            "Asia/Tokyo",
            "2026-12-30T00:00",
            &["2026-12-30T15:00", "2026-12-31T15:00"],
        );
        // In Cairo the day on which summer begins has no midnight.
        check(
            "FREQ=DAILY",
            "Africa/Cairo",
            "2026-04-22T00:00",
            &["2026-04-22T22:00", "2026-04-23T22:00", "2026-04-24T21:00"],
        );
        // The weekday is that of the zone, too: early on Saturday in Auckland it is Friday in London.
        check(
            "FREQ=WEEKLY;BYDAY=SA",
            "Pacific/Auckland",
            "2026-06-06T08:00",
            &["2026-06-12T20:00", "2026-06-19T20:00"],
        );
        let tokyo = Recurrence::read("FREQ=DAILY", "Asia/Tokyo").unwrap();
        let late = Timestamp(millis("2026-12-30T15:00") + 59_999);
        assert_eq!(
            tokyo.local(late),
            Some(LocalTime(millis("2026-12-31T00:00")))
        );
    }

    #[test]
    fn what_has_passed_is_left_out() {
        let daily = Recurrence::read("FREQ=DAILY", "UTC").unwrap();
        let last = LocalTime(millis("2026-11-27T19:00"));
        let next = |after: &str| {
            let found = daily.next(last, Timestamp(millis(after))).unwrap();
            found.at.0
        };
        assert_eq!(next("2026-11-27T19:00"), millis("2026-11-28T19:00"));
        assert_eq!(next("2026-11-28T19:00"), millis("2026-11-29T19:00"));
        assert_eq!(next("2026-12-24T20:00"), millis("2026-12-25T19:00"));
        // After a sleep of years it goes on.
        let hourly = Recurrence::read("FREQ=HOURLY;INTERVAL=3", "UTC").unwrap();
        let after = Timestamp(millis("2040-01-01T00:30"));
        let found = hourly.next(last, after).unwrap();
        assert!(found.at > after && found.at < after + Millis::from_hours(4));
    }

    #[test]
    fn no_other_rule_is_taken() {
        let long = format!("FREQ=WEEKLY;BYDAY={}MO", "MO,".repeat(40));
        let many = format!("FREQ=MONTHLY;BYMONTHDAY={}1", "1,".repeat(40));
        for rule in [
            "",
            "FREQ",
            "INTERVAL=2",
            "FREQ=SECONDLY",
            "FREQ=MINUTELY;INTERVAL=90",
            "FREQ=YEARLY",
            "FREQ=DAILY;COUNT=3",
            "FREQ=DAILY;UNTIL=20300101T000000Z",
            "FREQ=DAILY;BYMINUTE=0,1",
            "FREQ=DAILY;BYSECOND=0,1",
            "FREQ=MONTHLY;BYSETPOS=1;BYDAY=MO",
            "FREQ=DAILY;INTERVAL=0",
            "FREQ=DAILY;INTERVAL=65536",
            "FREQ=DAILY;INTERVAL=-1",
            "FREQ=DAILY;FREQ=WEEKLY",
            "FREQ=DAILY;",
            "FREQ=DAILY\nRDATE:20300101T000000Z",
            "FREQ=DAILY\r\nEXRULE:FREQ=DAILY",
            "RRULE:RRULE:FREQ=DAILY",
            "FREQ=WEEKLY;BYDAY=XX",
            "FREQ=WEEKLY;BYDAY=",
            "FREQ=WEEKLY;BYDAY=9MO",
            "FREQ=MONTHLY;BYMONTHDAY=0",
            "FREQ=MONTHLY;BYMONTHDAY=32",
            "FREQ=MONTHLY;BYMONTHDAY=-128",
            "FREQ=DAILY;BYMONTH=13",
            "FREQ=DAILY;BYHOUR=24",
            "FREQ=DAİLY",
            long.as_str(),
            many.as_str(),
        ] {
            assert!(Recurrence::read(rule, "UTC").is_err(), "{rule:?}");
        }
        for zone in ["", "Mars/Olympus", "../etc/passwd", "Europe/Prague\n"] {
            assert!(Recurrence::read("FREQ=DAILY", zone).is_err(), "{zone:?}");
        }
        // These can be read, and have no date, or none by the standard.
        let first = LocalTime(millis("2026-11-27T19:00"));
        for rule in [
            "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
            "FREQ=WEEKLY;BYMONTHDAY=1",
        ] {
            let recurrence = Recurrence::read(rule, "UTC").unwrap();
            assert_eq!(recurrence.check(first), Err(InvalidRecurrence), "{rule}");
            assert_eq!(recurrence.next(first, Timestamp(first.0)), None);
        }
    }
}
