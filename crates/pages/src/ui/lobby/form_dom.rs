//! The form of the lobby in the DOM: reading its values, marking invalid fields, opening the filter panel.

use crate::ui::lobby::choice::{BOUNDS, Choice};
use leptos::ev::SubmitEvent;
use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, FormData, HtmlFormElement, HtmlInputElement, HtmlSelectElement};

/// Returns an element of the page by its `id`.
pub(crate) fn element<E: JsCast>(id: &str) -> Option<E> {
    document().get_element_by_id(id).map(JsCast::unchecked_into)
}

/// The current values of all fields.
pub(crate) struct FormValues(FormData);

impl FormValues {
    pub(crate) fn current() -> Option<Self> {
        let form = element::<HtmlFormElement>("lobby-form")?;
        FormData::new_with_form(&form).ok().map(Self)
    }

    /// Returns the values of the form that is being submitted.
    pub(crate) fn of(submit: &SubmitEvent) -> Option<Self> {
        let form = submit.target()?.unchecked_into::<HtmlFormElement>();
        FormData::new_with_form(&form).ok().map(Self)
    }

    pub(crate) fn get(&self, name: &str) -> Option<String> {
        self.0.get(name).as_string()
    }
}

/// Returns the number in a field; `None` if there is none.
pub(crate) fn number(id: &str) -> Option<f64> {
    let number = element::<HtmlInputElement>(id)?.value_as_number();
    (!number.is_nan()).then_some(number)
}

/// Returns the value of a list.
pub(crate) fn value_of(id: &str) -> Option<String> {
    element::<HtmlSelectElement>(id).map(|list| list.value())
}

/// The `id` of the form that creates a table.
pub(crate) const CREATE_TABLE_FORM: &str = "create-table-form";

/// Returns whether the form that creates a table is being submitted.
pub(crate) fn is_create_table(submit: &SubmitEvent) -> bool {
    let form = submit.target().map(JsCast::unchecked_into::<Element>);
    form.is_some_and(|form| form.id() == CREATE_TABLE_FORM)
}

/// Fills the terms of the choice into this form.
pub(crate) fn fill_create_table_form(choice: Choice) {
    let terms = choice.terms();
    let rated = if terms.rated { "true" } else { "false" };
    let ratings = choice.ratings();
    let text = |bound: Option<i32>| bound.map_or_else(String::new, |bound| bound.to_string());
    let [min, max] = BOUNDS;
    for (name, value) in [
        ("setup", choice.setup_text()),
        ("clock", terms.clock.to_string()),
        ("rated", rated.to_owned()),
        (min, text(ratings.min)),
        (max, text(ratings.max)),
    ] {
        let field = document().query_selector(&format!("#{CREATE_TABLE_FORM} [name={name}]"));
        if let Ok(Some(field)) = field {
            field.unchecked_into::<HtmlInputElement>().set_value(&value);
        }
    }
}

/// Marks these fields as invalid, and no others.
pub(crate) fn mark_invalid(fields: &[&str]) {
    let Some(form) = element::<Element>("lobby-form") else {
        return;
    };
    while let Ok(Some(marked)) = form.query_selector("[aria-invalid]") {
        let _ = marked.remove_attribute("aria-invalid");
    }
    for field in fields {
        if let Some(field) = element::<Element>(field) {
            let _ = field.set_attribute("aria-invalid", "true");
        }
    }
}

/// Sets the text of an element that the server has rendered.
pub(crate) fn set_text(id: &str, text: Option<&str>) {
    if let Some(place) = element::<Element>(id) {
        place.set_text_content(text);
    }
}

/// Opens or closes the filter panel, by the state of its button.
pub(crate) fn toggle_filter_panel(button: &Element) {
    let open = button.get_attribute("aria-expanded").as_deref() == Some("true");
    let _ = button.set_attribute("aria-expanded", if open { "false" } else { "true" });
    if let Some(panel) = element::<Element>("filter") {
        panel.set_class_name(if open { "filter unused" } else { "filter" });
    }
}
