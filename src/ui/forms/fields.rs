//! Fields of forms whose values are also a query string: reading, validation errors, and inputs.

use leptos::prelude::*;
use std::ops::RangeInclusive;

/// Reads the value of a field by name: from a form, a URL or a cookie.
pub(crate) type FieldValues<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The `id`s of the fields that are invalid.
pub(crate) type Mistakes = Vec<&'static str>;

/// The option with this word, else the first option.
pub(crate) fn named<T: Copy, W: AsRef<str>>(
    all: &[T],
    word: impl Fn(T) -> W,
    said: Option<&str>,
) -> T {
    let named = |one: &&T| Some(word(**one).as_ref()) == said;
    *all.iter().find(named).unwrap_or(&all[0])
}

/// A radio button with its label.
#[component]
pub(crate) fn Pick(
    name: &'static str,
    #[prop(into)] value: String,
    #[prop(into)] label: String,
    checked: bool,
) -> impl IntoView {
    view! {
        <label class="pick">
            <input type="radio" name=name value=value checked=checked />
            {label}
        </label>
    }
}

/// A number input.
#[component]
pub(crate) fn Number(
    /// The name of the field, and its `id`.
    name: &'static str,
    label: &'static str,
    range: RangeInclusive<u32>,
    /// The text in the field, number or not.
    typed: String,
    /// Whether the field is invalid.
    wrong: bool,
    /// The `id` of the note that describes the allowed values.
    note: &'static str,
) -> impl IntoView {
    view! {
        <label class="length">
            {label}
            <input
                id=name
                type="number"
                name=name
                inputmode="numeric"
                min=*range.start()
                max=*range.end()
                value=typed
                aria-describedby=note
                aria-invalid=wrong.then_some("true")
            />
        </label>
    }
}
