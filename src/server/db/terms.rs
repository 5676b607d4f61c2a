//! Terms as columns, and columns as terms.

use crate::play::Terms;
use crate::rules::{Kind, Setup};
use crate::wire::{ApiError, Code};

/// Game, setup and clock as they are stored.
pub(super) struct StoredTerms {
    pub(super) game: String,
    pub(super) setup: serde_json::Value,
    pub(super) clock: String,
}

impl StoredTerms {
    pub(super) fn of(terms: &Terms) -> Self {
        let mut tagged = serde_json::to_value(terms.setup).unwrap_or_default();
        Self {
            game: terms.setup.kind().id().to_owned(),
            setup: tagged["setup"].take(),
            clock: terms.clock.to_string(),
        }
    }

    /// Reads them back. They were written by [`StoredTerms::of`], so a failure is ours.
    pub(super) fn read(&self, rated: bool) -> Result<Terms, ApiError> {
        let kind: Option<Kind> = self.game.parse().ok();
        let setup = kind.and_then(|kind| Setup::parse(kind, Some(&self.setup)).ok());
        match (setup, self.clock.parse()) {
            (Some(setup), Ok(clock)) => Ok(Terms {
                setup,
                clock,
                rated,
            }),
            _ => {
                tracing::error!(game = %self.game, setup = %self.setup, clock = %self.clock, "stored terms do not read");
                Err(Code::Internal.into())
            }
        }
    }
}
