//! The entry point of the WebAssembly in a browser.

/// Prepares hydration. Then the script of the page hydrates each island.
// Called from JavaScript, which needs a public function; the crate itself does not call it.
#[allow(unreachable_pub)]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
    crate::ui::load_texts();
}
