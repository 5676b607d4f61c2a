//! The games of a tournament, the latest first.

use crate::ui::stats::Pager;
use crate::ui::text::{language, t};
use crate::ui::tournaments::standings::BerserkMark;
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use leptos::prelude::*;
use tochki_protocol::limits::TOURNAMENT_PAGE_LEN;
use tochki_protocol::{TournamentId, TournamentPairing, TournamentPairings};

/// A page of the games.
#[component]
pub(super) fn Games(
    id: TournamentId,
    pairings: TournamentPairings,
    /// The page, from 1.
    page: u32,
) -> impl IntoView {
    let language = language();
    let TournamentPairings {
        pairings, total, ..
    } = pairings;
    let pages = total.div_ceil(TOURNAMENT_PAGE_LEN).max(1);
    let (open, start) = (
        page > 1,
        total.saturating_sub((page - 1) * TOURNAMENT_PAGE_LEN),
    );
    (total > 0).then(|| {
        let rows = pairings
            .into_iter()
            .map(|pairing| view! { <Row pairing /> });
        view! {
            <details class="card" open=open>
                <summary>
                    <h2>{t!(language, tournaments.games)}</h2>
                    " "
                    <span class="number">{total}</span>
                </summary>
                <ol class="tournament-games" reversed start=start>
                    {rows.collect_view()}
                </ol>
                <Pager page pages to=move |page| format!("/tournament/{id}?games={page}#games") />
            </details>
        }
    })
}

/// A pairing with its result.
#[component]
pub(super) fn Row(pairing: TournamentPairing) -> impl IntoView {
    let language = language();
    let [first, second] = pairing.players;
    let berserk = pairing
        .berserk
        .map(|has| has.then(|| view! { <BerserkMark /> }));
    let [first_berserk, second_berserk] = berserk;
    let result = match (pairing.winner, pairing.points) {
        (Some(_), Some([one, other])) if pairing.counts == Some(true) => {
            format!("{one} : {other}")
        }
        (Some(_), _) => t!(language, tournaments.not_counted).to_owned(),
        (None, _) => t!(language, tournaments.now).to_owned(),
    };
    // There is no match where one had left before.
    let result = match pairing.match_id {
        Some(id) => view! { <a class="number" href=format!("/match/{id}")>{result}</a> }.into_any(),
        None => view! { <span class="number">{result}</span> }.into_any(),
    };
    let forfeit = pairing
        .forfeit
        .then(|| view! { " " <span class="note">{t!(language, tournaments.forfeit)}</span> });
    view! {
        <li>
            <PlayerName name=first.name guest=first.guest bot=first.bot />
            {first_berserk}
            " – "
            <PlayerName name=second.name guest=second.guest bot=second.bot />
            {second_berserk}
            " "
            {result}
            {forfeit}
        </li>
    }
}
