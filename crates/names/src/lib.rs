//! Names of players and of tables: validation, and the keys by which names of players are compared.
//!
//! Two names are the same if their lower-case forms in NFKC are ([`NameKey`]), or if they look the same ([`NameSkeleton`]).

mod characters;
#[cfg(test)]
mod every_code_point;
mod reserved;
mod scripts;
mod skeleton;
mod table_name;

pub use skeleton::NameSkeleton;
pub use table_name::{TableName, is_plain};

use characters::{
    is_digit, is_invisible, is_letter, is_mark, marks_are_few, stackers_have_letters,
};
use reserved::is_reserved;
use scripts::is_highly_restrictive;
use tochki_protocol::limits::{NAME_INPUT_MAX_CHARS, NAME_MAX_CHARS, NAME_MIN_CHARS};
use unicode_normalization::UnicodeNormalization;

/// The name of a player in NFC: a letter of any script, then letters, marks, digits, `_` and `-`, of one script and visible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    text: String,
    key: NameKey,
    skeleton: NameSkeleton,
}

/// The key of a name, its lower-case form in NFKC. Names with the same key are the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NameKey(String);

/// Why a text is no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidName {
    /// Its length or its characters.
    Syntax,
    /// A character that is not seen.
    Invisible,
    /// More than two marks on a letter.
    Marks,
    /// Letters of several scripts.
    Scripts,
    /// A name that reads as one of the operators or of the site.
    Reserved,
}

impl InvalidName {
    /// One English sentence.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Syntax => tochki_protocol::Code::InvalidName.message(),
            Self::Invisible => "A name has no invisible characters.",
            Self::Marks => "A name has at most two marks on a letter.",
            Self::Scripts => "All letters of a name are of one script.",
            Self::Reserved => "This name is reserved for the people who run this site.",
        }
    }
}

impl Name {
    /// Validates a name, without surrounding whitespace.
    pub fn read(text: &str) -> Result<Self, InvalidName> {
        if text.len() > 4 * NAME_INPUT_MAX_CHARS {
            return Err(InvalidName::Syntax);
        }
        let text: String = text.trim().nfc().collect();
        let valid_length = (NAME_MIN_CHARS..=NAME_MAX_CHARS).contains(&text.chars().count());
        let mut characters = text.chars();
        let valid_start = characters.next().is_some_and(is_letter);
        let valid_rest =
            characters.all(|c| is_letter(c) || is_mark(c) || is_digit(c) || matches!(c, '_' | '-'));
        if !(valid_length && valid_start && valid_rest) {
            return Err(InvalidName::Syntax);
        }
        if text.chars().any(is_invisible) || !stackers_have_letters(&text) {
            return Err(InvalidName::Invisible);
        }
        if !marks_are_few(&text) {
            return Err(InvalidName::Marks);
        }
        if !is_highly_restrictive(&text) {
            return Err(InvalidName::Scripts);
        }
        if is_reserved(&text) {
            return Err(InvalidName::Reserved);
        }
        Ok(Self {
            key: NameKey::of(&text),
            skeleton: NameSkeleton::of(&text),
            text,
        })
    }

    /// The name of an account of the site itself (a house bot), which nobody can register.
    pub fn of_house(text: &str) -> Self {
        Self {
            key: NameKey::of(text),
            skeleton: NameSkeleton::of(text),
            text: text.to_owned(),
        }
    }

    /// The name as its player wrote it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The key, which is unique among players.
    pub fn key(&self) -> &NameKey {
        &self.key
    }

    /// The skeleton, which is unique among players.
    pub fn skeleton(&self) -> &NameSkeleton {
        &self.skeleton
    }
}

impl NameKey {
    /// The key of any text, which may be an invalid name.
    pub fn of(text: &str) -> Self {
        let short: String = text
            .trim()
            .chars()
            .take(NAME_INPUT_MAX_CHARS)
            .nfkc()
            .collect();
        // The whole string, because the lower case of a Greek sigma depends on its position. The result may not be in NFKC.
        let lower = short.to_lowercase();
        // Postgres does not accept NUL in texts.
        let key = lower.nfkc().map(|c| if c == '\0' { '\u{fffd}' } else { c });
        Self(key.collect())
    }

    /// The text of the key.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_with_a_letter_of_any_script() {
        for name in [
            "Ann",
            "Ёж",
            "Петя-2",
            "李雷",
            "a_b",
            "नीता",
            "e\u{301}a",
            "ab345678901234567890",
            // Two ideographs, kana with a long vowel, an iteration mark, and what Unicode calls Japanese and Korean.
            "王伟",
            "さくら",
            "ゆーこ",
            "リュー",
            "佐々木",
            "山田タロウ",
            "桜子Sakurako",
            "김민준",
        ] {
            assert!(Name::read(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn other_texts_are_no_names() {
        for name in [
            "",
            "a",
            "_ab",
            "1ab",
            "-ab",
            "a b",
            "a.b",
            "<b>",
            "ab3456789012345678901",
            "\u{301}ab",
            "a\u{202e}b",
            "a🙂",
        ] {
            assert!(Name::read(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn similar_names_have_the_same_key() {
        for (one, other) in [
            ("Ann", "aNN"),
            ("Ёж", "ёЖ"),
            ("e\u{301}a", "Éa"),
            ("Ａｎｎ", "ann"),
            ("ﬁx", "FIX"),
            ("ΟΔΥΣΣΕΥΣ", "Οδυσσευς"),
        ] {
            assert_eq!(
                Name::read(one).unwrap().key(),
                Name::read(other).unwrap().key(),
                "{one} {other}"
            );
        }
        assert_eq!(Name::read("e\u{301}a").unwrap().as_str(), "éa");
    }
}
