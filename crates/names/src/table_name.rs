//! Names of tables, which are free text on one line.

use super::characters::{is_invisible, is_mark};
use tochki_protocol::limits;
use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// The name of a table: plain text on one line, without characters that change the direction of text, and without long
/// sequences of combining marks, which would overlap other lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableName(String);

impl TableName {
    /// Validates a name, without surrounding whitespace. One in which nothing is seen is invalid.
    pub fn read(text: &str) -> Option<Self> {
        if text.len() > 4 * limits::NAME_INPUT_MAX_CHARS {
            return None;
        }
        let text: String = text.trim().nfc().collect();
        let valid_length = (1..=limits::TABLE_NAME_MAX_CHARS).contains(&text.chars().count());
        let mut marks = 0;
        let plain = text.chars().all(|c| {
            marks = if is_mark(c) { marks + 1 } else { 0 };
            marks <= limits::TEXT_MAX_MARKS && is_plain(c)
        });
        let is_seen = text.chars().any(is_seen);
        (valid_length && plain && is_seen).then_some(Self(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns whether a character is visible and does not affect others. The zero-width joiner and non-joiner are allowed, because
/// some scripts and emoji sequences need them.
pub fn is_plain(c: char) -> bool {
    use GeneralCategory::{LineSeparator, ParagraphSeparator};
    let category = c.general_category();
    matches!(c, '\u{200c}' | '\u{200d}')
        || c.general_category_group() != GeneralCategoryGroup::Other
            && !matches!(category, LineSeparator | ParagraphSeparator)
}

/// Returns whether something is seen of a character alone. A blank of Braille is a symbol without ink.
fn is_seen(c: char) -> bool {
    !c.is_whitespace() && !is_mark(c) && !is_invisible(c) && c != '\u{2800}'
}

#[cfg(test)]
mod tests {
    use super::*;

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
            "\u{115f}",
            "\u{3164}\u{3164}",
            "\u{2800}",
            "\u{200d}",
            "\u{2800} \u{115f}",
            "z\u{316}\u{317}\u{318}\u{319}\u{31c}algo",
        ] {
            assert!(TableName::read(name).is_none(), "{name:?}");
        }
        assert!(TableName::read(&"ж".repeat(41)).is_none());
    }
}
