//! Time controls, and their text forms.

use super::{Millis, Pace};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

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
    pub(super) const fn increment(self) -> Millis {
        match self {
            Self::Fischer { increment, .. } => Millis::from_secs(increment),
            Self::FischerDays { increment, .. } => Millis::from_hours(increment),
            _ => Millis::ZERO,
        }
    }

    /// Returns what a side has for its next thinking that had `left` before a thinking and `remaining` at its end, without any
    /// increment: used time of a move is there again, while bank and periods stay used. Every period that is begun is still there.
    pub(super) fn renewed(self, left: Millis, remaining: Millis) -> Millis {
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
    pub(super) fn periods(self, left: Millis) -> Option<u32> {
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
}
