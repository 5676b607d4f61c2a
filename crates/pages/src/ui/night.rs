//! The night in which no flag falls by correspondence: the form of the time zone, and the line of a match. Plain forms, no islands.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::fingerprint::versioned_url;
use crate::ui::live::server_clock::RenderedAt;
use crate::ui::text::errors::error_text;
use crate::ui::text::time::span;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_play::Millis;
use tochki_protocol::{Snapshot, TimeZoneSetting};

/// The script that tells the time zone of the browser, and proposes it.
const SCRIPT: &str = include_str!("../../../../public/time_zone.js");

/// The script of pages on which a player agrees to games by correspondence: it tells the server the time zone of the browser.
#[component]
pub(crate) fn TimeZoneScript() -> impl IntoView {
    view! { <script type="module" src=versioned_url("/time_zone.js", SCRIPT)></script> }
}

/// The section of the account page.
#[component]
pub(crate) fn NightSection(
    setting: TimeZoneSetting,
    /// The error of the form.
    error: Option<ErrorResponse>,
) -> impl IntoView {
    let language = language();
    let RenderedAt(now) = use_context().unwrap_or_default();
    let TimeZoneSetting {
        zone,
        changeable_at,
        zones,
    } = setting;
    let options: Vec<String> = zones
        .iter()
        .map(|name| {
            let selected = if Some(name) == zone.as_ref() {
                " selected"
            } else {
                ""
            };
            format!("<option{selected}>{name}</option>")
        })
        .collect();
    let unset = zone
        .is_none()
        .then(|| format!(r#"<option value="">{}</option>"#, t!(language, night.unset)));
    let options = unset.unwrap_or_default() + &options.concat();
    let is_unknown = zone.is_none();
    let is_fixed = changeable_at.is_some();
    let note = changeable_at.map_or(t!(language, night.once).to_owned(), |at| {
        t!(language, night.later, time = span(language, at - now))
    });
    view! {
        <section class="card" id="night" aria-labelledby="night-title">
            <h2 id="night-title">{t!(language, night.title)}</h2>
            <p>{t!(language, night.about)}</p>
            <p role="alert" class="refusal">
                {error.map(|error| error_text(language, &error))}
            </p>
            <form action=api::SetTimeZone::url() method="post">
                <div class="field">
                    <label for="zone">{t!(language, night.zone)}</label>
                    <select
                        id="zone"
                        name="zone"
                        required
                        autocomplete="off"
                        disabled=is_fixed
                        inner_html=options
                    ></select>
                </div>
                <p class="note">{note}</p>
                {is_unknown.then(|| view! { <p class="note">{t!(language, night.unknown)}</p> })}
                {(!is_fixed).then(|| view! { <button type="submit">{t!(language, vacation.save)}</button> })}
            </form>
            <TimeZoneScript />
        </section>
    }
}

/// Returns whether the flag of a running match falls later than on its clock, as far as the reader may know.
pub(crate) fn is_flag_later(snapshot: &Snapshot) -> bool {
    grace(snapshot) > Millis::ZERO
}

fn grace(snapshot: &Snapshot) -> Millis {
    let clock = snapshot.clock.filter(|_| snapshot.result.is_none());
    let later = clock.and_then(|clock| Some(clock.deadline_at? - clock.reading().flag_at()?));
    later.unwrap_or(Millis::ZERO)
}

/// The line of a match for its players.
#[component]
pub(crate) fn NightLine(snapshot: Snapshot) -> impl IntoView {
    let language = language();
    let flag = snapshot.clock.and_then(|clock| clock.deadline_at);
    let deadline = flag.into_iter().chain(snapshot.move_by).min();
    let left = deadline.unwrap_or_default() - snapshot.now.unwrap_or_default();
    view! { <p id="night-line" class="note">{t!(language, night.moved, time = span(language, left))}</p> }
}
