//! Long lists of small elements, rendered as markup and updated by their differences.
//!
//! A thousand dots as a thousand views would each have to be hydrated and compared. As markup, only those that change
//! cost something. The markup contains only numbers and texts of `locales/`, so nothing has to be escaped.

use crate::ui::islands::effect::effect;
use leptos::html::ElementType;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

/// The number of elements that may be added or removed at once with animation; more are not animated.
const MAX_ANIMATED: usize = 4;

/// An item of such a list. Items are compared far more often than rendered, so they contain values and not markup.
pub(crate) trait MarkupItem: PartialEq {
    /// Returns the markup of exactly one element.
    fn markup(&self) -> String;
}

/// Returns the markup of all items, for the server.
pub(crate) fn render(items: &[impl MarkupItem]) -> String {
    items.iter().map(MarkupItem::markup).collect()
}

/// Updates the children of an element whenever the items change; each item is one child. For browsers; the server renders
/// the same items as the element's `inner_html`.
///
/// New elements get the class `fresh`, which the style sheet animates, unless there are many at once.
pub(crate) fn sync_children<E, I>(parent: NodeRef<E>, items: impl Fn() -> Vec<I> + 'static)
where
    E: ElementType + 'static,
    E::Output: JsCast + AsRef<Element> + Clone + 'static,
    I: MarkupItem + 'static,
{
    let mut rendered: Option<Vec<I>> = None;
    effect(move || {
        let items = items();
        if let (Some(before), Some(parent)) = (&rendered, parent.get_untracked()) {
            let animated = items.len().abs_diff(before.len()) <= MAX_ANIMATED;
            let mut added = String::new();
            for (index, item) in items.iter().enumerate() {
                let old = before.get(index);
                if old == Some(item) {
                    continue;
                }
                let mut markup = item.markup();
                if animated {
                    markup = with_fresh_class(&markup);
                }
                if old.is_some() {
                    replace(parent.as_ref(), index, &markup);
                } else {
                    added.push_str(&markup);
                }
            }
            // All are inserted at once, because there may be a thousand.
            append(parent.as_ref(), &added);
            for _ in items.len()..before.len() {
                remove_last(parent.as_ref());
            }
        }
        rendered = Some(items);
    });
}

fn with_fresh_class(markup: &str) -> String {
    markup.replacen("class=\"", "class=\"fresh ", 1)
}

fn replace(parent: &Element, index: usize, markup: &str) {
    if let Some(child) = parent.children().item(index as u32) {
        child.set_outer_html(markup);
    }
}

fn append(parent: &Element, markup: &str) {
    if !markup.is_empty() {
        let _ = parent.insert_adjacent_html("beforeend", markup);
    }
}

fn remove_last(parent: &Element) {
    if let Some(last) = parent.last_element_child() {
        last.remove();
    }
}
