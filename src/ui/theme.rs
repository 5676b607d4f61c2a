//! Day or night: the system's choice, or the visitor's, which a cookie keeps and `<html data-theme>` shows.

use super::texts::{Language, say};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsCast;

/// How the paper looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    /// As the system wants it.
    #[default]
    System,
    /// Warm white paper.
    Day,
    /// A dark notebook.
    Night,
}

impl Theme {
    /// What a request's cookies ask for. The server provides it as a context, so that the first paint is right already.
    pub fn in_cookies(cookies: &str) -> Self {
        let word = cookies
            .split(';')
            .find_map(|pair| pair.trim().strip_prefix("theme="));
        Self::read(word)
    }

    fn read(word: Option<&str>) -> Self {
        match word {
            Some("day") => Self::Day,
            Some("night") => Self::Night,
            _ => Self::System,
        }
    }

    /// The value of `data-theme`, if the visitor has chosen.
    pub(super) const fn attribute(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::Day => Some("day"),
            Self::Night => Some("night"),
        }
    }

    const fn next(self) -> Self {
        match self {
            Self::System => Self::Day,
            Self::Day => Self::Night,
            Self::Night => Self::System,
        }
    }

    fn name(self, language: Language) -> &'static str {
        match self {
            Self::System => say!(language, theme.system),
            Self::Day => say!(language, theme.day),
            Self::Night => say!(language, theme.night),
        }
    }

    /// Shows it at once and keeps it for a year.
    fn choose(self) {
        let word = self.attribute();
        if let Some(root) = document().document_element() {
            let _ = match word {
                Some(word) => root.set_attribute("data-theme", word),
                None => root.remove_attribute("data-theme"),
            };
        }
        let age = if word.is_some() { 31_536_000 } else { 0 };
        let cookie = format!(
            "theme={}; Path=/; Max-Age={age}; SameSite=Lax",
            word.unwrap_or_default()
        );
        let _ = document()
            .unchecked_into::<web_sys::HtmlDocument>()
            .set_cookie(&cookie);
    }
}

/// The switch between them. It needs scripts; without them the system decides, and the style sheet hides it.
#[island]
pub(super) fn ThemeSwitch(language: Language, theme: Theme) -> impl IntoView {
    let theme = RwSignal::new(theme);
    let turn = move |_| {
        theme.update(|theme| *theme = theme.next());
        theme.get_untracked().choose();
    };
    view! {
        <button type="button" class="theme" on:click=turn>
            {say!(language, theme.label)}
            " "
            {move || theme.get().name(language)}
        </button>
    }
}
