//! Sides of a player so far, and the preference that follows from them (article 1.7).

use tochki_rules::Seat;

/// The sides of a player in the games that were played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sides {
    history: Vec<Seat>,
    /// How many times more often the player began.
    difference: i32,
    /// The side of the last two games, if it was the same.
    repeated: Option<Seat>,
}

/// The strength of a preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    None,
    Mild,
    Strong,
    Absolute,
}

impl Sides {
    pub(super) fn new(history: Vec<Seat>) -> Self {
        let began = history.iter().filter(|&&side| side == Seat::First).count() as i32;
        let repeated = match *history.as_slice() {
            [.., before, last] if before == last => Some(last),
            _ => None,
        };
        Self {
            difference: 2 * began - history.len() as i32,
            repeated,
            history,
        }
    }

    /// Returns the side that is due.
    pub(super) fn preference(&self) -> Option<Seat> {
        let rarer = if self.difference > 0 {
            Seat::Second
        } else {
            Seat::First
        };
        match (self.difference.abs(), self.repeated) {
            (2.., _) | (1, None) => Some(rarer),
            (_, Some(repeated)) => Some(repeated.other()),
            _ => self.history.last().map(|last| last.other()),
        }
    }

    pub(super) fn strength(&self) -> Strength {
        if self.has_absolute_difference() || self.repeated.is_some() {
            Strength::Absolute
        } else if self.difference != 0 {
            Strength::Strong
        } else if self.history.is_empty() {
            Strength::None
        } else {
            Strength::Mild
        }
    }

    pub(super) fn has_absolute_difference(&self) -> bool {
        self.difference.abs() > 1
    }

    /// Returns the amount of the difference.
    pub(super) fn difference(&self) -> u32 {
        self.difference.unsigned_abs()
    }

    pub(super) fn repeated(&self) -> Option<Seat> {
        self.repeated
    }

    /// Returns whether both can have the side that is due.
    pub(super) fn is_compatible(&self, other: &Self) -> bool {
        self.preference().is_none() || self.preference() != other.preference()
    }

    /// Returns the sides of both in the last round in which they had different ones, counted over the games of each.
    pub(super) fn last_difference(&self, other: &Self) -> Option<[Seat; 2]> {
        (self.history.iter().rev())
            .zip(other.history.iter().rev())
            .find(|(one, other)| one != other)
            .map(|(one, other)| [*one, *other])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(text: &str) -> Sides {
        let read = |letter| {
            if letter == 'w' {
                Seat::First
            } else {
                Seat::Second
            }
        };
        Sides::new(text.chars().map(read).collect())
    }

    #[test]
    fn preferences() {
        use Strength::{Absolute, Mild, None, Strong};
        let (first, second) = (Some(Seat::First), Some(Seat::Second));
        for (text, preference, strength) in [
            ("", Option::None, None),
            ("w", second, Strong),
            ("wb", first, Mild),
            ("bw", second, Mild),
            ("ww", second, Absolute),
            ("bwb", first, Strong),
            ("bww", second, Absolute),
            ("wwbb", first, Absolute),
            ("wwwbw", second, Absolute),
            // The difference is wider than the last two games.
            ("wwwwbb", second, Absolute),
        ] {
            assert_eq!(sides(text).preference(), preference, "{text}");
            assert_eq!(sides(text).strength(), strength, "{text}");
        }
    }

    #[test]
    fn the_last_difference_is_counted_over_games() {
        let told = sides("wbw").last_difference(&sides("bbw"));
        assert_eq!(told, Some([Seat::First, Seat::Second]));
        assert_eq!(sides("w").last_difference(&sides("bw")), None);
    }
}
