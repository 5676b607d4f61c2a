//! The ways to a tournament from other pages: the next one, and that of a match.

use crate::ui::fingerprint::versioned_url;
use crate::ui::text::time::span;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use tochki_play::Timestamp;
use tochki_protocol::{MatchId, Tournament, TournamentId, TournamentState};

/// The style sheet of matches of tournaments: a separate file, so that no other match page loads it.
const SHEET: &str = include_str!("../../../../public/tournament_match.css");

/// The script that leads a player of a tournament from a match to the next.
const SCRIPT: &str = include_str!("../../../../public/tournament_match.js");

/// A line with the tournament that can be entered next.
#[component]
pub(crate) fn NextTournament(tournament: Tournament, now: Timestamp) -> impl IntoView {
    let language = language();
    let when = match tournament.state {
        TournamentState::Open => t!(
            language,
            tournaments.starts_in,
            time = span(language, tournament.starts_at - now)
        ),
        _ => t!(language, tournaments.runs).to_owned(),
    };
    view! {
        <p class="next-tournament">
            <a href=format!("/tournament/{}", tournament.id)>
                <bdi>{tournament.name}</bdi>
            </a>
            <span>{when}</span>
            <a href="/tournaments">{t!(language, tournaments.all)}</a>
        </p>
    }
}

/// The link from a match to its tournament. The page of who is signed in goes on to the reader's next match by itself.
#[component]
pub(crate) fn OfTournament(
    id: TournamentId,
    match_id: MatchId,
    signed_in: bool,
    plays: bool,
    /// The moves of each side before a draw or a finish is offered.
    offers_after: u32,
) -> impl IntoView {
    let note = (plays && offers_after > 0).then(|| {
        let text = t!(language(), tournaments.about_offers, moves = offers_after);
        view! { <p class="note">{text}</p> }
    });
    let script = signed_in.then(|| {
        view! {
            <script
                type="module"
                id="tournament-match"
                data-match=match_id.0
                data-tournament=id.0
                src=versioned_url("/tournament_match.js", SCRIPT)
            ></script>
        }
    });
    view! {
        <Stylesheet href=versioned_url("/tournament_match.css", SHEET) />
        <p class="to-tournament">
            <a class="button quiet" href=format!("/tournament/{id}")>
                {t!(language(), tournaments.back)}
            </a>
        </p>
        {note}
        {script}
    }
}
