//! The first call in a browser. What comes alive are the islands in the pages that the server rendered.

/// Gets ready for the islands of the page, which its script then wakes one by one.
// JavaScript calls it, which takes a public function; the crate itself has no use for it.
#[allow(unreachable_pub)]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
    crate::ui::speak();
}
