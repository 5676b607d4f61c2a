//! The entry of the pairing: a field by the Dutch system, a larger one in groups by score.

use super::criteria::RoundRules;
use super::dutch::{LARGEST_DUTCH_FIELD, NoPairing, pair_players};
use super::field::{Field, Pair, Player};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// Pairs the next round, in the order in which pairs are published: by the higher score of both, then the lower one, then the rank.
///
/// Up to [`LARGEST_DUTCH_FIELD`] players are paired by the Dutch system as a whole. A larger field is cut into groups of
/// neighbouring scores, each of which is paired so; the last player of an odd one goes into the next. A score that more
/// players have is cut in such a way that each group has the same part of its upper and its lower half.
///
/// # Errors
///
/// If the absolute criteria (C1 to C4) leave no pairing; in a field of several groups, if they leave none to two neighbouring ones.
pub fn pair(field: &Field) -> Result<Vec<Pair>, NoPairing> {
    pair_in_groups(field, LARGEST_DUTCH_FIELD)
}

fn pair_in_groups(field: &Field, largest: usize) -> Result<Vec<Pair>, NoPairing> {
    let players = field.present();
    let round = RoundRules {
        played: field.played_rounds(),
        rounds: field.rounds,
    };
    let mut rank = vec![usize::MAX; field.players.len()];
    for (at, player) in players.iter().enumerate() {
        rank[player.place] = at;
    }
    let score = |at: usize| Reverse(players[at].score);
    let order = |pair: &Pair| match *pair {
        Pair::Game { first, second } => {
            let (high, low) = (rank[first].min(rank[second]), rank[first].max(rank[second]));
            (false, score(high), score(low), high)
        }
        Pair::Bye(player) => (true, score(rank[player]), score(rank[player]), rank[player]),
    };
    let mut waiting: VecDeque<_> = groups(&players, largest).into();
    let mut paired: Vec<(Vec<usize>, Vec<Pair>)> = Vec::new();
    while let Some(group) = waiting.pop_front() {
        let members: Vec<_> = group.iter().map(|&at| players[at].clone()).collect();
        match pair_players(&members, round, field.initial_side) {
            Ok(pairs) => paired.push((group, pairs)),
            Err(NoPairing) => {
                // Together with neighbours there may be a pairing. Not with all of them: memory grows with the square.
                let neighbours = waiting
                    .pop_front()
                    .or_else(|| paired.pop().map(|done| done.0));
                let mut both = [group, neighbours.ok_or(NoPairing)?].concat();
                if both.len() > 2 * largest {
                    return Err(NoPairing);
                }
                both.sort_unstable();
                waiting.push_front(both);
            }
        }
    }
    let mut pairs: Vec<_> = paired.into_iter().flat_map(|group| group.1).collect();
    pairs.sort_by_key(order);
    Ok(pairs)
}

/// Cuts players, who are in the order of their ranks, into groups of at most `largest`. All but the last one are even.
fn groups(players: &[Player], largest: usize) -> Vec<Vec<usize>> {
    let mut groups = Vec::new();
    let mut group: Vec<usize> = Vec::new();
    let mut close = |group: &mut Vec<usize>, is_last: bool| {
        // Who is left over stays for the next group.
        let left = if group.len().is_multiple_of(2) || is_last {
            None
        } else {
            group.pop()
        };
        let whole = std::mem::replace(group, left.into_iter().collect());
        groups.extend(slices(&whole, largest));
    };
    let mut start = 0;
    for score in players.chunk_by(|one, other| one.score == other.score) {
        if !group.is_empty() && group.len() + score.len() > largest {
            close(&mut group, false);
        }
        group.extend(start..start + score.len());
        start += score.len();
    }
    close(&mut group, true);
    groups
}

/// Cuts a group so that each part has the same part of both halves.
fn slices(group: &[usize], largest: usize) -> Vec<Vec<usize>> {
    let parts = group.len().div_ceil(largest).max(1);
    let (upper, lower) = group.split_at(group.len() / 2);
    let cut = |half: &[usize], part: usize| {
        let bound = |part: usize| {
            if part == parts {
                half.len()
            } else {
                part * upper.len() / parts
            }
        };
        half[bound(part)..bound(part + 1)].to_vec()
    };
    (0..parts)
        .map(|part| [cut(upper, part), cut(lower, part)].concat())
        .filter(|part| !part.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::test_fields::Run;
    use super::*;
    use crate::testing::Random;

    #[test]
    fn a_score_of_many_is_cut_along_both_halves() {
        let group: Vec<_> = (0..10).collect();
        assert_eq!(slices(&group, 10), [group.as_slice()]);
        assert_eq!(
            slices(&group, 6),
            [[0, 1, 5, 6].as_slice(), &[2, 3, 4, 7, 8, 9]]
        );
        // An odd one, which only the last group is.
        assert_eq!(slices(&group[..5], 4), [[0, 2].as_slice(), &[1, 3, 4]]);
    }

    /// Plays a large Swiss: all are paired once, nobody meets anybody again, and scores differ little.
    #[test]
    fn a_large_field_is_paired_in_groups() {
        let mut random = Random(5);
        let mut run = Run::new(131, 5, &mut random);
        while run.field.played_rounds() < 5 {
            let present = run.present();
            let players = run.field.present();
            for groups in [groups(&players, 40), groups(&players, 12)] {
                let mut all = groups.concat();
                assert!(
                    groups
                        .iter()
                        .rev()
                        .skip(1)
                        .all(|group| group.len().is_multiple_of(2))
                );
                all.sort_unstable();
                assert_eq!(all, (0..present).collect::<Vec<_>>());
            }
            let pairs = pair_in_groups(&run.field, 40).unwrap();
            let mut seen = Vec::new();
            for pair in &pairs {
                match *pair {
                    Pair::Bye(player) => seen.push(player),
                    Pair::Game { first, second } => {
                        let find =
                            |place| players.iter().find(|player| player.place == place).unwrap();
                        assert!(find(first).may_meet(find(second)));
                        let [one, other] =
                            [first, second].map(|place| run.field.score(place).halves());
                        assert!(one.abs_diff(other) <= 3, "{one} {other}");
                        seen.extend([first, second]);
                    }
                }
            }
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), present);
            run.play(&pairs, &mut random);
        }
    }

    /// Measures the largest field of the Dutch system: `cargo test -p tochki-tournaments -- --ignored --nocapture largest`.
    #[test]
    #[ignore = "measures"]
    fn the_largest_dutch_field() {
        let mut random = Random(300);
        let mut run = Run::new(LARGEST_DUTCH_FIELD, 9, &mut random);
        for entrant in &mut run.field.players {
            entrant.absent = false;
        }
        while run.field.played_rounds() < 9 {
            let start = std::time::Instant::now();
            let pairs = pair(&run.field).unwrap();
            let round = run.field.played_rounds() + 1;
            eprintln!(
                "round {round}, {} pairs: {:?}",
                pairs.len(),
                start.elapsed()
            );
            run.play(&pairs, &mut random);
        }
    }
}
