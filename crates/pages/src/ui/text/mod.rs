//! The texts that visitors see. They are in `locales/`, one file per language, and `build.rs` generates Rust from them.
//!
//! `t!(language, page.sentence, name = value)` gives the text; a missing or misspelt key does not compile. The language
//! changes only with a new document, so texts are plain strings and not signals.
//!
//! The server contains all texts. A browser loads those of its language that islands use ([`island_texts`]). To use another
//! text in an island, add its key to `islands.json`, in alphabetical order; until then the page shows the key, and
//! `cargo make weigh` fails.

pub(crate) mod errors;
pub(crate) mod island_texts;
pub(crate) mod side;
pub(crate) mod time;
pub(crate) mod words;

use leptos::prelude::*;
use std::fmt::{Display, Write};
use tochki_protocol::LanguageChoice;

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

pub use generated::Language;
pub(crate) use generated::t;
pub use island_texts::script_at;

impl Language {
    /// Returns the chosen language, else the best supported one of the browser's `Accept-Language`.
    pub fn select(chosen: LanguageChoice, accept_language: &str) -> Self {
        match chosen {
            LanguageChoice::Browser => Self::negotiate(accept_language).unwrap_or_default(),
            LanguageChoice::English => Self::En,
            LanguageChoice::Russian => Self::Ru,
        }
    }

    /// Returns the first supported language in the order of preference. Regions (`en-GB`) are ignored.
    fn negotiate(accept_language: &str) -> Option<Self> {
        let mut preferences: Vec<(f32, &str)> = accept_language
            .split(',')
            .map(|range| {
                let (code, weight) = range.split_once(";q=").unwrap_or((range, "1"));
                (weight.trim().parse().unwrap_or(0.0), code.trim())
            })
            .filter(|(weight, _)| *weight > 0.0)
            .collect();
        preferences.sort_by(|one, other| other.0.total_cmp(&one.0));
        let supported = |code: &str| {
            let code = code.split('-').next()?;
            let known = |language: &Self| language.code().eq_ignore_ascii_case(code);
            Self::ALL.into_iter().find(known)
        };
        preferences
            .into_iter()
            .find_map(|(_, code)| supported(code))
    }
}

/// Returns the language of this document.
pub(crate) fn language() -> Language {
    use_context().unwrap_or_default()
}

/// Sets the language of the islands to that of the document, and loads their texts. Called once in a browser, before
/// hydration.
pub fn load_texts() {
    let html = document().document_element();
    let code = html.and_then(|html| html.get_attribute("lang"));
    let known = |language: &Language| code.as_deref() == Some(language.code());
    provide_context(Language::ALL.into_iter().find(known).unwrap_or_default());
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
pub(crate) fn versus(names: &[String; 2]) -> String {
    format!("{} – {}", Isolated(&names[0]), Isolated(&names[1]))
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

/// Returns the plural category of an integer by the rules of CLDR, as an index: 0 `one`, 1 `few`, 2 `many`, 3 `other`.
fn plural_category(language: Language, count: &dyn Display) -> usize {
    let Ok(count) = count.to_string().parse::<u64>() else {
        return 3;
    };
    match (language, count % 10, count % 100) {
        (Language::En, ..) if count == 1 => 0,
        (Language::En, ..) => 3,
        (Language::Ru, 1, last) if last != 11 => 0,
        (Language::Ru, 2..=4, last) if !(12..=14).contains(&last) => 1,
        (Language::Ru, ..) => 2,
    }
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

    #[test]
    fn language_is_negotiated() {
        for (accepted, language) in [
            ("", Language::En),
            ("de", Language::En),
            ("ru", Language::Ru),
            ("de-DE, RU-ru;q=0.9, en;q=0.8", Language::Ru),
            ("ru;q=0.5, en-GB;q=0.7,*;q=0.1", Language::En),
            ("en;q=, ru;q=0.1", Language::Ru),
        ] {
            assert_eq!(
                Language::select(LanguageChoice::Browser, accepted),
                language,
                "{accepted}"
            );
        }
        assert_eq!(
            Language::select(LanguageChoice::English, "ru"),
            Language::En
        );
    }
}
