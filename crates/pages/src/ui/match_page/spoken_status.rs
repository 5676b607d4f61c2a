//! Texts for screen readers that a key on the board asks for.

use crate::ui::match_page::MatchController;
use crate::ui::match_page::clock::format_clock;
use crate::ui::text::{Language, t};
use leptos::prelude::{WithUntracked, untrack};
use tochki_rules::Seat;

/// The score, and whose turn it is.
pub(crate) fn score_and_turn(language: Language, controller: MatchController, me: Seat) -> String {
    let [red, blue] = untrack(move || controller.score());
    let score = t!(language, board.score, red = red, blue = blue);
    let turn = match untrack(move || controller.to_move()) {
        None => t!(language, turn.over),
        Some(seat) if seat == me => t!(language, turn.yours),
        Some(_) => t!(language, turn.opponents),
    };
    format!("{score} {turn}.")
}

/// The times on both clocks.
pub(crate) fn clock_times(language: Language, controller: MatchController) -> String {
    let clock = controller
        .game
        .with_untracked(|game| game.confirmed().clock());
    let Some(clock) = clock else {
        return t!(language, clocks.none).to_owned();
    };
    let now = untrack(move || controller.server_clock.now()).unwrap_or(clock.at);
    let of = |seat| format_clock(clock.left(seat, now));
    let (red, blue) = (of(Seat::First), of(Seat::Second));
    t!(language, clocks.both, red = red, blue = blue)
}
