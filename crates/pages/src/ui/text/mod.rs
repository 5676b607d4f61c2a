//! The texts that visitors see. They are in `locales/`, one file per language, and `build.rs` generates Rust from them.
//!
//! `t!(language, page.sentence, name = value)` gives the text; a missing or misspelt key does not compile. The language
//! changes only with a new document, so texts are plain strings and not signals.
//!
//! The server has all texts (`translations`). A browser loads those of its language that islands use ([`island_texts`]). To use
//! another text in an island, add its key to `islands.json`, in alphabetical order, or to `lazy_islands.json` if only lazy islands use it,
//! which match pages do not load; until then the page shows the key, and `cargo make weigh` fails.

pub(crate) mod errors;
pub(crate) mod island_texts;
pub(crate) mod names;
pub(crate) mod side;
pub(crate) mod time;
pub(crate) mod words;

use leptos::prelude::*;
use std::fmt::{Display, Write};

#[allow(
    clippy::all,
    clippy::pedantic,
    dead_code,
    missing_docs,
    non_camel_case_types,
    unreachable_pub,
    unused_variables
)]
pub(crate) mod generated {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}

pub use crate::language::Language;
pub(crate) use generated::{lazy_script_path, script_path, t};

/// Returns the language of this document. In a browser all texts are in that language, so there it need not be known.
pub(crate) fn language() -> Language {
    use_context().unwrap_or_default()
}

/// Returns the attribute `dir` of `<html>`: none where lines go from left to right, as they do without it.
pub(crate) fn dir(language: Language) -> Option<&'static str> {
    let direction = language.direction();
    (direction != "ltr").then_some(direction)
}

/// Reads the texts of islands. Called once in a browser, before hydration.
pub fn load_texts() {
    island_texts::load();
}

/// An argument of a text: `name = value`, or `name` for a variable of that name.
macro_rules! value {
    ($name:ident) => {
        &$name
    };
    ($name:ident, $value:expr) => {
        &$value
    };
}
pub(crate) use value;

/// A name in a text: a name that is written from right to left is isolated (UAX #9: U+2068 and U+2069), so that it does not
/// change the order of the text beside it. Where there is markup, [`Name`](crate::ui::widgets::player_name::Name) does it.
pub(crate) struct Isolated<'a>(pub(crate) &'a dyn Display);

impl Display for Isolated<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = self.0.to_string();
        if name.chars().any(is_from_right_to_left) {
            write!(f, "\u{2068}{name}\u{2069}")
        } else {
            f.write_str(&name)
        }
    }
}

/// Returns whether a character is of a block whose letters are written from right to left: those for which `DerivedBidiClass.txt`
/// of Unicode says so, also of characters that are not assigned yet.
const fn is_from_right_to_left(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Returns both names of a game, as in a heading.
pub(crate) fn versus(both: &[String; 2]) -> String {
    format!("{} – {}", Isolated(&both[0]), Isolated(&both[1]))
}

/// Replaces the numbers in braces by their values.
fn fill(text: &str, values: &[&dyn Display]) -> String {
    let mut filled = String::new();
    for (index, part) in text.split(['{', '}']).enumerate() {
        // Every second part was in braces.
        match part.parse::<usize>() {
            Ok(number) if index % 2 == 1 => {
                // Writing into a string cannot fail.
                let _ = write!(filled, "{}", values[number]);
            }
            _ => filled.push_str(part),
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_by_values() {
        assert_eq!(fill("{1} of {0}: {1}", &[&"a", &2]), "2 of a: 2");
        let (name, rating) = ("{0}", 1600);
        assert_eq!(
            t!(Language::En, calls.asks, rating, name = name),
            "{0} (1600) challenges you."
        );
    }

    #[test]
    fn names_from_right_to_left_are_isolated() {
        for name in ["نورة", "יעל", "a-יעל"] {
            let asks = t!(Language::En, calls.asks, rating = 1600, name = name);
            assert_eq!(
                asks,
                format!("\u{2068}{name}\u{2069} (1600) challenges you.")
            );
        }
        let names = ["נועה".to_owned(), "bob".to_owned()];
        assert_eq!(versus(&names), "\u{2068}נועה\u{2069} – bob");
    }

    #[track_caller]
    fn check(language: Language, counts: &[u32], text: &str) {
        for count in counts {
            let expected = text.replace('N', &count.to_string());
            assert_eq!(t!(language, board.would_capture, count), expected);
        }
    }

    #[test]
    fn plural_forms_depend_on_the_number() {
        check(Language::En, &[1], "Captures N dot.");
        check(Language::En, &[0, 2, 11, 21], "Captures N dots.");
        check(Language::Ru, &[1, 21, 101], "Окружает N точку.");
        check(Language::Ru, &[2, 4, 22, 104], "Окружает N точки.");
        check(
            Language::Ru,
            &[0, 5, 11, 12, 14, 111, 112],
            "Окружает N точек.",
        );
    }
}
