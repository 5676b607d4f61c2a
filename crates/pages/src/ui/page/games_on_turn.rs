//! The number of the reader's running games, for the header of every page and for the way from one game to the next.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::page::load::load;
use leptos::prelude::*;
use tochki_protocol::OwnGamesCount;

/// The numbers, loaded once for the whole document.
#[derive(Clone, Copy)]
pub(crate) struct GamesOnTurn(Resource<Result<OwnGamesCount, ErrorResponse>>);

impl GamesOnTurn {
    /// Loads them.
    pub(crate) fn provide() {
        provide_context(Self(load(api::count_my_games)));
    }

    /// Returns those of this document.
    pub(crate) fn current() -> Self {
        expect_context()
    }

    /// Returns the numbers. A page is shown also without them.
    pub(crate) async fn count(self) -> OwnGamesCount {
        self.0.await.unwrap_or_default()
    }
}
