//! The number of the reader's running games, for the header of every page and for the way from one game to the next.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::page::load::load;
use leptos::prelude::*;
use tochki_protocol::OwnGamesCount;

/// The numbers, loaded once for the whole document.
#[derive(Clone, Copy)]
pub(crate) struct GamesOnTurn {
    counts: Resource<Result<OwnGamesCount, ErrorResponse>>,
    /// The number of those on turn, once it is loaded. The title of the document is put together after the page.
    on_turn: StoredValue<u32>,
}

impl GamesOnTurn {
    /// Loads them.
    pub(crate) fn provide() -> Self {
        let own_games = Self {
            counts: load(api::count_my_games),
            on_turn: StoredValue::new(0),
        };
        provide_context(own_games);
        own_games
    }

    /// Returns those of this document.
    pub(crate) fn current() -> Self {
        expect_context()
    }

    /// Returns the numbers. A page is shown also without them.
    ///
    /// Call it when the view is made, and await it inside of the `Suspend`: that one may go on when its page is no more, because
    /// its reader has left, and the handle of a resource that is disposed panics.
    pub(crate) fn count(self) -> impl Future<Output = OwnGamesCount> + Send {
        let counts = self.counts.into_future();
        async move {
            let counts = counts.await.unwrap_or_default();
            self.on_turn.set_value(counts.on_turn);
            counts
        }
    }

    /// Returns a title with the number on turn before it, as `public/event_stream.js` keeps it.
    pub(crate) fn title(self, title: &str) -> String {
        match self.on_turn.try_get_value().unwrap_or_default() {
            0 => title.to_owned(),
            count => format!("({count}) {title}"),
        }
    }
}
