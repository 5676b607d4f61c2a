//! Conversions between the terms of a match and their columns.

use crate::Error;
use tochki_play::{Pace, Terms};
use tochki_rules::{GameKind, Setup};

/// The key of the rating of a game at this pace, as `rating_kind` of the schema makes it.
pub(crate) fn rating_kind(game: GameKind, pace: Pace) -> String {
    match pace {
        Pace::Live => game.id().to_owned(),
        Pace::Correspondence => format!("{}:correspondence", game.id()),
    }
}

/// The columns game, setup and clock.
pub(crate) struct StoredTerms {
    pub(crate) game: String,
    pub(crate) setup: serde_json::Value,
    pub(crate) clock: String,
}

impl StoredTerms {
    pub(crate) const fn new(game: String, setup: serde_json::Value, clock: String) -> Self {
        Self { game, setup, clock }
    }

    pub(crate) fn of(terms: &Terms) -> Result<Self, Error> {
        let setup = terms
            .setup
            .fields()
            .map_err(|error| Error::invariant(format!("a setup cannot be encoded: {error}")))?;
        Ok(Self {
            game: terms.setup.kind().id().to_owned(),
            setup,
            clock: terms.clock.to_string(),
        })
    }

    /// Decodes the terms. They were encoded by [`StoredTerms::of`], so a failure is a bug.
    pub(crate) fn read(&self, rated: bool) -> Result<Terms, Error> {
        let kind: Option<GameKind> = self.game.parse().ok();
        let setup = kind.and_then(|kind| Setup::parse(kind, Some(&self.setup)).ok());
        match (setup, self.clock.parse()) {
            (Some(setup), Ok(clock)) => Ok(Terms {
                setup,
                clock,
                rated,
            }),
            _ => Err(Error::invariant(format!(
                "stored terms cannot be read: {} {} {}",
                self.game, self.setup, self.clock
            ))),
        }
    }
}
