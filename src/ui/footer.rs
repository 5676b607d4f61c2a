//! The foot of every page: in which language it speaks.

use super::settings::LanguageSwitch;
use leptos::prelude::*;

#[component]
pub(super) fn Footer() -> impl IntoView {
    view! {
        <footer class="foot">
            <LanguageSwitch />
        </footer>
    }
}
