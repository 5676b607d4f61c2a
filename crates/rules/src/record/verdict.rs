//! How a game ended, as the property `RE` tells it.

use crate::Seat;
use std::fmt;

/// Who won, and by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nobody.
    Draw,
    /// One side.
    Won {
        /// Who.
        by: Seat,
        /// By what.
        how: How,
    },
}

/// What a game was won by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// So many points more.
    Points(u32),
    /// The other gave up.
    Resignation,
    /// The other's time ran out.
    Time,
    /// The other stayed away, or broke a rule.
    Forfeit,
    /// The record does not say.
    Untold,
}

impl Verdict {
    /// Reads `B+16`, `W+R`, `0` and their like; what is unknown or void is nothing.
    pub(super) fn read(text: &str) -> Option<Self> {
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
            "r" | "resign" => How::Resignation,
            "t" | "time" => How::Time,
            "f" | "forfeit" => How::Forfeit,
            points => {
                let whole = points.split('.').next().unwrap_or_default();
                whole.parse().map_or(How::Untold, How::Points)
            }
        };
        Some(Self::Won { by, how })
    }
}

/// As `RE` has it.
impl fmt::Display for Verdict {
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
            How::Points(points) => write!(f, "{by}+{points}"),
            How::Resignation => write!(f, "{by}+R"),
            How::Time => write!(f, "{by}+T"),
            How::Forfeit => write!(f, "{by}+F"),
            How::Untold => write!(f, "{by}+"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<Verdict>) {
        assert_eq!(Verdict::read(text), expected, "{text:?}");
    }

    fn won(by: Seat, how: How) -> Verdict {
        Verdict::Won { by, how }
    }

    #[test]
    fn results_are_read_as_the_sites_write_them() {
        check("B+16", Some(won(Seat::First, How::Points(16))));
        check("W+2.5", Some(won(Seat::Second, How::Points(2))));
        check("W+R", Some(won(Seat::Second, How::Resignation)));
        check("B+Resign", Some(won(Seat::First, How::Resignation)));
        check(" w+Time ", Some(won(Seat::Second, How::Time)));
        check("B+F", Some(won(Seat::First, How::Forfeit)));
        check("B+", Some(won(Seat::First, How::Untold)));
        check("0", Some(Verdict::Draw));
        check("Draw", Some(Verdict::Draw));
        for text in ["", "?", "Void", "R+5", "16"] {
            check(text, None);
        }
    }
}
