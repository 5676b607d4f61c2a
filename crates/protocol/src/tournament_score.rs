//! Scores and tie-breaks of tournaments: numbers of points with halves and quarters, exact, and plain numbers in JSON.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// A score or a tie-break: `3`, `2.5` or `0.25` in JSON. Displayed with the signs of fractions, which all languages share: `2½`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TournamentScore(u32);

impl TournamentScore {
    /// Makes a score of whole points.
    #[must_use]
    pub const fn of_points(points: u32) -> Self {
        Self(points * 4)
    }

    /// Makes a score of half points.
    #[must_use]
    pub const fn of_halves(halves: u32) -> Self {
        Self(halves * 2)
    }

    /// Makes a score of quarters of a point.
    #[must_use]
    pub const fn of_quarters(quarters: u32) -> Self {
        Self(quarters)
    }

    /// Returns the number of quarters.
    pub const fn quarters(self) -> u32 {
        self.0
    }
}

/// Compares with whole points, which the scores of arenas are.
impl PartialEq<u32> for TournamentScore {
    fn eq(&self, points: &u32) -> bool {
        *self == Self::of_points(*points)
    }
}

impl fmt::Display for TournamentScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 4, ["", "¼", "½", "¾"][self.0 as usize % 4]);
        if whole == 0 && !part.is_empty() {
            f.write_str(part)
        } else {
            write!(f, "{whole}{part}")
        }
    }
}

impl Serialize for TournamentScore {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(4) {
            serializer.serialize_u32(self.0 / 4)
        } else {
            // Quarters are exact in binary.
            serializer.serialize_f64(f64::from(self.0) / 4.0)
        }
    }
}

impl<'de> Deserialize<'de> for TournamentScore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let quarters = f64::deserialize(deserializer)? * 4.0;
        let is_exact = (0.0..=f64::from(u32::MAX)).contains(&quarters) && quarters.fract() == 0.0;
        if is_exact {
            Ok(Self(quarters as u32))
        } else {
            Err(de::Error::custom("a score is a number of quarters"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_numbers_that_read_back() {
        for (quarters, text, json) in [
            (0, "0", "0"),
            (1, "¼", "0.25"),
            (2, "½", "0.5"),
            (4, "1", "1"),
            (14, "3½", "3.5"),
            (43, "10¾", "10.75"),
        ] {
            let score = TournamentScore::of_quarters(quarters);
            assert_eq!(score.to_string(), text);
            assert_eq!(serde_json::to_string(&score).unwrap(), json);
            assert_eq!(
                serde_json::from_str::<TournamentScore>(json).unwrap(),
                score
            );
        }
        for wrong in ["0.3", "-1", "1e20", "null"] {
            assert!(
                serde_json::from_str::<TournamentScore>(wrong).is_err(),
                "{wrong}"
            );
        }
        assert!(TournamentScore::of_halves(4) == 2);
    }
}
