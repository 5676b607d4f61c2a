//! The texts of islands in a browser, which loads them as a separate script for the language of the page (`translations/scripts.rs`).
//!
//! Each text has a number, its position in the lists of keys in `islands.json` and `lazy_islands.json`; `build.rs` generates the same numbers
//! for server and client. The script is in the head of every page, before the script that hydrates the islands. If it fails to load, the islands
//! are not hydrated, and the page becomes one without scripts.

use std::fmt::Display;
use std::sync::OnceLock;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The global variable that the script sets: all texts in one string, one per line.
const GLOBAL: &str = "islandTexts";

/// The texts of this document.
static TEXTS: OnceLock<Vec<&'static str>> = OnceLock::new();

#[wasm_bindgen]
extern "C" {
    /// Returns the plural form that a number takes in the language of the page, by the rules of the browser. The script sets the
    /// function.
    #[wasm_bindgen(js_name = pluralForm)]
    fn form_of(number: &str) -> usize;
}

/// Reads the texts that the script has set. Called once in a browser, before hydration.
///
/// # Panics
///
/// If the script has not been loaded.
pub(super) fn load() {
    let texts = js_sys::Reflect::get(&js_sys::global(), &JsValue::from_str(GLOBAL));
    let texts = texts.ok().and_then(|texts| texts.as_string());
    let texts: &str = texts
        .expect("the texts are loaded before the islands")
        .leak();
    TEXTS.get_or_init(|| texts.split('\n').collect());
}

/// Returns the text with this number. Unused in the server, which has the texts of all languages.
#[allow(dead_code)]
pub(super) fn text(number: usize) -> &'static str {
    let texts = TEXTS.get().map(Vec::as_slice).unwrap_or_default();
    // A text of `lazy_islands.json` on a page without a lazy island: a mistake that stories see.
    texts.get(number).copied().unwrap_or("[text]")
}

/// Returns which plural form a number takes, as its place among the forms of a text.
#[allow(dead_code)]
pub(super) fn plural_form(count: &dyn Display) -> usize {
    form_of(&count.to_string())
}
