//! Allowed characters of names, and invisible ones.

use tochki_protocol::limits;
use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};
use unicode_security::skeleton;

/// Letters and marks without ink that are not `Default_Ignorable`: two Egyptian blanks, the filler of Khitan, and the joiner
/// of numbers in Brahmi.
const BLANKS: [char; 4] = ['\u{13441}', '\u{13442}', '\u{16fe4}', '\u{1107f}'];

/// Marks that are seen only in the letter after them, which they stack (`Indic_Syllabic_Category=Invisible_Stacker`).
const STACKERS: [char; 14] = [
    '\u{1039}',
    '\u{17d2}',
    '\u{1a60}',
    '\u{11d45}',
    '\u{1bab}',
    '\u{aaf6}',
    '\u{10a3f}',
    '\u{11133}',
    '\u{113d0}',
    '\u{1193e}',
    '\u{11a47}',
    '\u{11a99}',
    '\u{11d97}',
    '\u{11f42}',
];

pub(super) fn is_letter(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Letter
}

pub(super) fn is_mark(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Mark
}

pub(super) fn is_digit(c: char) -> bool {
    c.general_category() == GeneralCategory::DecimalNumber
}

/// Returns whether nothing is to be seen of a character.
pub(super) fn is_invisible(c: char) -> bool {
    // A skeleton leaves out the characters that are Default_Ignorable, and no others.
    BLANKS.contains(&c) || skeleton(c.encode_utf8(&mut [0; 4])).next().is_none()
}

/// Returns whether a letter follows each mark that only shows in the letter after it.
pub(super) fn stackers_have_letters(text: &str) -> bool {
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if STACKERS.contains(&c) && !rest.clone().next().is_some_and(is_letter) {
            return false;
        }
    }
    true
}

/// Returns whether no letter has more than [`limits::NAME_MAX_MARKS`] marks.
pub(super) fn marks_are_few(text: &str) -> bool {
    let mut marks = 0;
    text.nfd().all(|c| {
        marks = if is_mark(c) { marks + 1 } else { 0 };
        marks <= limits::NAME_MAX_MARKS
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_ignorable_characters_are_invisible() {
        use regex_syntax::hir::{Class, HirKind};
        let parsed = regex_syntax::parse(r"\p{Default_Ignorable_Code_Point}").unwrap();
        let HirKind::Class(Class::Unicode(class)) = parsed.kind() else {
            panic!("a class")
        };
        let mut seen = 0;
        for range in class.iter() {
            for c in range.start()..=range.end() {
                assert!(is_invisible(c), "{c:?}");
                seen += 1;
            }
        }
        assert!(seen > 4000, "{seen}");
        for c in "aяक\u{301}\u{93f}_-0".chars() {
            assert!(!is_invisible(c), "{c:?}");
        }
    }

    #[test]
    fn at_most_two_marks() {
        assert!(marks_are_few("ếa"));
        assert!(marks_are_few("की\u{902}"));
        assert!(!marks_are_few("ế\u{323}"));
    }
}
