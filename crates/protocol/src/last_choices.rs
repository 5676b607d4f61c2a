//! What was chosen on the last visits, as a cookie carries it.

use tochki_rules::GameKind;

/// What stands between the choices of two games; no choice contains it.
const BETWEEN: char = '|';

/// The last choice of each game, that of the last game first. The server provides it as a context.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastChoices(String);

impl LastChoices {
    /// What stands in a cookie, whatever it is.
    pub fn remembered(cookie: &str) -> Self {
        Self(cookie.to_owned())
    }

    /// The same with a new choice of its game, which becomes the last one; nothing where it names no game.
    pub fn with(&self, choice: &str) -> Option<Self> {
        let game = game_of(choice)?;
        let others = self.each().filter(|other| game_of(other) != Some(game));
        let each: Vec<_> = [choice].into_iter().chain(others).collect();
        Some(Self(each.join(&BETWEEN.to_string())))
    }

    /// What a cookie carries.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The last game.
    pub fn game(&self) -> Option<GameKind> {
        self.each().find_map(game_of)
    }

    /// The last choice of a game, as an address carries it.
    pub fn of(&self, game: GameKind) -> Option<&str> {
        self.each().find(|choice| game_of(choice) == Some(game))
    }

    fn each(&self) -> impl Iterator<Item = &str> {
        self.0
            .split(BETWEEN)
            .filter(|choice| game_of(choice).is_some())
    }
}

/// The game of a choice as an address carries it.
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
    fn a_new_choice_takes_the_place_of_the_old_one() {
        let none = LastChoices::default();
        assert_eq!((none.game(), none.of(GameKind::Dots)), (None, None));
        let first = none.with("game=dots&board=13x13").unwrap();
        assert_eq!(first.text(), "game=dots&board=13x13");
        let second = first.with("game=dots&board=20x20").unwrap();
        assert_eq!(second.game(), Some(GameKind::Dots));
        assert_eq!(second.of(GameKind::Dots), Some("game=dots&board=20x20"));
        assert_eq!(second.text(), "game=dots&board=20x20");
    }

    #[test]
    fn the_choice_of_each_game_stays_and_the_last_game_is_first() {
        let both = LastChoices::remembered("game=reversi&rated=no|game=dots&board=13x13");
        assert_eq!(both.game(), Some(GameKind::Reversi));
        assert_eq!(both.of(GameKind::Dots), Some("game=dots&board=13x13"));
        let three = both.with("game=boxes&board=5x5").unwrap();
        let back = three.with("game=dots&board=20x20").unwrap();
        assert_eq!(
            back.text(),
            "game=dots&board=20x20|game=boxes&board=5x5|game=reversi&rated=no"
        );
        assert_eq!(back.of(GameKind::Gomoku), None);
    }

    #[test]
    fn what_is_no_choice_of_a_game_is_forgotten() {
        for junk in ["", "board=4x4", "game=chess&board=9x9", "&&==+", "||"] {
            let choices = LastChoices::remembered(junk);
            assert_eq!(choices.game(), None, "{junk}");
            assert_eq!(LastChoices::default().with(junk), None, "{junk}");
            assert_eq!(choices.with("game=dots").unwrap().text(), "game=dots");
        }
    }
}
