//! Cookie with the terms chosen on the last visits.

use tochki_rules::GameKind;

/// Separates the choices of two games; no choice contains it.
const SEPARATOR: char = '|';

/// The last choice of each game, that of the last game first. The server provides it as a context.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastChoices(String);

impl LastChoices {
    /// Takes the value of the cookie. Invalid parts are ignored when they are read.
    pub fn from_cookie(cookie: &str) -> Self {
        Self(cookie.to_owned())
    }

    /// Returns the choices with a new choice of its game, which becomes the last one; `None` if the new choice names no game.
    pub fn with(&self, choice: &str) -> Option<Self> {
        let game = game_of(choice)?;
        let others = self.iter().filter(|other| game_of(other) != Some(game));
        let all: Vec<_> = [choice].into_iter().chain(others).collect();
        Some(Self(all.join(&SEPARATOR.to_string())))
    }

    /// The value of the cookie.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last game.
    pub fn game(&self) -> Option<GameKind> {
        self.iter().find_map(game_of)
    }

    /// The last choice of a game, as a query string.
    pub fn of(&self, game: GameKind) -> Option<&str> {
        self.iter().find(|choice| game_of(choice) == Some(game))
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        self.0
            .split(SEPARATOR)
            .filter(|choice| game_of(choice).is_some())
    }
}

/// The game of a choice.
fn game_of(choice: &str) -> Option<GameKind> {
    let mut parts = choice.split('&');
    parts
        .find_map(|part| part.strip_prefix("game="))?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_choice_replaces_the_old_one_of_its_game() {
        let none = LastChoices::default();
        assert_eq!((none.game(), none.of(GameKind::Dots)), (None, None));
        let first = none.with("game=dots&board=13x13").unwrap();
        assert_eq!(first.as_str(), "game=dots&board=13x13");
        let second = first.with("game=dots&board=20x20").unwrap();
        assert_eq!(second.game(), Some(GameKind::Dots));
        assert_eq!(second.of(GameKind::Dots), Some("game=dots&board=20x20"));
        assert_eq!(second.as_str(), "game=dots&board=20x20");
    }

    #[test]
    fn choices_of_other_games_are_kept_and_the_last_game_is_first() {
        let both = LastChoices::from_cookie("game=reversi&rated=no|game=dots&board=13x13");
        assert_eq!(both.game(), Some(GameKind::Reversi));
        assert_eq!(both.of(GameKind::Dots), Some("game=dots&board=13x13"));
        let three = both.with("game=boxes&board=5x5").unwrap();
        let back = three.with("game=dots&board=20x20").unwrap();
        assert_eq!(
            back.as_str(),
            "game=dots&board=20x20|game=boxes&board=5x5|game=reversi&rated=no"
        );
        assert_eq!(back.of(GameKind::Gomoku), None);
    }

    #[test]
    fn invalid_choices_are_ignored() {
        for junk in ["", "board=4x4", "game=chess&board=9x9", "&&==+", "||"] {
            let choices = LastChoices::from_cookie(junk);
            assert_eq!(choices.game(), None, "{junk}");
            assert_eq!(LastChoices::default().with(junk), None, "{junk}");
            assert_eq!(choices.with("game=dots").unwrap().as_str(), "game=dots");
        }
    }
}
