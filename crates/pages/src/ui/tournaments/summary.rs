//! A tournament in the calendar, and its times in words.

use crate::ui::games;
use crate::ui::terms::describe_terms;
use crate::ui::text::time::{Date, DateTime, span};
use crate::ui::text::{Language, language, t};
use crate::ui::tournaments::series::series_text;
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_play::Timestamp;
use tochki_protocol::{Tournament, TournamentFormat, TournamentRounds, TournamentState};
use tochki_rules::GameKind;

/// Returns format, game, board, clock, and duration or rounds in one line.
pub(super) fn describe(language: Language, tournament: &Tournament) -> String {
    let Tournament {
        setup,
        clock,
        rated,
        minutes,
        rounds,
        ..
    } = tournament;
    let terms = describe_terms(language, *setup, *clock, *rated);
    let format = match (tournament.format, rounds) {
        (TournamentFormat::Swiss, _) => t!(language, tournaments.swiss),
        (TournamentFormat::RoundRobin, Some(TournamentRounds { double: true, .. })) => {
            t!(language, tournaments.double_round_robin)
        }
        (TournamentFormat::RoundRobin, _) => t!(language, tournaments.round_robin),
        (TournamentFormat::Knockout, _) => t!(language, tournaments.knockout),
        (TournamentFormat::Arena, _) => t!(language, tournaments.arena),
    };
    let lasting = match (minutes, rounds) {
        (Some(minutes), _) => Some(t!(language, time.minutes, minutes)),
        (None, Some(rounds)) => rounds.rounds.map(|rounds| rounds_text(language, rounds)),
        (None, None) => None,
    };
    match lasting {
        Some(lasting) => format!("{format} · {terms} · {lasting}"),
        None => format!("{format} · {terms}"),
    }
}

/// Returns the name that a tournament of this format has at first.
pub(super) fn format_title(language: Language, format: TournamentFormat, game: GameKind) -> String {
    let game = games::title(language, game);
    match format {
        TournamentFormat::Swiss => t!(language, tournaments.swiss_of, game),
        TournamentFormat::RoundRobin => t!(language, tournaments.round_robin_of, game),
        TournamentFormat::Knockout => t!(language, tournaments.knockout_of, game),
        TournamentFormat::Arena => t!(language, tournaments.arena_of, game),
    }
}

/// Returns the number of rounds in words.
pub(super) fn rounds_text(language: Language, count: u32) -> String {
    t!(language, tournaments.rounds, count)
}

/// Returns the time between two rounds in words.
pub(super) fn break_text(language: Language, seconds: u32) -> String {
    if seconds.is_multiple_of(60) {
        t!(language, time.minutes, minutes = seconds / 60)
    } else {
        t!(language, time.seconds, seconds)
    }
}

/// Returns the round in words: `Round 2 of 5`.
pub(super) fn round_text(language: Language, rounds: &TournamentRounds, number: u32) -> String {
    match rounds.rounds {
        Some(all) => t!(language, tournaments.round_of, number, all),
        None => t!(language, tournaments.round, number),
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
        TournamentState::Running if tournament.rounds.is_some() => {
            let rounds = tournament.rounds.iter();
            let words = rounds.map(|rounds| match rounds.round_at {
                Some(at) if rounds.is_next_to_come() => t!(
                    language,
                    tournaments.round_in,
                    number = rounds.round + 1,
                    time = span(language, at - now)
                ),
                _ => round_text(language, rounds, rounds.round),
            });
            words.collect::<String>().into_any()
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
    let series = tournament.series.as_ref();
    let series = series.and_then(|series| series_text(language, series));
    let series = series.map(|text| view! { " · " {text} });
    let (id, name) = (tournament.id, tournament.name.clone());
    view! {
        <li class="card">
            <a class="whole-link" href=format!("/tournament/{id}")>
                <bdi>{name}</bdi>
            </a>
            <p>{terms}</p>
            <p class="note"><When tournament now /> " · " {count} {locked} {series}</p>
        </li>
    }
}
