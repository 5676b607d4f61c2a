//! Whose move it is.

use super::Follow;
use crate::rules::Seat;
use crate::ui::texts::{language, say};
use leptos::prelude::*;

/// The line above the board: *your move*, *opponent's move*, or for those who watch, who moves.
#[component]
pub(crate) fn Turn(follow: Follow, me: Option<Seat>) -> impl IntoView {
    let language = language();
    let words = move || match (follow.to_move(), me) {
        (None, _) => say!(language, turn.over),
        (Some(seat), Some(me)) if seat == me => say!(language, turn.yours),
        (Some(_), Some(_)) => say!(language, turn.opponents),
        (Some(Seat::First), None) => say!(language, turn.red),
        (Some(Seat::Second), None) => say!(language, turn.blue),
    };
    let mine = move || me.is_some() && follow.to_move() == me;
    view! {
        <p class="turn" class:mine=mine>
            {words}
        </p>
    }
}
