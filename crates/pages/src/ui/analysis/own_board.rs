//! The board on which a player tries moves while their match by correspondence runs. It has no engine, and sends nothing.

use super::plan::{PLAN, PlanBoard, PlanData, PlanIsland};
use crate::ui::board::BoardTools;
use crate::ui::islands::preload::PreloadIsland;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::terms::FairPlayRule;
use crate::ui::text::names::display_name;
use crate::ui::text::{language, side, t, versus};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Title;
use tochki_protocol::{ConditionalMoves, Snapshot};
use tochki_rules::Seat;

/// `/match/:id/analysis` of a running match, for its players.
#[component]
pub(super) fn OwnBoard(snapshot: Snapshot, seat: Seat) -> impl IntoView {
    let language = language();
    let names = snapshot
        .players
        .each_ref()
        .map(|player| display_name(language, &player.name));
    let lines = ConditionalMoves::default();
    let data = PlanData::new(language, &snapshot, seat, &lines, PlanBoard::Free);
    let id = snapshot.id;
    view! {
        <Title text=t!(language, plan.board) />
        <InfoStylesheet />
        <PreloadIsland island="plan_island" />
        <BoardTools />
        <article class=format!("info-page plan {}", side::stones_class(snapshot.setup.kind()))>
            <header>
                <h1>{t!(language, plan.board)}</h1>
                <p>
                    <a href=format!("/match/{id}")>{versus(&names)}</a>
                </p>
                <p class="note">{t!(language, plan.board_about)}</p>
                <FairPlayRule rated=snapshot.rated />
            </header>
            <noscript>
                <p class="card narrow">{t!(language, analysis.needs_scripts)}</p>
            </noscript>
            <div class="card with-scripts">{PLAN.embed(data, || view! { <PlanIsland /> })}</div>
        </article>
    }
}
