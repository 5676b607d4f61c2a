//! A tournament in the calendar, and its times in words.

use crate::ui::terms::describe_terms;
use crate::ui::text::time::{Date, DateTime, span};
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_play::Timestamp;
use tochki_protocol::{Tournament, TournamentState};

/// Returns format, game, board, clock and duration in one line.
pub(super) fn describe(language: Language, tournament: &Tournament) -> String {
    let Tournament {
        setup,
        clock,
        rated,
        minutes,
        ..
    } = tournament;
    let terms = describe_terms(language, *setup, *clock, *rated);
    let arena = t!(language, tournaments.arena);
    match minutes {
        Some(minutes) => format!(
            "{arena} · {terms} · {}",
            t!(language, time.minutes, minutes)
        ),
        None => format!("{arena} · {terms}"),
    }
}

/// Returns the number of players in words.
pub(super) fn players(language: Language, count: u32) -> String {
    t!(language, tournaments.players, count)
}

/// The time that matters now: until the start, until the end, or the day on which it was.
#[component]
pub(super) fn When(tournament: Tournament, now: Timestamp) -> impl IntoView {
    let language = language();
    let starts_at = tournament.starts_at;
    match tournament.state {
        TournamentState::Open => {
            let time = span(language, starts_at - now);
            view! {
                {t!(language, tournaments.starts_in, time)}
                " ("
                <DateTime at=starts_at />
                ")"
            }
            .into_any()
        }
        TournamentState::Running => {
            let left = tournament.ends_at.map_or_else(
                || t!(language, tournaments.runs).to_owned(),
                |ends_at| {
                    t!(
                        language,
                        own_games.left,
                        time = span(language, ends_at - now)
                    )
                },
            );
            left.into_any()
        }
        TournamentState::Finished => view! { <Date at=starts_at /> }.into_any(),
        TournamentState::Cancelled => t!(language, tournaments.cancelled).into_any(),
    }
}

/// Tournaments under a heading, unless there are none.
#[component]
pub(super) fn TournamentCards(
    title: &'static str,
    tournaments: Vec<Tournament>,
    now: Timestamp,
) -> impl IntoView {
    (!tournaments.is_empty()).then(|| {
        let cards = tournaments.into_iter().map(|tournament| {
            view! { <TournamentCard tournament now /> }
        });
        view! {
            <section>
                <h2>{title}</h2>
                <ul class="tournaments">{cards.collect_view()}</ul>
            </section>
        }
    })
}

#[component]
fn TournamentCard(tournament: Tournament, now: Timestamp) -> impl IntoView {
    let language = language();
    let terms = describe(language, &tournament);
    let count = players(language, tournament.players);
    let locked = tournament.entry.password.then(|| {
        view! { " · " {t!(language, tournaments.with_password)} }
    });
    let (id, name) = (tournament.id, tournament.name.clone());
    view! {
        <li class="card">
            <a class="whole-link" href=format!("/tournament/{id}")>
                <bdi>{name}</bdi>
            </a>
            <p>{terms}</p>
            <p class="note"><When tournament now /> " · " {count} {locked}</p>
        </li>
    }
}
