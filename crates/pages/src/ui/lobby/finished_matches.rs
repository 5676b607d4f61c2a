//! The last matches that ended, so that a quiet lobby has something to look at.

use super::running_matches::Player;
use crate::ui::lobby::LobbyState;
use crate::ui::text::names::display_name;
use crate::ui::text::{language, t};
use crate::ui::text::{side, words};
use crate::ui::view::view;
use crate::ui::widgets::list::{Entry, List};
use leptos::prelude::*;
use tochki_protocol::FinishedSummary;
use tochki_rules::GameKind;

/// The list, latest first; nothing before the first match of a game has ended.
#[component]
pub(crate) fn FinishedMatches(lobby: LobbyState) -> impl IntoView {
    let language = language();
    let none = move || lobby.finished.with(Vec::is_empty);
    let kind = lobby.game;
    let entries = move || {
        let entry =
            |game: FinishedSummary| Entry::new(game.id, move || view! { <Game kind game /> });
        lobby.finished.get().into_iter().map(entry).collect()
    };
    view! {
        <section class="card games just-finished" aria-labelledby="finished-title" hidden=none>
            <h2 id="finished-title">{t!(language, games.finished)}</h2>
            <ul>
                <List entries=Box::new(entries) />
            </ul>
        </section>
    }
}

#[component]
fn Game(kind: GameKind, game: FinishedSummary) -> impl IntoView {
    let language = language();
    let names = game
        .players
        .each_ref()
        .map(|card| display_name(language, &card.name));
    let outcome = match game.winner {
        Some(winner) => t!(language, result.wins, name = &names[winner.index()]),
        None => t!(language, result.draw).to_owned(),
    };
    let [red, blue] = game.players;
    let score = words::score(kind, game.score);
    view! {
        <li class=side::stones_class(kind)>
            <a href=format!("/match/{}", game.id)>
                <span class="sides">
                    <Player colour="red" card=red />
                    <span class="score">{score.unwrap_or_else(|| "–".to_owned())}</span>
                    <Player colour="blue" card=blue />
                </span>
                <span class="played">{outcome}</span>
            </a>
        </li>
    }
}
