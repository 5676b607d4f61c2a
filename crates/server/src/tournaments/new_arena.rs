//! The choices of who makes an arena, and which of them make sense.

use tochki_names::{TableName, is_plain};
use tochki_play::{Millis, Terms, Timestamp};
use tochki_protocol::limits::{self, in_millis};
use tochki_protocol::{Code, EntryConditions};
use tochki_tournaments::arena;

/// The choices of who makes an arena.
#[derive(Clone, Debug)]
pub struct NewArena {
    /// The name.
    pub name: String,
    /// The description, as plain text.
    pub description: String,
    /// Game, setup, clock, rated or not.
    pub terms: Terms,
    /// The duration.
    pub minutes: u32,
    /// The start.
    pub starts_at: Timestamp,
    /// Whether games count double after two wins in a row.
    pub streaks: bool,
    /// Whether games count that run at the end.
    pub last_games: bool,
    /// The conditions of entering.
    pub entry: EntryConditions,
    /// The hash of the password, if there is one.
    pub password_hash: Option<String>,
}

impl NewArena {
    /// Returns the arena with its texts as they are kept.
    pub(super) fn check(mut self, now: Timestamp) -> Result<Self, Code> {
        let name = TableName::read(&self.name).ok_or(Code::InvalidTournament)?;
        name.as_str().clone_into(&mut self.name);
        let chars = self.name.chars().count();
        self.description = String::from(self.description.trim());
        let is_readable = |c: char| c == '\n' || is_plain(c);
        let described = self.description.chars().count()
            <= limits::TOURNAMENT_DESCRIPTION_MAX_CHARS
            && self.description.chars().all(is_readable);
        let lead = Millis(self.starts_at.0.saturating_sub(now.0));
        let in_time =
            in_millis(limits::TOURNAMENT_MIN_LEAD)..=in_millis(limits::TOURNAMENT_MAX_LEAD);
        let entry = &self.entry;
        let ordered = match (entry.min_rating, entry.max_rating) {
            (Some(min), Some(max)) => min <= max,
            _ => true,
        };
        let is_sensible = limits::TOURNAMENT_NAME_CHARS.contains(&chars)
            && described
            && in_time.contains(&lead)
            && limits::ARENA_MINUTES.contains(&self.minutes)
            && ordered
            && entry.min_games.is_none_or(|games| games >= 0)
            && entry.min_age_days.is_none_or(|days| days >= 0)
            && entry.password == self.password_hash.is_some();
        if !is_sensible {
            return Err(Code::InvalidTournament);
        }
        if self.terms.rated && entry.guests {
            return Err(Code::GuestsUnrated);
        }
        // Everybody is to play more than one game.
        let estimate = arena::estimated_duration(self.terms.clock, &self.terms.setup);
        let longest = Millis::from_secs(self.minutes * 60 / 2);
        match estimate {
            Some(estimate) if estimate * 2 <= longest => Ok(self),
            _ => Err(Code::InvalidClock),
        }
    }
}
