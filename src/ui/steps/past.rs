//! The mark over a board that shows the past.

use crate::ui::steps::Steps;
use crate::ui::text::words;
use crate::ui::text::{language, say};
use leptos::prelude::*;

/// Says where the reader is and what has happened meanwhile; one press leads back to the game.
///
/// It lies over the edge of the board, so that nothing jumps when it comes.
#[component]
pub(crate) fn PastMark(steps: Steps) -> impl IntoView {
    let language = language();
    let shown = steps.shown();
    let past = Memo::new(move |_| steps.in_past());
    let place = move || {
        past.get().then(|| {
            let score = shown.with(|shown| words::score(shown.position.score()));
            format!("{} · {score}", steps.whereabouts(language))
        })
    };
    let news = move || match steps.news() {
        0 => None,
        count => Some(say!(language, steps.news, count = count)),
    };
    view! {
        <div class="past" class:unused=move || !past.get()>
            <p role="status">{place} " " <strong>{news}</strong></p>
            // Without scripts it is the same page without a move in its address.
            <a
                class="button"
                href="?"
                on:click=move |click| {
                    click.prevent_default();
                    steps.go(usize::MAX);
                }
            >
                {say!(language, steps.present)}
            </a>
        </div>
    }
}
