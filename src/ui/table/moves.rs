//! The list of moves.

use super::Follow;
use super::mirror::Mirror;
use crate::ui::texts::{language, say};
use crate::ui::words;
use leptos::prelude::*;

/// Every confirmed move with its side; the box keeps the latest in sight.
#[component]
pub(crate) fn Moves(follow: Follow) -> impl IntoView {
    let language = language();
    let plies = Memo::new(move |_| follow.mirror.with(|mirror| mirror.plies().to_vec()));
    let none = move || {
        follow
            .mirror
            .with(|mirror: &Mirror| mirror.plies().is_empty())
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
                    <For each=move || plies.get().into_iter().enumerate() key=|(number, _)| *number let((_, ply))>
                        <li class=words::side(ply.seat)>
                            <span class="hidden">{words::colour(language, ply.seat)} " "</span>
                            {ply.mv.to_string()}
                        </li>
                    </For>
                </ol>
            </div>
        </section>
    }
    .into_any()
}
