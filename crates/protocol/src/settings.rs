//! Settings of a visitor, nearly all of the display: each has a name and one of a closed list of values.
//!
//! As text they are `theme=night&sound=off`, with the settings that differ from the default. A cookie stores this text for
//! a visitor, the database for an account. On a page each setting of the display is an attribute of `<html>`, `data-theme="night"`.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

macro_rules! choices {
    ($($(#[$doc:meta])* $type:ident { $($(#[$choice_doc:meta])* $choice:ident $value:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $type {
            $($(#[$choice_doc])* $choice,)*
        }

        impl $type {
            /// All choices; the default comes first.
            pub const ALL: &'static [Self] = &[$(Self::$choice,)*];

/// The value in forms, cookies and attributes.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$choice => $value,)* }
            }

            fn parse(value: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|choice| choice.as_str() == value)
            }
        }
    )*};
}

choices! {
    /// The colour scheme.
    Theme {
        /// The colour scheme of the system.
        #[default]
        System "system",
        /// Warm white paper.
        Day "day",
        /// A dark notebook.
        Night "night",
    }
    /// The colours of the two sides.
    Palette {
        /// Black and white in games with stones or discs; red and blue in the others.
        #[default]
        Stones "stones",
        /// Red and blue in all games.
        Pens "pens",
        /// For colour-blind visitors: black and white in games with stones or discs; in the others vermilion and blue, and captured
        /// areas hatched in opposite directions.
        Safe "safe",
    }
}

/// The language of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LanguageChoice {
    /// The language that the browser prefers.
    #[default]
    Browser,
    /// The language of a tag. A release may lack its texts, because another release has stored the tag; then it is as `Browser`.
    Tag(LanguageTag),
}

impl LanguageChoice {
    /// The value in forms and cookies: a tag, or `browser`.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Browser => "browser",
            Self::Tag(tag) => tag.as_str(),
        }
    }

    fn parse(value: &str) -> Option<Self> {
        if value == Self::Browser.as_str() {
            return Some(Self::Browser);
        }
        value.parse().ok().map(Self::Tag)
    }
}

/// The most letters of a [`LanguageTag`]: `zh-Hans-CN` and a little more.
const TAG_MAX_BYTES: usize = 12;

/// A language tag of BCP 47: a language of two or three letters, then a script or a region, as in `zh-Hans`. The tag need not be
/// of a language that this site has texts in.
///
/// ```
/// use tochki_protocol::LanguageTag;
///
/// let tag: LanguageTag = "ZH-hans".parse().unwrap();
/// assert_eq!(tag.as_str(), "zh-Hans");
/// assert!("chinese, please".parse::<LanguageTag>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanguageTag {
    bytes: [u8; TAG_MAX_BYTES],
    length: usize,
}

impl LanguageTag {
    /// The tag in its usual case.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

/// The text is no language tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidLanguageTag;

impl FromStr for LanguageTag {
    type Err = InvalidLanguageTag;

    fn from_str(text: &str) -> Result<Self, InvalidLanguageTag> {
        if text.len() > TAG_MAX_BYTES {
            return Err(InvalidLanguageTag);
        }
        let mut tag = Self {
            bytes: [0; TAG_MAX_BYTES],
            length: 0,
        };
        for (index, part) in text.split('-').enumerate() {
            let lengths = if index == 0 { 2..=3 } else { 2..=4 };
            let valid =
                lengths.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
            let letters = index > 0 || part.bytes().all(|b| b.is_ascii_alphabetic());
            if !(valid && letters) {
                return Err(InvalidLanguageTag);
            }
            if index > 0 {
                tag.push(b'-');
            }
            for (place, byte) in part.bytes().enumerate() {
                // A script as `Hans`, a region as `CN`.
                let upper = index > 0 && (place == 0 || part.len() < 4);
                tag.push(if upper {
                    byte.to_ascii_uppercase()
                } else {
                    byte.to_ascii_lowercase()
                });
            }
        }
        Ok(tag)
    }
}

impl LanguageTag {
    fn push(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }
}

/// All settings of a visitor.
// The switches are independent of each other.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The colour scheme.
    pub theme: Theme,
    /// The colours of the two sides.
    pub palette: Palette,
    /// Whether moves and challenges make a sound.
    pub sound: bool,
    /// Whether a move needs a second press on the same point with a mouse as well, not only on a touch screen.
    pub confirm: bool,
    /// Whether the same is so in matches by correspondence, where a slip costs days. Those of who sets `confirm` ask in any case.
    pub confirm_correspondence: bool,
    /// Whether coordinates are shown along the edges of the board.
    pub coordinates: bool,
    /// Whether the board marks legal moves, in games where not every free place is legal.
    pub marks: bool,
    /// Whether guests may challenge this player, and be paired with them in a quick game.
    pub guests: bool,
    /// The language of the pages.
    pub language: LanguageChoice,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            palette: Palette::Stones,
            sound: true,
            confirm: false,
            confirm_correspondence: true,
            coordinates: true,
            marks: true,
            guests: true,
            language: LanguageChoice::Browser,
        }
    }
}

impl Settings {
    /// The names of all settings.
    pub const NAMES: [&'static str; 9] = [
        "theme",
        "palette",
        "sound",
        "confirm",
        "confirm_correspondence",
        "coordinates",
        "marks",
        "guests",
        "language",
    ];

    /// The value of a setting, by its name.
    pub fn value(&self, name: &str) -> Option<&str> {
        Some(match name {
            "theme" => self.theme.as_str(),
            "palette" => self.palette.as_str(),
            "sound" => switch_value(self.sound),
            "confirm" => switch_value(self.confirm),
            "confirm_correspondence" => switch_value(self.confirm_correspondence),
            "coordinates" => switch_value(self.coordinates),
            "marks" => switch_value(self.marks),
            "guests" => switch_value(self.guests),
            "language" => self.language.as_str(),
            _ => return None,
        })
    }

    /// Changes one setting. `None` if there is no such setting or value; then nothing has changed.
    pub fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "theme" => self.theme = Theme::parse(value)?,
            "palette" => self.palette = Palette::parse(value)?,
            "sound" => self.sound = parse_switch(value)?,
            "confirm" => self.confirm = parse_switch(value)?,
            "confirm_correspondence" => self.confirm_correspondence = parse_switch(value)?,
            "coordinates" => self.coordinates = parse_switch(value)?,
            "marks" => self.marks = parse_switch(value)?,
            "guests" => self.guests = parse_switch(value)?,
            "language" => self.language = LanguageChoice::parse(value)?,
            _ => return None,
        }
        Some(())
    }

    /// Names and values of the settings that differ from the default.
    pub fn non_default(&self) -> impl Iterator<Item = (&'static str, &str)> {
        Self::NAMES.into_iter().filter_map(|name| {
            let value = self.value(name)?;
            (Self::default().value(name) != Some(value)).then_some((name, value))
        })
    }
}

const fn switch_value(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

fn parse_switch(value: &str) -> Option<bool> {
    match value {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, value)) in self.non_default().enumerate() {
            let separator = if index == 0 { "" } else { "&" };
            write!(f, "{separator}{name}={value}")?;
        }
        Ok(())
    }
}

impl FromStr for Settings {
    type Err = Infallible;

    /// Parses the text that any version of this program has stored. Unknown settings and values are ignored.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let mut settings = Self::default();
        for (name, value) in text.split('&').filter_map(|pair| pair.split_once('=')) {
            settings.set(name, value);
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, stored: &str) {
        let Ok(settings) = text.parse::<Settings>();
        assert_eq!(settings.to_string(), stored);
    }

    #[test]
    fn text_has_only_settings_that_differ() {
        check("", "");
        check("theme=system&sound=on", "");
        let all = "theme=night&palette=safe&sound=off&confirm=on&confirm_correspondence=off&coordinates=off\
                   &marks=off&guests=off&language=ru";
        check(all, all);
        check("language=browser", "");
        check("language=zh-hans&sound=off", "sound=off&language=zh-Hans");
    }

    #[test]
    fn unknown_settings_are_ignored() {
        check("colour=green&theme=pink&sound=off&=&&x", "sound=off");
    }

    #[test]
    fn unknown_values_change_nothing() {
        let mut settings = Settings::default();
        for (name, value) in [
            ("theme", "pink"),
            ("sound", "loud"),
            ("volume", "on"),
            ("language", "english"),
            ("language", "zh-"),
            ("language", "e1"),
            ("language", "zh-Hans-CN-oldstyle"),
        ] {
            assert_eq!(settings.set(name, value), None);
        }
        assert_eq!(settings, Settings::default());
        for name in Settings::NAMES {
            assert!(settings.value(name).is_some(), "{name}");
        }
    }
}
