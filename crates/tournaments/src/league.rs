//! Leagues: the divisions of a season, as they follow from those of the season before.

/// The number of players of a division.
pub const DIVISION: usize = 8;

/// The number of players who go up, and of those who go down.
pub const MOVERS: usize = 2;

/// The fewest players of a division that is not the only one.
const SMALLEST: usize = 4;

/// Returns the divisions of the next season, the highest first, each with its strongest players in front. `last` are those of the season
/// before in the order of their standings, without who has left; newcomers enter at the bottom.
pub fn next_divisions<P: Clone>(last: &[Vec<P>], newcomers: &[P]) -> Vec<Vec<P>> {
    // As many as go up over a border go down. Of a small division nobody does both.
    let movers = |above: usize| match (last.get(above), last.get(above + 1)) {
        (Some(upper), Some(lower)) => MOVERS.min(upper.len() / 2).min(lower.len() / 2),
        _ => 0,
    };
    let mut order = Vec::new();
    for (at, division) in last.iter().enumerate() {
        let (up, down) = (at.checked_sub(1).map_or(0, movers), movers(at));
        if let Some(above) = at.checked_sub(1).and_then(|above| last.get(above)) {
            order.extend_from_slice(&above[above.len() - up..]);
        }
        order.extend_from_slice(&division[up..division.len() - down]);
        if let Some(below) = last.get(at + 1) {
            order.extend_from_slice(&below[..down]);
        }
    }
    order.extend_from_slice(newcomers);
    // Who has left makes room for the next one.
    let mut rest = order.as_slice();
    let mut divisions = Vec::new();
    for size in sizes(order.len()) {
        let (division, others) = rest.split_at(size);
        divisions.push(division.to_vec());
        rest = others;
    }
    divisions
}

/// Returns the sizes of the divisions of so many players: of [`DIVISION`], and where the last one would be small, it shares with the one
/// before.
fn sizes(players: usize) -> Vec<usize> {
    let (full, rest) = (players / DIVISION, players % DIVISION);
    let mut sizes = vec![DIVISION; full];
    match rest {
        0 => {}
        _ if rest >= SMALLEST || full == 0 => sizes.push(rest),
        _ => {
            let shared = DIVISION + rest;
            sizes.pop();
            sizes.extend([shared.div_ceil(2), shared / 2]);
        }
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn numbers(from: u32, count: u32) -> Vec<u32> {
        (from..from + count).collect()
    }

    #[test]
    fn two_go_up_and_two_down() {
        let last = [numbers(0, 8), numbers(10, 8), numbers(20, 8)];
        assert_eq!(
            next_divisions(&last, &[30]),
            [
                vec![0, 1, 2, 3, 4, 5, 10, 11],
                vec![6, 7, 12, 13, 14, 15, 20, 21],
                // A division of one is none: the last two share.
                vec![16, 17, 22, 23, 24],
                vec![25, 26, 27, 30],
            ]
        );
    }

    #[test]
    fn who_leaves_makes_room_and_newcomers_begin_at_the_bottom() {
        let last = [numbers(0, 6), numbers(10, 8)];
        assert_eq!(
            next_divisions(&last, &[20, 21]),
            [
                vec![0, 1, 2, 3, 10, 11, 4, 5],
                vec![12, 13, 14, 15, 16, 17, 20, 21]
            ]
        );
        assert_eq!(next_divisions(&[], &numbers(0, 5)), [numbers(0, 5)]);
        assert!(next_divisions::<u32>(&[], &[]).is_empty());
        // Of small divisions nobody goes up and down at once.
        let small = [vec![0, 1, 2], vec![10], vec![20, 21, 22, 23]];
        let next = next_divisions(&small, &[]);
        assert_eq!(next, [vec![0, 1, 2, 10, 20, 21, 22, 23]]);
    }

    #[test]
    fn divisions_have_eight_players_or_a_few_less() {
        assert_eq!(sizes(3), [3]);
        assert_eq!(sizes(8), [8]);
        assert_eq!(sizes(9), [5, 4]);
        assert_eq!(sizes(11), [6, 5]);
        assert_eq!(sizes(12), [8, 4]);
        assert_eq!(sizes(18), [8, 5, 5]);
        for players in 0..200 {
            let sizes = sizes(players);
            assert_eq!(sizes.iter().sum::<usize>(), players);
            let is_only = sizes.len() == 1;
            assert!(
                sizes
                    .iter()
                    .all(|size| (is_only || *size >= SMALLEST) && *size <= DIVISION)
            );
        }
    }

    #[test]
    fn nobody_is_lost_or_twice_there_over_many_seasons() {
        let mut random = Random(7);
        let mut last: Vec<Vec<u32>> = Vec::new();
        let mut members = 0;
        for _ in 0..200 {
            let newcomers = numbers(members, (random.next() % 5) as u32);
            members += newcomers.len() as u32;
            let next = next_divisions(&last, &newcomers);
            let mut all: Vec<_> = next.iter().flatten().copied().collect();
            let mut before: Vec<_> = last.iter().flatten().chain(&newcomers).copied().collect();
            all.sort_unstable();
            before.sort_unstable();
            assert_eq!(all, before);
            // Some leave.
            last = next
                .into_iter()
                .map(|division| {
                    division
                        .into_iter()
                        .filter(|_| !random.next().is_multiple_of(9))
                        .collect()
                })
                .collect();
        }
    }
}
