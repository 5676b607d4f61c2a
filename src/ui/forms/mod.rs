//! What the forms share: a field that says what is wrong with it, names and passwords, where to go next.

pub(crate) mod fields;

use crate::ui::islands::effect::effect;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

/// Whether a name can be right, as far as a browser can tell; the server is the judge.
///
/// Letters and marks of other scripts are let through here: their tables would weigh more than the page.
pub(crate) fn name_may_do(name: &str) -> bool {
    let length = name.trim().chars().count();
    let letter = |c: char| c.is_ascii_alphabetic() || !c.is_ascii();
    (2..=20).contains(&length)
        && name.trim().chars().enumerate().all(|(place, c)| {
            letter(c) || place > 0 && (c.is_ascii_digit() || c == '_' || c == '-')
        })
}

/// Whether a password has the right length.
pub(crate) fn password_may_do(password: &str) -> bool {
    (6..=128).contains(&password.chars().count())
}

/// Where to go after this form: `?next=` if it is an address here, else the waiting room.
pub(crate) fn next() -> String {
    use_query_map()
        .with_untracked(|query| query.get("next"))
        .filter(|next| is_local(next))
        .unwrap_or_else(|| "/play".to_owned())
}

/// Whether an address stays on this site. Browsers read `//` and `\` as the beginning of another host.
fn is_local(address: &str) -> bool {
    address.starts_with('/')
        && !address.starts_with("//")
        && !address.contains(|c: char| c == '\\' || c.is_control())
}

/// One labelled input with its hint. The hint turns into a complaint once the field has been left wrong.
#[component]
pub(crate) fn Field(
    /// The name the form sends, and the `id`.
    name: &'static str,
    /// `text` or `password`.
    #[prop(default = "text")]
    kind: &'static str,
    /// What the browser may fill in.
    autocomplete: &'static str,
    /// The label.
    label: &'static str,
    /// What belongs into it.
    #[prop(optional)]
    hint: Option<&'static str>,
    /// The shortest text that browsers without scripts let through.
    #[prop(default = 1)]
    shortest: u8,
    /// What stands in it before anybody types.
    #[prop(optional)]
    at_first: String,
    /// What is typed.
    value: RwSignal<String>,
    /// What is wrong with it now.
    wrong: Signal<Option<&'static str>>,
    /// Whether complaints are shown: after leaving the field, and after submitting.
    checked: RwSignal<bool>,
) -> impl IntoView {
    let input = NodeRef::<leptos::html::Input>::new();
    // What was typed or filled in before the page woke up.
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
    let complaint = move || checked.get().then(|| wrong.get()).flatten();
    view! {
        <div class="field">
            <label for=name>{label}</label>
            <input
                id=name
                name=name
                type=kind
                node_ref=input
                value=at_first
                required
                minlength=shortest
                autocomplete=autocomplete
                autocapitalize="none"
                spellcheck="false"
                aria-describedby=note.clone()
                aria-invalid=move || complaint().is_some().then_some("true")
                on:input=move |input| value.set(event_target_value(&input))
                on:blur=move |_| checked.set(true)
            />
            <p id=note class="note" class:wrong=move || complaint().is_some()>
                {move || complaint().or(hint)}
            </p>
        </div>
    }
}

/// Puts the cursor into the first field of a form that is wrong.
pub(crate) fn focus_on(id: &str) {
    use wasm_bindgen::JsCast;
    if let Some(field) = document().get_element_by_id(id) {
        let _ = field.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

/// Whether scripts have taken over the page: then complaints are ours and not the browser's.
pub(crate) fn awake() -> Signal<bool> {
    let awake = RwSignal::new(false);
    effect(move || awake.set(true));
    awake.into()
}

/// Leaves this document for another one, which the server renders anew.
pub(crate) fn load(path: &str) {
    let _ = window().location().assign(path);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_with_a_letter() {
        for name in ["Al", "Åse", "Юрий_2", "a-b", "n̈a"] {
            assert!(name_may_do(name), "{name}");
        }
        for name in ["", "A", "1a", "-a", "a b", "a.b", "aaaaaaaaaaaaaaaaaaaaa"] {
            assert!(!name_may_do(name), "{name}");
        }
    }

    #[test]
    fn only_local_addresses_are_followed() {
        assert!(is_local("/match/12?x=1"));
        for address in [
            "",
            "play",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "/a\nb",
        ] {
            assert!(!is_local(address), "{address}");
        }
    }
}
