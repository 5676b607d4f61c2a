//! The tables of the texts, one for each language.

use super::{plurals, pseudo};
use crate::language::Language;
use std::fmt::Display;
use std::sync::OnceLock;

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// The texts of a language in the order of their numbers.
type Table = Vec<&'static str>;

/// A text that takes the place of that of the program: its language, its number, itself with numbered placeholders.
pub(super) type ChangedText = (Language, usize, String);

/// The tables, in the order of the variants of [`Language`].
static TABLES: OnceLock<Vec<Table>> = OnceLock::new();

/// Returns the text with this number in a language.
pub(crate) fn text(language: Language, number: usize) -> &'static str {
    tables()[language as usize][number]
}

/// Returns which of the plural forms a number takes in a language, as its place in [`FORMS`].
pub(crate) fn plural_form(language: Language, count: &dyn Display) -> usize {
    let category = plurals::category(language, &count.to_string());
    let form = FORMS.iter().position(|form| *form == category);
    // A language without this form in its file has only `other`.
    form.unwrap_or(FORMS.len() - 1)
}

/// Returns the texts of islands in a language, one per line: those of any page, and those of lazy islands.
pub(super) fn of_islands(language: Language) -> [String; 2] {
    OF_ISLANDS.map(|numbers| {
        let lines: Vec<_> = numbers
            .iter()
            .map(|number| text(language, *number))
            .collect();
        lines.join("\n")
    })
}

fn tables() -> &'static [Table] {
    TABLES.get_or_init(|| made(Vec::new()))
}

/// Makes the tables with these texts in the place of those of the program; returns whether that was in time, before any text
/// was asked for.
pub(super) fn change(texts: Vec<ChangedText>) -> bool {
    TABLES.set(made(texts)).is_ok()
}

fn made(changed: Vec<ChangedText>) -> Vec<Table> {
    let mut tables: Vec<Table> = FILES
        .iter()
        .map(|file| file.split('\n').collect())
        .collect();
    for (language, number, text) in changed {
        tables[language as usize][number] = text.leak();
    }
    if cfg!(debug_assertions) {
        let english = tables[Language::default() as usize].iter();
        tables.push(english.map(|text| &*pseudo::text(text).leak()).collect());
    }
    tables
}

/// Returns the number of a text, and the names of its placeholders, by its key as it is in the files.
pub(super) fn find(page: &str, key: &str) -> Option<(usize, Vec<&'static str>)> {
    let mut lines = KEYS.split('\n').enumerate();
    lines.find_map(|(number, line)| {
        let (full, placeholders) = line.split_once(' ')?;
        let (of_page, name) = full.split_once('.')?;
        let placeholders = placeholders.split(',').filter(|name| !name.is_empty());
        ((of_page, name) == (page, key)).then(|| (number, placeholders.collect()))
    })
}
