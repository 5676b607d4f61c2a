//! The first call in a browser: the pages that the server rendered come alive.

/// Takes over the page.
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_body(crate::ui::App);
}
