//! The date of a point in time, in the format of game records.

use super::{Millis, Timestamp};

/// The day in UTC as `2026-11-21`.
pub fn day(at: Timestamp) -> String {
    let (year, month, day) = civil_of(at);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The minute in UTC as `2026-11-21 09:05 UTC`.
pub fn minute(at: Timestamp) -> String {
    let minutes = at.0.div_euclid(60_000).rem_euclid(1440);
    format!("{} {:02}:{:02} UTC", day(at), minutes / 60, minutes % 60)
}

/// Reads a minute in UTC as `2026-11-21T09:05`, as fields of forms write it. `None` for other texts, and for days that there are not.
pub fn read_minute(text: &str) -> Option<Timestamp> {
    let (day, time) = text.split_once('T')?;
    let number = |text: &str, digits: usize| {
        let is_plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
        is_plain.then(|| text.parse::<i64>().ok()).flatten()
    };
    let mut parts = day.split('-');
    let year = number(parts.next()?, 4)?;
    let month = number(parts.next()?, 2)?;
    let day = number(parts.next()?, 2)?;
    let (hour, minute) = time.split_once(':')?;
    let (hour, minute) = (number(hour, 2)?, number(minute, 2)?);
    let days = days_of(year, month, day);
    let is_day = parts.next().is_none() && civil(days) == (year, month, day);
    (is_day && hour < 24 && minute < 60)
        .then_some(Timestamp(((days * 24 + hour) * 60 + minute) * 60_000))
}

/// The longest difference between the time of a place and UTC, in minutes.
const MAX_OFFSET: i64 = 14 * 60;

/// Reads the time of a place that is `offset` minutes ahead of UTC, such as `2026-11-21T20:30`.
pub fn read_local_minute(text: &str, offset: i64) -> Option<Timestamp> {
    let offset = offset.clamp(-MAX_OFFSET, MAX_OFFSET);
    Some(read_minute(text)? - Millis(offset * 60_000))
}

/// The days from 1970-01-01 to a day, by Howard Hinnant's `days_from_civil`; any number for a day that there is not.
const fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month <= 2 {
        (year - 1, month + 9)
    } else {
        (year, month - 3)
    };
    let of_era = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    year.div_euclid(400) * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day in UTC.
pub const fn civil_of(at: Timestamp) -> (i64, i64, i64) {
    civil(at.0.div_euclid(Millis::DAY.0))
}

/// Year, month and day of a day counted from 1970-01-01, by Howard Hinnant's `civil_from_days`: years begin in March
/// there, so that the leap day is the last of its year.
const fn civil(days: i64) -> (i64, i64, i64) {
    let since_year_0 = days + 719_468;
    let era = since_year_0.div_euclid(146_097);
    let of_era = since_year_0.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (year + era * 400 + later, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (millis, expected) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (951_782_399_999, "2000-02-28"),
            (951_782_400_000, "2000-02-29"),
            (1_795_305_599_999, "2026-11-21"),
            (4_107_542_400_000, "2100-03-01"),
        ] {
            assert_eq!(day(Timestamp(millis)), expected);
        }
        assert_eq!(minute(Timestamp(-1)), "1969-12-31 23:59 UTC");
        assert_eq!(minute(Timestamp(1_795_253_100_000)), "2026-11-21 09:25 UTC");
    }

    #[test]
    fn a_minute_reads_back() {
        for minutes in [0, 13_029_360, 13_029_359, 29_920_885, 68_459_040] {
            let at = Timestamp(minutes * 60_000);
            let text = minute(at).replace(' ', "T").replace("TUTC", "");
            assert_eq!(read_minute(&text), Some(at), "{text}");
        }
        for text in [
            "",
            "2026-11-21",
            "2026-11-21T9:05",
            "2026-11-21T24:00",
            "2026-11-21T12:60",
            "2026-02-29T12:00",
            "2026-13-01T12:00",
            "2026-00-10T12:00",
            "2026-11-21-01T12:00",
            "2026-11-21T12:00:00",
            "+026-11-21T12:00",
        ] {
            assert_eq!(read_minute(text), None, "{text}");
        }
    }
}
