//! Whose move it is.

use crate::ui::match_page::MatchController;
use crate::ui::text::words;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use tochki_rules::Seat;

/// The line above the board: *your move*, *opponent's move*, or for those who watch, who moves; and who was passed
/// over, if somebody was.
#[component]
pub(crate) fn Turn(follow: MatchController, me: Option<Seat>) -> impl IntoView {
    let language = language();
    let turn = move || match (follow.to_move(), me) {
        (None, _) => say!(language, turn.over),
        (Some(seat), Some(me)) if seat == me => say!(language, turn.yours),
        (Some(_), Some(_)) => say!(language, turn.opponents),
        (Some(Seat::First), None) => say!(language, turn.red),
        (Some(Seat::Second), None) => say!(language, turn.blue),
    };
    let passed = move || {
        let seat = follow.passed()?;
        Some(format!(" {}", words::passed(language, seat)))
    };
    let mine = move || me.is_some() && follow.to_move() == me;
    view! {
        <p class="turn" class:mine=mine>
            {turn} {passed}
        </p>
    }
}
