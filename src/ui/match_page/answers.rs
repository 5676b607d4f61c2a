//! What the table tells those who ask for it by a key of the board.

use crate::ui::match_page::MatchController;
use crate::ui::match_page::clock::face;
use crate::ui::text::{Language, say};
use leptos::prelude::{WithUntracked, untrack};
use tochki_rules::Seat;

/// How it stands for this player: the score, and whose move it is.
pub(crate) fn standing(language: Language, follow: MatchController, me: Seat) -> String {
    let [red, blue] = untrack(move || follow.score());
    let score = say!(language, board.score, red = red, blue = blue);
    let turn = match untrack(move || follow.to_move()) {
        None => say!(language, turn.over),
        Some(seat) if seat == me => say!(language, turn.yours),
        Some(_) => say!(language, turn.opponents),
    };
    format!("{score} {turn}.")
}

/// What both clocks show.
pub(crate) fn clocks_aloud(language: Language, follow: MatchController) -> String {
    let clock = follow
        .mirror
        .with_untracked(|mirror| mirror.confirmed().clock());
    let Some(clock) = clock else {
        return say!(language, clocks.none).to_owned();
    };
    let now = untrack(move || follow.time.now()).unwrap_or(clock.at);
    let of = |seat| face(clock.left(seat, now));
    let (red, blue) = (of(Seat::First), of(Seat::Second));
    say!(language, clocks.both, red = red, blue = blue)
}
