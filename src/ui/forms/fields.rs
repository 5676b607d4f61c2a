//! Fields of a form that is also an address: what is said in them, what is wrong with it, and how they are drawn.

use leptos::prelude::*;
use std::ops::RangeInclusive;

/// What the form, an address or a cookie says in a field of this name.
pub(crate) type FieldValues<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What is wrong with the form: the `id` of each field that has to be corrected.
pub(crate) type Mistakes = Vec<&'static str>;

/// The one of these that a field names by its word, else the first of them.
pub(crate) fn named<T: Copy, W: AsRef<str>>(
    all: &[T],
    word: impl Fn(T) -> W,
    said: Option<&str>,
) -> T {
    let named = |one: &&T| Some(word(**one).as_ref()) == said;
    *all.iter().find(named).unwrap_or(&all[0])
}

/// One of several that exclude each other.
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

/// A number of one's own.
#[component]
pub(crate) fn Number(
    /// The name of the field, and its `id`.
    name: &'static str,
    label: &'static str,
    range: RangeInclusive<u32>,
    /// What has been typed, number or not.
    typed: String,
    /// Whether it has to be corrected.
    wrong: bool,
    /// The `id` of the sentence that says what it may be.
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
