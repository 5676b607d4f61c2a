//! How a visitor wants the pages: a few choices, each a name with a word out of a closed list.
//!
//! They travel as text, `theme=night&sound=off`, in which only what differs from the default stands: in a cookie for a
//! visitor, beside the account for a player. On a page each of them is an attribute of `<html>`, `data-theme="night"`.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

macro_rules! choices {
    ($($(#[$doc:meta])* $type:ident { $($(#[$word_doc:meta])* $choice:ident $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $type {
            $($(#[$word_doc])* $choice,)*
        }

        impl $type {
            /// All choices; the default comes first.
            pub const ALL: &'static [Self] = &[$(Self::$choice,)*];

            /// The word for this choice.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$choice => $word,)* }
            }

            fn read(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|choice| choice.word() == word)
            }
        }
    )*};
}

choices! {
    /// How the paper looks.
    Theme {
        /// As the system wants it.
        #[default]
        System "system",
        /// Warm white paper.
        Day "day",
        /// A dark notebook.
        Night "night",
    }
    /// The colours of the two sides.
    Palette {
        /// A red pen and a blue one.
        #[default]
        Pens "pens",
        /// Vermilion and blue, and captured areas hatched in opposite directions: told apart by every eye.
        Safe "safe",
    }
    /// The language of the pages.
    LanguageChoice {
        /// What the browser asks for first.
        #[default]
        Browser "browser",
        /// English.
        English "en",
        /// Russian.
        Russian "ru",
    }
}

/// All settings of a visitor.
// Each of the switches is one on the page, and none depends on another.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How the paper looks.
    pub theme: Theme,
    /// The colours of the two sides.
    pub palette: Palette,
    /// Whether moves and challenges are heard.
    pub sound: bool,
    /// Whether a mouse, too, places only with a second press on the same point.
    pub confirm: bool,
    /// Whether coordinates stand along the edges of the board.
    pub coordinates: bool,
    /// Whether the board marks where one may move, in games in which that is not everywhere.
    pub marks: bool,
    /// The language of the pages.
    pub language: LanguageChoice,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            palette: Palette::Pens,
            sound: true,
            confirm: false,
            coordinates: true,
            marks: true,
            language: LanguageChoice::Browser,
        }
    }
}

impl Settings {
    /// The names of all settings.
    pub const NAMES: [&'static str; 7] = [
        "theme",
        "palette",
        "sound",
        "confirm",
        "coordinates",
        "marks",
        "language",
    ];

    /// The word a setting stands at.
    pub fn word(&self, name: &str) -> Option<&'static str> {
        Some(match name {
            "theme" => self.theme.word(),
            "palette" => self.palette.word(),
            "sound" => switch(self.sound),
            "confirm" => switch(self.confirm),
            "coordinates" => switch(self.coordinates),
            "marks" => switch(self.marks),
            "language" => self.language.word(),
            _ => return None,
        })
    }

    /// Changes one setting; `None` where there is no such setting or no such word for it, and then nothing has changed.
    pub fn set(&mut self, name: &str, word: &str) -> Option<()> {
        match name {
            "theme" => self.theme = Theme::read(word)?,
            "palette" => self.palette = Palette::read(word)?,
            "sound" => self.sound = is_on(word)?,
            "confirm" => self.confirm = is_on(word)?,
            "coordinates" => self.coordinates = is_on(word)?,
            "marks" => self.marks = is_on(word)?,
            "language" => self.language = LanguageChoice::read(word)?,
            _ => return None,
        }
        Some(())
    }

    /// The words of a setting that are not its default, with their names.
    pub fn chosen(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        Self::NAMES.into_iter().filter_map(|name| {
            let word = self.word(name)?;
            (Self::default().word(name) != Some(word)).then_some((name, word))
        })
    }
}

const fn switch(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

fn is_on(word: &str) -> Option<bool> {
    match word {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (name, word)) in self.chosen().enumerate() {
            let and = if place == 0 { "" } else { "&" };
            write!(f, "{and}{name}={word}")?;
        }
        Ok(())
    }
}

impl FromStr for Settings {
    type Err = Infallible;

    /// Reads what some version of this program has kept: what is unknown by now stays at its default.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let mut settings = Self::default();
        for (name, word) in text.split('&').filter_map(|pair| pair.split_once('=')) {
            settings.set(name, word);
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, kept: &str) {
        let Ok(settings) = text.parse::<Settings>();
        assert_eq!(settings.to_string(), kept);
    }

    #[test]
    fn only_what_differs_is_kept() {
        check("", "");
        check("theme=system&sound=on", "");
        let all =
            "theme=night&palette=safe&sound=off&confirm=on&coordinates=off&marks=off&language=ru";
        check(all, all);
    }

    #[test]
    fn what_is_unknown_is_passed_over() {
        check("colour=green&theme=pink&sound=off&=&&x", "sound=off");
    }

    #[test]
    fn a_word_that_is_none_changes_nothing() {
        let mut settings = Settings::default();
        for (name, word) in [("theme", "pink"), ("sound", "loud"), ("volume", "on")] {
            assert_eq!(settings.set(name, word), None);
        }
        assert_eq!(settings, Settings::default());
        for name in Settings::NAMES {
            assert!(settings.word(name).is_some(), "{name}");
        }
    }
}
