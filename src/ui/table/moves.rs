//! The list of moves.

use super::Follow;
use crate::play::Ply;
use crate::ui::pieces;
use crate::ui::texts::{Language, language, say};
use crate::ui::words;
use leptos::html::Ol;
use leptos::prelude::*;

/// Every confirmed move with its side; the box keeps the latest in sight.
#[component]
pub(crate) fn Moves(follow: Follow) -> impl IntoView {
    let language = language();
    let items = move || {
        follow.mirror.with(|mirror| {
            let plies = mirror.confirmed().plies().iter();
            plies.map(|ply| item(language, *ply)).collect::<Vec<_>>()
        })
    };
    let list = NodeRef::<Ol>::new();
    pieces::keep(list, items);
    let none = move || {
        follow
            .mirror
            .with(|mirror| mirror.confirmed().plies().is_empty())
    };
    view! {
        <section class="card moves">
            <h2 id="moves">{say!(language, table.moves)}</h2>
            <p class="empty" class:unused=move || !none()>
                {say!(language, table.no_moves)}
            </p>
            // Scrolled by the keyboard too, so it can be focused and has a name.
            <div class="moves-box" tabindex="0" role="region" aria-labelledby="moves">
                <ol node_ref=list inner_html=untrack(items).concat()></ol>
            </div>
        </section>
    }
}

fn item(language: Language, ply: Ply) -> String {
    let (side, colour, mv) = (
        words::side(ply.seat),
        words::colour(language, ply.seat),
        ply.mv,
    );
    format!(r#"<li class="{side}"><span class="hidden">{colour} </span>{mv}</li>"#)
}
