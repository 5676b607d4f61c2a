//! The names of players as pages show them.

use crate::ui::text::{Language, t};
use tochki_protocol::{DELETED, house_bot_of};

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

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_protocol::house_bot_name;
    use tochki_rules::GameKind;

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
}
