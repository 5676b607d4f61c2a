//! The figures of tournaments of rounds that are played live: how many rounds, who may still enter, and the times between them.

use std::ops::RangeInclusive;
use tochki_play::{ClockRule, Millis};
use tochki_rules::GameKind;

/// The number of rounds that a Swiss may have.
pub const SWISS_ROUNDS: RangeInclusive<u32> = 3..=15;

/// The rounds that a Swiss has at least where its creator leaves it to the number of players.
const FEWEST_PROPOSED: u32 = 5;

/// The shortest and the longest time for the first move: a minute for all, and more with longer clocks.
const FIRST_MOVE: Millis = Millis::from_secs(60);
const LONGEST_FIRST_MOVE: Millis = Millis::from_secs(300);

/// Returns the rounds of a Swiss with so many players where nobody chose them: the binary logarithm, rounded up, and one more, at
/// least five.
pub fn proposed_rounds(players: u32) -> u32 {
    let logarithm = players.max(1).next_power_of_two().trailing_zeros();
    (logarithm + 1).clamp(FEWEST_PROPOSED, *SWISS_ROUNDS.end())
}

/// Returns the rounds that a Swiss has: as chosen or as proposed, and never more than everybody has opponents.
pub fn swiss_rounds(chosen: Option<u32>, players: u32) -> u32 {
    let rounds = chosen.unwrap_or_else(|| proposed_rounds(players));
    rounds.min(players.saturating_sub(1))
}

/// Returns the rounds of a round robin: everybody meets everybody, once or twice.
pub fn round_robin_rounds(players: u32, double: bool) -> u32 {
    let once = players.next_multiple_of(2).saturating_sub(1);
    if double { 2 * once } else { once }
}

/// Returns whether a player may enter a Swiss of so many rounds of which this one has begun: in its first half.
pub const fn may_enter_late(round: u32, rounds: u32) -> bool {
    2 * round <= rounds
}

/// Returns the time for the first move: 60 s and a sixth of the initial time, at most 5 min.
pub fn first_move_timeout(clock: ClockRule) -> Millis {
    let initial = clock.initial().unwrap_or(Millis::ZERO);
    (FIRST_MOVE + Millis(initial.0 / 6)).min(LONGEST_FIRST_MOVE)
}

/// Returns the moves that each side must have made before a draw or a finish is offered.
pub const fn moves_before_offers(game: GameKind) -> u32 {
    match game {
        GameKind::Dots => 20,
        GameKind::Gomoku => 15,
        GameKind::Boxes | GameKind::Reversi => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_follow_the_number_of_players() {
        let proposed: Vec<_> = [2, 8, 16, 17, 33, 64, 65, 300, 5000]
            .map(proposed_rounds)
            .to_vec();
        assert_eq!(proposed, [5, 5, 5, 6, 7, 7, 8, 10, 14]);
        assert_eq!(swiss_rounds(None, 40), 7);
        assert_eq!(swiss_rounds(Some(9), 40), 9);
        // Nobody has more opponents than that.
        assert_eq!(swiss_rounds(Some(9), 6), 5);
        assert_eq!(swiss_rounds(None, 2), 1);
        assert_eq!(swiss_rounds(None, 0), 0);
        assert_eq!(
            [3, 4, 15, 16].map(|players| round_robin_rounds(players, false)),
            [3, 3, 15, 15]
        );
        assert_eq!(round_robin_rounds(3, true), 6);
    }

    #[test]
    fn late_players_enter_in_the_first_half() {
        let last = |rounds| (1..=rounds).rfind(|&round| may_enter_late(round, rounds));
        assert_eq!([3, 4, 5, 9].map(last), [Some(1), Some(2), Some(2), Some(4)]);
        assert!(!may_enter_late(1, 1));
    }

    #[test]
    fn the_first_move_has_a_minute_and_more_with_longer_clocks() {
        let seconds = |clock: &str| first_move_timeout(clock.parse().unwrap()).0 / 1000;
        assert_eq!(seconds("60+1"), 70);
        assert_eq!(seconds("600+5"), 160);
        assert_eq!(seconds("3600+0"), 300);
        assert_eq!(seconds("0~30x5"), 85);
    }
}
