//! Long rows of small elements, drawn as markup and changed by their differences.
//!
//! A thousand dots as a thousand views would each have to be woken up and compared; as pieces of text they cost the
//! browser nothing until one changes. What is drawn like this is our own: numbers and words of `locales/`.

use crate::ui::islands::effect::effect;
use leptos::html::ElementType;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// How many pieces may come or go at once and still be followed by the eye.
const FEW: usize = 4;

/// What a piece shows. It is compared far more often than drawn, so it is better small than finished.
pub(crate) trait Piece: PartialEq {
    /// Exactly one element.
    fn markup(&self) -> String;
}

/// All pieces in a row, as the server draws them.
pub(crate) fn drawn(pieces: &[impl Piece]) -> String {
    pieces.iter().map(Piece::markup).collect()
}

/// Keeps the children of an element as these pieces say, each of which is one element. For browsers; what the server
/// draws is the same pieces as the element's `inner_html`.
///
/// What comes later is marked as `fresh`, so that the style sheet can let it be seen coming; not what comes in a leap, in
/// which nobody could follow it.
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
            // All at once: a leap may add a thousand.
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
