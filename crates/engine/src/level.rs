//! Playing strength of an engine, in levels.

use std::{fmt, str::FromStr};

/// A level of eight, the same for all games: 1 loses to a person who learnt the rules today, 8 plays as well as it can.
///
/// The bounds of a level (time, nodes, depth, frequency of errors) are in the `levels` module of each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// The level that loses to a beginner.
    pub const WEAKEST: Self = Self(1);
    /// The level that plays as strongly as the engine can.
    pub const STRONGEST: Self = Self(8);

    /// The level of that number.
    ///
    /// # Errors
    ///
    /// If the number is not 1 to 8.
    pub const fn new(number: u8) -> Result<Self, InvalidLevel> {
        if number >= Self::WEAKEST.0 && number <= Self::STRONGEST.0 {
            Ok(Self(number))
        } else {
            Err(InvalidLevel)
        }
    }

    /// All levels, the weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (Self::WEAKEST.0..=Self::STRONGEST.0).map(Self)
    }

    /// The number: 1 to 8.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Level {
    type Err = InvalidLevel;

    fn from_str(text: &str) -> Result<Self, InvalidLevel> {
        text.parse().map_or(Err(InvalidLevel), Self::new)
    }
}

/// There is no level of that number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidLevel;

impl fmt::Display for InvalidLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a level is a number from 1 to 8")
    }
}

impl std::error::Error for InvalidLevel {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_a_number_from_1_to_8() {
        for level in Level::all() {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        for text in ["0", "9", "-1", "", "strong"] {
            assert_eq!(text.parse::<Level>(), Err(InvalidLevel), "{text}");
        }
    }
}
