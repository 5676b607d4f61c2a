//! The foot of every page: how it looks.

use super::theme::ThemeSwitch;
use leptos::prelude::*;

#[component]
pub(super) fn Footer() -> impl IntoView {
    view! {
        <footer class="foot">
            <ThemeSwitch />
        </footer>
    }
}
