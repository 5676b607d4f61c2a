//! Berger tables: who meets whom in which round of a round robin, and who begins.
//!
//! Source: FIDE Handbook C.05, annex 1.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// The number of players that a round robin may have.
pub const PLAYERS: RangeInclusive<usize> = 3..=16;

/// A round: pairs of places from 0, the one with the first move in front, and the place of who has a bye.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The pairs, by the smaller place of each.
    pub pairs: Vec<[usize; 2]>,
    /// The player without an opponent, where the number of players is odd.
    pub bye: Option<usize>,
}

/// Returns the rounds for a number of players; `None` if it is not among [`PLAYERS`].
///
/// With `double` each pair meets again with sides swapped, and the last two rounds of the first cycle are exchanged, so that
/// nobody has one side three times in a row.
///
/// ```
/// use tochki_tournaments::round_robin::berger;
///
/// let rounds = berger(4, false).unwrap();
/// assert_eq!(rounds[0].pairs, [[0, 3], [1, 2]]);
/// assert_eq!(rounds[1].pairs, [[0, 1], [3, 2]]);
/// ```
pub fn berger(players: usize, double: bool) -> Option<Vec<Round>> {
    if !PLAYERS.contains(&players) {
        return None;
    }
    let even = players.next_multiple_of(2);
    let rounds = even - 1;
    let mut table = vec![Round::default(); rounds];
    // Numbers from 1, as the formulas have them; round 0 is the last one.
    let index = |round: usize| (round + rounds - 1) % rounds;
    for one in 1..even {
        let with_last = &mut table[index((2 * one - 1) % rounds)];
        if even > players {
            with_last.bye = Some(one - 1);
        } else if one <= even / 2 {
            with_last.pairs.push([one - 1, even - 1]);
        } else {
            with_last.pairs.push([even - 1, one - 1]);
        }
        for other in one + 1..even {
            let pair = if (one + other) % 2 == 1 {
                [one, other]
            } else {
                [other, one]
            };
            table[index((one + other - 1) % rounds)]
                .pairs
                .push(pair.map(|number| number - 1));
        }
    }
    for round in &mut table {
        round
            .pairs
            .sort_unstable_by_key(|pair| pair[0].min(pair[1]));
    }
    if double {
        let second: Vec<_> = (table.iter())
            .map(|round| Round {
                pairs: round
                    .pairs
                    .iter()
                    .map(|&[first, second]| [second, first])
                    .collect(),
                bye: round.bye,
            })
            .collect();
        table.swap(rounds - 2, rounds - 1);
        table.extend(second);
    }
    Some(table)
}

/// Returns the rounds as text, with a blank line between them: `7 12` where 7 begins, `5 0` for a bye. Players are numbers from 1.
///
/// # Errors
///
/// If the number of players is not among [`PLAYERS`].
pub fn table(players: usize, double: bool) -> Result<String, String> {
    let rounds = berger(players, double).ok_or_else(|| {
        format!(
            "a round robin has {} to {} players",
            PLAYERS.start(),
            PLAYERS.end()
        )
    })?;
    let mut text = String::new();
    for (index, round) in rounds.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        for [first, second] in &round.pairs {
            let _ = writeln!(text, "{} {}", first + 1, second + 1);
        }
        if let Some(bye) = round.bye {
            let _ = writeln!(text, "{} 0", bye + 1);
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Writes a round nearly as FIDE's table does: numbers from 1, the pair with the last number in front; the others by their
    /// smaller number.
    fn told(round: &Round) -> String {
        let mut pairs = round.pairs.clone();
        let last = pairs.iter().flatten().copied().max().unwrap_or_default();
        pairs.sort_by_key(|pair| !pair.contains(&last));
        let told = pairs
            .iter()
            .map(|[first, second]| format!("{}-{}", first + 1, second + 1));
        told.collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(players: usize, expected: &[&str]) {
        let rounds = berger(players, false).unwrap();
        assert_eq!(rounds.iter().map(told).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn published_tables() {
        check(4, &["1-4 2-3", "4-3 1-2", "2-4 3-1"]);
        check(
            6,
            &[
                "1-6 2-5 3-4",
                "6-4 1-2 5-3",
                "2-6 3-1 4-5",
                "6-5 1-4 2-3",
                "3-6 5-1 4-2",
            ],
        );
        check(
            8,
            &[
                "1-8 2-7 3-6 4-5",
                "8-5 1-2 7-3 6-4",
                "2-8 3-1 4-7 5-6",
                "8-6 1-4 2-3 7-5",
                "3-8 5-1 4-2 6-7",
                "8-7 1-6 2-5 3-4",
                "4-8 7-1 6-2 5-3",
            ],
        );
    }

    /// Sides of each player in the order of the rounds: whether this one began.
    fn sides(rounds: &[Round], players: usize) -> Vec<Vec<bool>> {
        let mut sides = vec![Vec::new(); players];
        for round in rounds {
            for &[first, second] in &round.pairs {
                sides[first].push(true);
                sides[second].push(false);
            }
        }
        sides
    }

    #[test]
    fn each_pair_meets_once_and_sides_are_balanced() {
        for players in PLAYERS {
            for double in [false, true] {
                let rounds = berger(players, double).unwrap();
                let mut met = HashMap::new();
                for round in &rounds {
                    let mut here: Vec<_> = round.pairs.iter().flatten().copied().collect();
                    here.extend(round.bye);
                    here.sort_unstable();
                    assert_eq!(
                        here,
                        (0..players).collect::<Vec<_>>(),
                        "{players}: all are in a round"
                    );
                    for pair in &round.pairs {
                        *met.entry(*pair).or_insert(0) += 1;
                    }
                }
                for one in 0..players {
                    for other in 0..one {
                        let mut times = [[one, other], [other, one]]
                            .map(|pair| met.get(&pair).copied().unwrap_or(0));
                        times.sort_unstable();
                        assert_eq!(times, if double { [1, 1] } else { [0, 1] });
                    }
                }
                for sides in sides(&rounds, players) {
                    let firsts = sides.iter().filter(|&&first| first).count();
                    assert!(
                        (2 * firsts).abs_diff(sides.len()) <= 1,
                        "{players}: {sides:?}"
                    );
                    // With an odd number, too, since a bye only takes a game out.
                    let in_a_row = sides
                        .windows(3)
                        .any(|three| three.iter().all(|side| *side == three[0]));
                    assert!(
                        !in_a_row || !players.is_multiple_of(2),
                        "{players}: {sides:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn other_numbers_have_no_table() {
        assert_eq!(berger(2, false), None);
        assert_eq!(berger(17, true), None);
        assert_eq!(
            table(2, false),
            Err("a round robin has 3 to 16 players".into())
        );
    }

    #[test]
    fn a_table_has_a_line_for_each_pair() {
        assert_eq!(
            table(3, false).unwrap(),
            "2 3\n1 0\n\n1 2\n3 0\n\n3 1\n2 0\n"
        );
        assert_eq!(
            table(4, true)
                .unwrap()
                .lines()
                .filter(|line| line.is_empty())
                .count(),
            5
        );
    }
}
