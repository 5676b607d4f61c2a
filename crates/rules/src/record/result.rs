//! The result of a game, the SGF property `RE`.

use crate::Seat;
use std::fmt;

/// Who won, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// A draw.
    Draw,
    /// A win.
    Won {
        /// The winner.
        by: Seat,
        /// How they won.
        how: WinReason,
    },
}

/// How a game was won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WinReason {
    /// By this many points.
    Points(u32),
    /// The loser resigned.
    Resignation,
    /// The loser's time ran out.
    Time,
    /// The loser was absent or broke a rule.
    Forfeit,
    /// The record does not tell.
    Unknown,
}

impl GameResult {
    /// Parses `B+16`, `W+R`, `0` and similar values. `None` for unknown and void results.
    pub(super) fn parse(text: &str) -> Option<Self> {
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
            points => {
                let whole = points.split('.').next().unwrap_or_default();
                whole.parse().map_or(WinReason::Unknown, WinReason::Points)
            }
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
        check("B+16", Some(won(Seat::First, WinReason::Points(16))));
        check("W+2.5", Some(won(Seat::Second, WinReason::Points(2))));
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
