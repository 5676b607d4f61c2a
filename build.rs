//! Turns the texts of `locales/` into Rust, so that a text that is missing or misspelt does not compile; and tells the
//! crate whether its client is going to be split.
//!
//! The server has all texts in it. The client has none: it finds those of `src/ui/text/islands.json` by their numbers in a
//! script that the server makes of them, one a language.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

/// The language that says everything. What another one leaves out is said in this one, until a test has noticed.
const FIRST: &str = "en";

/// The texts that islands say: their keys, as `page.name`. A measure of the release holds them against the client.
const ISLANDS: &str = "src/ui/text/islands.json";

/// What finds a text there, by its number.
const SHIPPED: &str = "crate::ui::text::shipped::text";

/// The endings of keys that are plural forms of one text, in the order in which `ui/text/mod.rs` knows them.
const FORMS: [&str; 4] = ["one", "few", "many", "other"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=locales");
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

    /// Its key, as it stands in the list of what islands say.
    fn key(&self) -> String {
        format!("{}.{}", self.page, self.name)
    }

    /// Its forms in a language, with the values numbered: `{0}`.
    fn numbered(&self, language: usize) -> impl Iterator<Item = String> {
        self.said[language].iter().map(|text| {
            let mut text = (*text).to_owned();
            for (number, name) in self.values().iter().enumerate() {
                text = text.replace(&format!("{{{{ {name} }}}}"), &format!("{{{number}}}"));
            }
            text
        })
    }

    /// What is said in `language`, as Rust. `number` is the number of its first form in the script of the client.
    fn chosen(&self, client: bool, number: Option<usize>) -> String {
        let form = "crate::ui::text::form(language, self.count)";
        match (client, number) {
            (false, _) => {
                let said = (0..self.said.len()).map(|language| {
                    let forms = list(self.numbered(language).map(|text| format!("{text:?}")));
                    if self.is_plural() {
                        format!("[{forms}]")
                    } else {
                        forms
                    }
                });
                let said = list(said);
                if self.is_plural() {
                    format!("[{said}][language as usize][{form}]")
                } else {
                    format!("[{said}][language as usize]")
                }
            }
            (true, Some(number)) if self.is_plural() => format!("{SHIPPED}({number} + {form})"),
            (true, Some(number)) => format!("{SHIPPED}({number})"),
            (true, None) => format!("\"[text:{}]\"", self.key()),
        }
    }

    /// The item that says it, and the arm of `say!` that leads to the item.
    fn rust(&self, client: bool, number: Option<usize>) -> (String, String) {
        let Self { page, name, .. } = self;
        let (values, chosen) = (self.values(), self.chosen(client, number));
        let path = format!("$crate::ui::text::written::{page}::{name}");
        if values.is_empty() {
            return (
                format!("pub fn {name}(language: Language) -> &'static str {{ {chosen} }}\n"),
                format!("($language:expr, {page}.{name}) => {{ {path}($language) }};\n"),
            );
        }
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
                pub fn say(self, language: Language) -> String {{ crate::ui::text::fill({chosen}, &[{of_self}]) }}
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

/// What the script of the client says, for each language: the texts of islands in the order of their numbers, a line each;
/// and these numbers.
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

/// The enum of the languages, an item for every text, and `say!`.
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
    // The client gets its own as a file.
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
            /// All of them, the first one first.
            pub const ALL: [Self; {count}] = {{ use Language::*; [{names}] }};
            /// Its code, as in `<html lang>`.
            pub const fn code(self) -> &'static str {{ {codes:?}[self as usize] }}
        }}
        /// The texts of islands in each language, a line each, in the order of their numbers.
        pub const OF_ISLANDS: [&str; {count}] = {scripts:?};
        {pages}
        macro_rules! say {{ {arms} }}
        pub(crate) use say;"
    ))
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}
