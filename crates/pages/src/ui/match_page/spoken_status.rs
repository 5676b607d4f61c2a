//! Texts for screen readers that a key on the board asks for.

use crate::ui::match_page::MatchController;
use crate::ui::match_page::clock::format_clock;
use crate::ui::text::{Language, t, words};
use leptos::prelude::{WithUntracked, untrack};
use tochki_rules::{GameKind, Seat};

/// The score, and whose turn it is.
pub(crate) fn score_and_turn(language: Language, controller: MatchController, me: Seat) -> String {
    let score = untrack(move || controller.score());
    let turn = match untrack(move || controller.to_move()) {
        None => t!(language, turn.over),
        Some(seat) if seat == me => t!(language, turn.yours),
        Some(_) => t!(language, turn.opponents),
    };
    words::score_and_turn(language, game(controller), score, turn)
}

/// The times on both clocks.
pub(crate) fn clock_times(language: Language, controller: MatchController) -> String {
    let (clock, rule) = controller.game.with_untracked(|game| {
        let game = game.confirmed();
        (game.clock(), game.terms().clock)
    });
    let Some(clock) = clock else {
        return t!(language, clocks.none).to_owned();
    };
    let now = untrack(move || controller.server_clock.now()).unwrap_or(clock.at);
    let times =
        Seat::BOTH.map(|seat| format_clock(language, clock, rule, seat, clock.left(seat, now)));
    words::of_both(language, game(controller), times)
}

fn game(controller: MatchController) -> GameKind {
    controller
        .game
        .with_untracked(|game| game.confirmed().position().kind())
}
