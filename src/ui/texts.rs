//! Every sentence a visitor sees: written in `locales/`, one file a language, and turned into Rust by `build.rs`.
//!
//! `say!(language, page.sentence, name = value)` gives the text; what is missing or misspelt does not compile, in any of
//! the languages. The language is the document's and changes only with a new document, so texts are plain strings and
//! not signals.
//!
//! All texts of a page in all languages travel to the browser. So they are nothing but data there, and one function
//! puts values into any of them.

use leptos::prelude::*;
use std::fmt::{Display, Write};

#[allow(
    clippy::pedantic,
    dead_code,
    missing_docs,
    non_camel_case_types,
    unreachable_pub,
    unused_imports
)]
pub(super) mod written {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}

pub(super) use written::{Language, say};

/// A value of a text: `name = value`, or `name` for a value of that name.
macro_rules! value {
    ($name:ident) => {
        &$name
    };
    ($name:ident, $value:expr) => {
        &$value
    };
}
pub(super) use value;

/// The language of this document.
pub(super) fn language() -> Language {
    use_context().unwrap_or_default()
}

/// Lets everything inside an island speak the language it was rendered in.
pub(super) fn speak(language: Language) {
    provide_context(language);
}

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

/// The form of a text for a number: one, few, many or other, as Unicode's rules for plurals call them.
fn form(language: Language, count: &dyn Display, forms: [&'static str; 4]) -> &'static str {
    let [one, few, many, other] = forms;
    // A number has the form of its digits, and what counts here is whole.
    let Ok(count) = count.to_string().parse::<u64>() else {
        return other;
    };
    match language {
        Language::En if count == 1 => one,
        Language::En => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_where_they_belong() {
        assert_eq!(fill("{1} of {0}: {1}", &[&"a", &2]), "2 of a: 2");
        assert_eq!(fill("100 %", &[]), "100 %");
        let (name, rating) = ("{0}", 1600);
        assert_eq!(
            say!(Language::En, calls.asks, rating, name = name),
            "{0} (1600) challenges you."
        );
    }

    #[test]
    fn one_is_not_many() {
        let said = [0, 1, 2, 21].map(|count| say!(Language::En, board.would_capture, count));
        assert_eq!(
            said,
            [
                "Captures 0 dots.",
                "Captures 1 dot.",
                "Captures 2 dots.",
                "Captures 21 dots."
            ]
        );
    }
}
