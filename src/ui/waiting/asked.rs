//! What the address asks for, and where it says nothing of a game, what was chosen on the last visit.

use super::choice::{Choice, Mistakes};
use super::filter;
use crate::rules::Kind;
use crate::wire::{ApiError, Filter};
use leptos::prelude::use_context;
use leptos_router::params::ParamsMap;

/// The last choice, as the cookie of this browser carries it. The server provides it as a context.
#[derive(Clone, Debug, Default)]
pub struct LastChoice(pub String);

/// An address of the waiting room.
#[derive(Clone)]
pub(crate) struct Asked {
    /// The fields of the choice.
    fields: ParamsMap,
    /// The fields of the filter.
    sieve: ParamsMap,
    /// Which panel is to be open.
    open: Option<String>,
    /// Whether the address itself says what to play, and not as it was said before.
    news: bool,
}

impl Asked {
    /// Reads an address; for pages, which find the last choice in their context.
    pub(crate) fn in_address(address: &ParamsMap) -> Self {
        Self::new(address, &use_context().unwrap_or_default())
    }

    /// An address that says anything of a choice is not mixed with what was said before.
    fn new(address: &ParamsMap, LastChoice(last): &LastChoice) -> Self {
        let remembered = fields_of(last);
        let speaks = |field: &&str| address.get_str(field).is_some();
        let of_another_game = speaks(&"game") && address.get("game") != remembered.get("game");
        let news = Choice::FIELDS.iter().any(speaks);
        let reset = speaks(&"reset");
        let mut sieve = address.clone();
        for field in filter::FIELDS.into_iter().filter(|_| reset) {
            sieve.remove(field);
        }
        let mut asked = Self {
            fields: if news || of_another_game {
                address.clone()
            } else {
                remembered
            },
            sieve,
            open: address.get("open"),
            news,
        };
        asked.news &= asked.chosen_in(asked.game()) != Some(last.clone());
        asked
    }

    /// Which game, if it is one.
    pub(crate) fn game(&self) -> &str {
        self.fields.get_str("game").unwrap_or(Kind::ALL[0].id())
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
    pub(crate) fn choice(&self, game: Kind) -> Result<Choice, Mistakes> {
        Choice::read(game, &|field| self.fields.get(field))
    }

    /// Whom to show.
    pub(crate) fn filter(&self) -> Result<Filter, ApiError> {
        let [min, max, name] = filter::FIELDS.map(|field| self.sieve.get_str(field));
        Filter::read(min, max, name)
    }

    /// The choice as an address carries it; where there is a mistake, the game alone.
    pub(crate) fn chosen(&self, game: Kind) -> String {
        self.chosen_in(game.id())
            .unwrap_or_else(|| format!("game={game}"))
    }

    fn chosen_in(&self, game: &str) -> Option<String> {
        let choice = self.choice(game.parse().ok()?).ok()?;
        Some(choice.query())
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

    /// The choice, if it is a new one.
    pub(crate) fn to_remember(&self) -> Option<String> {
        self.chosen_in(self.game()).filter(|_| self.news)
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
        Asked::new(&fields_of(address), &LastChoice(last.to_owned()))
    }

    #[track_caller]
    fn check(address: &str, last: &str, chosen: &str) {
        assert_eq!(asked(address, last).chosen(Kind::Dots), chosen, "{address}");
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
    fn a_filter_that_makes_no_sense_leaves_the_address() {
        assert_eq!(asked("min=1400&max=", "").sifted(), "&min=1400");
        assert_eq!(asked("min=2&max=1", "").sifted(), "");
        assert!(asked("min=x", "").filter().is_err());
        assert_eq!(asked("min=1400&name=a&reset=yes", "").sifted(), "");
    }
}
