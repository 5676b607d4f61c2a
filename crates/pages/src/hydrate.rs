//! The entry point of the WebAssembly in a browser.

use std::panic::{PanicHookInfo, set_hook};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Makes the page one without scripts (`public/fallback.js`), and reports why.
    #[wasm_bindgen(js_namespace = fallback)]
    fn fail(kind: &str, message: &str);
}

/// Gives the page up after a panic: the code is then in an unknown state, and the handlers of the page, which call it, are taken
/// away.
///
/// The text may hold zeros: splitting moves constants that only later files refer to by their code, the path in a location among
/// them, out of the main file. Its line and column are there, and `fail` adds the functions that have called, by their numbers.
fn give_up(panic: &PanicHookInfo<'_>) {
    fail("panic", &panic.to_string());
}

/// Prepares hydration. Then `public/start.js` hydrates each island.
// Called from JavaScript, which needs a public function; the crate itself does not call it.
#[allow(unreachable_pub)]
#[wasm_bindgen]
pub fn hydrate() {
    set_hook(Box::new(give_up));
    leptos::mount::hydrate_islands();
    crate::ui::load_texts();
}

/// Room for the padding that splitting needs. The splitter lays out the constants of each file anew. If their sum is then
/// longer than it was, it puts the constants of all files into the main file, which every page loads, and only warns:
/// *overlong segment* (`wasm_split_cli_support`, `emit.rs`). No function refers to this one, so it is in no file.
#[used]
static SPLIT_PADDING: [u8; 8192] = [1; 8192];
