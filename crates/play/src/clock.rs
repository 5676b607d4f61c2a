//! Time control: an initial time and an increment per move, and the reading of the two clocks.

use super::{MatchResult, Millis, Reason, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use tochki_rules::Seat;

/// The least time that each side has left after moves are taken back.
pub const MIN_LEFT_AFTER_TAKEBACK: Millis = Millis::from_secs(1);

/// The time control of a match. As text and as JSON: `none`, or `300+5` in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum ClockRule {
    /// No clock.
    #[default]
    None,
    /// A clock with `initial` seconds for each side, which gets `increment` seconds for each move.
    Fischer {
        /// The initial time: 10 to 10 800 seconds.
        initial: u32,
        /// The increment: 0 to 60 seconds.
        increment: u32,
    },
}

/// The error that a text is no clock, or out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidClock;

impl fmt::Display for InvalidClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a clock is none, or initial+increment in seconds: 10 to 10800, 0 to 60")
    }
}

impl ClockRule {
    /// The seconds that a clock may begin with.
    pub const INITIAL: RangeInclusive<u32> = 10..=10_800;

    /// The seconds that a move may add to a clock.
    pub const INCREMENT: RangeInclusive<u32> = 0..=60;

    /// Returns the time of each side at the start; `None` without a clock.
    pub fn initial(self) -> Option<Millis> {
        match self {
            Self::None => None,
            Self::Fischer { initial, .. } => Some(Millis::from_secs(initial)),
        }
    }

    /// Returns the time that a move adds to the clock of its side.
    fn increment(self) -> Millis {
        match self {
            Self::None => Millis::ZERO,
            Self::Fischer { increment, .. } => Millis::from_secs(increment),
        }
    }
}

impl fmt::Display for ClockRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Fischer { initial, increment } => write!(f, "{initial}+{increment}"),
        }
    }
}

impl FromStr for ClockRule {
    type Err = InvalidClock;

    fn from_str(text: &str) -> Result<Self, InvalidClock> {
        if text == "none" {
            return Ok(Self::None);
        }
        let (initial, increment) = text.split_once('+').ok_or(InvalidClock)?;
        let number = |digits: &str| -> Result<u32, InvalidClock> {
            // `parse` alone would let a sign through.
            if digits.bytes().all(|b| b.is_ascii_digit()) {
                digits.parse().map_err(|_| InvalidClock)
            } else {
                Err(InvalidClock)
            }
        };
        let (initial, increment) = (number(initial)?, number(increment)?);
        if Self::INITIAL.contains(&initial) && Self::INCREMENT.contains(&increment) {
            Ok(Self::Fischer { initial, increment })
        } else {
            Err(InvalidClock)
        }
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

/// The reading of both clocks at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockReading {
    /// The time that each side had left at `at`.
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

    /// Returns the clocks once moves are taken back at `now`, `undone` of each side: the time spent on them stays spent, the
    /// increments they earned are lost, and the side that asked thinks on. Nobody's flag falls by it: a second stays at least.
    pub(super) fn taken_back(
        &self,
        rule: ClockRule,
        asker: Seat,
        undone: [u32; 2],
        now: Timestamp,
    ) -> Self {
        let left = Seat::BOTH.map(|seat| {
            let earned = rule.increment() * undone[seat.index()];
            (self.left(seat, now) - earned).max(MIN_LEFT_AFTER_TAKEBACK)
        });
        Self {
            left,
            running: Some(asker),
            at: now,
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

    /// Returns the clocks after a move that was received at `received_at` and is made `now`: time charged up to the first,
    /// increment given, the next side's clock running from the second.
    pub(super) fn moved(
        &self,
        rule: ClockRule,
        seat: Seat,
        next: Option<Seat>,
        received_at: Timestamp,
        now: Timestamp,
    ) -> Self {
        let mut left = self.left;
        left[seat.index()] = self.left(seat, received_at) + rule.increment();
        Self {
            left,
            running: next,
            at: now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_read_and_write_alike() {
        for text in ["none", "10+0", "300+5", "10800+60"] {
            assert_eq!(text.parse::<ClockRule>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "9+0",
            "10801+0",
            "300",
            "300+61",
            "+5+5",
            "300+-1",
            "3 00+5",
            "None",
            "99999999999+0",
        ] {
            assert_eq!(text.parse::<ClockRule>(), Err(InvalidClock), "{text:?}");
        }
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
