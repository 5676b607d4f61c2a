//! The first call in a browser. What comes alive are the islands in the pages that the server rendered.

/// Takes over the page, and says so on the document, for whoever has to wait for it.
// JavaScript calls it, which takes a public function; the crate itself has no use for it.
#[allow(unreachable_pub)]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
    let document = leptos::prelude::document().document_element();
    // An attribute that cannot be set is one nobody waits for.
    let _ = document.map(|html| html.set_attribute("data-awake", ""));
}
