//! Turns the texts of `locales/` into Rust, so that a text that is missing or misspelt does not compile; and tells the
//! crate whether its client is going to be split.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

/// The language that says everything. What another one leaves out is said in this one, until a test has noticed.
const FIRST: &str = "en";

/// The endings of keys that are plural forms of one text, in the order in which `ui/text/mod.rs` knows them.
const FORMS: [&str; 4] = ["one", "few", "many", "other"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=locales");
    println!("cargo::rustc-check-cfg=cfg(split)");
    if is_split() {
        println!("cargo::rustc-cfg=split");
    }
    let path = PathBuf::from(env::var("OUT_DIR")?).join("texts.rs");
    fs::write(path, rust(&languages()?))?;
    Ok(())
}

/// Whether lazy islands travel apart from the rest of the client. The mark is what `cargo leptos --split` cannot do
/// without, and nobody else asks for: what is compiled without it stays in one piece.
fn is_split() -> bool {
    env::var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.contains("--emit-relocs"))
}

/// The texts of one page by their keys, as they stand in the file.
type Page = BTreeMap<String, String>;

/// One language.
struct Language {
    code: String,
    pages: BTreeMap<String, Page>,
}

/// All languages, the first one first.
fn languages() -> Result<Vec<Language>, Box<dyn Error>> {
    let mut languages = Vec::new();
    for entry in fs::read_dir("locales")? {
        let path = entry?.path();
        let code = path.file_stem().unwrap_or_default().display().to_string();
        let pages = serde_json::from_str(&fs::read_to_string(&path)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        languages.push(Language { code, pages });
    }
    languages.sort_by_key(|language| (language.code != FIRST, language.code.clone()));
    Ok(languages)
}

/// One text.
struct Text<'a> {
    page: &'a str,
    name: &'a str,
    /// What stands in each language: the text, or its plural forms.
    said: Vec<Vec<&'a str>>,
}

/// All texts of the first language, their plural forms gathered.
fn texts(languages: &[Language]) -> Vec<Text<'_>> {
    let mut texts = Vec::new();
    for (page, keys) in &languages[0].pages {
        for key in keys.keys() {
            let (name, forms) = match key.rsplit_once('_') {
                Some((name, "other")) => {
                    (name, FORMS.map(|form| format!("{name}_{form}")).to_vec())
                }
                Some((name, form))
                    if FORMS.contains(&form) && keys.contains_key(&format!("{name}_other")) =>
                {
                    continue;
                }
                _ => (&**key, vec![key.clone()]),
            };
            let said = languages.iter().map(|language| {
                let theirs = language
                    .pages
                    .get(page)
                    .filter(|theirs| theirs.contains_key(key));
                let page = theirs.unwrap_or(keys);
                // A form that a language does without is as its `other`.
                forms
                    .iter()
                    .map(|form| &**page.get(form).unwrap_or(&page[key]))
                    .collect()
            });
            let said = said.collect();
            texts.push(Text { page, name, said });
        }
    }
    texts
}

impl<'a> Text<'a> {
    /// The names that stand in it as `{{ name }}`, in whichever form or language.
    fn values(&self) -> Vec<&'a str> {
        let openings = self
            .said
            .iter()
            .flatten()
            .flat_map(|text| text.split("{{").skip(1));
        let names = openings.filter_map(|rest| Some(rest.split_once("}}")?.0.trim()));
        names.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn is_plural(&self) -> bool {
        self.said[0].len() == FORMS.len()
    }

    /// What is said in `language`, as Rust, with the values numbered: `{0}`.
    fn chosen(&self) -> String {
        let numbered = |text: &&str| {
            let mut text = (*text).to_owned();
            for (number, name) in self.values().iter().enumerate() {
                text = text.replace(&format!("{{{{ {name} }}}}"), &format!("{{{number}}}"));
            }
            format!("{text:?}")
        };
        let said = self.said.iter().map(|forms| {
            let forms = list(forms.iter().map(numbered));
            if self.is_plural() {
                format!("[{forms}]")
            } else {
                forms
            }
        });
        format!("[{}][language as usize]", list(said))
    }

    /// The item that says it, and the arm of `say!` that leads to the item.
    fn rust(&self) -> (String, String) {
        let Self { page, name, .. } = self;
        let (values, chosen) = (self.values(), self.chosen());
        let path = format!("$crate::ui::text::written::{page}::{name}");
        if values.is_empty() {
            return (
                format!("pub const fn {name}(language: Language) -> &'static str {{ {chosen} }}\n"),
                format!("($language:expr, {page}.{name}) => {{ {path}($language) }};\n"),
            );
        }
        let chosen = if self.is_plural() {
            format!("form(language, self.count, {chosen})")
        } else {
            chosen
        };
        let fields = list(
            values
                .iter()
                .map(|value| format!("pub {value}: &'a dyn Display")),
        );
        let of_self = list(values.iter().map(|value| format!("self.{value}")));
        // The values are fields, so that the compiler knows which are missing, and their order is nobody's concern.
        let item = format!(
            "pub struct {name}<'a> {{ {fields} }}
            impl {name}<'_> {{
                pub fn say(self, language: Language) -> String {{ fill({chosen}, &[{of_self}]) }}
            }}\n"
        );
        let arm = format!(
            "($language:expr, {page}.{name}, $($name:ident $(= $value:expr)?),+ $(,)?) => {{
                {path} {{ $($name: $crate::ui::text::value!($name $(, $value)?)),+ }}.say($language)
            }};\n"
        );
        (item, arm)
    }
}

/// The enum of the languages, an item for every text, and `say!`.
fn rust(languages: &[Language]) -> String {
    let codes: Vec<&str> = languages.iter().map(|language| &*language.code).collect();
    let names = list(
        codes
            .iter()
            .map(|code| code[..1].to_uppercase() + &code[1..]),
    );
    let count = codes.len();
    let (mut pages, mut arms) = (BTreeMap::<&str, String>::new(), String::new());
    for text in texts(languages) {
        let (item, arm) = text.rust();
        *pages.entry(text.page).or_default() += &item;
        arms += &arm;
    }
    let pages = pages.iter();
    let pages = pages.map(|(page, items)| format!("pub mod {page} {{ use super::*; {items} }}"));
    let pages = pages.collect::<Vec<_>>().join("\n");
    format!(
        "use super::{{fill, form}};
        use serde::{{Deserialize, Serialize}};
        use std::fmt::Display;
        /// A language of the pages.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Language {{ #[default] {names} }}
        impl Language {{
            /// All of them, the first one first.
            pub const ALL: [Self; {count}] = {{ use Language::*; [{names}] }};
            /// Its code, as in `<html lang>`.
            pub const fn code(self) -> &'static str {{ {codes:?}[self as usize] }}
        }}
        {pages}
        macro_rules! say {{ {arms} }}
        pub(crate) use say;"
    )
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}
