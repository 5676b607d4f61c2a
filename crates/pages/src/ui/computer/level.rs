//! The names of the eight levels.

use crate::ui::text::{Language, t};
use tochki_protocol::limits::LEVELS;

/// The level that is chosen for a newcomer.
pub(crate) const DEFAULT: u8 = 2;

/// The names of all levels, the weakest first.
pub(crate) fn names(language: Language) -> [&'static str; *LEVELS.end() as usize] {
    [
        t!(language, computer.level_1),
        t!(language, computer.level_2),
        t!(language, computer.level_3),
        t!(language, computer.level_4),
        t!(language, computer.level_5),
        t!(language, computer.level_6),
        t!(language, computer.level_7),
        t!(language, computer.level_8),
    ]
}

/// The level with this number, else the default.
pub(crate) fn parse(text: Option<&str>) -> u8 {
    let level = text.and_then(|text| text.parse().ok());
    level
        .filter(|level| LEVELS.contains(level))
        .unwrap_or(DEFAULT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_out_of_range_is_the_default() {
        assert_eq!(parse(Some("8")), 8);
        for text in [None, Some("0"), Some("9"), Some("strong"), Some("-1")] {
            assert_eq!(parse(text), DEFAULT, "{text:?}");
        }
    }
}
