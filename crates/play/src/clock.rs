//! Time controls: their text forms, and the reading of the two clocks.

use super::{MatchResult, Millis, Pace, Reason, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use tochki_rules::Seat;

/// The time control of a match. As text and as JSON: `none`, `300+5`, `25/300`, `600~30x5`, `3d` or `3d+1d..7d`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum ClockRule {
    /// No clock.
    #[default]
    None,
    /// `300+5`: a clock with `initial` seconds for each side, which gets `increment` seconds for each move.
    Fischer {
        /// The initial time: 10 to 10 800 seconds.
        initial: u32,
        /// The increment: 0 to 60 seconds.
        increment: u32,
    },
    /// `25/300`: seconds for each move, and a bank that is used when a move takes longer.
    Bank {
        /// The time for each move: 5 to 300 seconds.
        per_move: u32,
        /// The bank of each side: 0 to 10 800 seconds.
        bank: u32,
    },
    /// `600~30x5`: byo-yomi, the initial time and then periods, of which one is lost when it runs out.
    ByoYomi {
        /// The initial time: 0 to 10 800 seconds.
        initial: u32,
        /// The time of a period: 5 to 300 seconds.
        period: u32,
        /// The number of periods: 1 to 10.
        periods: u32,
    },
    /// `3d`: days for each move.
    DaysPerMove {
        /// One of [`ClockRule::DAYS_PER_MOVE`].
        days: u32,
    },
    /// `3d+1d..7d`: an initial time and an increment for each move, which fills the clock up to a cap at most; all in hours.
    FischerDays {
        /// The initial time: 1 to 28 days.
        initial: u32,
        /// The increment: 4 hours to 7 days.
        increment: u32,
        /// The most that a clock has after an increment: 1 to 28 days.
        cap: u32,
    },
}

/// The kind of a time control, as its name in JSON. That of `300+5` has none: it was the only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClockKind {
    /// `25/300`.
    Bank,
    /// `600~30x5`.
    ByoYomi,
    /// `3d`.
    DaysPerMove,
    /// `3d+1d..7d`.
    FischerDays,
}

/// The error that a text is no clock, or out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidClock;

impl fmt::Display for InvalidClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a clock is none, 300+5, 25/300, 600~30x5, 3d or 3d+1d..7d, within its limits")
    }
}

impl ClockRule {
    /// The seconds that a clock may begin with.
    pub const INITIAL: RangeInclusive<u32> = 10..=10_800;

    /// The seconds that a move may add to a clock.
    pub const INCREMENT: RangeInclusive<u32> = 0..=60;

    /// The seconds for each move beside a bank.
    pub const PER_MOVE: RangeInclusive<u32> = 5..=300;

    /// The seconds of a bank, and of the time before the periods of byo-yomi.
    pub const BANK: RangeInclusive<u32> = 0..=10_800;

    /// The seconds of a period of byo-yomi.
    pub const PERIOD: RangeInclusive<u32> = Self::PER_MOVE;

    /// The periods of byo-yomi.
    pub const PERIODS: RangeInclusive<u32> = 1..=10;

    /// The days that there may be for each move.
    pub const DAYS_PER_MOVE: [u32; 7] = [1, 2, 3, 5, 7, 10, 14];

    /// The hours that a clock of days may begin with, and those of its cap.
    pub const INITIAL_HOURS: RangeInclusive<u32> = 24..=28 * 24;

    /// The hours that a move may add to a clock of days.
    pub const INCREMENT_HOURS: RangeInclusive<u32> = 4..=7 * 24;

    /// Returns the pace of a match with this clock.
    pub const fn pace(self) -> Pace {
        match self {
            Self::None | Self::Fischer { .. } | Self::Bank { .. } | Self::ByoYomi { .. } => {
                Pace::Live
            }
            Self::DaysPerMove { .. } | Self::FischerDays { .. } => Pace::Correspondence,
        }
    }

    /// Returns the kind; `None` without a clock and for `300+5`.
    pub const fn kind(self) -> Option<ClockKind> {
        Some(match self {
            Self::None | Self::Fischer { .. } => return None,
            Self::Bank { .. } => ClockKind::Bank,
            Self::ByoYomi { .. } => ClockKind::ByoYomi,
            Self::DaysPerMove { .. } => ClockKind::DaysPerMove,
            Self::FischerDays { .. } => ClockKind::FischerDays,
        })
    }

    /// Returns the time until the flag of each side falls, if it makes no move from the start; `None` without a clock.
    pub const fn initial(self) -> Option<Millis> {
        Some(match self {
            Self::None => return None,
            Self::Fischer { initial, .. } => Millis::from_secs(initial),
            Self::Bank { per_move, bank } => Millis::from_secs(per_move + bank),
            Self::ByoYomi {
                initial,
                period,
                periods,
            } => Millis::from_secs(initial + period * periods),
            Self::DaysPerMove { days } => Millis::from_hours(days * 24),
            Self::FischerDays { initial, .. } => Millis::from_hours(initial),
        })
    }

    /// Returns the time that is there anew for each move: that of a move beside a bank, a period of byo-yomi, or days.
    pub const fn per_move(self) -> Option<Millis> {
        Some(match self {
            Self::None | Self::Fischer { .. } | Self::FischerDays { .. } => return None,
            Self::Bank { per_move, .. } => Millis::from_secs(per_move),
            Self::ByoYomi { period, .. } => Millis::from_secs(period),
            Self::DaysPerMove { days } => Millis::from_hours(days * 24),
        })
    }

    /// Returns the time that a move adds to the clock of its side.
    const fn increment(self) -> Millis {
        match self {
            Self::Fischer { increment, .. } => Millis::from_secs(increment),
            Self::FischerDays { increment, .. } => Millis::from_hours(increment),
            _ => Millis::ZERO,
        }
    }

    /// Returns what a side has for its next thinking that had `left` before a thinking and `remaining` at its end, without any
    /// increment: used time of a move is there again, while bank and periods stay used. Every period that is begun is still there.
    fn renewed(self, left: Millis, remaining: Millis) -> Millis {
        match self {
            Self::None | Self::Fischer { .. } | Self::FischerDays { .. } => remaining,
            Self::Bank { per_move, .. } => {
                let per_move = Millis::from_secs(per_move);
                per_move + remaining.min(left - per_move).max(Millis::ZERO)
            }
            Self::ByoYomi { period, .. } => {
                let periods = self.periods(remaining).unwrap_or_default();
                remaining.max(Millis::from_secs(period) * periods)
            }
            Self::DaysPerMove { days } => Millis::from_hours(days * 24),
        }
    }

    /// Returns the periods of byo-yomi that a side with so much time before its flag has, the one that runs among them.
    fn periods(self, left: Millis) -> Option<u32> {
        let Self::ByoYomi {
            period, periods, ..
        } = self
        else {
            return None;
        };
        let begun = left
            .0
            .max(1)
            .cast_unsigned()
            .div_ceil(u64::from(period) * 1000);
        Some(u32::try_from(begun).map_or(periods, |begun| begun.min(periods)))
    }

    fn is_in_limits(self) -> bool {
        match self {
            Self::None => true,
            Self::Fischer { initial, increment } => {
                Self::INITIAL.contains(&initial) && Self::INCREMENT.contains(&increment)
            }
            Self::Bank { per_move, bank } => {
                Self::PER_MOVE.contains(&per_move) && Self::BANK.contains(&bank)
            }
            Self::ByoYomi {
                initial,
                period,
                periods,
            } => {
                Self::BANK.contains(&initial)
                    && Self::PERIOD.contains(&period)
                    && Self::PERIODS.contains(&periods)
            }
            Self::DaysPerMove { days } => Self::DAYS_PER_MOVE.contains(&days),
            Self::FischerDays {
                initial,
                increment,
                cap,
            } => {
                Self::INITIAL_HOURS.contains(&initial)
                    && Self::INCREMENT_HOURS.contains(&increment)
                    && Self::INITIAL_HOURS.contains(&cap)
            }
        }
    }

    /// Reads a text, whatever its limits and its way of writing numbers.
    fn read(text: &str) -> Option<Self> {
        let number = |digits: &str| digits.parse::<u32>().ok();
        if text == "none" {
            Some(Self::None)
        } else if let Some((per_move, bank)) = text.split_once('/') {
            Some(Self::Bank {
                per_move: number(per_move)?,
                bank: number(bank)?,
            })
        } else if let Some((initial, rest)) = text.split_once('~') {
            let (period, periods) = rest.split_once('x')?;
            Some(Self::ByoYomi {
                initial: number(initial)?,
                period: number(period)?,
                periods: number(periods)?,
            })
        } else if let Some((initial, increment)) = text.split_once('+') {
            let Some((increment, cap)) = increment.split_once("..") else {
                return Some(Self::Fischer {
                    initial: number(initial)?,
                    increment: number(increment)?,
                });
            };
            let hours = |text: &str| match text.strip_suffix('d') {
                Some(days) => number(days)?.checked_mul(24),
                None => number(text.strip_suffix('h')?),
            };
            Some(Self::FischerDays {
                initial: hours(initial)?,
                increment: hours(increment)?,
                cap: hours(cap)?,
            })
        } else {
            let days = number(text.strip_suffix('d')?)?;
            Some(Self::DaysPerMove { days })
        }
    }
}

impl fmt::Display for ClockRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::None => f.write_str("none"),
            Self::Fischer { initial, increment } => write!(f, "{initial}+{increment}"),
            Self::Bank { per_move, bank } => write!(f, "{per_move}/{bank}"),
            Self::ByoYomi {
                initial,
                period,
                periods,
            } => write!(f, "{initial}~{period}x{periods}"),
            Self::DaysPerMove { days } => write!(f, "{days}d"),
            Self::FischerDays {
                initial,
                increment,
                cap,
            } => write!(f, "{}+{}..{}", Hours(initial), Hours(increment), Hours(cap)),
        }
    }
}

/// A number of hours, as text in days where it is whole days.
struct Hours(u32);

impl fmt::Display for Hours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_multiple_of(24) {
            write!(f, "{}d", self.0 / 24)
        } else {
            write!(f, "{}h", self.0)
        }
    }
}

impl FromStr for ClockRule {
    type Err = InvalidClock;

    fn from_str(text: &str) -> Result<Self, InvalidClock> {
        Self::read(text)
            // Signs, leading zeros and other units would be second names of one clock.
            .filter(|rule| rule.is_in_limits() && rule.to_string() == text)
            .ok_or(InvalidClock)
    }
}

impl From<ClockRule> for String {
    fn from(rule: ClockRule) -> Self {
        rule.to_string()
    }
}

impl TryFrom<String> for ClockRule {
    type Error = InvalidClock;

    fn try_from(text: String) -> Result<Self, InvalidClock> {
        text.parse()
    }
}

/// The reading of both clocks at a time. The time control tells what of it is a bank, or periods ([`ClockReading::parts`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockReading {
    /// The time that each side had left at `at` until its flag falls, bank and periods included.
    #[serde(rename = "left_ms")]
    pub left: [Millis; 2],
    /// The side whose clock runs from `at` on.
    pub running: Option<Seat>,
    /// The time of this reading.
    pub at: Timestamp,
}

impl ClockReading {
    /// Returns the reading with both clocks full, the first player's running from `now`.
    pub(super) fn start(rule: ClockRule, now: Timestamp) -> Option<Self> {
        rule.initial().map(|full| Self {
            left: [full; 2],
            running: Some(Seat::First),
            at: now,
        })
    }

    /// Returns the time that a side has left at `now`; at or below zero its flag has fallen.
    pub fn left(&self, seat: Seat, now: Timestamp) -> Millis {
        let spent = if self.running == Some(seat) {
            (now - self.at).max(Millis::ZERO)
        } else {
            Millis::ZERO
        };
        self.left[seat.index()] - spent
    }

    /// Returns the time at which the running side's flag falls.
    pub fn flag_at(&self) -> Option<Timestamp> {
        self.running.map(|seat| self.at + self.left[seat.index()])
    }

    /// Returns what a side's clock shows once it has `left` until its flag falls: the time that runs first, and what is there after it.
    pub fn parts(&self, rule: ClockRule, seat: Seat, left: Millis) -> ClockParts {
        let left = left.max(Millis::ZERO);
        match rule {
            ClockRule::Bank { per_move, .. } => {
                let bank = self.left[seat.index()] - Millis::from_secs(per_move);
                let bank = bank.max(Millis::ZERO).min(left);
                ClockParts {
                    first: left - bank,
                    bank: Some(bank),
                    periods: None,
                }
            }
            ClockRule::ByoYomi {
                period, periods, ..
            } => {
                let period = Millis::from_secs(period);
                let reserve = period * periods;
                let begun = rule.periods(left).unwrap_or_default();
                let first = if left > reserve {
                    left - reserve
                } else {
                    left - period * begun.saturating_sub(1)
                };
                ClockParts {
                    first,
                    bank: None,
                    periods: Some(begun),
                }
            }
            _ => ClockParts {
                first: left,
                bank: None,
                periods: None,
            },
        }
    }

    /// Returns what the clock of a side gained by a move, from this reading to that after it: the increment, less where the cap took some
    /// of it, and nothing where the move was an answer chosen before.
    ///
    /// The reading after a move is of the time at which the next clock starts, mostly that of the move. Where it starts later, after a
    /// vacation, more may seem gained, but never more than the increment.
    pub(super) fn gained(&self, rule: ClockRule, seat: Seat, after: &Self) -> Millis {
        let [before, after_it] = [self, after].map(|reading| reading.left[seat.index()]);
        // Such an answer is not charged, however late it comes.
        if matches!(rule, ClockRule::FischerDays { cap, .. } if before == after_it && before < Millis::from_hours(cap))
        {
            return Millis::ZERO;
        }
        let thought = (after.at - self.at).max(Millis::ZERO);
        let gained = after_it - (before - thought);
        gained.max(Millis::ZERO).min(rule.increment())
    }

    /// Returns the clocks once moves are taken back at `now`, by which both sides had `gained`: the time spent on them stays spent, bank
    /// and periods too, the increments they earned are lost, and the side that asked thinks on. Nobody's flag falls by it: a little
    /// stays at least ([`Pace::min_left_after_takeback`]). The asker's clock runs from `start`.
    pub(super) fn taken_back(
        &self,
        rule: ClockRule,
        asker: Seat,
        gained: [Millis; 2],
        now: Timestamp,
        start: Timestamp,
    ) -> Self {
        let least = rule.pace().min_left_after_takeback();
        let left = Seat::BOTH.map(|seat| {
            let index = seat.index();
            (rule.renewed(self.left[index], self.left(seat, now)) - gained[index]).max(least)
        });
        Self {
            left,
            running: Some(asker),
            at: start,
        }
    }

    /// Returns the clocks with that of this side held at `now`, if it runs, to run again from `start`.
    pub(super) fn held(&self, seat: Seat, now: Timestamp, start: Timestamp) -> Self {
        if self.running != Some(seat) {
            return *self;
        }
        let mut left = self.left;
        left[seat.index()] = self.left(seat, now).max(Millis::ZERO);
        Self {
            left,
            at: start,
            ..*self
        }
    }

    /// Returns the clocks after the end. A side that ran out of time has none left.
    pub(super) fn stopped(self, result: &MatchResult) -> Self {
        let mut left = self.left;
        if let (Reason::Time, Some(winner)) = (result.reason, result.winner) {
            left[winner.other().index()] = Millis::ZERO;
        }
        Self {
            left,
            running: None,
            ..self
        }
    }

    /// Returns the clocks after a move that was chosen before this turn began: nothing is charged and no increment given. The next
    /// side's clock runs from `start`.
    pub(super) fn answered(
        &self,
        rule: ClockRule,
        seat: Seat,
        next: Option<Seat>,
        start: Timestamp,
    ) -> Self {
        let mut left = self.left;
        let answered = &mut left[seat.index()];
        *answered = rule.renewed(*answered, *answered);
        Self {
            left,
            running: next,
            at: start,
        }
    }

    /// Returns the clocks after a move that was received at `received_at`: time charged up to then, increment given up to the cap,
    /// the next side's clock running from `start`.
    pub(super) fn moved(
        &self,
        rule: ClockRule,
        seat: Seat,
        next: Option<Seat>,
        received_at: Timestamp,
        start: Timestamp,
    ) -> Self {
        let mut left = self.left;
        let moved = &mut left[seat.index()];
        // A flag may fall later than on its clock; that time is nobody's.
        let remaining = self.left(seat, received_at).max(Millis::ZERO);
        *moved = rule.renewed(*moved, remaining) + rule.increment();
        if let ClockRule::FischerDays { cap, .. } = rule {
            *moved = (*moved).min(Millis::from_hours(cap));
        }
        Self {
            left,
            running: next,
            at: start,
        }
    }
}

/// What the clock of a side shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockParts {
    /// The time that runs first: until the bank or the next period begins, or the flag falls.
    pub first: Millis,
    /// The bank that is left.
    pub bank: Option<Millis>,
    /// The periods of byo-yomi that are left, the one that runs among them.
    pub periods: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_read_and_write_alike() {
        for text in [
            "none",
            "10+0",
            "300+5",
            "10800+60",
            "5/0",
            "25/300",
            "300/10800",
            "0~5x1",
            "600~30x5",
            "10800~300x10",
            "1d",
            "2d",
            "3d",
            "5d",
            "7d",
            "10d",
            "14d",
            "3d+1d..7d",
            "1d+4h..1d",
            "28d+7d..28d",
            "36h+25h..47h",
            "7d+12h..3d",
        ] {
            let rule: ClockRule = text.parse().unwrap();
            assert_eq!(rule.to_string(), text);
            let json = serde_json::to_string(&rule).unwrap();
            assert_eq!(json, format!("{text:?}"));
            assert_eq!(serde_json::from_str::<ClockRule>(&json).unwrap(), rule);
        }
    }

    #[test]
    fn what_is_out_of_range_or_written_otherwise_is_no_clock() {
        for text in [
            "",
            "None",
            "300",
            "9+0",
            "10801+0",
            "300+61",
            "+5+5",
            "300+-1",
            "300++1",
            "3 00+5",
            "300+05",
            "0300+5",
            "99999999999+0",
            "4/0",
            "301/0",
            "5/10801",
            "05/0",
            "25/+300",
            "25/300/1",
            "25/",
            "0~4x1",
            "0~301x1",
            "10801~30x5",
            "600~30x0",
            "600~30x11",
            "600~30X5",
            "600~30",
            "00~30x5",
            "0d",
            "4d",
            "15d",
            "d",
            "03d",
            "+3d",
            "24h",
            "1D",
            "3d ",
            "23h+1d..7d",
            "29d+1d..7d",
            "673h+1d..7d",
            "3d+3h..7d",
            "3d+169h..7d",
            "3d+8d..7d",
            "3d+1d..23h",
            "3d+1d..29d",
            "72h+1d..7d",
            "3d+24h..7d",
            "3d+1d..168h",
            "3+1d..7d",
            "3d+1d",
            "3d+1d...7d",
            "3d+1d..7",
            "200000000d+1d..7d",
        ] {
            assert_eq!(text.parse::<ClockRule>(), Err(InvalidClock), "{text:?}");
        }
    }

    #[test]
    fn days_make_a_correspondence_match() {
        for (text, pace) in [
            ("none", Pace::Live),
            ("10800+60", Pace::Live),
            ("300/10800", Pace::Live),
            ("600~30x5", Pace::Live),
            ("1d", Pace::Correspondence),
            ("3d+1d..7d", Pace::Correspondence),
        ] {
            assert_eq!(text.parse::<ClockRule>().unwrap().pace(), pace, "{text}");
        }
    }

    /// Plays moves by the first side, each after so many seconds, and returns the clock of the turn after them.
    fn after(clock: &str, seconds: &[u32]) -> (ClockRule, ClockReading) {
        let rule: ClockRule = clock.parse().unwrap();
        let mut reading = ClockReading::start(rule, Timestamp(0)).unwrap();
        for seconds in seconds {
            let now = reading.at + Millis::from_secs(*seconds);
            assert!(reading.flag_at().unwrap() > now, "{clock}: in time");
            reading = reading.moved(rule, Seat::First, Some(Seat::First), now, now);
        }
        (rule, reading)
    }

    /// Checks what the clock shows after moves and some thinking: seconds that run first, bank, periods, and until the flag.
    #[track_caller]
    fn shows(
        clock: &str,
        moves: &[u32],
        thinking: u32,
        first: i64,
        bank: Option<i64>,
        periods: Option<u32>,
        flag: i64,
    ) {
        let (rule, reading) = after(clock, moves);
        let now = reading.at + Millis::from_secs(thinking);
        let parts = ClockParts {
            first: Millis(first * 1000),
            bank: bank.map(|bank| Millis(bank * 1000)),
            periods,
        };
        assert_eq!(
            reading.parts(rule, Seat::First, reading.left(Seat::First, now)),
            parts
        );
        assert_eq!((reading.flag_at().unwrap() - now).0, flag * 1000);
    }

    #[test]
    fn a_bank_pays_for_what_a_move_takes_longer() {
        shows("25/300", &[], 0, 25, Some(300), None, 325);
        shows("25/300", &[], 10, 15, Some(300), None, 315);
        shows("25/300", &[], 100, 0, Some(225), None, 225);
        // What is left of a move's time is not saved.
        shows("25/300", &[10, 25], 0, 25, Some(300), None, 325);
        shows("25/300", &[26, 1, 125], 0, 25, Some(199), None, 224);
        shows("25/300", &[324], 0, 25, Some(1), None, 26);
        shows("25/300", &[324], 26, 0, Some(0), None, 0);
        shows("5/0", &[4, 4, 4], 1, 4, Some(0), None, 4);
    }

    #[test]
    fn a_period_is_lost_when_it_runs_out() {
        shows("60~30x3", &[], 0, 60, None, Some(3), 150);
        shows("60~30x3", &[20, 20], 19, 1, None, Some(3), 91);
        // The initial time is over: the first of three periods runs.
        shows("60~30x3", &[], 61, 29, None, Some(3), 89);
        shows("60~30x3", &[60], 0, 30, None, Some(3), 90);
        // A move within a period leaves it whole.
        shows("60~30x3", &[89], 0, 30, None, Some(3), 90);
        shows("60~30x3", &[89, 29, 29], 0, 30, None, Some(3), 90);
        shows("60~30x3", &[89, 30], 0, 30, None, Some(2), 60);
        shows("60~30x3", &[149], 0, 30, None, Some(1), 30);
        shows("60~30x3", &[149, 29, 29], 10, 20, None, Some(1), 20);
        shows("0~5x1", &[4, 4], 5, 0, None, Some(1), 0);
    }

    #[test]
    fn days_are_there_anew_for_each_move() {
        const DAY: u32 = 86_400;
        shows(
            "3d",
            &[2 * DAY, 3 * DAY - 1],
            DAY,
            172_800,
            None,
            None,
            172_800,
        );
    }

    #[test]
    fn days_are_added_up_to_the_cap() {
        const DAY: u32 = 86_400;
        let day = i64::from(DAY);
        shows("3d+1d..7d", &[DAY], 0, 3 * day, None, None, 3 * day);
        shows("3d+1d..7d", &[0; 9], DAY, 6 * day, None, None, 6 * day);
        shows("7d+12h..3d", &[DAY], 0, 3 * day, None, None, 3 * day);
    }

    #[test]
    fn a_take_back_returns_neither_bank_nor_periods() {
        const DAY: i64 = 86_400;
        let left = |clock: &str, moves: &[u32], thinking| {
            let (rule, reading) = after(clock, moves);
            let now = reading.at + Millis::from_secs(thinking);
            let gained = [rule.increment(), Millis::ZERO];
            let taken_back = reading.taken_back(rule, Seat::First, gained, now, now);
            assert_eq!(
                (taken_back.running, taken_back.at),
                (Some(Seat::First), now)
            );
            taken_back.left.map(|left| left.0 / 1000)
        };
        assert_eq!(left("25/300", &[125], 30), [25 + 195, 325]);
        assert_eq!(left("60~30x3", &[100], 35), [30, 150]);
        assert_eq!(left("60~30x3", &[10], 10), [130, 150]);
        assert_eq!(left("300+5", &[10], 10), [280, 300]);
        assert_eq!(left("10+5", &[9], 5), [1, 10]);
        assert_eq!(left("3d", &[86_400], 86_400), [3 * DAY, 3 * DAY]);
        assert_eq!(
            left("3d+1d..7d", &[86_400], 3600),
            [2 * DAY - 3600, 3 * DAY]
        );
        // Nobody is flagged while they sleep.
        assert_eq!(left("1d+7d..28d", &[86_390], 3600), [3600, DAY]);
    }

    #[test]
    fn a_move_charges_its_side_and_starts_the_other() {
        let rule = ClockRule::Fischer {
            initial: 60,
            increment: 2,
        };
        let start = ClockReading::start(rule, Timestamp(1_000)).unwrap();
        assert_eq!(start.flag_at(), Some(Timestamp(61_000)));
        // Received at 11 s, made a second later: that second is nobody's.
        let (received_at, now) = (Timestamp(11_000), Timestamp(12_000));
        let after = start.moved(rule, Seat::First, Some(Seat::Second), received_at, now);
        assert_eq!(
            after,
            ClockReading {
                left: [Millis(52_000), Millis(60_000)],
                running: Some(Seat::Second),
                at: Timestamp(12_000)
            }
        );
        assert_eq!(after.left(Seat::First, Timestamp(99_000)), Millis(52_000));
        assert_eq!(after.left(Seat::Second, Timestamp(22_000)), Millis(50_000));
    }
}
