//! The rounds of a Swiss or a round robin: the pairings of one, who has no opponent in it, and the links to the others.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::stats::Pager;
use crate::ui::text::time::DateTime;
use crate::ui::text::{Language, language, t};
use crate::ui::tournaments::games::Row;
use crate::ui::tournaments::summary::round_text;
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use std::collections::HashSet;
use tochki_protocol::limits::{ROUND_ROBIN_PLAYERS, TOURNAMENT_PAGE_LEN};
use tochki_protocol::{
    ByeKind, TournamentBye, TournamentFormat, TournamentId, TournamentMeeting, TournamentPairing,
    TournamentPairings, TournamentRounds,
};

/// The pairings that a page shows: all of an arena, or those of one round.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct ShownPairings {
    /// The round; `None` in an arena, and before the first round.
    pub(super) round: Option<u32>,
    pub(super) pairings: TournamentPairings,
    /// All pairings of a round robin, for its crosstable.
    pub(super) table: Vec<TournamentPairing>,
}

/// Reads the pairings that a page shows: those of the round that is asked for, or of the last one.
pub(super) async fn shown_pairings(
    id: TournamentId,
    asked: Option<u32>,
    page: u32,
) -> Result<ShownPairings, ErrorResponse> {
    let tournament = api::tournament(id).await?;
    let last = tournament.rounds.map_or(0, |rounds| rounds.round);
    let round = (last > 0).then(|| asked.unwrap_or(last).clamp(1, last));
    let table = if tournament.format == TournamentFormat::RoundRobin && last > 0 {
        all_pairings(id).await?
    } else {
        Vec::new()
    };
    Ok(ShownPairings {
        round,
        pairings: api::tournament_pairings(id, round, Some(page)).await?,
        table,
    })
}

/// Reads all pairings of a round robin: a few pages at most.
async fn all_pairings(id: TournamentId) -> Result<Vec<TournamentPairing>, ErrorResponse> {
    let players = ROUND_ROBIN_PLAYERS.end().unsigned_abs();
    let most = players * (players - 1) / u64::from(TOURNAMENT_PAGE_LEN);
    let mut all = Vec::new();
    for page in 0..=u32::try_from(most).unwrap_or(u32::MAX) {
        let read = api::tournament_pairings(id, None, Some(page)).await?;
        let is_last = read.pairings.len() < TOURNAMENT_PAGE_LEN as usize;
        all.extend(read.pairings);
        if is_last {
            break;
        }
    }
    // A pairing that was made meanwhile has moved another one to the next page.
    let mut seen = HashSet::new();
    all.retain(|pairing| {
        let players = [0, 1].map(|side: usize| pairing.players[side].id);
        seen.insert((pairing.round, players))
    });
    Ok(all)
}

/// The pairings of a round, with the links to all that have begun.
#[component]
pub(super) fn Round(
    id: TournamentId,
    rounds: TournamentRounds,
    /// The round that is shown.
    number: u32,
    pairings: TournamentPairings,
    /// The page, from 1.
    page: u32,
) -> impl IntoView {
    let language = language();
    let title = round_text(language, &rounds, number);
    let links = (1..=rounds.round).map(|round| {
        view! {
            <li>
                <a
                    href=format!("/tournament/{id}?round={round}#games")
                    aria-current=(round == number).then_some("page")
                    aria-label=t!(language, tournaments.round, number = round)
                >
                    {round}
                </a>
            </li>
        }
    });
    let TournamentPairings {
        pairings,
        total,
        byes,
        to_come,
    } = pairings;
    let pages = total.div_ceil(TOURNAMENT_PAGE_LEN).max(1);
    let start = (page - 1) * TOURNAMENT_PAGE_LEN + 1;
    let rows = pairings
        .into_iter()
        .map(|pairing| view! { <Row pairing /> });
    let byes = (!byes.is_empty()).then(|| {
        let byes = byes.into_iter().map(|bye| view! { <ByeRow bye /> });
        view! { <ul class="byes">{byes.collect_view()}</ul> }
    });
    let to_come = (!to_come.is_empty()).then(|| {
        let meetings = to_come
            .into_iter()
            .map(|meeting| view! { <Meeting meeting /> });
        view! {
            <h3>{t!(language, tournaments.to_come)}</h3>
            <ul class="byes">{meetings.collect_view()}</ul>
        }
    });
    view! {
        <section class="card" aria-labelledby="round-title">
            <h2 id="round-title">{title}</h2>
            <nav class="round-links" aria-label=t!(language, tournaments.all_rounds)>
                <ul>{links.collect_view()}</ul>
            </nav>
            <ol class="tournament-games" start=start>
                {rows.collect_view()}
            </ol>
            {byes}
            {to_come}
            <Pager page pages to=move |page| format!("/tournament/{id}?round={number}&games={page}#games") />
        </section>
    }
}

/// A game by appointment that has not begun, with its time once there is one.
#[component]
fn Meeting(meeting: TournamentMeeting) -> impl IntoView {
    let language = language();
    let [first, second] = meeting.players;
    let time = match meeting.at {
        Some(at) => view! { <DateTime at /> }.into_any(),
        None => {
            view! { <span class="note">{t!(language, tournaments.no_time_yet)}</span> }.into_any()
        }
    };
    view! {
        <li>
            <PlayerName name=first.name guest=first.guest bot=first.bot />
            " – "
            <PlayerName name=second.name guest=second.guest bot=second.bot />
            " "
            {time}
        </li>
    }
}

#[component]
fn ByeRow(bye: TournamentBye) -> impl IntoView {
    let language = language();
    let TournamentBye {
        player,
        kind,
        points,
    } = bye;
    view! {
        <li>
            <PlayerName name=player.name guest=player.guest bot=player.bot />
            " "
            <span class="number">{points.to_string()}</span>
            " "
            <span class="note">{bye_text(language, kind)}</span>
        </li>
    }
}

/// Returns the kind of a round without an opponent in words.
fn bye_text(language: Language, kind: ByeKind) -> &'static str {
    match kind {
        ByeKind::Pairing => t!(language, tournaments.bye),
        ByeKind::Requested => t!(language, tournaments.requested_bye),
        ByeKind::Late => t!(language, tournaments.came_late),
        ByeKind::Absent => t!(language, tournaments.absent),
        ByeKind::Free => t!(language, tournaments.no_game),
    }
}

/// The links to the results as files, once there are some.
#[component]
pub(super) fn Files(
    id: TournamentId,
    /// Whether it is a tournament of rounds, which has files of more kinds.
    has_rounds: bool,
) -> impl IntoView {
    let language = language();
    let of_rounds = has_rounds.then(|| {
        view! {
            <a href=format!("/tournament/{id}/trf") download="">
                "TRF"
            </a>
            " "
            <a href=format!("/tournament/{id}/csv") download="">
                "CSV"
            </a>
            " "
        }
    });
    view! {
        <p class="button-row">
            {t!(language, tournaments.files)} " " {of_rounds}
            <a href=format!("/tournament/{id}/json") download="">
                "JSON"
            </a>
        </p>
    }
}
