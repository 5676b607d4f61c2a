//! A running match, live.

use crate::ui::board_view::Board;
use crate::ui::islands::data::IslandData;
use crate::ui::islands::preload::PreloadCode;
use crate::ui::match_page::{MatchController, TurnIndicator};
use crate::ui::text::names::display_name;
use crate::ui::text::{language, side, t, words};
use crate::ui::view::{live, view};
use crate::ui::widgets::player_name::{GuestMark, Name};
use leptos::prelude::*;
use tochki_protocol::Snapshot;
use tochki_rules::Seat;

/// Data of the island: the match that is shown.
static FEATURED_MATCH: IslandData<Snapshot> = IslandData::new("live");

/// The match, with its players.
#[component]
pub(crate) fn FeaturedMatch(snapshot: Snapshot) -> impl IntoView {
    let sides = Seat::BOTH.map(|seat| {
        let player = &snapshot.players[seat.index()];
        view! {
            <span class=format!("side {}", side::class(seat))>
                <Name name=player.name.clone() />
                <GuestMark guest=player.guest bot=player.bot />
            </span>
        }
    });
    view! {
        <PreloadCode island="featured_match_island" />
        {FEATURED_MATCH.embed(snapshot, || view! { <FeaturedMatchIsland>{sides}</FeaturedMatchIsland> })}
    }
}

/// The board, score and turn of the match.
#[cfg_attr(split, island(lazy))]
#[cfg_attr(not(split), island)]
fn FeaturedMatchIsland(
    /// Rendered by the server only: the names.
    children: Children,
) -> impl IntoView {
    let language = language();
    let snapshot = FEATURED_MATCH.read();
    let controller = MatchController::new(&snapshot, None, language);
    let game = snapshot.setup.kind();
    let names = snapshot
        .players
        .map(|player| display_name(language, &player.name));
    view! {
        <figure class="live">
            <Board shown=controller.shown() input=None names />
            <figcaption>
                <span class="sides">
                    {children()}
                    <span class="score" {..live()}>
                        {move || words::score(game, controller.score())}
                    </span>
                </span>
                <TurnIndicator controller me=None />
                <a class="whole-link" href=format!("/match/{}", snapshot.id)>
                    {t!(language, front.watch_this)}
                </a>
            </figcaption>
        </figure>
    }
}
