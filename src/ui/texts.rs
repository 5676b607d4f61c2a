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

    /// The language of a visit: what the visitor has chosen, else the one of ours that the browser asks for first.
    /// On the server, inside a request.
    pub fn of_visit(chosen: Tongue) -> Self {
        match chosen {
            Tongue::Browser => leptos_i18n::locale::resolve_locale(),
            Tongue::English => Self::en,
            Tongue::Russian => Self::ru,
        }
    }
}

/// The language of this document.
pub(super) fn language() -> Language {
    use_context().unwrap_or_default()
}

/// Lets everything inside an island speak the language it was rendered in.
pub(super) fn speak(language: Language) {
    provide_context(language);
}
