//! A control of which a slip would cost much: its first press opens a form, which a second one sends.

use crate::ui::text::{Language, t};
use crate::ui::view::view;
use leptos::prelude::*;

/// Puts a form behind a first press, with scripts or without. Open, the control is the form's *Cancel*.
pub(crate) fn behind_a_press(
    language: Language,
    label: &'static str,
    form: impl IntoView + 'static,
) -> impl IntoView {
    view! {
        <details class="second-press" name="second-press">
            <summary class="button quiet">
                <span class="when-closed">{label}</span>
                <span class="when-open">{t!(language, calls.cancel)}</span>
            </summary>
            {form}
        </details>
    }
}
