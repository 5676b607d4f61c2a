//! The end of every page, which says when all of it is awake.

use crate::ui::islands::effect::effect;
use leptos::prelude::*;

/// Says on the document that its islands are awake, for whoever has to wait for it.
///
/// The script of Leptos wakes the islands in the order of the document, and waits for the code of each. So when the last
/// one wakes, all have.
#[island]
pub(crate) fn LastIsland() -> impl IntoView {
    effect(|| {
        let html = document().document_element();
        // An attribute that cannot be set is one nobody waits for.
        let _ = html.map(|html| html.set_attribute("data-awake", ""));
    });
}
