//! The choices of who makes a tournament, and which of them make sense.

use std::time::Duration;
use tochki_names::{TableName, is_plain};
use tochki_play::{ClockRule, Millis, Terms, Timestamp};
use tochki_protocol::limits::{self, in_millis};
use tochki_protocol::{Code, EntryConditions, MissedGame, TournamentFormat};
use tochki_tournaments::arena;

/// The pace of the rounds of a Swiss or a round robin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RoundPace {
    /// One after another, with this time from the last game of a round to the next round.
    Live(Duration),
    /// A round every so many days.
    Days(u32),
}

impl RoundPace {
    /// Returns the time between rounds.
    pub(super) fn between(self) -> Duration {
        match self {
            Self::Live(between) => between,
            Self::Days(days) => limits::ROUND_DAY * days,
        }
    }

    /// Returns the days between the starts of rounds, if it is days.
    pub(super) const fn days(self) -> Option<u32> {
        match self {
            Self::Live(_) => None,
            Self::Days(days) => Some(days),
        }
    }

    fn is_sensible(self) -> bool {
        match self {
            Self::Live(between) => limits::ROUND_BREAK.contains(&between),
            Self::Days(days) => limits::ROUND_DAYS.contains(&days),
        }
    }
}

/// The choices that belong to one format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NewFormat {
    /// An arena.
    Arena {
        /// The duration.
        minutes: u32,
        /// Whether games count double after two wins in a row.
        streaks: bool,
        /// Whether games count that run at the end.
        last_games: bool,
        /// Whether players may halve their clocks for a point more, which is for clocks of the kind `180+2`.
        berserk: bool,
    },
    /// A Swiss.
    Swiss {
        /// The number of rounds; without it, that which fits the number of players.
        rounds: Option<u32>,
        /// The pace of its rounds.
        pace: RoundPace,
    },
    /// A round robin.
    RoundRobin {
        /// Whether each pair meets twice.
        double: bool,
        /// The pace of its rounds. Over days, pairs agree on times for their games.
        pace: RoundPace,
        /// The result of such a game to which nobody comes.
        missed: MissedGame,
    },
    /// A knockout.
    Knockout {
        /// The games that each pair plays before a play-off.
        best_of: u32,
        /// The time from the last game of a round to the next round.
        between: Duration,
    },
}

impl NewFormat {
    /// Returns the format.
    pub const fn format(self) -> TournamentFormat {
        match self {
            Self::Arena { .. } => TournamentFormat::Arena,
            Self::Swiss { .. } => TournamentFormat::Swiss,
            Self::RoundRobin { .. } => TournamentFormat::RoundRobin,
            Self::Knockout { .. } => TournamentFormat::Knockout,
        }
    }

    /// Returns whether the choices are among those that there are with this clock.
    fn is_sensible(self, clock: ClockRule) -> bool {
        match self {
            Self::Arena {
                minutes, berserk, ..
            } => {
                let is_halved = matches!(clock, ClockRule::Fischer { .. });
                limits::ARENA_MINUTES.contains(&minutes) && (is_halved || !berserk)
            }
            Self::Swiss { rounds, pace } => {
                rounds.is_none_or(|rounds| limits::SWISS_ROUNDS.contains(&rounds))
                    && pace.is_sensible()
            }
            Self::RoundRobin { pace, .. } => pace.is_sensible(),
            Self::Knockout { best_of, between } => {
                limits::KNOCKOUT_BEST_OF.contains(&best_of)
                    && limits::ROUND_BREAK.contains(&between)
            }
        }
    }

    /// Returns whether games that take so long fit. In an arena everybody is to play more than one.
    fn has_room_for(self, estimate: Option<Millis>) -> bool {
        match (self, estimate) {
            (_, None) => false,
            (Self::Arena { minutes, .. }, Some(estimate)) => {
                estimate * 2 <= Millis::from_secs(minutes * 60 / 2)
            }
            (Self::Swiss { .. } | Self::RoundRobin { .. } | Self::Knockout { .. }, Some(_)) => true,
        }
    }
}

/// The choices of who makes a tournament.
#[derive(Clone, Debug)]
pub struct NewTournament {
    /// The name.
    pub name: String,
    /// The description, as plain text.
    pub description: String,
    /// Game, setup, clock, rated or not.
    pub terms: Terms,
    /// The format, with its own choices.
    pub format: NewFormat,
    /// The start.
    pub starts_at: Timestamp,
    /// The conditions of entering.
    pub entry: EntryConditions,
    /// The hash of the password, if there is one.
    pub password_hash: Option<String>,
}

impl NewTournament {
    /// Returns the tournament with its texts as they are kept.
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
            && self.format.is_sensible(self.terms.clock)
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
        // There is none without a clock, and for those of days.
        let estimate = arena::estimated_duration(self.terms.clock, &self.terms.setup);
        if self.format.has_room_for(estimate) {
            Ok(self)
        } else {
            Err(Code::InvalidClock)
        }
    }
}
