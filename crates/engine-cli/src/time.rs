//! Time of a search: the bounds that a protocol gives, and the time management of a clock.

use crate::moves;
use std::time::Duration;
use tochki_engine::Limits;
use tochki_rules::Position;

/// The bounds of a search, as a protocol gives them. A field that is `None` has no bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// Plies to search.
    pub depth: Option<u16>,
    /// Time to take.
    pub time: Option<Time>,
}

/// The time of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// Time for this move, all of it.
    Move(Duration),
    /// Time for the rest of the game.
    Clock(Clock),
}

/// A clock that runs while its side thinks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left for all further moves.
    pub own: Duration,
    /// Time that comes back with each move.
    pub increment: Duration,
    /// The longest time of a move, if there is a bound.
    pub most: Option<Duration>,
    /// Time that each move has besides.
    pub free: FreeTime,
}

/// The time that a move has besides what is left for all moves. What it leaves of it is gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FreeTime {
    /// None.
    #[default]
    None,
    /// This time at the start of each move, before that for all moves, which is a bank then.
    First(Duration),
    /// This time after that for all moves: a period of byo-yomi, which comes back if the move is made within it.
    Last(Duration),
}

/// Time budget of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeBudget {
    /// Time after which to stop, if the choice has not changed lately.
    pub(crate) aim: Duration,
    /// Time after which to stop in any case.
    pub(crate) most: Duration,
}

/// Time that a move loses on its way to the referee, on top of the search.
const OVERHEAD: Duration = Duration::from_millis(20);

impl Bounds {
    /// Bounds of a search of that time.
    #[must_use]
    pub const fn time(time: Duration) -> Self {
        Self {
            nodes: None,
            depth: None,
            time: Some(Time::Move(time)),
        }
    }

    /// Bounds of a search of that many nodes.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            depth: None,
            time: None,
        }
    }

    /// Returns whether a search ends by itself.
    pub(crate) const fn end(&self) -> bool {
        self.nodes.is_some() || self.depth.is_some() || self.time.is_some()
    }

    /// The limits of the engine, within those of its level and its memory.
    pub(crate) fn limits(&self, base: Limits) -> Limits {
        Limits {
            nodes: self.nodes.map_or(base.nodes, |nodes| nodes.min(base.nodes)),
            depth: self.depth.map_or(base.depth, |depth| depth.min(base.depth)),
            ..base
        }
    }

    pub(crate) fn time_budget(&self, position: &Position) -> Option<TimeBudget> {
        self.time.map(|time| match time {
            Time::Move(time) => TimeBudget {
                aim: time,
                most: time,
            },
            Time::Clock(clock) => clock.time_budget(position),
        })
    }
}

impl Clock {
    /// The budget of a move: an equal share of the time left for each move that is still expected, and most of the increment. A
    /// choice that keeps changing may take three shares, but never more than a quarter of the clock.
    fn time_budget(self, position: &Position) -> TimeBudget {
        let left = self.own.saturating_sub(OVERHEAD);
        let share = left / moves_expected(position) + self.increment * 4 / 5;
        let within = |free: Duration| free.saturating_sub(OVERHEAD) * 9 / 10;
        let (share, free) = match self.free {
            FreeTime::None => (share, Duration::ZERO),
            FreeTime::First(free) => (share + within(free), within(free)),
            // No period is lost by a move that ends within its first one.
            FreeTime::Last(free) => (share.max(within(free)), within(free)),
        };
        // With an increment a share may be more than there is: the time of a move must be on the clock before it.
        let most = (share * 3)
            .min(left / 4 + self.increment + free)
            .min(left * 9 / 10 + free);
        let bound = self
            .most
            .map_or(Duration::MAX, |most| most.saturating_sub(OVERHEAD));
        let most = most.min(bound);
        TimeBudget {
            aim: share.min(most),
            most,
        }
    }
}

/// The number of moves that the side to move still has to find. Games of Dots and Gomoku end, or are decided, long before the
/// board is full; the last moves of Reversi and of Boxes are solved at once.
fn moves_expected(position: &Position) -> u32 {
    let left = moves::left(position);
    match position {
        Position::Dots(_) => (left / 4).clamp(12, 60),
        Position::Gomoku(_) => (left / 4).clamp(8, 25),
        Position::Reversi(_) => left.saturating_sub(6).max(3),
        Position::Boxes(_) => left.saturating_sub(8).max(4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::GameKind;

    const SECOND: Duration = Duration::from_secs(1);

    fn allot(kind: GameKind, clock: Clock) -> TimeBudget {
        clock.time_budget(&Position::new(&kind.default_setup()))
    }

    #[test]
    fn a_clock_is_never_overspent() {
        for &kind in GameKind::ALL {
            for own in [0, 1, 10, 50, 100, 1000, 60_000, 3_600_000] {
                for increment in [0, 100, 5000] {
                    for most in [None, Some(Duration::from_millis(300))] {
                        let own = Duration::from_millis(own);
                        let clock = Clock {
                            own,
                            increment: Duration::from_millis(increment),
                            most,
                            ..Clock::default()
                        };
                        let TimeBudget { aim, most: limit } = allot(kind, clock);
                        assert!(aim <= limit && limit <= own, "{kind} {clock:?}");
                        assert!(most.is_none_or(|most| limit < most));
                    }
                }
            }
        }
    }

    #[test]
    fn a_clock_lasts_for_the_game() {
        for &kind in GameKind::ALL {
            let clock = Clock {
                own: 300 * SECOND,
                ..Clock::default()
            };
            let TimeBudget { aim, .. } = allot(kind, clock);
            assert!(aim >= 4 * SECOND && aim <= 100 * SECOND, "{kind}: {aim:?}");
        }
    }

    #[test]
    fn free_time_of_a_move_is_used_and_never_overspent() {
        for &kind in GameKind::ALL {
            for own in [0, 1, 100, 10_000, 600_000].map(Duration::from_millis) {
                for free in [0, 1, 1000, 30_000].map(Duration::from_millis) {
                    let plain = allot(
                        kind,
                        Clock {
                            own,
                            ..Clock::default()
                        },
                    );
                    for free_time in [FreeTime::First(free), FreeTime::Last(free)] {
                        let clock = Clock {
                            own,
                            free: free_time,
                            ..Clock::default()
                        };
                        let TimeBudget { aim, most } = allot(kind, clock);
                        assert!(aim <= most && most <= own + free, "{kind} {clock:?}");
                        assert!(aim >= plain.aim, "{kind} {clock:?}");
                        let is_used = aim >= free * 4 / 5 || free < 10 * OVERHEAD;
                        assert!(is_used, "{kind} {clock:?}: {aim:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn bounds_stay_within_those_of_the_engine() {
        let bounds = Bounds {
            nodes: Some(10),
            depth: Some(9),
            time: None,
        };
        let base = Limits {
            depth: 4,
            ..Limits::NONE
        };
        let limits = bounds.limits(base);
        assert_eq!((limits.nodes, limits.depth), (10, 4));
        assert_eq!(limits.memory, Limits::DEFAULT_MEMORY);
        assert!(bounds.end() && !Bounds::default().end());
    }
}
