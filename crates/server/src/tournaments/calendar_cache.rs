//! The entries of the calendar, kept for all who read them.

use super::db::calendar::CalendarEntry;
use crate::shared_read::CachedRead;
use std::sync::Arc;
use tochki_protocol::limits;
use tochki_rules::GameKind;

/// The entries of one calendar.
pub(super) type Entries = Arc<[CalendarEntry]>;

/// The entries of all games, and of each, read once for all who ask for them within a moment.
pub(super) struct Calendars(Vec<(Option<GameKind>, CachedRead<Entries>)>);

impl Default for Calendars {
    fn default() -> Self {
        let games = GameKind::ALL.iter().copied().map(Some);
        let all = std::iter::once(None).chain(games);
        let read = |game| (game, CachedRead::new(limits::CALENDAR_MAX_AGE));
        Self(all.map(read).collect())
    }
}

impl Calendars {
    /// Returns the calendar of a game, or of all games.
    pub(super) fn of(&self, game: Option<GameKind>) -> &CachedRead<Entries> {
        let of_game = self.0.iter().find(|(of, _)| *of == game);
        &of_game.expect("each game has one").1
    }
}
