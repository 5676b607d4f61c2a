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

/// Room for the padding that splitting needs. The splitter lays out the constants of each file anew. If their sum is then
/// longer than it was, it puts the constants of all files into the main file, which every page loads, and only warns:
/// *overlong segment* (`wasm_split_cli_support`, `emit.rs`). No function refers to this one, so it is in no file.
#[used]
static SPLIT_PADDING: [u8; 8192] = [1; 8192];
