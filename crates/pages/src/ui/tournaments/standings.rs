//! The standings: a page of rows, and the row of the reader. `public/tournament.js` writes the same rows.

use crate::ui::stats::Pager;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use tochki_protocol::limits::{STANDINGS_READ_INTERVAL, TOURNAMENT_PAGE_LEN};
use tochki_protocol::{
    DELETED, PlayerId, TieBreakName, TournamentId, TournamentStanding, TournamentStandings,
};

/// The sign of a halved clock.
const BERSERK: &str = "⚡\u{fe0e}";

/// The mark of a player who has halved the own clock in a game.
#[component]
pub(super) fn BerserkMark() -> impl IntoView {
    let words = t!(language(), tournaments.half_clock);
    view! { " " <span class="berserks" role="img" aria-label=words title=words>{BERSERK}</span> }
}

/// A page of the standings.
#[component]
pub(super) fn Standings(
    id: TournamentId,
    standings: TournamentStandings,
    /// The tie-breaks that have columns.
    tie_breaks: Vec<TieBreakName>,
    /// The page, from 1.
    page: u32,
    /// The reader, whose row is marked.
    me: Option<PlayerId>,
    /// The row of the reader, which is shown above where the page does not have it.
    mine: Option<TournamentStanding>,
) -> impl IntoView {
    let language = language();
    let TournamentStandings {
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
    // Who pauses in an arena comes back; who has withdrawn from rounds may not.
    let paused = if tie_breaks.is_empty() {
        t!(language, tournaments.paused)
    } else {
        t!(language, tournaments.withdrawn)
    };
    let rows = (rows.into_iter()).map(|row| view! { <Row row me paused /> });
    let columns = tie_breaks.into_iter().map(|kind| {
        let (short, name) = (
            tie_break_sign(language, kind),
            tie_break_name(language, kind),
        );
        view! {
            <th scope="col" class="number tie-break">
                <abbr title=name>{short}</abbr>
            </th>
        }
    });
    let columns = columns.collect_view();
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
                        {columns}
                        <th scope="col" class="number performance">
                            {t!(language, tournaments.performance)}
                        </th>
                    </tr>
                </thead>
                <tbody id="my-row">{mine.map(|row| view! { <Row row me paused /> })}</tbody>
                <tbody id="rows">{rows.collect_view()}</tbody>
            </table>
            // The words of the rows that the script writes.
            <span id="row-words" hidden data-fire=t!(language, tournaments.fire) data-berserks=t!(language, tournaments.berserks, games = "%") data-paused=paused
                data-guest=t!(language, name.guest) data-bot=t!(language, name.bot) data-deleted=t!(language, name.deleted) data-nobody=DELETED>
            </span>
            <div id="standings-pages" data-live=format!("{page} {pages}")>
                <Pager page pages to=move |page| format!("/tournament/{id}?page={page}#standings") />
            </div>
        </section>
    }
}

#[component]
fn Row(
    row: TournamentStanding,
    me: Option<PlayerId>,
    /// The mark of a player who is not paired.
    paused: &'static str,
) -> impl IntoView {
    let language = language();
    let is_mine = me == Some(row.player.id);
    let player = row.player;
    let tie_breaks = row.tie_breaks.iter().map(|value| {
        view! { <td class="number tie-break">{value.to_string()}</td> }
    });
    let tie_breaks = tie_breaks.collect_view();
    let fire = row.fire.then(|| {
        view! { <span class="fire" role="img" aria-label=t!(language, tournaments.fire) title=t!(language, tournaments.fire)>"×2"</span> " " }
    });
    let berserks = (row.berserks > 0).then(|| {
        let words = t!(language, tournaments.berserks, games = row.berserks);
        view! { <span class="berserks" role="img" aria-label=words.clone() title=words>{format!("{BERSERK}{}", row.berserks)}</span> " " }
    });
    let paused = row
        .paused
        .then(|| view! { " " <span class="note">{paused}</span> });
    view! {
        <tr class:me=is_mine>
            <td class="number place">{row.rank}</td>
            <th scope="row">
                <PlayerName name=player.name guest=player.guest bot=player.bot />
                {paused}
            </th>
            <td class="number">{berserks} {fire} {row.score.to_string()}</td>
            {tie_breaks}
            <td class="number performance">{row.performance}</td>
        </tr>
    }
}

/// Returns the name of a tie-break.
pub(super) fn tie_break_name(language: Language, kind: TieBreakName) -> &'static str {
    match kind {
        TieBreakName::BuchholzCut1 => t!(language, tournaments.buchholz_cut_1),
        TieBreakName::Buchholz => t!(language, tournaments.buchholz),
        TieBreakName::MedianBuchholz => t!(language, tournaments.median_buchholz),
        TieBreakName::SonnebornBerger => t!(language, tournaments.sonneborn_berger),
        TieBreakName::Direct => t!(language, tournaments.direct),
        TieBreakName::Wins => t!(language, tournaments.wins),
        TieBreakName::Discs => t!(language, tournaments.discs),
    }
}

/// Returns the heading of the column of a tie-break: the usual abbreviation, where there is one.
fn tie_break_sign(language: Language, kind: TieBreakName) -> &'static str {
    match kind {
        TieBreakName::BuchholzCut1 => "BH−1",
        TieBreakName::Buchholz => "BH",
        TieBreakName::MedianBuchholz => "MBH",
        TieBreakName::SonnebornBerger => "SB",
        TieBreakName::Direct | TieBreakName::Wins | TieBreakName::Discs => {
            tie_break_name(language, kind)
        }
    }
}

/// Returns the explanation of a tie-break.
pub(super) fn tie_break_about(language: Language, kind: TieBreakName) -> &'static str {
    match kind {
        TieBreakName::BuchholzCut1 => t!(language, tournaments.about_buchholz_cut_1),
        TieBreakName::Buchholz => t!(language, tournaments.about_buchholz),
        TieBreakName::MedianBuchholz => t!(language, tournaments.about_median_buchholz),
        TieBreakName::SonnebornBerger => t!(language, tournaments.about_sonneborn_berger),
        TieBreakName::Direct => t!(language, tournaments.about_direct),
        TieBreakName::Wins => t!(language, tournaments.about_wins),
        TieBreakName::Discs => t!(language, tournaments.about_discs),
    }
}

/// The first three of a tournament that is over.
#[component]
pub(super) fn Podium(first: Vec<TournamentStanding>) -> impl IntoView {
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
                <p class="number">{t!(language, tournaments.scored, points = row.score.to_string())}</p>
                {performance}
            </li>
        }
    });
    view! { <ol class="podium" aria-label=t!(language, tournaments.podium)>{places.collect_view()}</ol> }
}
