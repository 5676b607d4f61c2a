//! The form in which something is said.

use crate::api;
use crate::ui::chat::Ways;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::ChatPlace;

/// The form. A page that reloads itself without scripts has a link in its place, to a page that stands still.
#[component]
pub(crate) fn SayForm(venue: ChatPlace, ways: Ways) -> impl IntoView {
    let language = language();
    let Ways {
        here,
        still,
        stands_still,
    } = ways;
    let elsewhere = if stands_still {
        // A page that never reloads itself is both.
        let back = (here != still).then(|| view! { <a href=here>{say!(language, chat.back)}</a> });
        view! {
            <a href=still>{say!(language, chat.look)}</a>
            {back}
        }
        .into_any()
    } else {
        view! { <a href=still>{say!(language, chat.write)}</a> }.into_any()
    };
    view! {
        <form class="say" class:by-script=!stands_still action=api::Say::url() method="post" autocomplete="off">
            <input type="hidden" name="place" value=venue.to_string() />
            <label for="say">{say!(language, chat.message)}</label>
            <input
                id="say"
                name="text"
                maxlength="300"
                required
                dir="auto"
                enterkeyhint="send"
                aria-describedby="say-left"
            />
            <button type="submit">{say!(language, chat.send)}</button>
            <p id="say-left" class="note say-left" data-left=say!(language, chat.left)></p>
        </form>
        <p class="ways without-scripts">{elsewhere}</p>
    }
}
