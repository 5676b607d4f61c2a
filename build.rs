//! Turns the texts of `locales/` into Rust, so that a text that is missing or misspelt in any language does not compile;
//! and tells the crate whether its client is going to be split.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

/// The language that the others are compared with, and that speaks where nobody has asked for one.
const FIRST: &str = "en";

/// The endings of keys that are plural forms of one text, in the order in which `ui/texts.rs` counts them.
const FORMS: [&str; 4] = ["one", "few", "many", "other"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=locales");
    println!("cargo::rustc-check-cfg=cfg(split)");
    if is_split() {
        println!("cargo::rustc-cfg=split");
    }
    let languages = languages()?;
    for complaint in complaints(&languages) {
        println!("cargo::error={complaint}");
    }
    let path = PathBuf::from(env::var("OUT_DIR")?).join("texts.rs");
    fs::write(path, rust(&languages))?;
    Ok(())
}

/// Whether lazy islands travel apart from the rest of the client. The mark is what `cargo leptos --split` cannot do
/// without, and nobody else asks for: what is compiled without it stays in one piece.
fn is_split() -> bool {
    env::var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.contains("--emit-relocs"))
}

/// One language: its code, and its texts by page and key.
struct Language {
    code: String,
    texts: BTreeMap<(String, String), Text>,
}

/// A text, or its plural forms. A form that a language does without is as its `other`.
enum Text {
    Plain(String),
    Plural([String; FORMS.len()]),
}

/// All languages, the first one first.
fn languages() -> Result<Vec<Language>, Box<dyn Error>> {
    let mut languages = Vec::new();
    for entry in fs::read_dir("locales")? {
        let path = entry?.path();
        let code = path.file_stem().unwrap_or_default().display().to_string();
        let pages: BTreeMap<String, BTreeMap<String, String>> =
            serde_json::from_str(&fs::read_to_string(&path)?)
                .map_err(|error| format!("{}: {error}", path.display()))?;
        let texts = pages.iter().flat_map(|(page, keys)| {
            let texts = texts(keys).into_iter();
            texts.map(|(key, text)| ((page.clone(), key), text))
        });
        let texts = texts.collect();
        languages.push(Language { code, texts });
    }
    languages.sort_by_key(|language| (language.code != FIRST, language.code.clone()));
    Ok(languages)
}

/// The texts of one page, plural forms gathered.
fn texts(keys: &BTreeMap<String, String>) -> Vec<(String, Text)> {
    let form = |stem: &str, form| keys.get(&format!("{stem}_{form}"));
    let gather = |(key, text): (&String, &String)| match key.rsplit_once('_') {
        Some((stem, ending)) if FORMS.contains(&ending) && form(stem, "other").is_some() => {
            let forms = FORMS.map(|name| form(stem, name).or(form(stem, "other")));
            let forms = forms.map(|form| form.cloned().unwrap_or_default());
            (stem.to_owned(), Text::Plural(forms))
        }
        _ => (key.clone(), Text::Plain(text.clone())),
    };
    keys.iter().map(gather).collect()
}

impl Text {
    fn forms(&self) -> &[String] {
        match self {
            Self::Plain(text) => std::slice::from_ref(text),
            Self::Plural(forms) => forms,
        }
    }

    /// The names that stand in it as `{{ name }}`.
    fn values(&self) -> BTreeSet<&str> {
        let openings = self
            .forms()
            .iter()
            .flat_map(|text| text.split("{{").skip(1));
        openings
            .filter_map(|rest| Some(rest.split_once("}}")?.0.trim()))
            .collect()
    }

    /// As a literal, with the values numbered: `{0}`.
    fn literal(&self) -> String {
        let numbered = |text: &String| {
            let mut text = text.clone();
            for (number, name) in self.values().iter().enumerate() {
                text = text.replace(&format!("{{{{ {name} }}}}"), &format!("{{{number}}}"));
            }
            text
        };
        match self {
            Self::Plain(text) => format!("{:?}", numbered(text)),
            Self::Plural(forms) => format!("{:?}", forms.each_ref().map(numbered)),
        }
    }
}

/// What is wrong with languages beside the first one.
fn complaints(languages: &[Language]) -> Vec<String> {
    let mut complaints = Vec::new();
    let first = &languages[0].texts;
    for Language { code, texts } in &languages[1..] {
        for (key @ (page, name), text) in first {
            let complaint = match texts.get(key) {
                None => "is missing",
                Some(other) if other.values() != text.values() => "has other values",
                Some(other) if other.forms().len() != text.forms().len() => {
                    "is a plural in one language alone"
                }
                Some(_) => continue,
            };
            complaints.push(format!("locales/{code}.json: {page}.{name} {complaint}"));
        }
        let unknown = texts.keys().filter(|key| !first.contains_key(key));
        complaints.extend(unknown.map(|(page, name)| {
            format!("locales/{code}.json: {page}.{name} is in no other language")
        }));
    }
    complaints
}

/// The enum of the languages, an item for every text, and `say!`, which leads to them.
fn rust(languages: &[Language]) -> String {
    let codes: Vec<&str> = languages.iter().map(|language| &*language.code).collect();
    let names: Vec<String> = codes.iter().map(|code| name(code)).collect();
    let (count, names) = (codes.len(), names.join(", "));
    let (mut pages, mut arms) = (BTreeMap::<&str, String>::new(), String::new());
    for (key @ (page, name), text) in &languages[0].texts {
        let texts = languages
            .iter()
            .filter_map(|language| language.texts.get(key));
        let texts: Vec<String> = texts.map(Text::literal).collect();
        let texts = format!("[{}][language as usize]", texts.join(", "));
        let values: Vec<&str> = text.values().into_iter().collect();
        let (item, arm) = if values.is_empty() {
            plain(page, name, &texts)
        } else {
            let texts = match text {
                Text::Plain(_) => texts,
                Text::Plural(_) => format!("form(language, self.count, {texts})"),
            };
            with_values(page, name, &values, &texts)
        };
        *pages.entry(page).or_default() += &item;
        arms += &arm;
    }
    let pages = pages
        .iter()
        .map(|(page, items)| format!("pub mod {page} {{ use super::*; {items} }}\n"));
    let pages: String = pages.collect();
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
        pub(in crate::ui) use say;"
    )
}

/// A text that always says the same.
fn plain(page: &str, name: &str, texts: &str) -> (String, String) {
    let item = format!("pub const fn {name}(language: Language) -> &'static str {{ {texts} }}\n");
    let arm = format!(
        "($language:expr, {page}.{name}) => {{ $crate::ui::texts::written::{page}::{name}($language) }};\n"
    );
    (item, arm)
}

/// A text with values in it. They are fields, so that the compiler knows which are missing, and in which order they come
/// is nobody's concern.
fn with_values(page: &str, name: &str, values: &[&str], texts: &str) -> (String, String) {
    let fields: Vec<String> = values
        .iter()
        .map(|value| format!("pub {value}: &'a dyn Display"))
        .collect();
    let of_self: Vec<String> = values.iter().map(|value| format!("self.{value}")).collect();
    let item = format!(
        "pub struct {name}<'a> {{ {} }}
        impl {name}<'_> {{
            pub fn say(self, language: Language) -> String {{ fill({texts}, &[{}]) }}
        }}\n",
        fields.join(", "),
        of_self.join(", "),
    );
    let arm = format!(
        "($language:expr, {page}.{name}, $($name:ident $(= $value:expr)?),+ $(,)?) => {{
            $crate::ui::texts::written::{page}::{name} {{
                $($name: $crate::ui::texts::value!($name $(, $value)?)),+
            }}.say($language)
        }};\n"
    );
    (item, arm)
}

/// The name of a language's variant: `en` is `En`.
fn name(code: &str) -> String {
    let (first, rest) = code.split_at(1);
    first.to_uppercase() + rest
}
