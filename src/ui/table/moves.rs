//! The list of moves.

use super::Follow;
use crate::rules::{Move, Seat};
use crate::ui::pieces::{self, Piece};
use crate::ui::texts::{Language, language, say};
use crate::ui::words;
use leptos::html::Ol;
use leptos::prelude::*;

/// Every move with its side, the one on its way too; the box keeps the latest in sight.
#[component]
pub(crate) fn Moves(follow: Follow) -> impl IntoView {
    let language = language();
    let items = move || {
        follow.mirror.with(|mirror| {
            let entry = |seat, mv, pending| Entry {
                language,
                seat,
                mv,
                pending,
            };
            let plies = mirror.confirmed().plies().iter();
            let made = plies.map(|ply| entry(ply.seat, ply.mv, false));
            let on_the_way = mirror.on_the_way();
            let on_the_way = on_the_way.map(|(seat, mv)| entry(seat, mv, true));
            made.chain(on_the_way).collect::<Vec<_>>()
        })
    };
    let list = NodeRef::<Ol>::new();
    pieces::keep(list, items);
    let none = move || follow.mirror.with(|mirror| mirror.shown().moves.is_empty());
    view! {
        <section class="card moves">
            <h2 id="moves">{say!(language, table.moves)}</h2>
            <p class="empty" class:unused=move || !none()>
                {say!(language, table.no_moves)}
            </p>
            // Scrolled by the keyboard too, so it can be focused and has a name.
            <div class="moves-box" tabindex="0" role="region" aria-labelledby="moves">
                <ol node_ref=list inner_html=pieces::drawn(&untrack(items))></ol>
            </div>
        </section>
    }
}

/// A move in the list.
#[derive(Clone, Copy, PartialEq)]
struct Entry {
    language: Language,
    seat: Seat,
    mv: Move,
    pending: bool,
}

impl Piece for Entry {
    fn markup(&self) -> String {
        let (side, mv) = (words::side(self.seat), self.mv);
        let colour = words::colour(self.language, self.seat);
        let pending = if self.pending { " pending" } else { "" };
        format!(r#"<li class="{side}{pending}"><span class="hidden">{colour} </span>{mv}</li>"#)
    }
}
