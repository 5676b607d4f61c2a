//! The query string of the lobby; without a choice in it, the last choice from the cookie.

use crate::ui::forms::fields::InvalidFields;
use crate::ui::lobby::choice::Choice;
use crate::ui::lobby::filter;
use leptos::prelude::use_context;
use leptos_router::params::ParamsMap;
use tochki_protocol::LastChoices;
use tochki_protocol::{ApiError, Filter};
use tochki_rules::GameKind;

/// A query of the lobby.
#[derive(Clone)]
pub(crate) struct LobbyQuery {
    /// The id of the game, valid or not.
    game: String,
    /// The fields of the choice.
    fields: ParamsMap,
    /// The fields of the filter.
    filter_fields: ParamsMap,
    /// The panel that is open.
    open: Option<String>,
    /// The last choices, from the cookie.
    last: LastChoices,
}

impl LobbyQuery {
    /// Reads the URL's query; the last choices come from the context. For pages.
    pub(crate) fn from_url(address: &ParamsMap) -> Self {
        Self::new(address, use_context().unwrap_or_default())
    }

    /// Reads a query. A query with any field of the choice is not mixed with the last choice.
    fn new(address: &ParamsMap, last: LastChoices) -> Self {
        let last_game = || last.game().unwrap_or(GameKind::DEFAULT).to_string();
        let game = address.get("game").unwrap_or_else(last_game);
        let present = |field| address.get_str(field).is_some();
        let remembered = game.parse().ok().and_then(|game| {
            let no_choice = !Choice::fields(game).any(present);
            last.of(game).filter(|_| no_choice).map(fields_of)
        });
        let mut filter_fields = address.clone();
        for field in filter::FILTER_FIELDS
            .into_iter()
            .filter(|_| present("reset"))
        {
            filter_fields.remove(field);
        }
        Self {
            game,
            fields: remembered.unwrap_or_else(|| address.clone()),
            filter_fields,
            open: address.get("open"),
            last,
        }
    }

    /// Changes the choice to that of a guest, whose matches are never rated.
    pub(crate) fn unrated(mut self) -> Self {
        self.fields.replace("rated", "no".to_owned());
        self
    }

    /// Returns the id of the game, valid or not.
    pub(crate) fn game(&self) -> &str {
        &self.game
    }

    /// Returns the fields of the choice.
    pub(crate) fn fields(&self) -> &ParamsMap {
        &self.fields
    }

    /// Returns the fields of the filter.
    pub(crate) fn filter_fields(&self) -> &ParamsMap {
        &self.filter_fields
    }

    /// Returns the choice, or the invalid fields.
    pub(crate) fn choice(&self, game: GameKind) -> Result<Choice, InvalidFields> {
        Choice::read(game, &|field| self.fields.get(field))
    }

    /// Returns the filter of the shown players.
    pub(crate) fn filter(&self) -> Result<Filter, ApiError> {
        let [min, max, name] = filter::FILTER_FIELDS.map(|field| self.filter_fields.get_str(field));
        Filter::read(min, max, name)
    }

    /// Returns the choice as a query string; if it is invalid, the game alone.
    pub(crate) fn choice_query(&self, game: GameKind) -> String {
        let choice = self.choice(game).map(Choice::query);
        choice.unwrap_or_else(|_| format!("game={game}"))
    }

    /// Returns the filter as a query string.
    pub(crate) fn filter_query(&self) -> String {
        if self.filter().is_err() {
            return String::new();
        }
        filter::query(&|field| self.filter_fields.get(field))
    }

    /// Returns whether this panel is open.
    pub(crate) fn is_open(&self, panel: &str) -> bool {
        self.open.as_deref() == Some(panel)
    }

    /// Returns the choice to store, if it differs from the stored one or is of another game.
    pub(crate) fn new_choice(&self) -> Option<String> {
        let game = self.game.parse().ok()?;
        let chosen = self.choice(game).ok()?.query();
        let default = || Choice::read(game, &|_| None).ok().map(Choice::query);
        let known = match self.last.of(game) {
            Some(last) => chosen == last,
            None => Some(&chosen) == default().as_ref(),
        };
        let stays = game == self.last.game().unwrap_or(GameKind::DEFAULT);
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

    fn query(address: &str, last: &str) -> LobbyQuery {
        LobbyQuery::new(&fields_of(address), LastChoices::from_cookie(last))
    }

    #[track_caller]
    fn check(address: &str, last: &str, chosen: &str) {
        assert_eq!(
            query(address, last).choice_query(GameKind::Dots),
            chosen,
            "{address}"
        );
    }

    #[test]
    fn the_address_goes_before_what_is_remembered() {
        check("", LAST, LAST);
        check("game=dots&min=1400", LAST, LAST);
        let default = "game=dots&board=39x32&start=empty&clock=300+5&rated=yes";
        check("", "", default);
        check("game=dots", "nonsense", default);
        check("rated=yes", LAST, default);
        assert_eq!(query("game=chess", LAST).game(), "chess");
        assert_eq!(query("", LAST).game(), "dots");
    }

    #[test]
    fn only_a_new_choice_is_remembered() {
        assert_eq!(query("", LAST).new_choice(), None);
        assert_eq!(query("", "").new_choice(), None);
        assert_eq!(query(LAST, LAST).new_choice(), None);
        assert_eq!(query(LAST, "").new_choice().as_deref(), Some(LAST));
        assert_eq!(query("board=4x4", LAST).new_choice(), None);
        assert_eq!(query("game=chess&board=9x9", LAST).new_choice(), None);
    }

    #[test]
    fn each_game_has_its_own_last_choice() {
        let boxes = "game=boxes&board=5x5&clock=none&rated=yes";
        let last = format!("{boxes}|{LAST}");
        let dots = query("game=dots", &last);
        assert_eq!(dots.choice_query(GameKind::Dots), LAST);
        assert_eq!(dots.new_choice().as_deref(), Some(LAST));
        let here = query("", &last);
        assert_eq!(
            (here.game(), here.choice_query(GameKind::Boxes)),
            ("boxes", boxes.to_owned())
        );
        assert_eq!(here.new_choice(), None);
        // Fields of another game are ignored.
        let gomoku = query("game=gomoku&board=own&width=99", &last);
        let usual = "game=gomoku&size=19&rule=freestyle&clock=300+5&rated=yes";
        assert_eq!(gomoku.choice_query(GameKind::Gomoku), usual);
        assert_eq!(gomoku.new_choice().as_deref(), Some(usual));
    }

    #[test]
    fn a_filter_that_makes_no_sense_leaves_the_address() {
        assert_eq!(query("min=1400&max=", "").filter_query(), "&min=1400");
        assert_eq!(query("min=2&max=1", "").filter_query(), "");
        assert!(query("min=x", "").filter().is_err());
        assert_eq!(query("min=1400&name=a&reset=yes", "").filter_query(), "");
    }
}
