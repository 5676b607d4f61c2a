//! The seats of a table, and who is ready.

use crate::api;
use crate::ui::text::words;
use crate::ui::text::{language, say};
use crate::ui::widgets::player_name::{PlayerName, display_name};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::{PlayerId, SeatedPlayer, Table, TableId};

/// The two seats. The creator can remove the other player.
#[component]
pub(crate) fn Seats(table: Table, me: Option<PlayerId>, live: String) -> impl IntoView {
    let language = language();
    let mine = me == Some(table.creator.id);
    let (id, creator) = (table.id, table.creator.id);
    let chairs = table.seats.map(|sitter| match sitter {
        Some(sitter) => {
            let removable = mine && sitter.id != creator;
            view! { <OccupiedSeat id sitter me removable /> }.into_any()
        }
        None => view! { <li class="chair free">{say!(language, open_table.free)}</li> }.into_any(),
    });
    view! {
        <section id="chairs" data-live=live aria-labelledby="chairs-title">
            <h2 id="chairs-title">{say!(language, open_table.seats)}</h2>
            <ul class="chairs">{chairs.collect_view()}</ul>
            <p class="note">{say!(language, open_table.drawn)}</p>
        </section>
    }
}

#[component]
fn OccupiedSeat(
    id: TableId,
    sitter: SeatedPlayer,
    me: Option<PlayerId>,
    removable: bool,
) -> impl IntoView {
    let language = language();
    let readiness = if sitter.ready {
        say!(language, open_table.ready)
    } else {
        say!(language, open_table.not_ready)
    };
    let remove = removable.then(|| {
        let name = display_name(language, &sitter.name);
        view! {
            <form class="quick" action=api::RemovePlayer::url() method="post">
                <input type="hidden" name="table" value=id.0 />
                <input type="hidden" name="player" value=sitter.id.0 />
                <button
                    id="remove"
                    type="submit"
                    class="quiet"
                    aria-label=say!(language, open_table.remove_whom, name)
                >
                    {say!(language, open_table.remove)}
                </button>
            </form>
        }
    });
    let you = (me == Some(sitter.id))
        .then(|| view! { " " <span class="you">{say!(language, open_table.you)}</span> });
    // A guest has no rating.
    let rating = (!sitter.guest)
        .then(|| view! { " " <span class="rating">{words::rating(sitter.rating)}</span> });
    view! {
        <li class="chair" class:ready=sitter.ready>
            <span class="seat-player">
                <PlayerName name=sitter.name guest=sitter.guest />
                {rating}
                {you}
            </span>
            <span class="readiness">{readiness}</span>
            {remove}
        </li>
    }
}
