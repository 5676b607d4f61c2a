//! Days as people read them. They are those of UTC, because the server does not know where its visitors live.

use crate::play::Millis;
use crate::record;
use crate::ui::texts::{Language, language, say};
use leptos::prelude::*;

/// A day in words: `21 Nov 2026`.
pub(super) fn day(language: Language, at: Millis) -> String {
    let (year, month, day) = record::civil_of(at);
    let month = match month {
        1 => say!(language, months.january),
        2 => say!(language, months.february),
        3 => say!(language, months.march),
        4 => say!(language, months.april),
        5 => say!(language, months.may),
        6 => say!(language, months.june),
        7 => say!(language, months.july),
        8 => say!(language, months.august),
        9 => say!(language, months.september),
        10 => say!(language, months.october),
        11 => say!(language, months.november),
        _ => say!(language, months.december),
    };
    say!(language, months.day, day = day, month = month, year = year)
}

/// The same in a page.
#[component]
pub(crate) fn Day(at: Millis) -> impl IntoView {
    let machine = record::day(at);
    view! { <time datetime=machine>{day(language(), at)}</time> }
}
