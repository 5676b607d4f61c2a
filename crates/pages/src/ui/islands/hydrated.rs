//! The last island of a page, which marks the document as hydrated.

use crate::ui::islands::effect::effect;
use leptos::prelude::*;

/// Sets `data-hydrated` on `<html>` for tests and others that wait for hydration.
///
/// Leptos hydrates islands in document order and waits for the code of each. So when the last one is hydrated, all are.
#[island]
pub(crate) fn HydrationMarker() -> impl IntoView {
    effect(|| {
        let html = document().document_element();
        // Nothing depends on the attribute, so an error is ignored.
        let _ = html.map(|html| html.set_attribute("data-hydrated", ""));
    });
}
