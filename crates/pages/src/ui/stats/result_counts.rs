//! Tables of wins, draws and losses.

use crate::ui::games;
use crate::ui::stats::finished_games::outcome;
use crate::ui::text::side;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use crate::ui::widgets::rating::Rating;
use leptos::prelude::*;
use tochki_protocol::{GameStats, HeadToHead as Counted, PlayerOutcome, ResultCounts, Streak};
use tochki_rules::Seat;

/// The table of all games: rating and results.
#[component]
pub(crate) fn GameStatsTable(records: Vec<GameStats>) -> impl IntoView {
    let language = language();
    let rows = records.into_iter().map(|record| {
        let provisional = record.is_provisional();
        let rating = match record.rating {
            Some(rating) => view! { <Rating rating provisional /> }.into_any(),
            None => "–".into_any(),
        };
        view! {
            <tr>
                <th scope="row">{games::title(language, record.game)}</th>
                <td class="number">{rating}</td>
                <Numbers tally=record.counts() />
            </tr>
        }
    });
    view! {
        <table class="listed">
            <thead>
                <tr>
                    <th scope="col">{t!(language, profile.game)}</th>
                    <th scope="col" class="number">
                        {t!(language, waiting.rating)}
                    </th>
                    <Outcomes />
                </tr>
            </thead>
            <tbody>{rows.collect_view()}</tbody>
        </table>
    }
}

/// The table of one game, by colour.
#[component]
pub(crate) fn ResultsByColour(record: GameStats) -> impl IntoView {
    let language = language();
    let game = record.game;
    let rows = Seat::BOTH.map(|seat| {
        view! {
            <tr>
                <th scope="row">
                    <span class=format!("side {}", side::class(seat))>{side::colour(language, game, seat)}</span>
                </th>
                <Numbers tally=record.seats[seat.index()] />
            </tr>
        }
    });
    view! {
        <table class=format!("listed {}", side::stones_class(game))>
            <caption>{t!(language, profile.by_colour)}</caption>
            <thead>
                <tr>
                    <th scope="col">{t!(language, profile.colour)}</th>
                    <Outcomes />
                </tr>
            </thead>
            <tbody>{rows.collect_view()}</tbody>
            <tfoot>
                <tr>
                    <th scope="row">{t!(language, profile.both)}</th>
                    <Numbers tally=record.counts() />
                </tr>
            </tfoot>
        </table>
    }
}

/// The results between the visitor and the player of the page.
#[component]
pub(crate) fn HeadToHead(between: Vec<Counted>, name: String) -> impl IntoView {
    let language = language();
    let list = if between.is_empty() {
        view! { <p class="empty">{t!(language, profile.never_met)}</p> }.into_any()
    } else {
        let rows = between.into_iter().map(|Counted { game, tally }| {
            view! {
                <tr>
                    <th scope="row">{games::title(language, game)}</th>
                    <Numbers tally />
                </tr>
            }
        });
        view! {
            <table class="listed">
                <thead>
                    <tr>
                        <th scope="col">{t!(language, profile.game)}</th>
                        <Outcomes />
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        }
        .into_any()
    };
    view! {
        <section class="card" aria-labelledby="between">
            <h2 id="between">{t!(language, profile.between, name = name)}</h2>
            {list}
        </section>
    }
}

#[component]
fn Outcomes() -> impl IntoView {
    let language = language();
    PlayerOutcome::ALL.map(|each| {
        let (word, short) = match each {
            PlayerOutcome::Won => (t!(language, profile.won), t!(language, standings.won_short)),
            PlayerOutcome::Drawn => (
                t!(language, profile.drawn),
                t!(language, standings.drawn_short),
            ),
            PlayerOutcome::Lost => (
                t!(language, profile.lost),
                t!(language, standings.lost_short),
            ),
        };
        view! {
            <th scope="col" class="number" title=outcome(language, each) data-short=short>
                <span>{word}</span>
            </th>
        }
    })
}

#[component]
fn Numbers(tally: ResultCounts) -> impl IntoView {
    [tally.won, tally.drawn, tally.lost].map(|number| view! { <td class="number">{number}</td> })
}

/// Returns the current streak, in words.
pub(crate) fn streak(language: Language, streak: Streak) -> String {
    let count = streak.length;
    match streak.outcome {
        PlayerOutcome::Won => t!(language, profile.streak_won, count),
        PlayerOutcome::Drawn => t!(language, profile.streak_drawn, count),
        PlayerOutcome::Lost => t!(language, profile.streak_lost, count),
    }
}
