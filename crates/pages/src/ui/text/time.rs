//! Times on a page. The server writes UTC, because it does not know the visitor's time zone; `public/chat.js` converts
//! them.

use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_play::date;
use tochki_play::{Millis, Timestamp};

/// The time of day, in UTC.
#[component]
pub(crate) fn TimeOfDay(at: Timestamp) -> impl IntoView {
    let (day, time) = (date::day(at), utc_time(at));
    view! { <time datetime=format!("{day}T{time}Z")>{time[..5].to_owned()}</time> }
}

/// The date and the time, in UTC.
#[component]
pub(crate) fn DateTime(at: Timestamp) -> impl IntoView {
    view! { <time datetime=format!("{}T{}Z", date::day(at), utc_time(at))>{date::minute(at)}</time> }
}

/// A date in words: `21 Nov 2026`.
pub(crate) fn date_text(language: Language, at: Timestamp) -> String {
    let (year, month, day) = date::civil_of(at);
    let month = match month {
        1 => t!(language, months.january),
        2 => t!(language, months.february),
        3 => t!(language, months.march),
        4 => t!(language, months.april),
        5 => t!(language, months.may),
        6 => t!(language, months.june),
        7 => t!(language, months.july),
        8 => t!(language, months.august),
        9 => t!(language, months.september),
        10 => t!(language, months.october),
        11 => t!(language, months.november),
        _ => t!(language, months.december),
    };
    t!(language, months.day, day = day, month = month, year = year)
}

/// A date, in UTC.
#[component]
pub(crate) fn Date(at: Timestamp) -> impl IntoView {
    let machine = date::day(at);
    view! { <time datetime=machine>{date_text(language(), at)}</time> }
}

/// A span of time in its two largest units; at least a minute, because nobody counts seconds of such spans.
pub(crate) fn span(language: Language, span: Millis) -> String {
    let minutes = (span.0 / 60_000).max(1);
    let (days, hours) = (minutes / (24 * 60), minutes / 60 % 24);
    if days > 0 {
        t!(language, time.days_hours, days = days, hours = hours)
    } else if hours > 0 {
        t!(
            language,
            time.hours_minutes,
            hours = hours,
            minutes = minutes % 60
        )
    } else {
        t!(language, time.minutes, minutes = minutes)
    }
}

fn utc_time(at: Timestamp) -> String {
    let seconds = at.0.rem_euclid(Millis::DAY.0) / 1000;
    format!(
        "{:02}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_day_is_that_in_utc() {
        for (millis, expected) in [
            (0, "00:00:00"),
            (-1, "23:59:59"),
            (1_795_289_999_999, "19:39:59"),
        ] {
            assert_eq!(utc_time(Timestamp(millis)), expected);
        }
    }
}
