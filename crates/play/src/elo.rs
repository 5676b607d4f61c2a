//! Elo ratings: the change that a result makes to both.
//!
//! Source of both formulas: Arpad Elo, *The Rating of Chessplayers, Past and Present* (1978), with the logistic curve for
//! the expected score. FIDE (Handbook B.02) uses a table of the normal curve instead. The factors `K` are this arena's own.

use serde::{Deserialize, Serialize};
use tochki_rules::Seat;

/// An Elo rating: a real number, shown rounded.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Rating(pub f64);

impl Rating {
    /// The rating of every new player in every game.
    pub const START: Self = Self(1600.0);

    /// Returns the factor `K`, the most that a game may move this rating: 25 below 1700, 15 below 2400, then 10.
    fn k(self) -> f64 {
        match self.0 {
            r if r < 1700.0 => 25.0,
            r if r < 2400.0 => 15.0,
            _ => 10.0,
        }
    }

    /// Returns the expected score against `other`: `1 / (1 + 10^((other − self) / 400))`.
    fn expected(self, other: Self) -> f64 {
        1.0 / (1.0 + 10_f64.powf((other.0 - self.0) / 400.0))
    }
}

/// A rating before and after a match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RatingChange {
    /// The rating before the match.
    pub before: Rating,
    /// The rating after the match.
    pub after: Rating,
    /// Whether the rating is still of few rated matches or of few opponents, so that it is shown with a question mark. [`rate`]
    /// does not know; the transaction that ends the match does. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
}

/// Returns both new ratings from both old ones: `R' = R + K·(S − E)`, `S` 1, ½ or 0, `K` by the rating before.
///
/// Sources: see the module.
///
/// ```
/// use tochki_play::{Rating, rate};
/// use tochki_rules::Seat;
///
/// let [winner, loser] = rate([Rating(1600.0); 2], Some(Seat::First));
/// assert_eq!((winner.after, loser.after), (Rating(1612.5), Rating(1587.5)));
/// ```
pub fn rate(ratings: [Rating; 2], winner: Option<Seat>) -> [RatingChange; 2] {
    Seat::BOTH.map(|seat| {
        let (before, other) = (ratings[seat.index()], ratings[seat.other().index()]);
        let scored = match winner {
            Some(winner) if winner == seat => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        };
        RatingChange {
            before,
            after: Rating(before.0 + before.k() * (scored - before.expected(other))),
            provisional: false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: [f64; 2], winner: Option<Seat>, after: [f64; 2]) {
        let changes = rate(before.map(Rating), winner);
        for (change, after) in changes.iter().zip(after) {
            assert!(
                (change.after.0 - after).abs() < 0.0005,
                "{changes:?}, not {after}"
            );
        }
    }

    #[test]
    fn worked_examples() {
        check([1600.0, 1600.0], Some(Seat::First), [1612.5, 1587.5]);
        check([2165.0, 1647.0], Some(Seat::First), [2165.724, 1645.794]);
        check([2165.0, 1647.0], None, [2158.224, 1658.294]);
        check([1647.0, 2165.0], Some(Seat::First), [1670.794, 2150.724]);
    }

    #[test]
    fn k_follows_the_rating_before() {
        check([1699.9, 1699.9], Some(Seat::First), [1712.4, 1687.4]);
        check([1700.0, 1700.0], Some(Seat::Second), [1692.5, 1707.5]);
        check([2399.9, 2399.9], Some(Seat::First), [2407.4, 2392.4]);
        check([2400.0, 2400.0], Some(Seat::First), [2405.0, 2395.0]);
    }
}
