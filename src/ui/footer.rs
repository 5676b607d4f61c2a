//! The foot of every page: how it looks.

use super::texts::language;
use super::theme::{Theme, ThemeSwitch};
use leptos::prelude::*;

#[component]
pub(super) fn Footer() -> impl IntoView {
    let theme = use_context::<Theme>().unwrap_or_default();
    view! {
        <footer class="foot">
            <ThemeSwitch language=language() theme />
        </footer>
    }
}
