//! The texts of islands, which travel in a script of their own: those of the page's language, and no other.
//!
//! A text is found there by its number. `build.rs` counts them for server and client alike, from the list of keys in
//! `islands.json`. The script stands in the head of every page, before the one that wakes the islands up; where it does
//! not come, they stay asleep, and the page works as without scripts.

use crate::ui::fingerprint::fingerprint;
use crate::ui::text::written::{Language, OF_ISLANDS};
use std::sync::OnceLock;
use wasm_bindgen::JsValue;

/// Where the script leaves the texts: one string, a line each.
const GLOBAL: &str = "islandTexts";

/// Those of this document. Only in a browser.
static TEXTS: OnceLock<Vec<&'static str>> = OnceLock::new();

/// Takes the texts that the script has brought. For the first call in a browser.
///
/// # Panics
///
/// If there are none.
pub(super) fn load() {
    let texts = js_sys::Reflect::get(&js_sys::global(), &JsValue::from_str(GLOBAL));
    let texts = texts.ok().and_then(|texts| texts.as_string());
    let texts: &str = texts.expect("the texts come before the islands").leak();
    TEXTS.get_or_init(|| texts.split('\n').collect());
}

/// The text of a number. In the server texts have none.
#[allow(dead_code)]
pub(super) fn text(number: usize) -> &'static str {
    let texts = TEXTS.get().map(Vec::as_slice).unwrap_or_default();
    texts.get(number).copied().unwrap_or_default()
}

/// The address of the script of a language, which changes whenever a text does.
pub(crate) fn address(language: Language) -> String {
    let mark = fingerprint(OF_ISLANDS[language as usize]);
    format!("/texts/{}.{mark}.js", language.code())
}

/// The script at an address, if it is one of this server's.
pub fn script_at(path: &str) -> Option<String> {
    let mut languages = Language::ALL.into_iter();
    let language = languages.find(|language| address(*language) == path)?;
    // Rust writes a text as JavaScript reads it: what has other escapes is in no text, as the tests know.
    Some(format!("{GLOBAL}={:?};", OF_ISLANDS[language as usize]))
}
