//! Vacation: the card of the own one, and the line about a player's in a match. Plain forms, no islands.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::text::errors::error_text;
use crate::ui::text::time::span;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_play::{Millis, Timestamp};
use tochki_protocol::{Code, Snapshot, VacationStatus};

/// The days that are left, the vacation that is on, the button that begins or ends one, and the setting.
#[component]
pub(crate) fn VacationCard(
    status: VacationStatus,
    /// The error of the form.
    error: Option<ErrorResponse>,
) -> impl IntoView {
    let language = language();
    let VacationStatus {
        days,
        next_day_at,
        until,
        automatic,
        now,
        ..
    } = status;
    let is_on = until.is_some();
    let lasts = until.map(|until| {
        view! { <p>{t!(language, vacation.on, time = span(language, until - now))}</p> }
    });
    let next_day = next_day_at.map(|at| {
        let words = t!(language, vacation.next_day, time = span(language, at - now));
        view! { " " <span class="note">{words}</span> }
    });
    let act = if is_on {
        t!(language, vacation.end)
    } else {
        t!(language, vacation.begin)
    };
    view! {
        <section class="card vacation" id="vacation" aria-labelledby="vacation-title">
            <h2 id="vacation-title">{t!(language, vacation.title)}</h2>
            <p>{t!(language, vacation.about)}</p>
            {lasts}
            <p>{t!(language, vacation.days, days = days)} {next_day}</p>
            <p role="alert" class="refusal">
                {error.map(|error| match error.code {
                    Code::NoVacationLeft => t!(language, vacation.none_left),
                    _ => error_text(language, &error),
                })}
            </p>
            {(is_on || days > 0).then(|| view! {
                <form action=api::SetVacation::url() method="post">
                    <input type="hidden" name="on" value=(!is_on).to_string() />
                    <button type="submit" class="quiet">{act}</button>
                </form>
            })}
            <form class="settings-form" action=api::SetAutomaticVacation::url() method="post">
                <label class="setting">
                    <span>{t!(language, vacation.automatic)}</span>
                    <input
                        type="checkbox"
                        role="switch"
                        name="automatic"
                        value="true"
                        checked=automatic
                        autocomplete="off"
                    />
                </label>
                <p class="note">{t!(language, vacation.automatic_note)}</p>
                <button type="submit" class="quiet">{t!(language, vacation.save)}</button>
            </form>
        </section>
    }
}

/// Returns whether a player of a running match is on vacation.
pub(crate) fn is_anyone_on_vacation(snapshot: &Snapshot) -> bool {
    let now = snapshot.now.unwrap_or_default();
    let mut until = snapshot.vacation_until.iter().flatten();
    snapshot.result.is_none() && until.any(|until| *until > now)
}

/// A line for each player of a match who is on vacation.
#[component]
pub(crate) fn VacationLines(snapshot: Snapshot) -> impl IntoView {
    let language = language();
    let now = snapshot.now.unwrap_or_default();
    let lines = snapshot.players.into_iter().zip(snapshot.vacation_until);
    let lines = lines.filter_map(|(player, until)| {
        let left = until? - now;
        let time = span(language, left);
        (left > Millis::ZERO).then(|| {
            view! { <p class="note">{t!(language, vacation.of, name = player.name, time = time)}</p> }
        })
    });
    lines.collect_view()
}

/// The line of a profile.
#[component]
pub(crate) fn ProfileVacation(until: Timestamp, now: Timestamp) -> impl IntoView {
    let language = language();
    view! { <p>{t!(language, vacation.profile, time = span(language, until - now))}</p> }
}
