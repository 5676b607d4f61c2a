//! The footer of every page: the SGF viewer, the page for programs and the language switch.

use crate::ui::shell::settings_panel::LanguageSwitch;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;

#[component]
pub(crate) fn Footer() -> impl IntoView {
    view! {
        <footer class="foot">
            <a href="/sgf">{t!(language(), footer.record)}</a>
            <a href="/programs">{t!(language(), footer.programs)}</a>
            <LanguageSwitch />
        </footer>
    }
}
