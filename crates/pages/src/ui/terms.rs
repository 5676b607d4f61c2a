//! The terms of a match in words. This module stands above `games`, which names the game and its board.

use crate::ui::games;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_play::ClockRule;
use tochki_rules::Setup;

/// Describes game, board, time control and whether the match is rated, in one line.
pub(crate) fn describe_terms(
    language: Language,
    setup: Setup,
    clock: ClockRule,
    rated: bool,
) -> String {
    let setup = games::describe_setup(language, setup);
    let clock = time_control(language, clock);
    let rated = if rated {
        t!(language, choice.rated)
    } else {
        t!(language, choice.unrated)
    };
    format!("{setup} · {clock} · {rated}")
}

/// The rule of rated matches by correspondence, in one line.
#[component]
pub(crate) fn FairPlayRule(rated: bool) -> impl IntoView {
    rated.then(|| view! { <p class="note">{t!(language(), plan.rule)}</p> })
}

/// Describes a time control.
pub(crate) fn time_control(language: Language, clock: ClockRule) -> String {
    match clock {
        ClockRule::None => t!(language, choice.no_clock).to_owned(),
        ClockRule::Fischer { initial, increment } => {
            let initial = minutes(language, initial);
            t!(
                language,
                choice.clock,
                initial = initial,
                increment = increment
            )
        }
        ClockRule::Bank { per_move, bank: 0 } => {
            t!(language, paces.per_move, time = minutes(language, per_move))
        }
        ClockRule::Bank { per_move, bank } => t!(
            language,
            paces.bank,
            time = minutes(language, per_move),
            bank = minutes(language, bank)
        ),
        ClockRule::ByoYomi {
            initial: 0,
            period,
            periods,
        } => t!(
            language,
            paces.periods,
            count = periods,
            period = minutes(language, period)
        ),
        ClockRule::ByoYomi {
            initial,
            period,
            periods,
        } => t!(
            language,
            paces.byo_yomi,
            initial = minutes(language, initial),
            count = periods,
            period = minutes(language, period)
        ),
        ClockRule::DaysPerMove { days: number } => {
            t!(language, paces.per_move, time = days(language, number * 24))
        }
        ClockRule::FischerDays {
            initial,
            increment,
            cap,
        } => t!(
            language,
            paces.fischer,
            initial = days(language, initial),
            increment = days(language, increment),
            cap = days(language, cap)
        ),
    }
}

/// Words a number of seconds in minutes and seconds.
fn minutes(language: Language, seconds: u32) -> String {
    match (seconds / 60, seconds % 60) {
        (0, seconds) => t!(language, time.seconds, seconds = seconds),
        (minutes, 0) => t!(language, time.minutes, minutes = minutes),
        (minutes, seconds) => t!(language, time.both, minutes = minutes, seconds = seconds),
    }
}

/// Words a number of hours in days, where it is whole days.
fn days(language: Language, hours: u32) -> String {
    if hours.is_multiple_of(24) {
        t!(language, paces.days, count = hours / 24)
    } else {
        t!(language, paces.hours, hours = hours)
    }
}
