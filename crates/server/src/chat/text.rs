//! The text of a message: plain text that cannot affect the rest of the page.

use tochki_protocol::Code;
use tochki_protocol::limits::{MESSAGE_MAX_CHARS, TEXT_MAX_MARKS};
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// One line of visible plain text in NFC, without control characters, characters that change the direction of text, and long
/// sequences of combining marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageText(String);

impl MessageText {
    /// Cleans and validates a message. It must not be blank or longer than [`MESSAGE_MAX_CHARS`].
    pub fn read(text: &str) -> Result<Self, Code> {
        let words = Self::read_short(text)?;
        if words.0.chars().all(is_blank) {
            return Err(Code::EmptyMessage);
        }
        Ok(words)
    }

    /// Cleans and validates a reason, which may be empty.
    pub fn read_short(text: &str) -> Result<Self, Code> {
        let mut words = String::new();
        let mut marks = 0;
        for c in one_line(text).nfc() {
            // A mark at the start would combine with a character before the text.
            let dropped = is_mark(c) && (marks >= TEXT_MAX_MARKS || words.is_empty());
            marks = if is_mark(c) { marks + 1 } else { 0 };
            if dropped || words.is_empty() && c.is_whitespace() {
                continue;
            }
            words.push(c);
        }
        words.truncate(words.trim_end().len());
        if words.chars().count() > MESSAGE_MAX_CHARS {
            return Err(Code::MessageTooLong);
        }
        Ok(Self(words))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The text without invisible characters; line breaks become spaces.
fn one_line(text: &str) -> impl Iterator<Item = char> {
    let mut after_return = false;
    text.chars().filter_map(move |c| {
        let second_of_crlf = after_return && c == '\n';
        after_return = c == '\r';
        match c {
            _ if second_of_crlf => None,
            '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                Some(' ')
            }
            _ if is_allowed(c) => Some(c),
            _ => None,
        }
    })
}

/// Removes control and format characters, except zero-width joiner and non-joiner, and the left-to-right and right-to-left
/// marks.
fn is_allowed(c: char) -> bool {
    match c.general_category() {
        GeneralCategory::Format => is_joiner(c) || matches!(c, '\u{200e}' | '\u{200f}'),
        GeneralCategory::Control => false,
        // Noncharacters.
        GeneralCategory::Unassigned => {
            !matches!(c as u32, 0xfdd0..=0xfdef) && (c as u32) & 0xfffe != 0xfffe
        }
        _ => true,
    }
}

const fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Combining marks and joiners.
fn is_mark(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Mark || is_joiner(c)
}

/// Returns whether the character is invisible: whitespace, format characters, and letters without a glyph.
fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || is_mark(c)
        || c.general_category() == GeneralCategory::Format
        || matches!(
            c,
            '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, Code>) {
        let words = MessageText::read(text);
        assert_eq!(
            words.as_ref().map(MessageText::as_str),
            expected.as_ref().map(|words| *words),
            "{text:?}"
        );
    }

    #[test]
    fn text_is_text_of_any_script() {
        for text in [
            "a",
            "<script>alert(1)</script>",
            "Ход 5,5 — зря!",
            "مرحبا",
            "می\u{200c}خواهم",
            "नमस्ते",
            "Việt",
            "👩\u{200d}❤\u{fe0f}\u{200d}👩 1\u{fe0f}\u{20e3}",
            "a  b",
        ] {
            check(text, Ok(text));
        }
        check("e\u{301}", Ok("é"));
        // Characters are composed after invisible ones between them are removed.
        check("e\u{200b}\u{301}", Ok("é"));
    }

    #[test]
    fn a_message_is_one_line() {
        check(" a\r\nb\nc\td\u{2028}e \n", Ok("a b c d e"));
        check("a\u{0}\u{7}\u{1b}[31mb", Ok("a[31mb"));
    }

    #[test]
    fn characters_that_change_the_direction_are_removed() {
        for turn in ('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{206f}') {
            check(&format!("a{turn}b"), Ok("ab"));
        }
        check("a\u{feff}\u{ad}\u{e0041}b", Ok("ab"));
    }

    #[test]
    fn long_sequences_of_marks_are_cut() {
        let tower = "\u{316}\u{317}\u{318}\u{319}";
        check(
            &format!("z{}b", tower.repeat(50)),
            Ok(&format!("z{tower}b")),
        );
        check(&"\u{301}\u{200d}".repeat(9), Err(Code::EmptyMessage));
        check("\u{301}a", Ok("a"));
        check(" \u{301} a", Ok("a"));
    }

    #[test]
    fn blank_messages_are_refused() {
        for text in [
            "",
            "   ",
            "\n",
            "\u{200b}\u{202e}",
            "\u{3164} \u{2800}",
            "\u{200e}",
        ] {
            check(text, Err(Code::EmptyMessage));
        }
        assert_eq!(MessageText::read_short(" ").unwrap().as_str(), "");
    }

    #[test]
    fn the_longest_message_has_300_characters() {
        for longest in ["я".repeat(300), "🙂".repeat(300), "e\u{301}".repeat(300)] {
            assert_eq!(
                MessageText::read(&longest)
                    .unwrap()
                    .as_str()
                    .chars()
                    .count(),
                300
            );
            check(&format!("{longest}a"), Err(Code::MessageTooLong));
            check(
                &format!(" {longest}\u{202e}\u{0} "),
                Ok(&longest.nfc().collect::<String>()),
            );
        }
        check(&"a".repeat(10_000), Err(Code::MessageTooLong));
    }

    /// Text with many special characters.
    fn any_text() -> impl Strategy<Value = String> {
        let odd = prop_oneof![
            any::<char>(),
            proptest::char::range('\u{0}', '\u{20}'),
            proptest::char::range('\u{2000}', '\u{206f}'),
            proptest::char::range('\u{300}', '\u{36f}'),
            proptest::char::range('\u{1100}', '\u{11ff}'),
            proptest::char::range('a', 'e'),
        ];
        proptest::collection::vec(odd, 0..60).prop_map(String::from_iter)
    }

    proptest! {
        #[test]
        fn cleaning_is_idempotent(text in any_text()) {
            if let Ok(words) = MessageText::read(&text) {
                prop_assert_eq!(MessageText::read(words.as_str()), Ok(words));
            }
        }

        #[test]
        fn cleaned_text_is_plain(text in any_text()) {
            if let Ok(words) = MessageText::read(&text) {
                let words = words.as_str();
                prop_assert!((1..=MESSAGE_MAX_CHARS).contains(&words.chars().count()));
                prop_assert!(unicode_normalization::is_nfc(words));
                prop_assert_eq!(words.trim(), words);
                let turns = |c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}' | '\u{61c}');
                prop_assert!(!words.contains(|c: char| c.is_control() || turns(c)));
                let mut marks = 0;
                for c in words.chars() {
                    marks = if is_mark(c) { marks + 1 } else { 0 };
                    prop_assert!(marks <= TEXT_MAX_MARKS);
                }
            }
        }
    }
}
