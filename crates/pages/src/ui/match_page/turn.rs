//! The turn: the side to move, or a move that is still on its way; after the end, the result.

use crate::ui::match_page::MatchController;
use crate::ui::text::{Language, language, t, words};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_play::Reason;
use tochki_rules::Seat;

/// The line above the board: *your move*, *opponent's move*, for spectators the player to move; and a player who had to pass.
#[component]
pub(crate) fn TurnIndicator(controller: MatchController, me: Option<Seat>) -> impl IntoView {
    let language = language();
    let turn = move || match (controller.to_move(), me) {
        // The board shows the move as made already.
        _ if controller.sends_slowly.get() && controller.sending().get() => {
            t!(language, turn.sending).to_owned()
        }
        (None, _) => verdict(language, controller, me),
        (Some(seat), Some(me)) if seat == me => t!(language, turn.yours).to_owned(),
        (Some(_), Some(_)) => t!(language, turn.opponents).to_owned(),
        (Some(seat), None) => t!(language, turn.of, name = controller.name(seat)),
    };
    let passed = move || {
        let seat = controller.passed_seat()?;
        let passed = words::passed(language, me == Some(seat), &controller.name(seat));
        Some(format!(" · {passed}"))
    };
    let mine = move || me.is_some() && controller.to_move() == me;
    view! {
        <p class="turn" class:mine=mine>
            {turn} {passed}
        </p>
    }
}

/// Returns the result with its score, the winner's or the reader's first; the game being over before its result is known, or
/// adjourned.
fn verdict(language: Language, controller: MatchController, me: Option<Seat>) -> String {
    let result = controller.game.with(|game| game.result().cloned());
    let Some(result) = result else {
        let sealed = controller
            .game
            .with(|game| game.confirmed().sealed_by().is_some());
        let told = if sealed {
            t!(language, turn.adjourned)
        } else {
            t!(language, turn.over)
        };
        return told.to_owned();
    };
    let headline = words::headline(language, &result, me, |seat| controller.name(seat));
    let game = controller
        .game
        .with(|game| game.confirmed().terms().setup.kind());
    // Elsewhere the score is not what decided.
    let by_score = matches!(
        result.reason,
        Reason::BoardFull | Reason::NoMoves | Reason::AllBoxes | Reason::AgreedFinish
    );
    let score = controller.score();
    let first = me.or(result.winner).unwrap_or(Seat::First);
    let score = [first, first.other()].map(|seat| score[seat.index()]);
    match words::score(game, score) {
        Some(score) if by_score => format!("{headline} {score}"),
        _ => headline,
    }
}
