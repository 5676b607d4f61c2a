//! What the table tells those who ask for it by a key of the board.

use super::Follow;
use crate::rules::Seat;
use crate::ui::texts::{Language, say};
use leptos::prelude::untrack;

/// How it stands for this player: the score, and whose move it is.
pub(crate) fn standing(language: Language, follow: Follow, me: Seat) -> String {
    let [red, blue] = untrack(move || follow.score());
    let score = say!(language, board.score, red = red, blue = blue);
    let turn = match untrack(move || follow.to_move()) {
        None => say!(language, turn.over),
        Some(seat) if seat == me => say!(language, turn.yours),
        Some(_) => say!(language, turn.opponents),
    };
    format!("{score} {turn}.")
}
