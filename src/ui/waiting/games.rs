//! Running games, to watch.

use super::Room;
use crate::ui::list::{Entry, List};
use crate::ui::texts::{language, say};
use crate::ui::words;
use crate::wire::MatchSummary;
use leptos::prelude::*;

/// The list, newest first.
#[component]
pub(crate) fn Games(room: Room) -> impl IntoView {
    let language = language();
    let none = move || room.games.with(Vec::is_empty);
    let entries = move || {
        let entry = |game: MatchSummary| {
            let key = (game.id, game.score, game.progress);
            Entry::new(key, move || view! { <Game game /> })
        };
        room.games.get().into_iter().map(entry).collect()
    };
    view! {
        <section class="card games">
            <h2>{say!(language, games.title)}</h2>
            <ul>
                <List entries=Box::new(entries) />
            </ul>
            <p class="empty" class:unused=move || !none()>
                {say!(language, games.none)}
            </p>
        </section>
    }
}

#[component]
fn Game(game: MatchSummary) -> impl IntoView {
    let language = language();
    let [red, blue] = game.players;
    view! {
        <li>
            <a href=format!("/match/{}", game.id)>
                <span class="sides">
                    <span class="side red">{red.name}</span>
                    <span class="score">{words::score(game.score)}</span>
                    <span class="side blue">{blue.name}</span>
                </span>
                <span class="played">
                    {words::game(language, game.game)} " · "
                    {say!(language, games.progress, percent = game.progress)}
                </span>
            </a>
        </li>
    }
}
