//! A point in time on a page: what the server says of it is in UTC, and `public/chat.js` says it as the visitor's clock does.

use crate::play::Millis;
use crate::record;
use leptos::prelude::*;

/// The time of day.
#[component]
pub(super) fn Moment(at: Millis) -> impl IntoView {
    let (day, time) = (record::day(at), time(at));
    view! { <time datetime=format!("{day}T{time}Z")>{time[..5].to_owned()}</time> }
}

/// The day and the time.
#[component]
pub(super) fn Date(at: Millis) -> impl IntoView {
    view! { <time datetime=format!("{}T{}Z", record::day(at), time(at))>{record::minute(at)}</time> }
}

fn time(at: Millis) -> String {
    let seconds = at.0.div_euclid(1000).rem_euclid(86_400);
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
            assert_eq!(time(Millis(millis)), expected);
        }
    }
}
