//! Players' names: which are names at all, and when two are the same.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// A name in NFC, 2 to 20 characters: a letter of any script with its marks first, then letters, marks, digits, `_`, `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    text: String,
    key: NameKey,
}

/// What is longer than this is no name, in whatever composition its 20 characters were typed.
const LONGEST_TYPED: usize = 256;

/// What two names that read alike have in common: the NFKC lower-case form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct NameKey(String);

impl Name {
    /// Reads a name; blanks around it are not part of it.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text: String = text.trim().nfc().collect();
        let fits = (2..=20).contains(&text.chars().count());
        let mut characters = text.chars();
        let starts = characters.next().is_some_and(is_letter);
        let goes_on =
            characters.all(|c| is_letter(c) || is_mark(c) || is_digit(c) || matches!(c, '_' | '-'));
        (fits && starts && goes_on).then(|| Self {
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
    /// The key of any text, also of one that is no name: nobody will have it.
    pub(super) fn of(text: &str) -> Self {
        let short: String = text.trim().chars().take(LONGEST_TYPED).nfkc().collect();
        // As a whole, because a Greek sigma at the end of a word has a lower case of its own; and it can leave a form
        // that NFKC composes further.
        let lower = short.to_lowercase();
        // Postgres refuses text with a NUL, and nothing that is asked for may fail there.
        let key = lower.nfkc().map(|c| if c == '\0' { '\u{fffd}' } else { c });
        Self(key.collect())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a table is called: 1 to 40 characters of plain text on one line.
///
/// Nothing invisible is in it that turns the direction of what follows, and no towers of marks that reach into other
/// lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TableName(String);

/// The most marks on one letter: no script needs more.
const MOST_MARKS: usize = 4;

impl TableName {
    /// Reads a name; blanks around it are not part of it, and nothing at all is no name.
    pub(super) fn read(text: &str) -> Option<Self> {
        if text.len() > 4 * LONGEST_TYPED {
            return None;
        }
        let text: String = text.trim().nfc().collect();
        let fits = (1..=40).contains(&text.chars().count());
        let mut marks = 0;
        let plain = text.chars().all(|c| {
            marks = if is_mark(c) { marks + 1 } else { 0 };
            marks <= MOST_MARKS && is_plain(c)
        });
        (fits && plain).then_some(Self(text))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a character is seen where it stands and changes nothing else. Two invisible ones are let through, because words
/// of some scripts, and faces made of several, are joined by them.
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
    fn letters_of_any_script_begin_a_name() {
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
    fn other_things_are_no_names() {
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
    fn names_that_read_alike_are_one() {
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
    fn a_table_may_be_called_anything_that_is_plain() {
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
    fn what_would_disturb_others_is_no_name_of_a_table() {
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
