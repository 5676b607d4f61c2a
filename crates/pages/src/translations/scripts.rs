//! The texts of islands as scripts, one for each language. A browser fetches that of the page's language alone.
//!
//! Each text has a number, its position in the list of keys in `islands.json`; `build.rs` gives the client the same numbers. The
//! script also knows which plural form a number takes, by the browser's own rules of the language: so the WebAssembly has no rules
//! of any language.

use super::tables::{self, FORMS};
use crate::language::Language;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::LazyLock;

/// The global variables that the script sets: all texts in one string, one per line; and the function of plural forms.
const TEXTS: &str = "islandTexts";
const PLURAL_FORM: &str = "pluralForm";

struct Script {
    path: String,
    text: String,
}

/// The scripts by language.
static SCRIPTS: LazyLock<Vec<Script>> = LazyLock::new(|| {
    let pseudo = cfg!(debug_assertions).then_some(Language::PSEUDO);
    let languages = Language::SHIPPED.into_iter().chain(pseudo);
    languages.map(script).collect()
});

fn script(language: Language) -> Script {
    // Debug formatting gives a valid JavaScript string as long as no text needs an escape that differs between Rust and
    // JavaScript; a test checks this.
    let texts = tables::of_islands(language);
    let code = language.code();
    let other = FORMS.len() - 1;
    let text = format!(
        "{TEXTS}={texts:?};{PLURAL_FORM}=(f=>n=>{{let i={FORMS:?}.indexOf(f.select(n.replace(\",\",\".\")));return i<0?{other}:i}})\
         (new Intl.PluralRules({code:?}));"
    );
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let path = format!("/texts/{code}.{:x}.js", hasher.finish());
    Script { path, text }
}

/// Returns the path of the script of a language. The path contains a hash of the texts.
pub(crate) fn script_path(language: Language) -> &'static str {
    &SCRIPTS[language as usize].path
}

/// Returns the paths of all scripts.
pub fn script_paths() -> impl Iterator<Item = &'static str> {
    SCRIPTS.iter().map(|script| script.path.as_str())
}

/// Returns the script at a path; `None` for paths of other versions.
pub fn script_at(path: &str) -> Option<&'static str> {
    let script = SCRIPTS.iter().find(|script| script.path == path)?;
    Some(&script.text)
}
