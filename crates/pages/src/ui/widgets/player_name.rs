//! A player's name as a link to their profile, with a mark for guests and bots.

use crate::ui::text::language;
use crate::ui::text::names::display_name;
use crate::ui::text::words;
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_protocol::DELETED;

/// The name alone, isolated from the text beside it, which may be written in the other direction.
#[component]
pub(crate) fn Name(#[prop(into)] name: String) -> impl IntoView {
    view! { <bdi>{display_name(language(), &name)}</bdi> }
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
            <Name name />
        </a>
        <GuestMark guest bot />
    }
}

/// The mark behind the name of a guest or a bot.
#[component]
pub(crate) fn GuestMark(guest: bool, #[prop(optional)] bot: bool) -> impl IntoView {
    words::mark(language(), guest, bot).map(|mark| {
        view! { " " <span class="guest">{mark}</span> }
    })
}
