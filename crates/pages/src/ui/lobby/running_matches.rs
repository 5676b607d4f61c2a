//! Running matches, to watch.

use crate::ui::games;
use crate::ui::lobby::LobbyState;
use crate::ui::text::{language, t};
use crate::ui::text::{side, words};
use crate::ui::view::{live, view};
use crate::ui::widgets::list::{Entry, List};
use crate::ui::widgets::player_name::{GuestMark, Name};
use crate::ui::widgets::rating::Rating;
use leptos::prelude::*;
use tochki_protocol::{MatchSummary, PlayerCard};

/// The list, newest first.
#[component]
pub(crate) fn RunningMatches(lobby: LobbyState) -> impl IntoView {
    let language = language();
    let none = move || lobby.games.with(Vec::is_empty);
    let entries = move || {
        // A changed score is updated in place, so that keyboard focus stays on the match.
        let entry = |game: MatchSummary| Entry::new(game.id, move || view! { <Game lobby game /> });
        lobby.games.get().into_iter().map(entry).collect()
    };
    view! {
        <section class="card games" aria-labelledby="games-title">
            <h2 id="games-title">{t!(language, games.title)}</h2>
            <ul>
                <List entries=Box::new(entries) />
            </ul>
            <p class="empty">{move || none().then(|| t!(language, games.none))}</p>
        </section>
    }
}

#[component]
fn Game(lobby: LobbyState, game: MatchSummary) -> impl IntoView {
    let language = language();
    let id = game.id;
    let now = Memo::new(move |last: Option<&([u32; 2], u8)>| {
        lobby.games.with(|games| {
            let now = games.iter().find(|game| game.id == id);
            now.map(|game| (game.score, game.progress))
                .or(last.copied())
                .unwrap_or_default()
        })
    });
    let [red, blue] = game.players;
    let kind = game.game;
    view! {
        <li class=side::stones_class(game.game)>
            <a href=format!("/match/{id}")>
                <span class="sides">
                    <Player colour="red" card=red />
                    <span class="score" {..live()}>
                        {move || words::score(kind, now.get().0).unwrap_or_else(|| "–".to_owned())}
                    </span>
                    <Player colour="blue" card=blue />
                </span>
                <span class="played" {..live()}>
                    {games::title(language, game.game)} " · "
                    {move || t!(language, games.progress, percent = now.get().1)}
                </span>
                <progress max="100" value=move || now.get().1 aria-hidden="true"></progress>
            </a>
        </li>
    }
}

/// A player of a listed match, within its link.
#[component]
pub(super) fn Player(colour: &'static str, card: PlayerCard) -> impl IntoView {
    view! {
        <span class="player">
            <span class=format!("side {colour}")><Name name=card.name /></span>
            <GuestMark guest=card.guest bot=card.bot />
            " "
            {(!card.guest)
                .then(|| {
                    view! {
                        <span class="rating">
                            <Rating rating=card.rating provisional=card.provisional />
                        </span>
                    }
                })}
        </span>
    }
}
