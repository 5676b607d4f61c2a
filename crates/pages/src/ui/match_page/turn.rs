//! The turn: the side to move, or a move that is still on its way.

use crate::ui::match_page::MatchController;
use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_rules::Seat;

/// The line above the board: *your move*, *opponent's move*, for spectators the side to move, and a side that had to pass.
#[component]
pub(crate) fn TurnIndicator(controller: MatchController, me: Option<Seat>) -> impl IntoView {
    let language = language();
    let turn = move || match (controller.to_move(), me) {
        // The board shows the move as made already.
        _ if controller.sends_slowly.get() && controller.sending().get() => {
            t!(language, turn.sending)
        }
        (None, _) => t!(language, turn.over),
        (Some(seat), Some(me)) if seat == me => t!(language, turn.yours),
        (Some(_), Some(_)) => t!(language, turn.opponents),
        (Some(Seat::First), None) => t!(language, turn.red),
        (Some(Seat::Second), None) => t!(language, turn.blue),
    };
    let passed = move || {
        let seat = controller.passed_seat()?;
        Some(format!(" {}", words::passed(language, seat)))
    };
    let mine = move || me.is_some() && controller.to_move() == me;
    view! {
        <p class="turn" class:mine=mine>
            {turn} {passed}
        </p>
    }
}
