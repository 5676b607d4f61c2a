//! How a player is shown to others: as a link to their own page, marked where they are a guest.

use crate::ui::text::{Language, language, say};
use leptos::prelude::*;
use tochki_protocol::DELETED;

/// The name in words: whoever has deleted the account has none.
pub(crate) fn called(language: Language, name: &str) -> String {
    if name == DELETED {
        say!(language, name.deleted).to_owned()
    } else {
        name.to_owned()
    }
}

/// The name, leading to its player's page.
#[component]
pub(crate) fn Name(name: String, guest: bool) -> impl IntoView {
    let page = (name != DELETED).then(|| format!("/@{name}"));
    view! {
        <a class="name" href=page>
            {called(language(), &name)}
        </a>
        <GuestMark guest />
    }
}

/// What stands behind the name of a guest.
#[component]
pub(crate) fn GuestMark(guest: bool) -> impl IntoView {
    guest.then(|| view! { " " <span class="guest">{say!(language(), name.guest)}</span> })
}
