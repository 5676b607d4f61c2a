//! Search for players by name.

use crate::ui::operator::annulment_form::AnnulAllForm;
use crate::ui::operator::moderation_form::ModerationForm;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use tochki_protocol::ModeratedPlayer;
use tochki_protocol::limits;

/// The search field and its results.
#[component]
pub(crate) fn PlayerSearch(find: String, players: Vec<ModeratedPlayer>) -> impl IntoView {
    let language = language();
    let nobody = (players.is_empty() && !find.trim().is_empty())
        .then(|| view! { <p class="empty">{t!(language, operator.nobody)}</p> });
    let players = players.into_iter().map(|judged| {
        let player = judged.player.clone();
        view! {
            <li class="report">
                <h3>
                    <PlayerName name=player.name guest=player.guest bot=player.bot />
                </h3>
                <ModerationForm about=Some(judged) report=None />
                <AnnulAllForm player=player.id />
            </li>
        }
    });
    view! {
        <section class="card" aria-labelledby="find-player">
            <h2 id="find-player">{t!(language, operator.players)}</h2>
            <form class="find" method="get" action="/operator" role="search">
                <label for="find">{t!(language, operator.find)}</label>
                <input id="find" name="find" value=find maxlength=limits::SEARCH_MAX_CHARS autocomplete="off" />
                <button type="submit">{t!(language, operator.search)}</button>
            </form>
            {nobody}
            <ul class="reports">{players.collect_view()}</ul>
        </section>
    }
}
