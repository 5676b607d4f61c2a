//! Series in words, and the forms by which operators let a tournament repeat.

use crate::api;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::{Tournament, TournamentSeries, TournamentState};

/// The rules that the form proposes.
const RULES: [&str; 4] = [
    "FREQ=DAILY",
    "FREQ=WEEKLY",
    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "FREQ=WEEKLY;BYDAY=SA,SU",
];

/// Returns how often a tournament takes place; `None` once no other one follows.
pub(super) fn series_text(language: Language, series: &TournamentSeries) -> Option<String> {
    if series.ended {
        return None;
    }
    Some(match series.rule.as_str() {
        "FREQ=DAILY" => t!(language, tournaments.every_day).to_owned(),
        "FREQ=WEEKLY" => t!(language, tournaments.every_week).to_owned(),
        "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR" => t!(language, tournaments.every_weekday).to_owned(),
        "FREQ=WEEKLY;BYDAY=SA,SU" => t!(language, tournaments.every_weekend).to_owned(),
        rule => t!(language, tournaments.repeats, rule),
    })
}

/// The series of a tournament, with the way to the next one.
#[component]
pub(super) fn SeriesNote(series: TournamentSeries) -> impl IntoView {
    let language = language();
    let zone = series.zone.clone();
    let text = series_text(language, &series).map(|text| {
        view! {
            <span>{text}</span>
            " · "
            <bdi>{zone}</bdi>
        }
    });
    let next = series.next.map(|id| {
        view! {
            " "
            <a href=format!("/tournament/{id}")>{t!(language, tournaments.next_of_series)}</a>
        }
    });
    (text.is_some() || next.is_some()).then(|| {
        view! {
            <p class="note series">
                {text}
                {next}
            </p>
        }
    })
}

/// The forms of an operator: to let a tournament repeat, or to end that.
#[component]
pub(super) fn SeriesForms(tournament: Tournament) -> impl IntoView {
    let language = language();
    let id = tournament.id.0;
    let goes_on = (tournament.series.as_ref()).is_some_and(|series| !series.ended);
    let end = goes_on.then(|| {
        view! {
            <form action=api::EndTournamentSeries::url() method="post">
                <input type="hidden" name="id" value=id />
                <button type="submit" class="quiet">
                    {t!(language, tournaments.stop_repeating)}
                </button>
            </form>
        }
    });
    let begin = (!goes_on && tournament.state == TournamentState::Open).then(|| {
        let [first, ..] = RULES;
        let rules = RULES.map(|rule| view! { <option value=rule></option> });
        view! {
            <form action=api::RepeatTournament::url() method="post">
                <input type="hidden" name="id" value=id />
                <label>
                    {t!(language, tournaments.rule_field)} " "
                    <input name="rule" list="series-rules" value=first required autocomplete="off" />
                </label>
                <datalist id="series-rules">{rules.into_iter().collect_view()}</datalist>
                " "
                <label>
                    {t!(language, tournaments.zone_field)} " "
                    <input name="zone" value="UTC" required autocomplete="off" />
                </label>
                " "
                <button type="submit" class="quiet">{t!(language, tournaments.repeat)}</button>
            </form>
        }
    });
    view! {
        {end}
        {begin}
    }
}
