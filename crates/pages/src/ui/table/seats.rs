//! The seats of a table, and who is ready.

use crate::api;
use crate::ui::text::names::display_name;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::PlayerName;
use crate::ui::widgets::rating::Rating;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::{PlayerId, SeatedPlayer, Table, TableId};

/// The two seats. The creator can remove the other player.
#[component]
pub(crate) fn Seats(table: Table, me: Option<PlayerId>, live: String) -> impl IntoView {
    let language = language();
    let mine = me == Some(table.creator.id);
    let (id, creator) = (table.id, table.creator.id);
    let seats = table.seats.map(|seated| match seated {
        Some(seated) => {
            let removable = mine && seated.id != creator;
            view! { <OccupiedSeat id seated me removable /> }.into_any()
        }
        None => {
            view! { <li class="table-seat free">{t!(language, open_table.free)}</li> }.into_any()
        }
    });
    view! {
        <section id="table-seats" data-live=live aria-labelledby="table-seats-title">
            <h2 id="table-seats-title">{t!(language, open_table.seats)}</h2>
            <ul class="table-seats">{seats.collect_view()}</ul>
            <p class="note">{t!(language, open_table.drawn)}</p>
        </section>
    }
}

#[component]
fn OccupiedSeat(
    id: TableId,
    seated: SeatedPlayer,
    me: Option<PlayerId>,
    removable: bool,
) -> impl IntoView {
    let language = language();
    let readiness = if seated.ready {
        t!(language, open_table.ready)
    } else {
        t!(language, open_table.not_ready)
    };
    let remove = removable.then(|| {
        let name = display_name(language, &seated.name);
        view! {
            <form class="quick" action=api::RemovePlayer::url() method="post">
                <input type="hidden" name="table" value=id.0 />
                <input type="hidden" name="player" value=seated.id.0 />
                <button
                    id="remove"
                    type="submit"
                    class="quiet"
                    aria-label=t!(language, open_table.remove_whom, name)
                >
                    {t!(language, open_table.remove)}
                </button>
            </form>
        }
    });
    let you = (me == Some(seated.id))
        .then(|| view! { " " <span class="you">{t!(language, open_table.you)}</span> });
    // A guest has no rating.
    let rating = (!seated.guest).then(|| {
        view! {
            " "
            <span class="rating">
                <Rating rating=seated.rating provisional=seated.provisional />
            </span>
        }
    });
    view! {
        <li class="table-seat" class:ready=seated.ready>
            <span class="seat-player">
                <PlayerName name=seated.name guest=seated.guest bot=seated.bot />
                {rating}
                {you}
            </span>
            <span class="readiness">{readiness}</span>
            {remove}
        </li>
    }
}
