//! Every sentence a visitor sees: written in `locales/`, one file a language, and turned into Rust by `build.rs`.
//!
//! `say!(language, page.sentence, name = value)` gives the text; what is missing or misspelt does not compile. The
//! language is the document's and changes only with a new document, so texts are plain strings and not signals.

use crate::wire::Tongue;
use leptos::prelude::*;

#[allow(
    clippy::all,
    clippy::pedantic,
    dead_code,
    missing_docs,
    unreachable_pub,
    unused_imports
)]
mod written {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}

pub(super) use leptos_i18n::td_string as say;
pub use written::i18n::Locale as Language;

impl Language {
    /// The code of the language, as in `<html lang>`.
    pub(super) fn code(self) -> &'static str {
        leptos_i18n::Locale::as_str(self)
    }

    /// The language of a visit: what the visitor has chosen, else the one of ours that the browser would like best, by
    /// its `Accept-Language`.
    pub fn of_visit(chosen: Tongue, accepted: &str) -> Self {
        match chosen {
            Tongue::Browser => leptos_i18n::Locale::find_locale(&by_preference(accepted)),
            Tongue::English => Self::en,
            Tongue::Russian => Self::ru,
        }
    }
}

/// The languages of an `Accept-Language` header, the dearest first (RFC 9110, section 12.5.4).
fn by_preference(accepted: &str) -> Vec<&str> {
    let mut wishes: Vec<(f32, &str)> = accepted
        .split(',')
        .map(|wish| {
            let (code, weight) = wish.split_once(";q=").unwrap_or((wish, "1"));
            (weight.trim().parse().unwrap_or(0.0), code.trim())
        })
        .filter(|(weight, _)| *weight > 0.0)
        .collect();
    wishes.sort_by(|one, other| other.0.total_cmp(&one.0));
    wishes.into_iter().map(|(_, code)| code).collect()
}

/// The language of this document.
pub(super) fn language() -> Language {
    use_context().unwrap_or_default()
}

/// Lets everything inside an island speak the language it was rendered in.
pub(super) fn speak(language: Language) {
    provide_context(language);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_has_the_form_of_its_number() {
        let said = |language, count: u32| say!(language, watching.count, count = count);
        assert_eq!(said(Language::en, 1), "1 watching");
        assert_eq!(said(Language::ru, 21), "21 зритель");
        assert_eq!(said(Language::ru, 3), "3 зрителя");
        assert_eq!(said(Language::ru, 11), "11 зрителей");
    }

    #[test]
    fn a_browser_gets_what_it_likes_best() {
        for (accepted, language) in [
            ("", Language::en),
            ("de", Language::en),
            ("ru", Language::ru),
            ("de-DE, RU-ru;q=0.9, en;q=0.8", Language::ru),
            ("ru;q=0.5, en-GB;q=0.7,*;q=0.1", Language::en),
            ("en;q=, ru;q=0.1", Language::ru),
        ] {
            assert_eq!(
                Language::of_visit(Tongue::Browser, accepted),
                language,
                "{accepted}"
            );
        }
        assert_eq!(Language::of_visit(Tongue::English, "ru"), Language::en);
    }
}
