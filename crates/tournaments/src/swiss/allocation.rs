//! The choice of the player who begins in a pair (article 5).

use super::field::Player;
use super::sides::{Sides, Strength};
use std::cmp::Ordering;
use tochki_rules::Seat;

/// Returns the side of `high` in a game against `low`, who has a lower rank.
pub(super) fn allocate(high: &Player, low: &Player, initial: Seat) -> Seat {
    let (one, other) = (&high.sides, &low.sides);
    // 5.2.1: both preferences.
    if one.is_compatible(other) {
        let due = one
            .preference()
            .or_else(|| other.preference().map(Seat::other));
        // 5.2.5: the initial side belongs to odd numbers; counted from 0 they are even.
        let number_decides = || {
            if high.number.is_multiple_of(2) {
                initial
            } else {
                initial.other()
            }
        };
        return due.unwrap_or_else(number_decides);
    }
    let due = one.preference().unwrap_or(initial);
    // 5.2.2: the stronger preference, of two absolute ones that of the wider difference.
    let rank = |sides: &Sides| match sides.strength() {
        Strength::Absolute => (Strength::Absolute, sides.difference()),
        strength => (strength, 0),
    };
    match rank(one).cmp(&rank(other)) {
        Ordering::Greater => due,
        Ordering::Less => due.other(),
        // 5.2.3: alternated since the last difference; 5.2.4: the preference of the higher rank.
        Ordering::Equal => one
            .last_difference(other)
            .map_or(due, |[own, _]| own.other()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::field::{Entrant, Field, Round};
    use super::*;
    use crate::Points;

    /// Players with sides in their games so far, `-` for a round without one, all draws against others.
    fn players(sides: [&str; 2]) -> Vec<Player> {
        let round = |letter: char| match letter {
            '-' => Round::Bye(Points::HALF),
            letter => Round::Game {
                opponent: 2,
                side: if letter == 'w' {
                    Seat::First
                } else {
                    Seat::Second
                },
                result: Points::HALF,
            },
        };
        let entrant = |sides: &str| Entrant {
            history: sides.chars().map(round).collect(),
            absent: false,
        };
        let rounds = sides[0].len();
        let other = Entrant {
            history: vec![Round::Bye(Points::ZERO); rounds],
            absent: true,
        };
        let field = Field {
            rounds: 9,
            initial_side: Seat::Second,
            players: vec![entrant(sides[0]), entrant(sides[1]), other],
            forbidden: Vec::new(),
        };
        field.present()
    }

    #[test]
    fn the_side_of_the_higher_rank() {
        for (high, low, began) in [
            // Both preferences, or the only one.
            ("w", "b", Seat::Second),
            ("-", "b", Seat::Second),
            ("w", "-", Seat::Second),
            // The stronger one.
            ("wb-", "-bb", Seat::Second),
            ("bww", "-bw", Seat::Second),
            ("-bw", "bww", Seat::First),
            // The wider difference.
            ("wbwbww", "--wwww", Seat::First),
            // The last difference.
            ("wwb", "bwb", Seat::Second),
            // The higher rank.
            ("bw", "bw", Seat::Second),
            // Nothing: the side of the first number.
            ("--", "--", Seat::Second),
        ] {
            let players = players([high, low]);
            let side = allocate(&players[0], &players[1], Seat::Second);
            assert_eq!(side, began, "{high} {low}");
        }
    }
}
