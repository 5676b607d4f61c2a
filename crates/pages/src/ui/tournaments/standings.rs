//! The standings of an arena: a page of rows, and the row of the reader. `public/tournament.js` writes the same rows.

use crate::ui::stats::Pager;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use tochki_protocol::limits::{STANDINGS_READ_INTERVAL, TOURNAMENT_PAGE_LEN};
use tochki_protocol::{ArenaStanding, ArenaStandings, DELETED, PlayerId, TournamentId};

/// A page of the standings.
#[component]
pub(super) fn Standings(
    id: TournamentId,
    standings: ArenaStandings,
    /// The page, from 1.
    page: u32,
    /// The reader, whose row is marked.
    me: Option<PlayerId>,
    /// The row of the reader, which is shown above where the page does not have it.
    mine: Option<ArenaStanding>,
) -> impl IntoView {
    let language = language();
    let ArenaStandings {
        version,
        players,
        rows,
    } = standings;
    let pages = players.div_ceil(TOURNAMENT_PAGE_LEN).max(1);
    let is_shown = rows.iter().any(|row| Some(row.player.id) == me);
    let mine = mine.filter(|_| !is_shown);
    let empty = rows
        .is_empty()
        .then(|| view! { <p class="empty">{t!(language, tournaments.nobody)}</p> });
    let rows = rows.into_iter().map(|row| view! { <Row row me /> });
    view! {
        <section class="card" id="standings" aria-labelledby="standings-title">
            <h2 id="standings-title">{t!(language, tournaments.standings)}</h2>
            {empty}
            <table
                class="listed arena-standings"
                id="standings-table"
                data-tournament=id.0
                data-version=version
                data-players=players
                data-page=page - 1
                data-interval=STANDINGS_READ_INTERVAL.as_millis().to_string()
                hidden=players == 0
            >
                <thead>
                    <tr>
                        <th scope="col" class="number place">
                            {t!(language, standings.place)}
                        </th>
                        <th scope="col">{t!(language, waiting.name)}</th>
                        <th scope="col" class="number">
                            {t!(language, tournaments.points)}
                        </th>
                        <th scope="col" class="number performance">
                            {t!(language, tournaments.performance)}
                        </th>
                    </tr>
                </thead>
                <tbody id="my-row">{mine.map(|row| view! { <Row row me /> })}</tbody>
                <tbody id="rows">{rows.collect_view()}</tbody>
            </table>
            // The words of the rows that the script writes.
            <span id="row-words" hidden data-fire=t!(language, tournaments.fire) data-paused=t!(language, tournaments.paused)
                data-guest=t!(language, name.guest) data-bot=t!(language, name.bot) data-deleted=t!(language, name.deleted) data-nobody=DELETED>
            </span>
            <div id="standings-pages" data-live=format!("{page} {pages}")>
                <Pager page pages to=move |page| format!("/tournament/{id}?page={page}#standings") />
            </div>
        </section>
    }
}

#[component]
fn Row(row: ArenaStanding, me: Option<PlayerId>) -> impl IntoView {
    let language = language();
    let is_mine = me == Some(row.player.id);
    let player = row.player;
    let fire = row.fire.then(|| {
        view! { <span class="fire" role="img" aria-label=t!(language, tournaments.fire) title=t!(language, tournaments.fire)>"×2"</span> " " }
    });
    let paused = row
        .paused
        .then(|| view! { " " <span class="note">{t!(language, tournaments.paused)}</span> });
    view! {
        <tr class:me=is_mine>
            <td class="number place">{row.rank}</td>
            <th scope="row">
                <PlayerName name=player.name guest=player.guest bot=player.bot />
                {paused}
            </th>
            <td class="number">{fire} {row.score}</td>
            <td class="number performance">{row.performance}</td>
        </tr>
    }
}

/// The first three of a tournament that is over.
#[component]
pub(super) fn Podium(first: Vec<ArenaStanding>) -> impl IntoView {
    let language = language();
    let places = first.into_iter().take(3).map(|row| {
        let player = row.player;
        let performance = row.performance.map(|performance| {
            view! { <p class="note">{t!(language, tournaments.performance)} " " {performance}</p> }
        });
        view! {
            <li class="card" data-rank=row.rank>
                <p class="medal">{row.rank}</p>
                <p><PlayerName name=player.name guest=player.guest bot=player.bot /></p>
                <p class="number">{t!(language, tournaments.scored, points = row.score)}</p>
                {performance}
            </li>
        }
    });
    view! { <ol class="podium" aria-label=t!(language, tournaments.podium)>{places.collect_view()}</ol> }
}
