//! Fields of forms whose values are also a query string: reading, validation errors, and inputs.

use crate::ui::view::view;
use leptos::prelude::*;
use std::ops::RangeInclusive;

/// A function that reads the value of a field by name: from a form, a URL or a cookie.
pub(crate) type FieldValues<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The `id`s of the fields that are invalid.
pub(crate) type InvalidFields = Vec<&'static str>;

/// Returns the option with this value, else the first option.
pub(crate) fn find_option<T: Copy, V: AsRef<str>>(
    options: &[T],
    value_of: impl Fn(T) -> V,
    value: Option<&str>,
) -> T {
    let has_value = |option: &&T| Some(value_of(**option).as_ref()) == value;
    *options.iter().find(has_value).unwrap_or(&options[0])
}

/// A radio button with its label.
#[component]
pub(crate) fn RadioButton(
    name: &'static str,
    #[prop(into)] value: String,
    #[prop(into)] label: String,
    checked: bool,
) -> impl IntoView {
    view! {
        <label class="option">
            <input type="radio" name=name value=value checked=checked />
            {label}
        </label>
    }
}

/// A number input.
#[component]
pub(crate) fn NumberField(
    /// The name of the field, and its `id`.
    name: &'static str,
    label: &'static str,
    range: RangeInclusive<u32>,
    /// The text in the field, which may be invalid.
    value: String,
    /// Whether the field is invalid.
    invalid: bool,
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
    value=value
                    aria-describedby=note
                    aria-invalid=invalid.then_some("true")
                />
            </label>
        }
}
