//! Parts shared by forms: a text field with validation, checks of names and passwords, the path to go to next.

pub(crate) mod fields;

use crate::local_path::is_local_path;
use crate::ui::islands::effect::effect;
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use tochki_protocol::limits::{
    NAME_MAX_CHARS, NAME_MIN_CHARS, PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS,
};

/// Checks a player name quickly in the browser; the server decides.
///
/// All non-ASCII characters pass, because Unicode tables would be larger than the page.
pub(crate) fn is_plausible_name(name: &str) -> bool {
    let length = name.trim().chars().count();
    let letter = |c: char| c.is_ascii_alphabetic() || !c.is_ascii();
    (NAME_MIN_CHARS..=NAME_MAX_CHARS).contains(&length)
        && name.trim().chars().enumerate().all(|(index, c)| {
            letter(c) || index > 0 && (c.is_ascii_digit() || c == '_' || c == '-')
        })
}

/// Returns whether a password has an allowed length.
pub(crate) fn is_plausible_password(password: &str) -> bool {
    (PASSWORD_MIN_CHARS..=PASSWORD_MAX_CHARS).contains(&password.chars().count())
}

/// Returns the path to go to after this form: `?next=` if it is a path of this site, else the lobby.
pub(crate) fn next_path() -> String {
    use_query_map()
        .with_untracked(|query| query.get("next"))
        .filter(|next| is_local_path(next))
        .unwrap_or_else(|| "/play".to_owned())
}

/// Escapes a text for an attribute or a `textarea`, whose text Leptos would not escape.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
        .replace('\r', "&#13;")
        .replace('\n', "&#10;")
}

/// A labelled input with a hint. An error replaces the hint once the field was left.
#[component]
pub(crate) fn TextField(
    /// The name of the field and its `id`.
    name: &'static str,
    /// The input type: `text` or `password`.
    #[prop(default = "text")]
    kind: &'static str,
    /// The `autocomplete` attribute.
    autocomplete: &'static str,
    /// The label.
    label: &'static str,
    /// The hint about the text to enter.
    hint: Option<&'static str>,
    /// The `minlength` attribute, for browsers without scripts.
    min_length: usize,
    /// The initial value.
    #[prop(optional)]
    initial: String,
    /// The current value.
    value: RwSignal<String>,
    /// The current validation error.
    error: Signal<Option<&'static str>>,
    /// Whether errors are shown: after leaving the field and after submitting.
    touched: RwSignal<bool>,
) -> impl IntoView {
    let input = NodeRef::<leptos::html::Input>::new();
    // Text that was typed or autofilled before hydration.
    effect(move || {
        if let Some(typed) = input
            .get()
            .map(|input| input.value())
            .filter(|typed| !typed.is_empty())
        {
            value.set(typed);
        }
    });
    let note = format!("{name}-note");
    let shown_error = move || touched.get().then(|| error.get()).flatten();
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <input
                id=name
                name=name
                type=kind
                node_ref=input
                value=initial
                required
                minlength=min_length
                autocomplete=autocomplete
                autocapitalize="none"
                spellcheck="false"
                aria-describedby=note.clone()
                aria-invalid=move || shown_error().is_some().then_some("true")
                on:input=move |input| value.set(event_target_value(&input))
                on:blur=move |_| touched.set(true)
            />
            <p id=note class="note" class:wrong=move || shown_error().is_some()>
                {move || shown_error().or(hint)}
            </p>
        </div>
    }
}

/// Focuses the field with this `id`.
pub(crate) fn focus_field(id: &str) {
    use wasm_bindgen::JsCast;
    if let Some(field) = document().get_element_by_id(id) {
        let _ = field.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

/// Returns whether the form is hydrated; from then on, errors are shown by the island and not by the browser.
pub(crate) fn is_hydrated() -> Signal<bool> {
    let hydrated = RwSignal::new(false);
    effect(move || hydrated.set(true));
    hydrated.into()
}

/// Loads another page from the server.
pub(crate) fn navigate_to(path: &str) {
    let _ = window().location().assign(path);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_with_a_letter() {
        for name in ["Al", "Åse", "Юрий_2", "a-b", "n̈a"] {
            assert!(is_plausible_name(name), "{name}");
        }
        for name in ["", "A", "1a", "-a", "a b", "a.b", "aaaaaaaaaaaaaaaaaaaaa"] {
            assert!(!is_plausible_name(name), "{name}");
        }
    }
}
