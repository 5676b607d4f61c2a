//! Tables of players by rating.

use crate::ui::games;
use crate::ui::games::GameRow;
use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use tochki_protocol::limits::{RANKED_MATCHES, RANKED_OPPONENTS};
use tochki_protocol::{PlayerId, StandingsEntry};
use tochki_rules::GameKind;

/// Entries of the standings, best first.
#[component]
pub(crate) fn StandingsTable(
    entries: Vec<StandingsEntry>,
    /// The visitor, whose row is marked.
    me: Option<PlayerId>,
) -> impl IntoView {
    let language = language();
    let rows = entries.into_iter().map(|StandingsEntry { place, player, games, results }| {
        let mine = me == Some(player.id);
        view! {
            <tr class:me=mine id=mine.then_some("me")>
                <td class="number place">{place}</td>
                <th scope="row">
                    <PlayerName name=player.name guest=player.guest bot=player.bot />
                    {mine.then(|| view! { " " <span class="you">{t!(language, waiting.you)}</span> })}
                </th>
                <td class="number">{words::marked_rating(player.rating, player.provisional)}</td>
                <td class="number games">{games}</td>
                <td class="number">{results.won}</td>
                <td class="number">{results.drawn}</td>
                <td class="number">{results.lost}</td>
            </tr>
        }
    });
    view! {
        <table class="listed">
            <thead>
                <tr>
                    <th scope="col" class="number place">
                        {t!(language, standings.place)}
                    </th>
                    <th scope="col">{t!(language, waiting.name)}</th>
                    <th scope="col" class="number">
                        {t!(language, waiting.rating)}
                    </th>
                    <th scope="col" class="number games">
                        {t!(language, standings.games)}
                    </th>
                    <th scope="col" class="number" data-short=t!(language, standings.won_short)>
                        <span>{t!(language, standings.won)}</span>
                    </th>
                    <th scope="col" class="number" data-short=t!(language, standings.drawn_short)>
                        <span>{t!(language, standings.drawn)}</span>
                    </th>
                    <th scope="col" class="number" data-short=t!(language, standings.lost_short)>
                        <span>{t!(language, standings.lost)}</span>
                    </th>
                </tr>
            </thead>
            <tbody>{rows.collect_view()}</tbody>
        </table>
    }
}

/// The top ten of a game, on the front page.
#[component]
pub(crate) fn TopPlayers(
    game: GameKind,
    top: Vec<StandingsEntry>,
    me: Option<PlayerId>,
) -> impl IntoView {
    let language = language();
    let list = if top.is_empty() {
        let none = t!(
            language,
            standings.none,
            game = games::title(language, game),
            few = RANKED_MATCHES,
            met = RANKED_OPPONENTS
        );
        view! { <p class="empty">{none}</p> }.into_any()
    } else {
        view! { <StandingsTable entries=top me /> }.into_any()
    };
    view! {
        <section class="top-ten" id="top" aria-labelledby="top-title">
            <h2 id="top-title">{t!(language, standings.top)}</h2>
            <GameRow label=t!(language, standings.games_of_top) here=game to=|game| format!("/?game={game}#top") />
            <div class="card">{list}</div>
            <p class="button-row">
                <a href=format!("/standings/{game}")>{t!(language, standings.all)}</a>
            </p>
        </section>
    }
}
