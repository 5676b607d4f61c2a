//! The result of a game, the SGF property `RE`.

use crate::Seat;
use std::fmt;
use std::str::FromStr;

/// The winner of a game, and the way of winning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// A draw.
    Draw,
    /// A win.
    Won {
        /// The winner.
        by: Seat,
        /// The way of winning.
        how: WinReason,
    },
}

/// The way in which a game was won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinReason {
    /// By this many points.
    Points(Points),
    /// The loser resigned.
    Resignation,
    /// The loser's time ran out.
    Time,
    /// The loser was absent or broke a rule.
    Forfeit,
    /// The record does not tell the way.
    Unknown,
}

/// A number of points with up to two decimal places: some programs give the second side half a point more, so that no game is
/// drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Points {
    hundredths: u64,
}

impl Points {
    /// Returns the number, if it is a whole one.
    #[must_use]
    pub const fn whole(self) -> Option<u64> {
        if self.hundredths.is_multiple_of(100) {
            Some(self.hundredths / 100)
        } else {
            None
        }
    }
}

impl From<u32> for Points {
    fn from(whole: u32) -> Self {
        Self {
            hundredths: u64::from(whole) * 100,
        }
    }
}

/// The text is no number of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPoints;

impl FromStr for Points {
    type Err = NoPoints;

    /// Parses `16`, `0.5` or `2.50`. A number with more decimal places is refused: no game could end with it.
    fn from_str(text: &str) -> Result<Self, NoPoints> {
        let (whole, part) = text.split_once(['.', ',']).unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let part = part.trim_end_matches('0');
        if whole.is_empty() || !digits(whole) || !digits(part) || part.len() > 2 {
            return Err(NoPoints);
        }
        let whole: u32 = whole.parse().map_err(|_| NoPoints)?;
        let part: u64 = format!("{part:0<2}").parse().map_err(|_| NoPoints)?;
        Ok(Self {
            hundredths: u64::from(whole) * 100 + part,
        })
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.hundredths / 100, self.hundredths % 100);
        match part {
            0 => write!(f, "{whole}"),
            part if part % 10 == 0 => write!(f, "{whole}.{}", part / 10),
            part => write!(f, "{whole}.{part:02}"),
        }
    }
}

impl GameResult {
    /// Parses `B+16`, `W+R`, `0` and similar values. `None` for unknown and void results.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text == "0" || text.eq_ignore_ascii_case("draw") {
            return Some(Self::Draw);
        }
        let (by, how) = text.split_once('+')?;
        let by = match by.trim() {
            "B" | "b" => Seat::First,
            "W" | "w" => Seat::Second,
            _ => return None,
        };
        let how = match how.trim().to_ascii_lowercase().as_str() {
            "r" | "resign" => WinReason::Resignation,
            "t" | "time" => WinReason::Time,
            "f" | "forfeit" => WinReason::Forfeit,
            points => points.parse().map_or(WinReason::Unknown, WinReason::Points),
        };
        Some(Self::Won { by, how })
    }
}

/// The value of `RE`.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (by, how) = match *self {
            Self::Draw => return f.write_str("0"),
            Self::Won {
                by: Seat::First,
                how,
            } => ('B', how),
            Self::Won {
                by: Seat::Second,
                how,
            } => ('W', how),
        };
        match how {
            WinReason::Points(points) => write!(f, "{by}+{points}"),
            WinReason::Resignation => write!(f, "{by}+R"),
            WinReason::Time => write!(f, "{by}+T"),
            WinReason::Forfeit => write!(f, "{by}+F"),
            WinReason::Unknown => write!(f, "{by}+"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<GameResult>) {
        assert_eq!(GameResult::parse(text), expected, "{text:?}");
    }

    fn won(by: Seat, how: WinReason) -> GameResult {
        GameResult::Won { by, how }
    }

    #[test]
    fn results_are_read_as_the_sites_write_them() {
        check("B+16", Some(won(Seat::First, WinReason::Points(16.into()))));
        check(
            "B+16.0",
            Some(won(Seat::First, WinReason::Points(16.into()))),
        );
        check("B+4294967296", Some(won(Seat::First, WinReason::Unknown)));
        for (text, written) in [
            ("W+0.5", "W+0.5"),
            ("W+2,50", "W+2.5"),
            ("W+0.05", "W+0.05"),
        ] {
            let result = GameResult::parse(text).unwrap();
            assert!(matches!(
                result,
                GameResult::Won { how: WinReason::Points(points), .. } if points.whole().is_none()
            ));
            assert_eq!(result.to_string(), written);
        }
        for text in ["W+.5", "W+0.125", "W+-1", "W+1e3"] {
            check(text, Some(won(Seat::Second, WinReason::Unknown)));
        }
        check("W+R", Some(won(Seat::Second, WinReason::Resignation)));
        check("B+Resign", Some(won(Seat::First, WinReason::Resignation)));
        check(" w+Time ", Some(won(Seat::Second, WinReason::Time)));
        check("B+F", Some(won(Seat::First, WinReason::Forfeit)));
        check("B+", Some(won(Seat::First, WinReason::Unknown)));
        check("0", Some(GameResult::Draw));
        check("Draw", Some(GameResult::Draw));
        for text in ["", "?", "Void", "R+5", "16"] {
            check(text, None);
        }
    }
}
