//! Time management: the time a bot takes for a move.

use std::time::Duration;
use tochki_play::{ClockRule, Match, Millis, Timestamp};
use tochki_protocol::limits;
use tochki_rules::Seat;

/// The time of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MoveTime {
    /// The least time: the move is not made earlier.
    pub(crate) least: Duration,
    /// The most time: the search stops then.
    pub(crate) most: Duration,
}

/// The number of moves for which the rest of the clock is to last.
const MOVES_TO_GO: u32 = 40;

impl MoveTime {
    /// Returns the time of the next move of this side. `min_time` is the least time on a clock that allows it.
    pub(crate) fn of(game: &Match, seat: Seat, now: Timestamp, min_time: Duration) -> Self {
        let ClockRule::Fischer { increment, .. } = game.terms().clock else {
            return Self::within(None, Duration::ZERO, min_time);
        };
        let left = game.clock().map(|clock| clock.left(seat, now));
        let left = left.map(|Millis(left)| Duration::from_millis(left.max(0).cast_unsigned()));
        Self::within(left, Duration::from_secs(increment.into()), min_time)
    }

    fn within(left: Option<Duration>, increment: Duration, min_time: Duration) -> Self {
        let Some(left) = left else {
            return Self {
                least: min_time,
                most: limits::HOUSE_BOT_MAX_MOVE_TIME.max(min_time),
            };
        };
        if left < limits::HOUSE_BOT_TIME_TROUBLE {
            return Self {
                least: Duration::ZERO,
                most: Duration::ZERO,
            };
        }
        let share = left / MOVES_TO_GO + increment / 2;
        Self {
            least: min_time.min(share / 2),
            most: limits::HOUSE_BOT_MAX_MOVE_TIME.min(share),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[track_caller]
    fn check(left: Option<u32>, increment: u32, least: u32, most: u32) {
        let time = MoveTime::within(left.map(|left| left * MS), increment * MS, 500 * MS);
        let expected = MoveTime {
            least: least * MS,
            most: most * MS,
        };
        assert_eq!(time, expected);
    }

    #[test]
    fn a_move_takes_its_share_of_the_clock() {
        check(None, 0, 500, 1500);
        check(Some(300_000), 5000, 500, 1500);
        check(Some(40_000), 0, 500, 1000);
        check(Some(10_000), 0, 125, 250);
        check(Some(4_000), 1000, 300, 600);
        check(Some(2_999), 0, 0, 0);
        check(Some(0), 60_000, 0, 0);
    }

    #[test]
    fn the_shortest_clock_lasts_for_the_longest_game() {
        // The largest board of Dots, every dot on it, and what a move costs on a slow machine.
        let (mut left, overhead) = (10_000 * MS, 3 * MS);
        for _ in 0..(50 * 50) / 4 {
            let MoveTime { least, most } = MoveTime::within(Some(left), Duration::ZERO, 500 * MS);
            assert!(least <= most);
            left = left.checked_sub(most + overhead).expect("time is left");
        }
    }
}
