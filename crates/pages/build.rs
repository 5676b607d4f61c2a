//! Generates Rust from the texts of `locales/`, so that a missing or misspelt key does not compile, and sets `cfg(split)`
//! if the WebAssembly is going to be split.
//!
//! The server contains all texts. The WebAssembly contains none: it finds those of `src/ui/text/islands.json` by their
//! numbers in a script that the server generates for each language.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

/// The folder of the texts, from the folder of this package.
const LOCALES: &str = "../../locales";

/// The language that has every text. Its texts replace those that another language lacks; a test fails then.
const DEFAULT_LANGUAGE: &str = "en";

/// The keys, as `page.name`, of the texts that islands use. `cargo make weigh` compares the list with the WebAssembly.
const ISLANDS: &str = "src/ui/text/islands.json";

/// The function that finds a text by its number.
const TEXT_BY_NUMBER: &str = "crate::ui::text::island_texts::text";

/// The suffixes of keys that are plural forms of one text. Their order is that of `plural_category` in `ui/text/mod.rs`.
const PLURAL_SUFFIXES: [&str; 4] = ["one", "few", "many", "other"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={LOCALES}");
    println!("cargo::rustc-check-cfg=cfg(split)");
    if is_split() {
        println!("cargo::rustc-cfg=split");
    }
    println!("cargo::rerun-if-changed={ISLANDS}");
    let path = PathBuf::from(env::var("OUT_DIR")?).join("texts.rs");
    let islands: Vec<String> = serde_json::from_str(&fs::read_to_string(ISLANDS)?)?;
    let client = env::var_os("CARGO_FEATURE_HYDRATE").is_some();
    fs::write(path, rust(&languages()?, &islands, client)?)?;
    Ok(())
}

/// Returns whether lazy islands become separate files. `site-builder split` needs this flag of the linker, and no other build
/// sets it.
fn is_split() -> bool {
    env::var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.contains("--emit-relocs"))
}

/// The texts of one page by their keys, as in the file.
type Page = BTreeMap<String, String>;

/// A language of `locales/`.
struct Language {
    code: String,
    pages: BTreeMap<String, Page>,
}

/// Reads all languages, the default one first.
fn languages() -> Result<Vec<Language>, Box<dyn Error>> {
    let mut languages = Vec::new();
    for entry in fs::read_dir(LOCALES)? {
        let path = entry?.path();
        let code = path.file_stem().unwrap_or_default().display().to_string();
        let pages = serde_json::from_str(&fs::read_to_string(&path)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        languages.push(Language { code, pages });
    }
    languages.sort_by_key(|language| (language.code != DEFAULT_LANGUAGE, language.code.clone()));
    Ok(languages)
}

/// A text of a page.
struct Text<'a> {
    page: &'a str,
    name: &'a str,
    /// The text in each language, or its plural forms.
    forms: Vec<Vec<&'a str>>,
}

/// Returns all texts of the default language, with their plural forms.
fn texts(languages: &[Language]) -> Vec<Text<'_>> {
    let mut texts = Vec::new();
    for (page, keys) in &languages[0].pages {
        for key in keys.keys() {
            let (name, form_keys) = match key.rsplit_once('_') {
                Some((name, "other")) => {
                    let form_keys = PLURAL_SUFFIXES.map(|suffix| format!("{name}_{suffix}"));
                    (name, form_keys.to_vec())
                }
                Some((name, suffix))
                    if PLURAL_SUFFIXES.contains(&suffix)
                        && keys.contains_key(&format!("{name}_other")) =>
                {
                    continue;
                }
                _ => (&**key, vec![key.clone()]),
            };
            let forms = languages.iter().map(|language| {
                let translated = language
                    .pages
                    .get(page)
                    .filter(|translated| translated.contains_key(key));
                let page = translated.unwrap_or(keys);
                // A form that a language lacks is replaced by its `other`.
                form_keys
                    .iter()
                    .map(|form| &**page.get(form).unwrap_or(&page[key]))
                    .collect()
            });
            let forms = forms.collect();
            texts.push(Text { page, name, forms });
        }
    }
    texts
}

impl<'a> Text<'a> {
    /// Returns the names of the text's placeholders `{{ name }}` in all forms and languages.
    fn placeholders(&self) -> Vec<&'a str> {
        let openings = self
            .forms
            .iter()
            .flatten()
            .flat_map(|text| text.split("{{").skip(1));
        let names = openings.filter_map(|rest| Some(rest.split_once("}}")?.0.trim()));
        names.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn is_plural(&self) -> bool {
        self.forms[0].len() == PLURAL_SUFFIXES.len()
    }

    /// Returns the key of the text, as in the list of the texts of islands.
    fn key(&self) -> String {
        format!("{}.{}", self.page, self.name)
    }

    /// Returns the forms of the text in a language, with numbered placeholders: `{0}`.
    fn numbered(&self, language: usize) -> impl Iterator<Item = String> {
        self.forms[language].iter().map(|text| {
            let mut text = (*text).to_owned();
            for (number, name) in self.placeholders().iter().enumerate() {
                text = text.replace(&format!("{{{{ {name} }}}}"), &format!("{{{number}}}"));
            }
            text
        })
    }

    /// Returns a Rust expression for the text in `language`. `number` is the number of its first form in the script.
    fn expression(&self, client: bool, number: Option<usize>) -> String {
        let category = "crate::ui::text::plural_category(language, self.count)";
        match (client, number) {
            (false, _) => {
                let by_language = (0..self.forms.len()).map(|language| {
                    let forms = list(self.numbered(language).map(|text| format!("{text:?}")));
                    if self.is_plural() {
                        format!("[{forms}]")
                    } else {
                        forms
                    }
                });
                let by_language = list(by_language);
                if self.is_plural() {
                    format!("[{by_language}][language as usize][{category}]")
                } else {
                    format!("[{by_language}][language as usize]")
                }
            }
            (true, Some(number)) if self.is_plural() => {
                format!("{TEXT_BY_NUMBER}({number} + {category})")
            }
            (true, Some(number)) => format!("{TEXT_BY_NUMBER}({number})"),
            (true, None) => format!("\"[text:{}]\"", self.key()),
        }
    }

    /// Returns the item of this text, and the arm of `t!` that uses the item.
    fn rust(&self, client: bool, number: Option<usize>) -> (String, String) {
        let Self { page, name, .. } = self;
        let (values, expression) = (self.placeholders(), self.expression(client, number));
        let path = format!("$crate::ui::text::generated::{page}::{name}");
        if values.is_empty() {
            return (
                format!("pub fn {name}(language: Language) -> &'static str {{ {expression} }}\n"),
                format!("($language:expr, {page}.{name}) => {{ {path}($language) }};\n"),
            );
        }
        let fields = list(
            values
                .iter()
                .map(|value| format!("pub {value}: &'a dyn Display")),
        );
        let of_self = list(values.iter().map(|value| match *value {
            // A person's, which may be written from right to left.
            "name" => "&crate::ui::text::Isolated(self.name)".to_owned(),
            value => format!("self.{value}"),
        }));
        // The values are fields, so that the compiler reports missing ones, and their order does not matter.
        let item = format!(
            "pub struct {name}<'a> {{ {fields} }}
            impl {name}<'_> {{
                pub fn translate(self, language: Language) -> String {{ crate::ui::text::fill({expression}, &[{of_self}]) }}
            }}\n"
        );
        let arm = format!(
            "($language:expr, {page}.{name}, $($name:ident $(= $value:expr)?),+ $(,)?) => {{
                {path} {{ $($name: $crate::ui::text::value!($name $(, $value)?)),+ }}.translate($language)
            }};\n"
        );
        (item, arm)
    }
}

/// The texts of islands for each language, one per line in the order of their numbers; and these numbers.
type Script = (Vec<String>, BTreeMap<String, usize>);

fn script(texts: &[Text<'_>], languages: usize, islands: &[String]) -> Result<Script, String> {
    let (mut lines, mut numbers) = (vec![Vec::new(); languages], BTreeMap::new());
    for key in islands {
        let text = texts.iter().find(|text| text.key() == *key);
        let text = text.ok_or_else(|| format!("{ISLANDS}: there is no text {key}"))?;
        numbers.insert(key.clone(), lines[0].len());
        for (language, lines) in lines.iter_mut().enumerate() {
            lines.extend(text.numbered(language));
        }
    }
    if lines.iter().flatten().any(|line| line.contains('\n')) {
        return Err(format!("{ISLANDS}: a text has more than one line"));
    }
    let scripts = lines.iter().map(|lines| lines.join("\n")).collect();
    Ok((scripts, numbers))
}

/// Generates the code: the enum of the languages, an item for every text, and `t!`.
fn rust(languages: &[Language], islands: &[String], client: bool) -> Result<String, String> {
    let codes: Vec<&str> = languages.iter().map(|language| &*language.code).collect();
    let names = list(
        codes
            .iter()
            .map(|code| code[..1].to_uppercase() + &code[1..]),
    );
    let count = codes.len();
    let (mut pages, mut arms) = (BTreeMap::<&str, String>::new(), String::new());
    let texts = texts(languages);
    let (scripts, numbers) = script(&texts, count, islands)?;
    // The WebAssembly loads them as a script.
    let scripts = if client {
        vec![String::new(); count]
    } else {
        scripts
    };
    for text in &texts {
        let (item, arm) = text.rust(client, numbers.get(&text.key()).copied());
        *pages.entry(text.page).or_default() += &item;
        arms += &arm;
    }
    let pages = pages.iter();
    let pages = pages.map(|(page, items)| format!("pub mod {page} {{ use super::*; {items} }}"));
    let pages = pages.collect::<Vec<_>>().join("\n");
    Ok(format!(
        "use serde::{{Deserialize, Serialize}};
        use std::fmt::Display;
        /// A language of the pages.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Language {{ #[default] {names} }}
        impl Language {{
/// All languages, the default one first.
            pub const ALL: [Self; {count}] = {{ use Language::*; [{names}] }};
/// The code, as in `<html lang>`.
            pub const fn code(self) -> &'static str {{ {codes:?}[self as usize] }}
        }}
/// The texts of islands in each language, one per line in the order of their numbers.
        pub const OF_ISLANDS: [&str; {count}] = {scripts:?};
        {pages}
        macro_rules! t {{ {arms} }}
        pub(crate) use t;"
    ))
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}
