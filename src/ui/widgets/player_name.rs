//! A player's name as a link to their profile, with a mark for guests and bots.

use crate::ui::text::{Language, language, say};
use leptos::prelude::*;
use tochki_protocol::DELETED;

/// The name, or a text for a deleted account.
pub(crate) fn display_name(language: Language, name: &str) -> String {
    if name == DELETED {
        say!(language, name.deleted).to_owned()
    } else {
        name.to_owned()
    }
}

/// The name, as a link to the profile.
#[component]
pub(crate) fn PlayerName(
    name: String,
    guest: bool,
    #[prop(optional)] bot: bool,
    /// Whether there is a profile.
    #[prop(default = true)]
    linked: bool,
) -> impl IntoView {
    let page = (linked && name != DELETED).then(|| format!("/@{name}"));
    view! {
        <a class="name" href=page>
            {display_name(language(), &name)}
        </a>
        <GuestMark guest bot />
    }
}

/// The mark behind the name of a guest or a bot. No guest is a bot.
#[component]
pub(crate) fn GuestMark(guest: bool, #[prop(optional)] bot: bool) -> impl IntoView {
    (guest || bot).then(|| {
        let language = language();
        let mark = if bot {
            say!(language, name.bot)
        } else {
            say!(language, name.guest)
        };
        view! { " " <span class="guest">{mark}</span> }
    })
}
