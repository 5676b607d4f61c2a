//! The texts of islands as scripts, two for each language. A browser fetches those of the page's language alone, and the second only
//! for a page with a lazy island, whose texts no match page needs.
//!
//! Each text has a number, its position in the list of keys in `islands.json` and, after that, in `lazy_islands.json`; `build.rs` gives the
//! client the same numbers. The first script also knows which plural form a number takes, by the browser's own rules of the language: so
//! the WebAssembly has no rules of any language.

use super::tables::{self, FORMS};
use crate::language::Language;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::LazyLock;

/// The global variables that the first script sets: all texts in one string, one per line; and the function of plural forms.
const TEXTS: &str = "islandTexts";
const PLURAL_FORM: &str = "pluralForm";

/// The global variable that the second script sets, which runs before the first.
const LAZY_TEXTS: &str = "lazyIslandTexts";

/// The `id` of the second script. Where it is and has not set its variable, the first sets none either, and the islands do not start.
pub(crate) const LAZY_SCRIPT_ID: &str = "lazy-texts";

struct Script {
    path: String,
    text: String,
}

/// Both scripts by language.
static SCRIPTS: LazyLock<Vec<[Script; 2]>> = LazyLock::new(|| {
    let pseudo = cfg!(debug_assertions).then_some(Language::PSEUDO);
    let languages = Language::SHIPPED.into_iter().chain(pseudo);
    languages.map(scripts).collect()
});

fn scripts(language: Language) -> [Script; 2] {
    // Debug formatting gives a valid JavaScript string as long as no text needs an escape that differs between Rust and
    // JavaScript; a test checks this.
    let [texts, lazy] = tables::of_islands(language);
    let code = language.code();
    let other = FORMS.len() - 1;
    let eager = format!(
        "if(self.{LAZY_TEXTS}||!document.getElementById({LAZY_SCRIPT_ID:?})){TEXTS}={texts:?}+\"\\n\"+(self.{LAZY_TEXTS}||\"\");\
         {PLURAL_FORM}=(f=>n=>{{let i={FORMS:?}.indexOf(f.select(n.replace(\",\",\".\")));return i<0?{other}:i}})\
         (new Intl.PluralRules({code:?}));"
    );
    let lazy = format!("{LAZY_TEXTS}={lazy:?};");
    [(code.to_owned(), eager), (format!("{code}-lazy"), lazy)].map(|(name, text)| {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let path = format!("/texts/{name}.{:x}.js", hasher.finish());
        Script { path, text }
    })
}

/// Returns the path of the script of a language. The path contains a hash of the texts.
pub(crate) fn script_path(language: Language) -> &'static str {
    &SCRIPTS[language as usize][0].path
}

/// Returns the path of its second script, of the texts of lazy islands.
pub(crate) fn lazy_script_path(language: Language) -> &'static str {
    &SCRIPTS[language as usize][1].path
}

/// Returns the paths of all scripts.
pub fn script_paths() -> impl Iterator<Item = &'static str> {
    SCRIPTS.iter().flatten().map(|script| script.path.as_str())
}

/// Returns the script at a path; `None` for paths of other versions.
pub fn script_at(path: &str) -> Option<&'static str> {
    let script = SCRIPTS
        .iter()
        .flatten()
        .find(|script| script.path == path)?;
    Some(&script.text)
}
