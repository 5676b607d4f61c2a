//! The form that sends a chat message.

use crate::api;
use crate::ui::chat::NoScriptLinks;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_protocol::ChatPlace;
use tochki_protocol::limits;

/// The form. On a page that reloads itself without scripts, a link to the static page takes its place.
#[component]
pub(crate) fn MessageForm(place: ChatPlace, links: NoScriptLinks) -> impl IntoView {
    let language = language();
    let NoScriptLinks {
        page_url,
        static_url,
        is_static,
    } = links;
    let elsewhere = if is_static {
        // On a page that never reloads, both URLs are the same.
        let back = (page_url != static_url)
            .then(|| view! { <a href=page_url>{t!(language, chat.back)}</a> });
        view! {
            <a href=static_url>{t!(language, chat.look)}</a>
            {back}
        }
        .into_any()
    } else {
        view! { <a href=static_url>{t!(language, chat.write)}</a> }.into_any()
    };
    view! {
        <form class="say" class:by-script=!is_static action=api::Say::url() method="post" autocomplete="off">
            <input type="hidden" name="place" value=place.to_string() />
            <label for="say">{t!(language, chat.message)}</label>
            <input
                id="say"
                name="text"
                maxlength=limits::MESSAGE_MAX_CHARS
                required
                dir="auto"
                enterkeyhint="send"
                aria-describedby="say-left"
            />
            <button type="submit">{t!(language, chat.send)}</button>
            <p id="say-left" class="note say-left" data-left=t!(language, chat.left)></p>
        </form>
        <p class="button-row without-scripts">{elsewhere}</p>
    }
}
