//! The banner over a board that shows an earlier position.

use crate::ui::steps::Steps;
use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::{live, view};
use leptos::prelude::*;

/// The banner with the shown ply and the number of moves made since; a button leads back to the current position.
///
/// The banner overlaps the edge of the board, so that nothing shifts when it appears.
#[component]
pub(crate) fn PastBanner(steps: Steps) -> impl IntoView {
    let language = language();
    let shown = steps.shown();
    let past = Memo::new(move |_| steps.in_past());
    let place = move || {
        past.get().then(|| {
            let (game, score) = shown.with(|shown| (shown.position.kind(), shown.position.score()));
            words::before_score(game, score, steps.position_text(language))
        })
    };
    let news = move || match steps.new_moves() {
        0 => None,
        count => Some(t!(language, steps.news, count = count)),
    };
    view! {
        <div class="past" class:unused=move || !past.get()>
            <p role="status" {..live()}>{place} " " <strong>{news}</strong></p>
            // Without scripts this is the page without `?ply=`.
            <a
                class="button"
                href="?"
                on:click=move |click| {
                    click.prevent_default();
                    steps.jump(usize::MAX);
                }
            >
                {t!(language, steps.present)}
            </a>
        </div>
    }
}
