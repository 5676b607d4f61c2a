//! The texts of islands, which a browser loads as a separate script for the language of the page.
//!
//! Each text has a number, its position in the sorted list of keys in `islands.json`; `build.rs` generates the same numbers
//! for server and client. The script is in the head of every page, before the script that hydrates the islands. If it fails
//! to load, the islands are not hydrated, and the page becomes one without scripts.

use crate::ui::fingerprint::fingerprint;
use crate::ui::text::generated::{Language, OF_ISLANDS};
use std::sync::OnceLock;
use wasm_bindgen::JsValue;

/// The global variable that the script sets: all texts in one string, one per line.
const GLOBAL: &str = "islandTexts";

/// The texts of this document. Only in a browser.
static TEXTS: OnceLock<Vec<&'static str>> = OnceLock::new();

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

/// Returns the text with this number. Unused in the server, which has the texts in its code.
#[allow(dead_code)]
pub(super) fn text(number: usize) -> &'static str {
    let texts = TEXTS.get().map(Vec::as_slice).unwrap_or_default();
    texts.get(number).copied().unwrap_or_default()
}

/// Returns the path of the script of a language. The path contains a hash of the texts.
pub(crate) fn script_path(language: Language) -> String {
    let hash = fingerprint(OF_ISLANDS[language as usize]);
    format!("/texts/{}.{hash}.js", language.code())
}

/// Returns the script at a path; `None` for paths of other versions.
pub fn script_at(path: &str) -> Option<String> {
    let mut languages = Language::ALL.into_iter();
    let language = languages.find(|language| script_path(*language) == path)?;
    // Debug formatting gives a valid JavaScript string as long as no text needs an escape that differs between Rust and
    // JavaScript; a test checks this.
    Some(format!("{GLOBAL}={:?};", OF_ISLANDS[language as usize]))
}
