//! The moves aloud, for those who do not see the board.

use crate::ui::games;
use crate::ui::islands::effect::effect;
use crate::ui::live::sound::Sound;
use crate::ui::match_page::MatchController;
use crate::ui::text::words;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use tochki_rules::Seat;

/// A region that is read out as its text changes: every move with its captures, and what the keys have come to.
#[component]
pub(crate) fn Speech(
    follow: MatchController,
    /// The visitor's seat: their own moves they do not need to hear.
    me: Option<Seat>,
    say: RwSignal<String>,
) -> impl IntoView {
    let language = language();
    let mut known = None;
    effect(move || {
        let (count, last, score) = follow.mirror.with(|mirror| {
            let game = mirror.confirmed();
            (
                game.plies().len(),
                game.plies().last().copied(),
                game.score(),
            )
        });
        if let (Some((before, points)), Some(ply)) = (known, last)
            && count > before
        {
            if me != Some(ply.seat) {
                Sound::Tick.play();
            }
            let side = words::colour(language, ply.seat);
            let mv = games::place(language, ply.mv);
            let moved = say!(language, speech.moved, side = side, mv = mv);
            let gain = games::gain(language, ply.seat, ply.mv, [points, score]);
            let passed = follow.passed().map(|seat| words::passed(language, seat));
            let told = [Some(moved), gain, passed.map(str::to_owned)];
            say.set(told.into_iter().flatten().collect::<Vec<_>>().join(" "));
        }
        known = Some((count, score));
    });
    view! {
        <p class="hidden" aria-live="polite">
            {say}
        </p>
    }
}
