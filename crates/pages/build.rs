//! Generates Rust from the texts of `locales/`, so that a missing or misspelt key does not compile, and sets `cfg(split)`
//! if the WebAssembly is going to be split.
//!
//! A text is a number. The server has a table for each language, a file with a text per line, so that languages cost no time of the
//! compiler. The WebAssembly contains no texts: it finds those of `src/ui/text/islands.json` by their numbers in a script that the
//! server makes for each language.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The folder of the texts, from the folder of this package.
const LOCALES: &str = "../../locales";

/// The language that has every text. Its texts replace those that another language lacks; a test fails then.
const DEFAULT_LANGUAGE: &str = "en";

/// The code of the pseudo-language, whose texts the server makes of those of the default language (`src/translations/pseudo.rs`).
const PSEUDO_LANGUAGE: &str = "en-XA";

/// The section of a language about itself: its own name, its locale, its direction.
const ABOUT: &str = "language";

/// The keys, as `page.name`, of the texts that islands use. `cargo make weigh` compares the list with the WebAssembly.
const ISLANDS: &str = "src/ui/text/islands.json";

/// The keys of those that lazy islands alone use. Only pages with such an island load them.
const LAZY_ISLANDS: &str = "src/ui/text/lazy_islands.json";

/// The functions that find a text, and the plural form for a number, in the server and in the WebAssembly.
const TABLES: &str = "crate::translations::tables";
const ISLAND_TEXTS: &str = "crate::ui::text::island_texts";

/// The plural categories of CLDR, which are suffixes of keys.
const PLURAL_CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={LOCALES}");
    println!("cargo::rustc-check-cfg=cfg(split)");
    if is_split() {
        println!("cargo::rustc-cfg=split");
    }
    println!("cargo::rerun-if-changed={ISLANDS}");
    println!("cargo::rerun-if-changed={LAZY_ISLANDS}");
    let folder = PathBuf::from(env::var("OUT_DIR")?);
    let mut islands: Vec<String> = serde_json::from_str(&fs::read_to_string(ISLANDS)?)?;
    let eager_count = islands.len();
    let lazy: Vec<String> = serde_json::from_str(&fs::read_to_string(LAZY_ISLANDS)?)?;
    islands.extend(lazy);
    let languages = languages()?;
    let forms = forms(&languages);
    let texts = texts(&languages, &forms);
    let numbers = island_numbers(&texts, &islands)?;
    let is_server = env::var_os("CARGO_FEATURE_SSR").is_some();
    fs::write(folder.join("language.rs"), language_enum(&languages)?)?;
    fs::write(folder.join("texts.rs"), items(&texts, is_server, &numbers))?;
    if is_server {
        let islands = islands.split_at(eager_count);
        write_tables(&folder, &languages, &texts, &forms, islands.into())?;
    }
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

/// Returns the plural forms that any language has, in the order of CLDR. `other` is the last of them.
fn forms(languages: &[Language]) -> Vec<&'static str> {
    let pages = languages
        .iter()
        .flat_map(|language| language.pages.values());
    let is_form = |page: &Page, key: &str, form: &str| {
        let stem = key.strip_suffix(form).and_then(|key| key.strip_suffix('_'));
        stem.is_some_and(|stem| page.contains_key(&format!("{stem}_other")))
    };
    let is_used = |form: &str| {
        let mut pages = pages.clone();
        form == "other" || pages.any(|page| page.keys().any(|key| is_form(page, key, form)))
    };
    PLURAL_CATEGORIES
        .into_iter()
        .filter(|form| is_used(form))
        .collect()
}

/// A text of a page.
struct Text<'a> {
    page: &'a str,
    name: &'a str,
    /// The number of the text, or of its first plural form.
    number: usize,
    /// The keys of the text, or of its plural forms.
    keys: Vec<String>,
    /// The text in each language, or its plural forms.
    forms: Vec<Vec<&'a str>>,
}

/// Returns all texts of the default language, with their plural forms.
fn texts<'a>(languages: &'a [Language], forms: &[&str]) -> Vec<Text<'a>> {
    let (mut texts, mut number) = (Vec::new(), 0);
    for (page, of_page) in &languages[0].pages {
        for key in of_page.keys() {
            let (name, keys) = match key.rsplit_once('_') {
                Some((name, "other")) => {
                    let keys = forms.iter().map(|form| format!("{name}_{form}"));
                    (name, keys.collect())
                }
                Some((name, suffix))
                    if PLURAL_CATEGORIES.contains(&suffix)
                        && of_page.contains_key(&format!("{name}_other")) =>
                {
                    continue;
                }
                _ => (&**key, vec![key.clone()]),
            };
            let in_languages = languages.iter().map(|language| {
                let translated = language
                    .pages
                    .get(page)
                    .filter(|translated| translated.contains_key(key));
                let page = translated.unwrap_or(of_page);
                // A form that a language lacks is replaced by its `other`.
                keys.iter()
                    .map(|form| &**page.get(form).unwrap_or(&page[key]))
                    .collect()
            });
            let in_languages = in_languages.collect();
            let count = keys.len();
            texts.push(Text {
                page,
                name,
                number,
                keys,
                forms: in_languages,
            });
            number += count;
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
        self.keys[0] != self.name
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

    /// Returns a Rust expression for the text in `language`. `number` is the number of its first form in the script of islands.
    fn expression(&self, is_server: bool, number: Option<usize>) -> String {
        let (number, language, module) = match (is_server, number) {
            (true, _) => (self.number, "language, ", TABLES),
            (false, Some(number)) => (number, "", ISLAND_TEXTS),
            (false, None) => return format!("\"[text:{}]\"", self.key()),
        };
        if self.is_plural() {
            format!(
                "{module}::text({language}{number} + {module}::plural_form({language}self.count))"
            )
        } else {
            format!("{module}::text({language}{number})")
        }
    }

    /// Returns the item of this text, and the arm of `t!` that uses the item.
    fn rust(&self, is_server: bool, number: Option<usize>) -> (String, String) {
        let Self { page, name, .. } = self;
        let (values, expression) = (self.placeholders(), self.expression(is_server, number));
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

/// Returns the numbers of the texts of islands in their script, by their keys.
fn island_numbers(
    texts: &[Text<'_>],
    islands: &[String],
) -> Result<BTreeMap<String, usize>, String> {
    let (mut numbers, mut number) = (BTreeMap::new(), 0);
    for key in islands {
        if numbers.insert(key.clone(), number).is_some() {
            return Err(format!("{ISLANDS}, {LAZY_ISLANDS}: {key} is there twice"));
        }
        number += find(texts, key)?.keys.len();
    }
    Ok(numbers)
}

fn find<'t, 'a>(texts: &'t [Text<'a>], key: &str) -> Result<&'t Text<'a>, String> {
    let text = texts.iter().find(|text| text.key() == *key);
    text.ok_or_else(|| format!("{ISLANDS}: there is no text {key}"))
}

/// Generates an item for every text, and `t!`.
fn items(texts: &[Text<'_>], is_server: bool, numbers: &BTreeMap<String, usize>) -> String {
    let (mut pages, mut arms) = (BTreeMap::<&str, String>::new(), String::new());
    for text in texts {
        let (item, arm) = text.rust(is_server, numbers.get(&text.key()).copied());
        *pages.entry(text.page).or_default() += &item;
        arms += &arm;
    }
    let pages = pages.iter();
    let pages = pages.map(|(page, items)| format!("pub mod {page} {{ use super::*; {items} }}"));
    let pages = pages.collect::<Vec<_>>().join("\n");
    let script_path = if is_server {
        "pub(crate) use crate::translations::scripts::{lazy_script_path, script_path};"
    } else {
        "/// Unused: the server makes the documents.
        pub(crate) fn script_path(_: Language) -> &'static str { \"\" }
        /// Unused, too.
        pub(crate) fn lazy_script_path(_: Language) -> &'static str { \"\" }"
    };
    format!(
        "use crate::language::Language;
        use std::fmt::Display;
        {script_path}
        {pages}
        macro_rules! t {{ {arms} }}
        pub(crate) use t;"
    )
}

/// Generates the enum of the languages.
fn language_enum(languages: &[Language]) -> Result<String, String> {
    let about = |key: &'static str| {
        let texts = languages.iter().map(move |language| {
            let about = language.pages.get(ABOUT).and_then(|about| about.get(key));
            let text = about
                .ok_or_else(|| format!("{LOCALES}/{}.json has no {ABOUT}.{key}", language.code));
            text.map(String::as_str)
        });
        texts.collect::<Result<Vec<_>, _>>()
    };
    let (mut names, mut directions) = (about("name")?, about("direction")?);
    let mut locales = about("locale")?;
    if let Some(wrong) = directions
        .iter()
        .find(|direction| !["ltr", "rtl"].contains(*direction))
    {
        return Err(format!("{ABOUT}.direction is ltr or rtl, not {wrong}"));
    }
    let mut codes: Vec<&str> = languages.iter().map(|language| &*language.code).collect();
    codes.push(PSEUDO_LANGUAGE);
    names.push("Pseudo-language");
    directions.push("rtl");
    locales.push("en_XA");
    let variants: Vec<String> = codes.iter().map(|code| variant(code)).collect();
    let (shipped, pseudo) = (languages.len(), variant(PSEUDO_LANGUAGE));
    let (all, in_files, count) = (
        variants.join(", "),
        list(
            variants[..shipped]
                .iter()
                .map(|name| format!("Self::{name}")),
        ),
        codes.len(),
    );
    Ok(format!(
        "/// A language of the pages.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum Language {{ #[default] {all} }}
        impl Language {{
/// The languages that visitors choose from, the default one first: those of the files.
            pub const SHIPPED: [Self; {shipped}] = [{in_files}];
/// The language of tests, which is longer and goes from right to left. Only debug builds have its texts.
            pub const PSEUDO: Self = Self::{pseudo};
/// The code, as in `<html lang>`.
            pub const fn code(self) -> &'static str {{ const CODES: [&str; {count}] = {codes:?}; CODES[self as usize] }}
/// The name of the language in itself.
            pub const fn own_name(self) -> &'static str {{ const NAMES: [&str; {count}] = {names:?}; NAMES[self as usize] }}
/// The language with its most usual country, as in `og:locale`.
            pub const fn locale(self) -> &'static str {{ const LOCALES: [&str; {count}] = {locales:?}; LOCALES[self as usize] }}
/// The direction of its lines, as in `<html dir>`.
            pub const fn direction(self) -> &'static str {{ const DIRECTIONS: [&str; {count}] = {directions:?}; DIRECTIONS[self as usize] }}
        }}"
    ))
}

/// Returns the name of a variant: `ZhHans` for `zh-Hans`.
fn variant(code: &str) -> String {
    code.split('-')
        .map(|part| part[..1].to_uppercase() + &part[1..].to_lowercase())
        .collect()
}

/// Writes the tables of the server: the texts of each language, one per line in the order of their numbers; the keys of these texts
/// with the names of their placeholders; which of them the islands use, those of any page and those of lazy islands; and the plural forms.
fn write_tables(
    folder: &Path,
    languages: &[Language],
    texts: &[Text<'_>],
    forms: &[&str],
    islands: [&[String]; 2],
) -> Result<(), Box<dyn Error>> {
    let mut files = Vec::new();
    for (index, language) in languages.iter().enumerate() {
        let lines: Vec<String> = texts.iter().flat_map(|text| text.numbered(index)).collect();
        if let Some(line) = lines.iter().find(|line| line.contains(['\n', '\r'])) {
            return Err(format!("{}: a text has more than one line: {line}", language.code).into());
        }
        let name = format!("{}.txt", language.code);
        fs::write(folder.join(&name), lines.join("\n"))?;
        files.push(included(&name));
    }
    let keys = texts.iter().flat_map(|text| {
        let placeholders = text.placeholders().join(",");
        let keys = text.keys.iter();
        keys.map(move |key| format!("{}.{key} {placeholders}", text.page))
    });
    let keys: Vec<String> = keys.collect();
    fs::write(folder.join("keys.txt"), keys.join("\n"))?;
    let mut of_islands = [const { Vec::new() }; 2];
    for (keys, numbers) in islands.into_iter().zip(&mut of_islands) {
        for key in keys {
            let text = find(texts, key)?;
            numbers.extend(text.number..text.number + text.keys.len());
        }
    }
    let [eager, lazy] = of_islands;
    let (count, files) = (files.len(), files.join(", "));
    let generated = format!(
        "/// The texts of each shipped language, one per line in the order of their numbers.
        pub(super) static FILES: [&str; {count}] = [{files}];
/// The keys of these texts, as `page.name`, each with the names of its placeholders in the order of their numbers.
        pub(super) static KEYS: &str = {};
/// The numbers of the texts of islands, in the order of their scripts: of any page, and of lazy islands.
        pub(super) static OF_ISLANDS: [&[usize]; 2] = [&{eager:?}, &{lazy:?}];
/// The plural forms that every text with a number has, in their order.
        pub(super) const FORMS: [&str; {}] = {forms:?};",
        included("keys.txt"),
        forms.len()
    );
    Ok(fs::write(folder.join("tables.rs"), generated)?)
}

/// Returns the expression for the content of a generated file.
fn included(name: &str) -> String {
    format!("include_str!(concat!(env!(\"OUT_DIR\"), \"/{name}\"))")
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}
