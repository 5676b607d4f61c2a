//! What the address asks for, and where it says nothing of a game, what was chosen on the last visit.

use crate::ui::forms::fields::Mistakes;
use crate::ui::lobby::choice::Choice;
use crate::ui::lobby::filter;
use leptos::prelude::use_context;
use leptos_router::params::ParamsMap;
use tochki_protocol::LastChoices;
use tochki_protocol::{ApiError, Filter};
use tochki_rules::GameKind;

/// An address of the waiting room.
#[derive(Clone)]
pub(crate) struct Asked {
    /// The word for the game.
    game: String,
    /// The fields of the choice.
    fields: ParamsMap,
    /// The fields of the filter.
    sieve: ParamsMap,
    /// Which panel is to be open.
    open: Option<String>,
    /// What was chosen before.
    last: LastChoices,
}

impl Asked {
    /// Reads an address; for pages, which find the last choices in their context.
    pub(crate) fn in_address(address: &ParamsMap) -> Self {
        Self::new(address, use_context().unwrap_or_default())
    }

    /// An address that says anything of a choice is not mixed with what was said before.
    fn new(address: &ParamsMap, last: LastChoices) -> Self {
        let last_game = || last.game().unwrap_or(GameKind::ALL[0]).to_string();
        let game = address.get("game").unwrap_or_else(last_game);
        let speaks = |field| address.get_str(field).is_some();
        let remembered = game.parse().ok().and_then(|game| {
            let silent = !Choice::fields(game).any(speaks);
            last.of(game).filter(|_| silent).map(fields_of)
        });
        let mut sieve = address.clone();
        for field in filter::FIELDS.into_iter().filter(|_| speaks("reset")) {
            sieve.remove(field);
        }
        Self {
            game,
            fields: remembered.unwrap_or_else(|| address.clone()),
            sieve,
            open: address.get("open"),
            last,
        }
    }

    /// The same for a guest, whose games are never rated.
    pub(crate) fn unrated(mut self) -> Self {
        self.fields.replace("rated", "no".to_owned());
        self
    }

    /// Which game, if it is one.
    pub(crate) fn game(&self) -> &str {
        &self.game
    }

    /// The fields of the choice as they have been filled in.
    pub(crate) fn fields(&self) -> &ParamsMap {
        &self.fields
    }

    /// The fields of the filter as they have been filled in.
    pub(crate) fn sieve(&self) -> &ParamsMap {
        &self.sieve
    }

    /// What that comes to.
    pub(crate) fn choice(&self, game: GameKind) -> Result<Choice, Mistakes> {
        Choice::read(game, &|field| self.fields.get(field))
    }

    /// Whom to show.
    pub(crate) fn filter(&self) -> Result<Filter, ApiError> {
        let [min, max, name] = filter::FIELDS.map(|field| self.sieve.get_str(field));
        Filter::read(min, max, name)
    }

    /// The choice as an address carries it; where there is a mistake, the game alone.
    pub(crate) fn chosen(&self, game: GameKind) -> String {
        let choice = self.choice(game).map(Choice::query);
        choice.unwrap_or_else(|_| format!("game={game}"))
    }

    /// The filter as an address carries it.
    pub(crate) fn sifted(&self) -> String {
        if self.filter().is_err() {
            return String::new();
        }
        filter::query(&|field| self.sieve.get(field))
    }

    /// Whether this panel is to be open.
    pub(crate) fn opens(&self, panel: &str) -> bool {
        self.open.as_deref() == Some(panel)
    }

    /// The choice, if there is anything new in it: another game, or something else in the same.
    pub(crate) fn to_remember(&self) -> Option<String> {
        let game = self.game.parse().ok()?;
        let chosen = self.choice(game).ok()?.query();
        let default = || Choice::read(game, &|_| None).ok().map(Choice::query);
        let known = match self.last.of(game) {
            Some(last) => chosen == last,
            None => Some(&chosen) == default().as_ref(),
        };
        let stays = game == self.last.game().unwrap_or(GameKind::ALL[0]);
        (!known || !stays).then_some(chosen)
    }
}

fn fields_of(query: &str) -> ParamsMap {
    query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAST: &str = "game=dots&board=13x13&start=empty&clock=300+5&rated=no";

    fn asked(address: &str, last: &str) -> Asked {
        Asked::new(&fields_of(address), LastChoices::remembered(last))
    }

    #[track_caller]
    fn check(address: &str, last: &str, chosen: &str) {
        assert_eq!(
            asked(address, last).chosen(GameKind::Dots),
            chosen,
            "{address}"
        );
    }

    #[test]
    fn the_address_goes_before_what_is_remembered() {
        check("", LAST, LAST);
        check("game=dots&min=1400", LAST, LAST);
        let default = "game=dots&board=39x32&start=empty&clock=none&rated=yes";
        check("", "", default);
        check("game=dots", "nonsense", default);
        check("rated=yes", LAST, default);
        assert_eq!(asked("game=chess", LAST).game(), "chess");
        assert_eq!(asked("", LAST).game(), "dots");
    }

    #[test]
    fn only_a_new_choice_is_remembered() {
        assert_eq!(asked("", LAST).to_remember(), None);
        assert_eq!(asked("", "").to_remember(), None);
        assert_eq!(asked(LAST, LAST).to_remember(), None);
        assert_eq!(asked(LAST, "").to_remember().as_deref(), Some(LAST));
        assert_eq!(asked("board=4x4", LAST).to_remember(), None);
        assert_eq!(asked("game=chess&board=9x9", LAST).to_remember(), None);
    }

    #[test]
    fn each_game_has_its_own_last_choice() {
        let boxes = "game=boxes&board=5x5&clock=none&rated=yes";
        let last = format!("{boxes}|{LAST}");
        let dots = asked("game=dots", &last);
        assert_eq!(dots.chosen(GameKind::Dots), LAST);
        assert_eq!(dots.to_remember().as_deref(), Some(LAST));
        let here = asked("", &last);
        assert_eq!(
            (here.game(), here.chosen(GameKind::Boxes)),
            ("boxes", boxes.to_owned())
        );
        assert_eq!(here.to_remember(), None);
        // What belongs to another game says nothing.
        let gomoku = asked("game=gomoku&board=own&width=99", &last);
        let usual = "game=gomoku&size=19&rule=freestyle&clock=none&rated=yes";
        assert_eq!(gomoku.chosen(GameKind::Gomoku), usual);
        assert_eq!(gomoku.to_remember().as_deref(), Some(usual));
    }

    #[test]
    fn a_filter_that_makes_no_sense_leaves_the_address() {
        assert_eq!(asked("min=1400&max=", "").sifted(), "&min=1400");
        assert_eq!(asked("min=2&max=1", "").sifted(), "");
        assert!(asked("min=x", "").filter().is_err());
        assert_eq!(asked("min=1400&name=a&reset=yes", "").sifted(), "");
    }
}
