//! Every sentence a visitor sees: written in `locales/`, one file a language, and turned into Rust by `build.rs`.
//!
//! `say!(language, page.sentence, name = value)` gives the text; what is missing or misspelt does not compile. The
//! language is the document's and changes only with a new document, so texts are plain strings and not signals.
//!
//! In the server they are data, and one function puts values into any of them. A browser gets those of its language that
//! islands say ([`shipped`]). Whoever uses another one in an island adds its key to `islands.json`, in the order of the
//! alphabet; until then the page shows the key, and `cargo make weigh` fails.

pub(crate) mod errors;
pub(crate) mod shipped;
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
pub(crate) mod written {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}

pub use shipped::script_at;
pub use written::Language;
pub(crate) use written::say;

impl Language {
    /// The language of a visit: what the visitor has chosen, else the one of ours that the browser would like best, by
    /// its `Accept-Language`.
    pub fn of_visit(chosen: LanguageChoice, accepted: &str) -> Self {
        match chosen {
            LanguageChoice::Browser => Self::accepted(accepted).unwrap_or_default(),
            LanguageChoice::English => Self::En,
            LanguageChoice::Russian => Self::Ru,
        }
    }

    /// The first of ours in the order of preference. Of a region (`en-GB`) the language is enough.
    fn accepted(accepted: &str) -> Option<Self> {
        let mut wishes: Vec<(f32, &str)> = accepted
            .split(',')
            .map(|wish| {
                let (code, weight) = wish.split_once(";q=").unwrap_or((wish, "1"));
                (weight.trim().parse().unwrap_or(0.0), code.trim())
            })
            .filter(|(weight, _)| *weight > 0.0)
            .collect();
        wishes.sort_by(|one, other| other.0.total_cmp(&one.0));
        let ours = |code: &str| {
            let code = code.split('-').next()?;
            let known = |language: &Self| language.code().eq_ignore_ascii_case(code);
            Self::ALL.into_iter().find(known)
        };
        wishes.into_iter().find_map(|(_, code)| ours(code))
    }
}

/// The language of this document.
pub(crate) fn language() -> Language {
    use_context().unwrap_or_default()
}

/// Lets the islands of this document speak its language. For the first call in a browser.
pub fn speak() {
    let html = document().document_element();
    let code = html.and_then(|html| html.get_attribute("lang"));
    let known = |language: &Language| code.as_deref() == Some(language.code());
    provide_context(Language::ALL.into_iter().find(known).unwrap_or_default());
    shipped::load();
}

/// A value of a text: `name = value`, or `name` for a value of that name.
macro_rules! value {
    ($name:ident) => {
        &$name
    };
    ($name:ident, $value:expr) => {
        &$value
    };
}
pub(crate) use value;

/// Puts values where a text has their numbers in braces.
fn fill(text: &str, values: &[&dyn Display]) -> String {
    let mut filled = String::new();
    for (place, piece) in text.split(['{', '}']).enumerate() {
        // Every second piece stood in braces.
        match piece.parse::<usize>() {
            Ok(number) if place % 2 == 1 => {
                // Writing into a string cannot fail.
                let _ = write!(filled, "{}", values[number]);
            }
            _ => filled.push_str(piece),
        }
    }
    filled
}

/// Which of the forms of a text a number asks for, by the rules of CLDR: `one`, `few`, `many` or `other`. What is counted
/// here is whole.
fn form(language: Language, count: &dyn Display) -> usize {
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
    fn values_stand_where_they_belong() {
        assert_eq!(fill("{1} of {0}: {1}", &[&"a", &2]), "2 of a: 2");
        let (name, rating) = ("{0}", 1600);
        assert_eq!(
            say!(Language::En, calls.asks, rating, name = name),
            "{0} (1600) challenges you."
        );
    }

    #[track_caller]
    fn check(language: Language, counts: &[u32], said: &str) {
        for count in counts {
            let expected = said.replace('N', &count.to_string());
            assert_eq!(say!(language, board.would_capture, count), expected);
        }
    }

    #[test]
    fn what_is_counted_has_the_form_of_its_number() {
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
    fn a_browser_gets_what_it_likes_best() {
        for (accepted, language) in [
            ("", Language::En),
            ("de", Language::En),
            ("ru", Language::Ru),
            ("de-DE, RU-ru;q=0.9, en;q=0.8", Language::Ru),
            ("ru;q=0.5, en-GB;q=0.7,*;q=0.1", Language::En),
            ("en;q=, ru;q=0.1", Language::Ru),
        ] {
            assert_eq!(
                Language::of_visit(LanguageChoice::Browser, accepted),
                language,
                "{accepted}"
            );
        }
        assert_eq!(
            Language::of_visit(LanguageChoice::English, "ru"),
            Language::En
        );
    }
}
