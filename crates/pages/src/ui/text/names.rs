//! The names of players as pages show them.

use crate::ui::text::{Language, t};
use tochki_protocol::limits::LEVELS;
use tochki_protocol::{DELETED, house_bot_name, house_bot_of};
use tochki_rules::GameKind;

/// Returns the name, the level of a house bot, or a text for a deleted account.
pub(crate) fn display_name(language: Language, name: &str) -> String {
    if name == DELETED {
        t!(language, name.deleted).to_owned()
    } else if let Some((_, level)) = house_bot_of(name) {
        t!(language, name.house_bot, level)
    } else {
        name.to_owned()
    }
}

/// Returns the part of a stored name that a reader looks for: `-level-3` where pages show `Level 3`, and otherwise the text itself. No
/// other name reads like that of a house bot, because names have no spaces.
pub(crate) fn stored_part(language: Language, shown: &str) -> String {
    let sought = shown.trim().to_lowercase();
    let is_of = |level: &u8| {
        // The game is not in the name that is shown.
        let name = display_name(language, &house_bot_name(GameKind::Dots, *level));
        name.to_lowercase() == sought
    };
    match LEVELS.into_iter().find(is_of) {
        Some(level) => format!("-level-{level}"),
        None => shown.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_house_bot_is_called_by_its_level() {
        for &game in GameKind::ALL {
            let name = house_bot_name(game, 3);
            assert_eq!(display_name(Language::En, &name), "Level 3");
            assert_eq!(display_name(Language::Ru, &name), "Уровень 3");
        }
        for name in ["Ann", "Dots-level-9", "dots-level-3"] {
            assert_eq!(display_name(Language::En, name), name);
        }
    }

    #[test]
    fn a_house_bot_is_found_by_the_name_that_is_shown() {
        for language in Language::SHIPPED {
            for &game in GameKind::ALL {
                let name = house_bot_name(game, 3);
                let part = stored_part(language, &display_name(language, &name));
                assert_eq!(part, "-level-3");
                assert!(name.contains(&part));
            }
        }
        assert_eq!(stored_part(Language::Ru, " уровень 8 "), "-level-8");
        for other in ["Level 9", "Level", "ann", "", "level-3", " Ann "] {
            assert_eq!(stored_part(Language::En, other), other);
        }
    }
}
