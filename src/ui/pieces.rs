//! Long rows of small elements, drawn as markup and changed by their differences.
//!
//! A thousand dots as a thousand views would each have to be woken up and compared; as pieces of text they cost the
//! browser nothing until one changes. What is drawn like this is our own: numbers and words of `locales/`.

use leptos::html::ElementType;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// Keeps the children of an element as these pieces say, each of which is one element. For browsers; what the server
/// draws is the same pieces as the element's `inner_html`.
///
/// What comes later is marked as `fresh`, so that the style sheet can let it be seen coming.
pub(super) fn keep<E>(parent: NodeRef<E>, pieces: impl Fn() -> Vec<String> + 'static)
where
    E: ElementType + 'static,
    E::Output: JsCast + AsRef<Element> + Clone + 'static,
{
    Effect::new(move |drawn: Option<Vec<String>>| {
        let pieces = pieces();
        if let (Some(drawn), Some(parent)) = (drawn, parent.get_untracked()) {
            redraw(parent.as_ref(), &drawn, &pieces);
        }
        pieces
    });
}

fn redraw(parent: &Element, drawn: &[String], pieces: &[String]) {
    for (place, piece) in pieces.iter().enumerate() {
        let fresh = || piece.replacen("class=\"", "class=\"fresh ", 1);
        match drawn.get(place) {
            Some(same) if same == piece => {}
            Some(_) => {
                if let Some(child) = parent.children().item(place as u32) {
                    child.set_outer_html(&fresh());
                }
            }
            None => {
                let _ = parent.insert_adjacent_html("beforeend", &fresh());
            }
        }
    }
    for _ in pieces.len()..drawn.len() {
        if let Some(last) = parent.last_element_child() {
            last.remove();
        }
    }
}
