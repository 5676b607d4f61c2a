//! The page on which a player seals the move of an adjourned match: on the board of conditional moves, or typed.

use super::plan::{PLAN, PlanBoard, PlanData, PlanIsland};
use crate::api;
use crate::ui::board::BoardTools;
use crate::ui::islands::form_action::form_error;
use crate::ui::islands::preload::PreloadIsland;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::not_found::NotFound;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::{PageError, RedirectToLogin, match_id};
use crate::ui::text::errors::error_text;
use crate::ui::text::names::display_name;
use crate::ui::text::{language, side, t, versus};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use leptos_router::components::Redirect;
use tochki_protocol::{Code, ConditionalMoves, Snapshot};
use tochki_rules::Seat;

/// `/match/:id/seal`, for the player on turn in an adjourned match.
#[component]
pub(crate) fn SealPage() -> impl IntoView {
    let language = language();
    let session = VisitorSession::current();
    let id = match_id();
    let snapshot = load(move || api::match_snapshot(id, Some(true)));
    let refused = StoredValue::new(form_error::<api::SealMove>());
    view! {
        <Title text=t!(language, adjourn.seal_title) />
        <InfoStylesheet />
        <Suspense>
            {move || Suspend::new(async move {
                match (snapshot.await, session.signed_in().await) {
                    (Ok(snapshot), Ok(account)) => {
                        let me = account.map(|account| account.id);
                        let seals = snapshot.to_move.filter(|seat| {
                            snapshot.adjournment.is_some() && Some(snapshot.players[seat.index()].id) == me
                        });
                        match seals {
                            Some(seat) => {
                                let refused = refused.get_value().map(|error| error_text(language, &error));
                                view! { <Seal snapshot seat refused /> }.into_any()
                            }
                            None if me.is_none() => view! { <RedirectToLogin /> }.into_any(),
                            None => view! { <Redirect path=format!("/match/{id}") /> }.into_any(),
                        }
                    }
                    (Err(error), _) if error.code == Code::NoSuchMatch => view! { <NotFound /> }.into_any(),
                    (Err(error), _) | (_, Err(error)) => view! { <PageError error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

#[component]
fn Seal(snapshot: Snapshot, seat: Seat, refused: Option<&'static str>) -> impl IntoView {
    let language = language();
    let names = snapshot
        .players
        .each_ref()
        .map(|player| display_name(language, &player.name));
    let now = snapshot.now.unwrap_or_default();
    // Without a clock there is a time for the seal.
    let left = match snapshot.clock {
        Some(clock) => Some(clock.reading().left(seat, now)),
        None => snapshot.move_by.map(|by| by - now),
    };
    let lines = ConditionalMoves::default();
    let mut data = PlanData::new(language, &snapshot, seat, &lines, PlanBoard::Sealed);
    data.left = left;
    let id = snapshot.id;
    view! {
        <PreloadIsland island="plan_island" />
        <BoardTools />
        <article class=format!("info-page plan {}", side::stones_class(snapshot.setup.kind()))>
            <header>
                <h1>{t!(language, adjourn.seal_title)}</h1>
                <p>
                    <a href=format!("/match/{id}?open=board")>{versus(&names)}</a>
                </p>
                <p class="note">{t!(language, adjourn.seal_about)}</p>
            </header>
            {refused.map(|text| view! { <p role="alert" class="refusal">{text}</p> })}
            <form class="card" method="post" action=api::SealMove::url()>
                <input type="hidden" name="match_id" value=id.to_string() />
                {PLAN.embed(data, || view! { <PlanIsland /> })}
                <p class="button-row">
                    <button type="submit">{t!(language, adjourn.seal)}</button>
                </p>
            </form>
        </article>
    }
}
