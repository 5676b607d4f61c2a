//! Berserk on the page of a match of an arena: the button, and who plays with half the clock. The server renders all of it, and
//! `public/tournament_match.js` shows what happens meanwhile, so that a match page needs no code for it.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::text::errors::error_text;
use crate::ui::text::names::display_name;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::Snapshot;
use tochki_rules::Seat;

/// The button of a player who has not moved yet, and a line for each player who has halved the own clock.
#[component]
pub(super) fn Berserk(
    snapshot: Snapshot,
    me: Option<Seat>,
    refused: Option<ErrorResponse>,
) -> impl IntoView {
    let language = language();
    let may_press = me.filter(|me| {
        let has_moved = snapshot.seats.contains(me);
        snapshot.result.is_none() && !snapshot.berserk[me.index()] && !has_moved
    });
    let form = may_press.map(|seat| {
        view! {
            <form id="berserk" data-seat=seat.number() method="post" action=api::Berserk::url()>
                <input type="hidden" name="match_id" value=snapshot.id.to_string() />
                <button type="submit" class="quiet">
                    {t!(language, tournaments.berserk)}
                </button>
                <p class="note">{t!(language, tournaments.berserk_about)}</p>
            </form>
        }
    });
    let refused = refused.map(|error| {
        view! {
            <p role="alert" class="refusal">
                {error_text(language, &error)}
            </p>
        }
    });
    let lines = Seat::BOTH.map(|seat| {
        let text = if me == Some(seat) {
            t!(language, tournaments.you_berserk).to_owned()
        } else {
            let name = display_name(language, &snapshot.players[seat.index()].name);
            t!(language, tournaments.they_berserk, name)
        };
        let is_hidden = !snapshot.berserk[seat.index()];
        view! {
            <p data-berserk=seat.number() hidden=is_hidden>
                {text}
            </p>
        }
    });
    view! {
        <div class="berserk">
            {form}
            {refused}
            <div role="status">{lines}</div>
        </div>
    }
}
