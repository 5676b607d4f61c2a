//! The first call in a browser. What comes alive are the islands in the pages that the server rendered.

use leptos::prelude::{document, set_timeout};
use std::time::Duration;

/// Gets ready for the islands of the page, which its script then wakes one by one, and says on the document when they
/// are awake, for whoever has to wait for it.
// JavaScript calls it, which takes a public function; the crate itself has no use for it.
#[allow(unreachable_pub)]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
    // The script wakes the islands in microtasks after this call, so a timer comes after all of them.
    set_timeout(
        || {
            let html = document().document_element();
            // An attribute that cannot be set is one nobody waits for.
            let _ = html.map(|html| html.set_attribute("data-awake", ""));
        },
        Duration::ZERO,
    );
}
