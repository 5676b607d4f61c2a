//! Announces moves to screen readers.

use crate::ui::games::board_position;
use crate::ui::islands::effect::effect;
use crate::ui::live::sound::Sound;
use crate::ui::match_page::MatchController;
use crate::ui::text::side;
use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_rules::Seat;

/// A live region: every move with its captures, and the place at the keyboard cursor.
#[component]
pub(crate) fn Announcer(
    controller: MatchController,
    /// The visitor's seat; their own moves are not announced.
    me: Option<Seat>,
    text: RwSignal<String>,
) -> impl IntoView {
    let language = language();
    let mut known: Option<(usize, [u32; 2])> = None;
    effect(move || {
        let (count, last, score) = controller.game.with(|game| {
            let game = game.confirmed();
            let last = game.plies().last().copied();
            (game.plies().len(), last, game.score())
        });
        if let (Some((before, points)), Some(ply)) = (known, last)
            && count > before
        {
            if me != Some(ply.seat) {
                Sound::Move.play();
            }
            let side = side::colour(language, ply.mv.kind(), ply.seat);
            let won = |seat: Seat| score[seat.index()].saturating_sub(points[seat.index()]);
            let (own, other) = (won(ply.seat), won(ply.seat.other()));
            let (mv, gain) = controller.game.with(|game| {
                let position = board_position(game.confirmed().position());
                let gain = position.gain_text(language, ply.seat, own, other);
                (position.move_name(language, ply.mv), gain)
            });
            let moved = t!(language, speech.moved, side = side, mv = mv);
            let passed = controller
                .passed_seat()
                .map(|seat| words::passed(language, me == Some(seat), &controller.name(seat)));
            let told = [Some(moved), gain, passed];
            text.set(told.into_iter().flatten().collect::<Vec<_>>().join(" "));
        }
        known = Some((count, score));
    });
    view! {
        <p class="hidden" aria-live="polite">
            {text}
        </p>
    }
}
