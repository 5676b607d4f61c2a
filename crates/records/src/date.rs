//! Dates as the forms write them, brought into one form where they are certain.

/// `2026-11-27` for `2026.11.27`, `2026/11/27`, and either with a time behind it; any other text as it is. An unknown part of a date
/// (`2026.??.??`) is left out.
pub(crate) fn normal(text: &str) -> String {
    let text = text.trim();
    whole(text)
        .or_else(|| partly_known(text))
        .unwrap_or_else(|| text.to_owned())
}

fn whole(text: &str) -> Option<String> {
    let (year, rest) = digits(text, 4)?;
    let separator = rest.chars().next().filter(|c| "-./".contains(*c))?;
    let (month, rest) = digits(&rest[1..], 2)?;
    let (day, rest) = digits(rest.strip_prefix(separator)?, 2)?;
    let is_end = rest
        .chars()
        .next()
        .is_none_or(|c| c.is_whitespace() || "_T".contains(c));
    // A list or a span of days stays as it is, and so does a time with `-`, which has always been kept.
    if !is_end || separator == '-' && !rest.is_empty() {
        return None;
    }
    Some(format!("{year}-{month}-{day}"))
}

fn partly_known(text: &str) -> Option<String> {
    let known = text.strip_suffix(".??")?;
    let (year, rest) = digits(known.strip_suffix(".??").unwrap_or(known), 4)?;
    match rest.strip_prefix('.') {
        None if rest.is_empty() => Some(year.to_owned()),
        Some(month) if digits(month, 2).is_some_and(|(_, rest)| rest.is_empty()) => {
            Some(format!("{year}-{month}"))
        }
        _ => None,
    }
}

/// So many digits at the beginning, and the rest.
fn digits(text: &str, count: usize) -> Option<(&str, &str)> {
    let (digits, rest) = text.split_at_checked(count)?;
    let all = digits.bytes().all(|byte| byte.is_ascii_digit());
    all.then_some((digits, rest))
}

/// The day of so many seconds since 1970 (UTC), as GGS wrote dates at first.
pub(crate) fn of_seconds(seconds: u64) -> String {
    let (year, month, day) = civil(seconds);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The year, month and day of so many seconds since 1970 (UTC).
pub(crate) const fn civil(seconds: u64) -> (u64, u8, u8) {
    // After Howard Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`.
    let days = seconds / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    (era * 400 + year + next, month as u8, day as u8)
}

/// The year of a date, if it begins with it.
pub(crate) fn year(date: &str) -> Option<u16> {
    let (year, rest) = digits(date.trim(), 4)?;
    let is_whole = !rest.starts_with(|c: char| c.is_ascii_digit());
    year.parse().ok().filter(|_| is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_dates_have_one_form() {
        for (text, date) in [
            ("2026-11-27", "2026-11-27"),
            ("2026.11.27", "2026-11-27"),
            ("2003.12.15_13:24:03.MST", "2003-12-15"),
            ("2026/11/27 10:00", "2026-11-27"),
            ("2007-06-06 20:37", "2007-06-06 20:37"),
            ("2026.??.??", "2026"),
            ("2026.11.??", "2026-11"),
            ("2026.11.27,28", "2026.11.27,28"),
            ("1996-05,06", "1996-05,06"),
            ("in May", "in May"),
            ("20261127", "20261127"),
            ("Ё", "Ё"),
            ("", ""),
        ] {
            assert_eq!(normal(text), date);
            assert_eq!(normal(date), date, "of {text}");
        }
    }

    #[test]
    fn seconds_are_a_day() {
        for (seconds, date) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (947_375_357, "2000-01-08"),
            (4_102_444_800, "2100-01-01"),
        ] {
            assert_eq!(of_seconds(seconds), date);
        }
        assert!(!of_seconds(u64::MAX).is_empty());
    }

    #[test]
    fn a_date_begins_with_its_year() {
        assert_eq!(year("1977"), Some(1977));
        assert_eq!(year("2026-11-27"), Some(2026));
        assert_eq!(year("20261127"), None);
        assert_eq!(year("May 1977"), None);
    }
}
