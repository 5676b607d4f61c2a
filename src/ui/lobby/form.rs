//! The form of the page as a browser sees it: what stands in it, what is wrong with it, whether its panel is open.

use crate::ui::lobby::choice::Choice;
use leptos::ev::SubmitEvent;
use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, FormData, HtmlFormElement, HtmlInputElement};

/// An element of the page by its `id`.
pub(crate) fn element<E: JsCast>(id: &str) -> Option<E> {
    document().get_element_by_id(id).map(JsCast::unchecked_into)
}

/// What stands in all fields just now.
pub(crate) struct Fields(FormData);

impl Fields {
    pub(crate) fn now() -> Option<Self> {
        let form = element::<HtmlFormElement>("wishes")?;
        FormData::new_with_form(&form).ok().map(Self)
    }

    pub(crate) fn get(&self, name: &str) -> Option<String> {
        self.0.get(name).as_string()
    }
}

/// The number in a field of the filter; nothing where none is typed.
pub(crate) fn number(id: &str) -> Option<f64> {
    let number = element::<HtmlInputElement>(id)?.value_as_number();
    (!number.is_nan()).then_some(number)
}

/// The form that opens a table.
pub(crate) const LAY: &str = "lay";

/// Whether it is this form that is sent.
pub(crate) fn lays_table(submit: &SubmitEvent) -> bool {
    let form = submit.target().map(JsCast::unchecked_into::<Element>);
    form.is_some_and(|form| form.id() == LAY)
}

/// Writes into it what is chosen to be played.
pub(crate) fn fill_lay(choice: Choice) {
    let terms = choice.terms();
    let rated = if terms.rated { "true" } else { "false" };
    for (name, value) in [
        ("setup", choice.setup_text()),
        ("clock", terms.clock.to_string()),
        ("rated", rated.to_owned()),
    ] {
        let field = document().query_selector(&format!("#{LAY} [name={name}]"));
        if let Ok(Some(field)) = field {
            field.unchecked_into::<HtmlInputElement>().set_value(&value);
        }
    }
}

/// Marks the fields that are wrong, and no others.
pub(crate) fn mark(wrong: &[&str]) {
    let Some(form) = element::<Element>("wishes") else {
        return;
    };
    while let Ok(Some(marked)) = form.query_selector("[aria-invalid]") {
        let _ = marked.remove_attribute("aria-invalid");
    }
    for field in wrong {
        if let Some(field) = element::<Element>(field) {
            let _ = field.set_attribute("aria-invalid", "true");
        }
    }
}

/// Says something in an element that the server has drawn.
pub(crate) fn say_in(id: &str, text: Option<&str>) {
    if let Some(place) = element::<Element>(id) {
        place.set_text_content(text);
    }
}

/// Opens the panel of the filter or closes it, as its button says.
pub(crate) fn turn_panel(button: &Element) {
    let open = button.get_attribute("aria-expanded").as_deref() == Some("true");
    let _ = button.set_attribute("aria-expanded", if open { "false" } else { "true" });
    if let Some(panel) = element::<Element>("filter") {
        panel.set_class_name(if open { "filter unused" } else { "filter" });
    }
}
