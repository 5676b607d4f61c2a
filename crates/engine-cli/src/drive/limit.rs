//! Limits of a program for a move, as an option says them and as the referee counts them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The limit of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// No limit, as long as the program is not silent for too long.
    Free,
    /// Time for a move.
    Time(Duration),
    /// Number of nodes for a move.
    Nodes(u64),
    /// Number of plies.
    Depth(u16),
    /// Time for the game, and time that each move gives back.
    Clock {
        /// Time at the start.
        initial: Duration,
        /// Time that comes back after each move.
        increment: Duration,
    },
}

/// Reads `none`, `time MS`, `nodes N`, `depth N`, `clock MS+MS`; `=` may stand for the blank.
impl FromStr for Limit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str =
            "a limit is `none`, `time MS`, `nodes N`, `depth N` or `clock MS+MS`";
        let ms = |text: &str| {
            text.trim()
                .parse::<u32>()
                .ok()
                .map(u64::from)
                .map(Duration::from_millis)
        };
        let (word, rest) = text
            .trim()
            .split_once([' ', '='])
            .unwrap_or((text.trim(), ""));
        let rest = rest.trim();
        match word {
            "none" if rest.is_empty() => Some(Self::Free),
            "time" => ms(rest).map(Self::Time),
            "nodes" => rest.parse().ok().map(Self::Nodes),
            "depth" => rest.parse().ok().map(Self::Depth),
            "clock" => {
                let (initial, increment) = rest.split_once('+').unwrap_or((rest, "0"));
                match (ms(initial), ms(increment)) {
                    (Some(initial), Some(increment)) => Some(Self::Clock { initial, increment }),
                    _ => None,
                }
            }
            _ => None,
        }
        .ok_or(EXPECTED)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Free => f.write_str("none"),
            Self::Time(time) => write!(f, "{} ms a move", time.as_millis()),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Self::Depth(depth) => write!(f, "depth {depth}"),
            Self::Clock { initial, increment } => {
                write!(f, "{} + {} ms", initial.as_millis(), increment.as_millis())
            }
        }
    }
}

/// The time that each move has besides a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveTime {
    /// Time for each move, before the clock runs, which is a bank.
    First(Duration),
    /// Periods once the clock is used up, of which those are lost that run out.
    Periods {
        /// The number of periods that are left.
        count: u32,
        /// The time of a period.
        length: Duration,
    },
}

impl MoveTime {
    /// The most that a move may take beside the clock.
    fn most(self) -> Duration {
        match self {
            Self::First(time) => time,
            Self::Periods { count, length } => length * count,
        }
    }
}

/// The remaining time of a program in a game.
#[derive(Clone, Copy, Debug)]
pub struct Left {
    limit: Limit,
    /// The time left on a clock.
    own: Duration,
    /// The time left of the other side, as far as it is known.
    others: Option<Duration>,
    /// The time besides.
    besides: Option<MoveTime>,
}

impl Left {
    /// Begins with a limit that nothing has been used of.
    pub const fn start(limit: Limit) -> Self {
        let left = match limit {
            Limit::Clock { initial, .. } => initial,
            _ => Duration::MAX,
        };
        Self {
            limit,
            own: left,
            others: None,
            besides: None,
        }
    }

    /// The limit.
    pub const fn limit(&self) -> Limit {
        self.limit
    }

    /// A clock on which so much is left.
    pub const fn on_clock(left: Duration, others: Duration, increment: Duration) -> Self {
        Self {
            limit: Limit::Clock {
                initial: left,
                increment,
            },
            own: left,
            others: Some(others),
            besides: None,
        }
    }

    /// Adds time that each move has besides the clock.
    #[must_use]
    pub const fn with(self, besides: MoveTime) -> Self {
        Self {
            besides: Some(besides),
            ..self
        }
    }

    /// The time that each move has besides the clock.
    pub(crate) const fn besides(&self) -> Option<MoveTime> {
        self.besides
    }

    /// Sets the time left of the other side.
    pub(crate) const fn beside(self, others: Duration) -> Self {
        Self {
            others: Some(others),
            ..self
        }
    }

    /// The time left of the other side; where that is not known, the same as that of this side.
    pub(crate) fn others(&self) -> Duration {
        match self.limit {
            Limit::Clock { .. } => self.others.unwrap_or(self.own),
            _ => Duration::ZERO,
        }
    }

    /// The time left on a clock.
    pub const fn left(&self) -> Duration {
        self.own
    }

    /// The time for the next move, if that is bounded.
    pub fn for_move(&self) -> Option<Duration> {
        match self.limit {
            Limit::Time(time) => Some(time),
            Limit::Clock { .. } => {
                let besides = self.besides.map_or(Duration::ZERO, MoveTime::most);
                Some(self.own + besides)
            }
            Limit::Free | Limit::Nodes(_) | Limit::Depth(_) => None,
        }
    }

    /// Counts a move that was in time.
    pub fn spend(&mut self, time: Duration) {
        if let Limit::Clock { increment, .. } = self.limit {
            self.own = self.own.saturating_sub(time) + increment;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let ms = Duration::from_millis;
        for (text, limit) in [
            ("none", Limit::Free),
            ("time 200", Limit::Time(ms(200))),
            ("nodes=10000", Limit::Nodes(10_000)),
            ("depth 6", Limit::Depth(6)),
            (
                "clock 300000+5000",
                Limit::Clock {
                    initial: ms(300_000),
                    increment: ms(5000),
                },
            ),
            (
                "clock 1000",
                Limit::Clock {
                    initial: ms(1000),
                    increment: ms(0),
                },
            ),
        ] {
            assert_eq!(text.parse(), Ok(limit), "{text}");
        }
        for text in [
            "",
            "none 1",
            "time",
            "time fast",
            "clock",
            "clock 1+",
            "time -1",
        ] {
            assert!(text.parse::<Limit>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_runs_down_and_gets_its_increment() {
        let mut left = Left::start("clock 1000+100".parse().unwrap());
        left.spend(Duration::from_millis(300));
        assert_eq!(left.for_move(), Some(Duration::from_millis(800)));
        let mut left = Left::start("time 200".parse().unwrap());
        left.spend(Duration::from_millis(300));
        assert_eq!(left.for_move(), Some(Duration::from_millis(200)));
        assert_eq!(Left::start(Limit::Nodes(1)).for_move(), None);
    }

    #[test]
    fn a_move_has_the_time_besides_the_clock_too() {
        let seconds = Duration::from_secs;
        let clock = Left::on_clock(seconds(60), seconds(50), Duration::ZERO);
        let bank = clock.with(MoveTime::First(seconds(25)));
        assert_eq!(bank.for_move(), Some(seconds(85)));
        let (count, length) = (3, seconds(30));
        let periods = clock.with(MoveTime::Periods { count, length });
        assert_eq!(periods.for_move(), Some(seconds(150)));
    }
}
