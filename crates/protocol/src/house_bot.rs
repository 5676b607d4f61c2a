//! The names of the house bots. They are reserved, so a name identifies a house bot.

use crate::limits::LEVELS;
use tochki_rules::GameKind;

/// Returns the name of a house bot: game and level, as in `Dots-level-3`. Names have no spaces.
pub fn house_bot_name(game: GameKind, level: u8) -> String {
    let (first, rest) = game.id().split_at(1);
    format!("{}{rest}-level-{level}", first.to_uppercase())
}

/// Parses the game and the level in the name of a house bot; `None` for any other name.
pub fn house_bot_of(name: &str) -> Option<(GameKind, u8)> {
    // Without writing the names down: this is in the code of the match page.
    let (game, level) = name.split_once("-level-")?;
    let &[digit] = level.as_bytes() else {
        return None;
    };
    let level = digit.wrapping_sub(b'0');
    let mut letters = game.as_bytes().iter();
    let first = letters.next()?.to_ascii_lowercase();
    let is_upper = game.as_bytes()[0].is_ascii_uppercase();
    let named = |game: &GameKind| {
        let [initial, rest @ ..] = game.id().as_bytes() else {
            return false;
        };
        *initial == first && rest == letters.as_slice()
    };
    let game = GameKind::ALL.iter().copied().find(named)?;
    (is_upper && LEVELS.contains(&level)).then_some((game, level))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_game_and_level() {
        assert_eq!(house_bot_name(GameKind::Reversi, 8), "Reversi-level-8");
        for &game in GameKind::ALL {
            for level in LEVELS {
                assert_eq!(
                    house_bot_of(&house_bot_name(game, level)),
                    Some((game, level))
                );
            }
        }
        for name in [
            "Dots",
            "Dots-level-9",
            "Dots-level-03",
            "dots-level-3",
            "Chess-level-3",
            "3",
            "-",
        ] {
            assert_eq!(house_bot_of(name), None, "{name}");
        }
    }
}
