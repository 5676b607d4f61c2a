//! The first call in a browser: the pages that the server rendered come alive.

/// Takes over the page.
// JavaScript calls it, which takes a public function; the crate itself has no use for it.
#[allow(unreachable_pub)]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_body(crate::ui::App);
}
