//! Long lists of small elements, rendered as markup and updated by their differences.
//!
//! A thousand dots as a thousand views would each have to be hydrated and compared; as strings they cost nothing until
//! one changes. The markup contains only numbers and texts of `locales/`.

use crate::ui::islands::effect::effect;
use leptos::html::ElementType;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// The maximum number of elements added or removed at once that are animated.
const FEW: usize = 4;

/// An element of such a list. It is compared far more often than rendered, so it holds values and not markup.
pub(crate) trait Piece: PartialEq {
    /// Exactly one element.
    fn markup(&self) -> String;
}

/// The markup of all elements, as the server renders them.
pub(crate) fn drawn(pieces: &[impl Piece]) -> String {
    pieces.iter().map(Piece::markup).collect()
}

/// Keeps the children of an element equal to these pieces, one child for each. For browsers; the server renders the
/// same pieces as the element's `inner_html`.
///
/// New elements get the class `fresh`, which the style sheet animates, unless there are many at once.
pub(crate) fn keep<E, P>(parent: NodeRef<E>, pieces: impl Fn() -> Vec<P> + 'static)
where
    E: ElementType + 'static,
    E::Output: JsCast + AsRef<Element> + Clone + 'static,
    P: Piece + 'static,
{
    let mut known: Option<Vec<P>> = None;
    effect(move || {
        let pieces = pieces();
        if let (Some(before), Some(parent)) = (&known, parent.get_untracked()) {
            let leap = pieces.len().abs_diff(before.len()) > FEW;
            let mut added = String::new();
            for (place, piece) in pieces.iter().enumerate() {
                let old = before.get(place);
                if old == Some(piece) {
                    continue;
                }
                let mut markup = piece.markup();
                if !leap {
                    markup = fresh(&markup);
                }
                if old.is_some() {
                    replace(parent.as_ref(), place, &markup);
                } else {
                    added.push_str(&markup);
                }
            }
            // All at once: there may be a thousand.
            append(parent.as_ref(), &added);
            for _ in pieces.len()..before.len() {
                take_last(parent.as_ref());
            }
        }
        known = Some(pieces);
    });
}

fn fresh(markup: &str) -> String {
    markup.replacen("class=\"", "class=\"fresh ", 1)
}

fn replace(parent: &Element, place: usize, markup: &str) {
    if let Some(child) = parent.children().item(place as u32) {
        child.set_outer_html(markup);
    }
}

fn append(parent: &Element, markup: &str) {
    if !markup.is_empty() {
        let _ = parent.insert_adjacent_html("beforeend", markup);
    }
}

fn take_last(parent: &Element) {
    if let Some(last) = parent.last_element_child() {
        last.remove();
    }
}
