//! A wave of pairings: who of those who wait plays whom, and with which side.
//!
//! Source of the cost: lichess's arenas (`modules/tournament/src/main/arena/WMMatching.scala`, `AntmaPairing.scala`).

use integer_blossom::min_weight_perfect_matching;
use std::cmp::Reverse;
use tochki_play::{Millis, Timestamp};
use tochki_rules::Seat;

/// The number of players who are matched together; the time grows with its cube.
const GROUP: usize = 100;
/// So many waiting players are paired without waiting longer.
const CROWD: usize = 100;
/// A player has the same side so many times in a row at most.
const SIDES_IN_A_ROW: u32 = 3;
/// Among the last [`RECENT_PAIRINGS`] pairings of a player, the new one among them, are so many against the same opponent at
/// most while others wait.
const REPEATS: usize = 3;
const RECENT_PAIRINGS: usize = 10;

/// More than the difference of any two: who share an address are paired only where nobody else is left for them.
const SAME_SITE: i64 = 1 << 30;
/// More than all differences of a group together.
const STEP_OF_WAITING: i64 = 1 << 36;
/// More than all steps of waiting of a group together.
const FORBIDDEN: i64 = 1 << 44;

/// A player who waits to be paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The player, by the place in the order of joining.
    pub player: usize,
    /// The rank, from 1.
    pub rank: u32,
    /// The rating.
    pub rating: i32,
    /// The time since when this player waits.
    pub since: Timestamp,
    /// The opponents so far, from the first to the last. More than the last ten are not looked at.
    pub opponents: Vec<usize>,
    /// The number of games with the first move.
    pub first_moves: u32,
    /// The side of the last game, and how many times in a row it was that.
    pub last_side: Option<(Seat, u32)>,
    /// The address from which this player has entered, if it is known, as a number of its own.
    pub site: Option<usize>,
}

impl Waiting {
    /// Returns the side that this player must not have once more.
    fn excluded_side(&self) -> Option<Seat> {
        self.last_side
            .filter(|&(_, times)| times >= SIDES_IN_A_ROW)
            .map(|(side, _)| side)
    }

    /// Returns how many of the last pairings before a new one were against `opponent`.
    fn recent_pairings(&self, opponent: usize) -> usize {
        (self.opponents.iter().rev().take(RECENT_PAIRINGS - 1))
            .filter(|&&other| other == opponent)
            .count()
    }

    fn shares_site(&self, other: &Self) -> bool {
        self.site.is_some() && self.site == other.site
    }
}

/// Two players who are paired, the one with the first move in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The player with the first move.
    pub first: usize,
    /// The other player.
    pub second: usize,
}

/// Returns whether those who wait are paired now: when two have waited for `wait` ([`super::wave_wait`]), or when they are a
/// crowd.
pub fn is_wave_due(
    waiting: impl IntoIterator<Item = Timestamp>,
    wait: Millis,
    now: Timestamp,
) -> bool {
    let (mut all, mut long) = (0, 0);
    for since in waiting {
        all += 1;
        long += usize::from(now - since >= wait);
    }
    long >= 2 || all > CROWD
}

/// Pairs those who wait. Some may be left over: the one who waited least if their number is odd, and who has no opponent that
/// is allowed.
///
/// `active` is the number of players who wait or play: two alone may play each other again and again. `random` decides who begins
/// where both began equally often.
pub fn pair(waiting: &[Waiting], active: usize, random: &mut impl FnMut() -> u64) -> Vec<Pairing> {
    let wave = Wave {
        waiting,
        lowest_rank: waiting.iter().map(|one| one.rank).max().unwrap_or(1).max(1),
        alone: active <= 2,
    };
    let mut order: Vec<_> = (0..waiting.len()).collect();
    let odd = (!waiting.len().is_multiple_of(2))
        .then(|| {
            order
                .iter()
                .copied()
                .max_by_key(|&one| (waiting[one].since, one))
        })
        .flatten();
    order.retain(|&one| Some(one) != odd);
    order.sort_by_key(|&one| (waiting[one].rank, one));

    let mut pairs = Vec::new();
    let mut left = Vec::new();
    for group in order.chunks(GROUP) {
        wave.pair_group(group, &mut pairs, &mut left);
    }
    if !left.is_empty() {
        // With the odd one, or across the groups, some of them may find an opponent.
        left.extend(odd);
        left.sort_by_key(|&one| (waiting[one].since, one));
        left.truncate(GROUP);
        wave.pair_group(&left, &mut pairs, &mut Vec::new());
    }
    pairs
        .into_iter()
        .map(|[one, other]| wave.seat(one, other, random))
        .collect()
}

struct Wave<'a> {
    waiting: &'a [Waiting],
    lowest_rank: u32,
    /// Whether nobody else is there.
    alone: bool,
}

impl Wave<'_> {
    /// Pairs a group, and adds who is left to `left`. Of an odd group who waited least is left, if possible.
    fn pair_group(&self, group: &[usize], pairs: &mut Vec<[usize; 2]>, left: &mut Vec<usize>) {
        let size = group.len().next_multiple_of(2);
        let mut by_waiting: Vec<_> = (0..group.len()).collect();
        by_waiting.sort_by_key(|&at| Reverse((self.waiting[group[at]].since, group[at])));
        let mut waited = vec![0; group.len()];
        for (place, &at) in (0_i64..).zip(&by_waiting) {
            waited[at] = place;
        }
        let mut costs = vec![0; size * size];
        for (at, &one) in group.iter().enumerate() {
            for (below, &other) in group.iter().enumerate().skip(at + 1) {
                costs[at * size + below] = self.cost(one, other);
            }
            if size > group.len() {
                costs[at * size + group.len()] = waited[at] * STEP_OF_WAITING;
            }
        }
        let mates = min_weight_perfect_matching(&costs, size);
        for (at, &one) in group.iter().enumerate() {
            match group.get(mates[at]) {
                Some(&other) if self.is_allowed(one, other) => {
                    if at < mates[at] {
                        pairs.push([one, other]);
                    }
                }
                _ => left.push(one),
            }
        }
    }

    /// Returns `|Δrank|·f + |Δrating|` with `f = 300 + 1700·(lowest rank − better rank)/lowest rank`: at the top ranks count more
    /// than ratings.
    fn cost(&self, one: usize, other: usize) -> i64 {
        if !self.is_allowed(one, other) {
            return FORBIDDEN;
        }
        let [one, other] = [one, other].map(|at| &self.waiting[at]);
        let lowest = i64::from(self.lowest_rank);
        let better = i64::from(one.rank.min(other.rank));
        let factor = 300 + 1700 * (lowest - better) / lowest;
        let same_site = if one.shares_site(other) { SAME_SITE } else { 0 };
        i64::from(one.rank.abs_diff(other.rank)) * factor
            + i64::from(one.rating.abs_diff(other.rating))
            + same_site
    }

    fn is_allowed(&self, one: usize, other: usize) -> bool {
        let [one, other] = [one, other].map(|at| &self.waiting[at]);
        let again = one.opponents.last() == Some(&other.player)
            || other.opponents.last() == Some(&one.player);
        let others_wait = self.waiting.len() > 2;
        let too_often = [(one, other), (other, one)]
            .iter()
            .any(|(of, with)| of.recent_pairings(with.player) >= REPEATS);
        let no_side = one.excluded_side().is_some() && one.excluded_side() == other.excluded_side();
        // Two accounts of one person do not wait for the moment when only they are free.
        let bounded = others_wait || (one.shares_site(other) && !self.alone);
        let met_too_often = (again && !self.alone) || (too_often && bounded);
        !met_too_often && !no_side
    }

    /// Gives the first move to who had it less often, unless that were a fourth time in a row.
    fn seat(&self, one: usize, other: usize, random: &mut impl FnMut() -> u64) -> Pairing {
        let [one, other] = [one, other].map(|at| &self.waiting[at]);
        let may_begin = |first: &Waiting, second: &Waiting| {
            first.excluded_side() != Some(Seat::First)
                && second.excluded_side() != Some(Seat::Second)
        };
        let one_begins = match (may_begin(one, other), may_begin(other, one)) {
            (true, false) => true,
            (false, true) => false,
            _ if one.first_moves != other.first_moves => one.first_moves < other.first_moves,
            _ => random().is_multiple_of(2),
        };
        let [first, second] = if one_begins {
            [one, other]
        } else {
            [other, one]
        };
        Pairing {
            first: first.player,
            second: second.player,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn waiting(player: usize, rank: u32) -> Waiting {
        Waiting {
            player,
            rank,
            rating: 1600,
            since: Timestamp(0),
            opponents: Vec::new(),
            first_moves: 0,
            last_side: None,
            site: None,
        }
    }

    fn pairs_of(waiting: &[Waiting], active: usize) -> Vec<[usize; 2]> {
        let mut pairs: Vec<_> = pair(waiting, active, &mut || 0)
            .iter()
            .map(|pair| [pair.first.min(pair.second), pair.first.max(pair.second)])
            .collect();
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn neighbours_are_paired_and_the_last_to_come_waits() {
        let mut four: Vec<_> = (0..4).map(|at| waiting(at, at as u32 + 1)).collect();
        assert_eq!(pairs_of(&four, 4), [[0, 1], [2, 3]]);
        four.push(waiting(4, 5));
        four[2].since = Timestamp(5000);
        assert_eq!(pairs_of(&four, 5), [[0, 1], [3, 4]]);
        assert_eq!(pairs_of(&four[..1], 5), [[0; 2]; 0]);
        assert_eq!(pairs_of(&[], 5), [[0; 2]; 0]);
    }

    #[test]
    fn nobody_meets_the_last_opponent_again_unless_two_are_alone() {
        let mut four: Vec<_> = (0..4).map(|at| waiting(at, at as u32 + 1)).collect();
        four[0].opponents = vec![1];
        four[1].opponents = vec![0];
        assert_eq!(pairs_of(&four, 4), [[0, 2], [1, 3]]);
        assert_eq!(pairs_of(&four[..2], 4), [[0; 2]; 0]);
        assert_eq!(pairs_of(&four[..2], 2), [[0, 1]]);
    }

    #[test]
    fn the_odd_one_helps_where_nobody_else_is_allowed() {
        let mut three: Vec<_> = (0..3).map(|at| waiting(at, at as u32 + 1)).collect();
        three[0].opponents = vec![1];
        three[1].opponents = vec![0];
        three[2].since = Timestamp(9000);
        assert_eq!(pairs_of(&three, 3), [[0, 2]]);
    }

    #[test]
    fn the_same_opponent_comes_three_times_of_ten_while_others_wait() {
        let mut four: Vec<_> = (0..4).map(|at| waiting(at, at as u32 + 1)).collect();
        four[0].opponents = vec![1, 2, 1, 3, 1, 2];
        four[1].opponents = vec![0, 2, 0, 3, 0, 3];
        assert_eq!(pairs_of(&four, 4), [[0, 3], [1, 2]]);
        // Nobody else waits, though others play.
        assert_eq!(pairs_of(&four[..2], 4), [[0, 1]]);
        // The first of the three is the tenth to last with the new one, and the next time it would be forgotten.
        four[0].opponents = vec![1, 4, 1, 4, 5, 1, 4, 5, 6];
        four[1].opponents = Vec::new();
        assert_eq!(pairs_of(&four, 9), [[0, 2], [1, 3]]);
        four[0].opponents.push(4);
        assert_eq!(pairs_of(&four, 9), [[0, 1], [2, 3]]);
    }

    #[test]
    fn players_of_one_address_meet_where_nobody_else_is_left() {
        let mut four: Vec<_> = (0..4).map(|at| waiting(at, at as u32 + 1)).collect();
        four[0].site = Some(1);
        four[1].site = Some(1);
        assert_eq!(pairs_of(&four, 4), [[0, 2], [1, 3]]);
        assert_eq!(pairs_of(&four[..2], 4), [[0, 1]]);
        // Nobody else waits, but others play.
        four[0].opponents = vec![1, 2, 1, 2, 1, 2];
        assert_eq!(pairs_of(&four[..2], 4), [[0; 2]; 0]);
        assert_eq!(pairs_of(&four[..2], 2), [[0, 1]]);
        // As in a class of a school.
        for one in &mut four {
            *one = Waiting {
                site: Some(1),
                opponents: Vec::new(),
                ..one.clone()
            };
        }
        assert_eq!(pairs_of(&four, 4), [[0, 1], [2, 3]]);
    }

    #[test]
    fn sides_even_out_and_never_come_a_fourth_time() {
        let mut two = [waiting(7, 1), waiting(8, 2)];
        two[0].first_moves = 3;
        two[1].first_moves = 2;
        let first = |two: &[Waiting]| pair(two, 5, &mut || 0).first().map(|pair| pair.first);
        assert_eq!(first(&two), Some(8));
        two[1].last_side = Some((Seat::First, 3));
        assert_eq!(first(&two), Some(7));
        two[0].last_side = Some((Seat::First, 4));
        assert_eq!(first(&two), None);
        two[0].last_side = Some((Seat::Second, 2));
        two[1].last_side = None;
        two[1].first_moves = 3;
        assert_eq!(first(&two), Some(7));
        assert_eq!(pair(&two, 5, &mut || 1)[0].first, 8);
    }

    #[test]
    fn a_wave_needs_two_who_waited_or_a_crowd() {
        let wait = Millis::from_secs(8);
        let due = |since: &[i64]| {
            is_wave_due(
                since.iter().map(|&at| Timestamp(at)),
                wait,
                Timestamp(10_000),
            )
        };
        assert!(!due(&[0, 5000, 9000]));
        assert!(due(&[0, 2000, 9000]));
        assert!(!due(&[10_000; 100]));
        assert!(due(&[10_000; 101]));
    }

    /// Plays random arenas, and checks each wave: the rules, and that no allowed pair of players is left over.
    #[test]
    fn random_arenas_keep_the_rules() {
        let mut random = Random(8);
        for players in [2, 3, 5, 8, 13, 40] {
            let mut all: Vec<_> = (0..players).map(|at| waiting(at, at as u32 + 1)).collect();
            for _ in 0..30 {
                let here: Vec<_> = all
                    .iter()
                    .filter(|_| players < 4 || random.percent(70))
                    .cloned()
                    .collect();
                let pairs = pair(&here, players, &mut || random.next());
                let mut seen = vec![false; players];
                for pair in &pairs {
                    let [first, second] = [pair.first, pair.second].map(|at| all[at].clone());
                    assert!(!seen[pair.first] && !seen[pair.second]);
                    (seen[pair.first], seen[pair.second]) = (true, true);
                    assert!(players == 2 || first.opponents.last() != Some(&pair.second));
                    assert!(
                        first
                            .last_side
                            .is_none_or(|side| side.0 == Seat::Second || side.1 < 3)
                    );
                    assert!(
                        second
                            .last_side
                            .is_none_or(|side| side.0 == Seat::First || side.1 < 3)
                    );
                    for (at, other, side) in [
                        (pair.first, pair.second, Seat::First),
                        (pair.second, pair.first, Seat::Second),
                    ] {
                        let one = &mut all[at];
                        one.opponents.push(other);
                        let last = &one.opponents[one.opponents.len().saturating_sub(10)..];
                        let same = last.iter().filter(|&&met| met == other).count();
                        assert!(here.len() == 2 || same <= 3, "{last:?}");
                        one.first_moves += u32::from(side == Seat::First);
                        let times = one
                            .last_side
                            .map_or(0, |(last, times)| times * u32::from(last == side));
                        one.last_side = Some((side, times + 1));
                    }
                }
                let wave = Wave {
                    waiting: &here,
                    lowest_rank: 1,
                    alone: players == 2,
                };
                let left: Vec<_> = (0..here.len())
                    .filter(|&at| !seen[here[at].player])
                    .collect();
                for (at, &one) in left.iter().enumerate() {
                    assert!(
                        left[at + 1..]
                            .iter()
                            .all(|&other| !wave.is_allowed(one, other))
                    );
                }
            }
        }
    }

    #[test]
    fn a_crowd_is_paired_whole() {
        let mut random = Random(2000);
        let crowd: Vec<_> = (0..301)
            .map(|player| Waiting {
                rating: 1200 + random.below(1000) as i32,
                since: Timestamp(random.below(9000) as i64),
                ..waiting(player, player as u32 + 1)
            })
            .collect();
        let pairs = pair(&crowd, 400, &mut || random.next());
        assert_eq!(pairs.len(), 150);
        let newest = crowd
            .iter()
            .max_by_key(|one| (one.since, one.player))
            .unwrap();
        assert!(
            pairs
                .iter()
                .all(|pair| ![pair.first, pair.second].contains(&newest.player))
        );
        let far = |pair: &Pairing| pair.first.abs_diff(pair.second);
        assert!(pairs.iter().map(far).max() < Some(12));
    }

    /// Measures a wave: `cargo test -p tochki-tournaments -- --ignored --nocapture wave`.
    #[test]
    #[ignore = "measures"]
    fn a_wave_of_two_thousand() {
        let mut random = Random(3);
        let crowd: Vec<_> = (0..2000)
            .map(|player| Waiting {
                rating: 1000 + random.below(1500) as i32,
                opponents: (0..10).map(|_| random.below(2000)).collect(),
                ..waiting(player, player as u32 + 1)
            })
            .collect();
        let start = std::time::Instant::now();
        let pairs = pair(&crowd, 2000, &mut || random.next());
        eprintln!("{} pairs: {:?}", pairs.len(), start.elapsed());
        assert_eq!(pairs.len(), 1000);
    }
}
