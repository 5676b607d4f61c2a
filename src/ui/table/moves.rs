//! The list of moves.

use super::Follow;
use crate::ui::list::{Entry, List};
use crate::ui::texts::{language, say};
use crate::ui::words;
use leptos::prelude::*;

/// Every confirmed move with its side; the box keeps the latest in sight.
#[component]
pub(crate) fn Moves(follow: Follow) -> impl IntoView {
    let language = language();
    let none = move || {
        follow
            .mirror
            .with(|mirror| mirror.confirmed().plies().is_empty())
    };
    let entries = move || {
        follow.mirror.with(|mirror| {
            let plies = mirror.confirmed().plies().iter().copied().enumerate();
            plies
                .map(|(number, ply)| {
                    Entry::new((number, ply.mv), move || {
                        view! {
                            <li class=words::side(ply.seat)>
                                <span class="hidden">{words::colour(language, ply.seat)} " "</span>
                                {ply.mv.to_string()}
                            </li>
                        }
                    })
                })
                .collect()
        })
    };
    view! {
        <section class="card moves">
            <h2 id="moves">{say!(language, table.moves)}</h2>
            <p class="empty" class:unused=move || !none()>
                {say!(language, table.no_moves)}
            </p>
            // Scrolled by the keyboard too, so it can be focused and has a name.
            <div class="moves-box" tabindex="0" role="region" aria-labelledby="moves">
                <ol>
                    <List entries=Box::new(entries) />
                </ol>
            </div>
        </section>
    }
}
