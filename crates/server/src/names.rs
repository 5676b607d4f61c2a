//! Names of players and of tables: validation, and the key by which names of players are compared.

use tochki_protocol::limits::{NAME_MAX_CHARS, NAME_MIN_CHARS, TABLE_NAME_MAX_CHARS};
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// The name of a player in NFC: a letter of any script, then letters, marks, digits, `_` and `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    text: String,
    key: NameKey,
}

/// Longer texts, in characters, are cut before normalization. No name is so long in any normalization form.
const INPUT_MAX_CHARS: usize = 256;

/// The key of a name, its lower-case form in NFKC. Names with the same key are the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct NameKey(String);

impl Name {
    /// Validates a name, without surrounding whitespace.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text: String = text.trim().nfc().collect();
        let valid_length = (NAME_MIN_CHARS..=NAME_MAX_CHARS).contains(&text.chars().count());
        let mut characters = text.chars();
        let valid_start = characters.next().is_some_and(is_letter);
        let valid_rest =
            characters.all(|c| is_letter(c) || is_mark(c) || is_digit(c) || matches!(c, '_' | '-'));
        (valid_length && valid_start && valid_rest).then(|| Self {
            key: NameKey::of(&text),
            text,
        })
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn key(&self) -> &NameKey {
        &self.key
    }
}

impl NameKey {
    /// The key of any text, which may be an invalid name.
    pub(super) fn of(text: &str) -> Self {
        let short: String = text.trim().chars().take(INPUT_MAX_CHARS).nfkc().collect();
        // The whole string, because the lower case of a Greek sigma depends on its position. The result may not be in NFKC.
        let lower = short.to_lowercase();
        // Postgres does not accept NUL in texts.
        let key = lower.nfkc().map(|c| if c == '\0' { '\u{fffd}' } else { c });
        Self(key.collect())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The name of a table: plain text on one line, without characters that change the direction of text, and without long
/// sequences of combining marks, which would overlap other lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TableName(String);

/// The maximum number of combining marks on a letter. No script needs more.
const MAX_MARKS: usize = 4;

impl TableName {
    /// Validates a name, without surrounding whitespace. An empty one is invalid.
    pub(super) fn read(text: &str) -> Option<Self> {
        if text.len() > 4 * INPUT_MAX_CHARS {
            return None;
        }
        let text: String = text.trim().nfc().collect();
        let valid_length = (1..=TABLE_NAME_MAX_CHARS).contains(&text.chars().count());
        let mut marks = 0;
        let plain = text.chars().all(|c| {
            marks = if is_mark(c) { marks + 1 } else { 0 };
            marks <= MAX_MARKS && is_plain(c)
        });
        (valid_length && plain).then_some(Self(text))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a character is visible and does not affect others. The zero-width joiner and non-joiner are allowed, because
/// some scripts and emoji sequences need them.
fn is_plain(c: char) -> bool {
    use GeneralCategory::{LineSeparator, ParagraphSeparator};
    let category = c.general_category();
    matches!(c, '\u{200c}' | '\u{200d}')
        || c.general_category_group() != GeneralCategoryGroup::Other
            && !matches!(category, LineSeparator | ParagraphSeparator)
}

fn is_letter(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Letter
}

fn is_mark(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Mark
}

fn is_digit(c: char) -> bool {
    c.general_category() == GeneralCategory::DecimalNumber
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
        ] {
            assert!(Name::read(name).is_some(), "{name}");
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
            assert!(Name::read(name).is_none(), "{name:?}");
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

    #[test]
    fn names_of_tables_are_plain_text() {
        for (typed, name) in [
            ("  After work ", "After work"),
            ("Стол № 5 — «точки»", "Стол № 5 — «точки»"),
            ("<b>bold</b>", "<b>bold</b>"),
            ("x", "x"),
            ("नीता 👩\u{200d}🚀", "नीता 👩\u{200d}🚀"),
        ] {
            let read = TableName::read(typed).unwrap_or_else(|| panic!("{typed}"));
            assert_eq!(read.as_str(), name);
        }
        assert!(TableName::read(&"ж".repeat(40)).is_some());
    }

    #[test]
    fn invisible_characters_and_many_marks_are_no_names_of_tables() {
        for name in [
            "",
            "   ",
            "two\nlines",
            "a\0b",
            "a\u{202e}b",
            "a\u{2066}b",
            "a\u{2028}b",
            "a\u{200f}b",
            "a\u{e000}",
            "z\u{316}\u{317}\u{318}\u{319}\u{31c}algo",
        ] {
            assert!(TableName::read(name).is_none(), "{name:?}");
        }
        assert!(TableName::read(&"ж".repeat(41)).is_none());
    }
}
