//! The foot of every page: in which language it speaks.

use super::settings::LanguageSwitch;
use super::texts::{language, say};
use leptos::prelude::*;

#[component]
pub(super) fn Footer() -> impl IntoView {
    view! {
        <footer class="foot">
            <a href="/sgf">{say!(language(), footer.record)}</a>
            <LanguageSwitch />
        </footer>
    }
}
