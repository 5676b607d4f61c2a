//! Long rows of small elements, drawn as markup and changed by their differences.
//!
//! A thousand dots as a thousand views would each have to be woken up and compared; as pieces of text they cost the
//! browser nothing until one changes. What is drawn like this is our own: numbers and words of `locales/`.

use leptos::html::ElementType;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// What a piece shows. It is compared far more often than drawn, so it is better small than finished.
pub(super) trait Piece: PartialEq {
    /// Exactly one element.
    fn markup(&self) -> String;
}

/// All pieces in a row, as the server draws them.
pub(super) fn drawn(pieces: &[impl Piece]) -> String {
    pieces.iter().map(Piece::markup).collect()
}

/// Keeps the children of an element as these pieces say, each of which is one element. For browsers; what the server
/// draws is the same pieces as the element's `inner_html`.
///
/// What comes later is marked as `fresh`, so that the style sheet can let it be seen coming.
pub(super) fn keep<E, P>(parent: NodeRef<E>, pieces: impl Fn() -> Vec<P> + 'static)
where
    E: ElementType + 'static,
    E::Output: JsCast + AsRef<Element> + Clone + 'static,
    P: Piece + 'static,
{
    Effect::new(move |before: Option<Vec<P>>| {
        let pieces = pieces();
        if let (Some(before), Some(parent)) = (before, parent.get_untracked()) {
            for (place, piece) in pieces.iter().enumerate() {
                if before.get(place) != Some(piece) {
                    put(parent.as_ref(), place, &piece.markup());
                }
            }
            for _ in pieces.len()..before.len() {
                take_last(parent.as_ref());
            }
        }
        pieces
    });
}

/// Puts an element in the place of the child there, or after the last.
fn put(parent: &Element, place: usize, markup: &str) {
    let fresh = markup.replacen("class=\"", "class=\"fresh ", 1);
    match parent.children().item(place as u32) {
        Some(child) => child.set_outer_html(&fresh),
        None => {
            let _ = parent.insert_adjacent_html("beforeend", &fresh);
        }
    }
}

fn take_last(parent: &Element) {
    if let Some(last) = parent.last_element_child() {
        last.remove();
    }
}
