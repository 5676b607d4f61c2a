//! Berserk: in an arena that has it, a player gives half of the own clock and its increment before the own first move, for a point
//! more.

use super::{ClockReading, ClockRule, Event, Match, Millis, Refusal, Timestamp};
use tochki_rules::Seat;

impl Match {
    /// Decides to halve the clock of a side. A second time changes nothing.
    pub(super) fn decide_berserk(&self, seat: Seat, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        self.in_time(now)?;
        if self.berserk()[seat.index()] {
            return Ok(Vec::new());
        }
        let clock = self.halved_clock(seat, now).ok_or(Refusal::NoBerserk)?;
        Ok(vec![Event::Berserked {
            seat,
            clock: Some(clock),
        }])
    }

    /// Returns the time control of the moves of a side.
    pub(super) fn clock_rule(&self, seat: Seat) -> ClockRule {
        match self.terms().clock {
            ClockRule::Fischer { initial, .. } if self.berserk()[seat.index()] => {
                ClockRule::Fischer {
                    initial,
                    increment: 0,
                }
            }
            rule => rule,
        }
    }

    /// Returns the clocks without half of the initial time of a side that has not moved. The time that was thought is not halved, so
    /// nobody gains by thinking first. `None` where that is not offered, or where no time would be left.
    fn halved_clock(&self, seat: Seat, now: Timestamp) -> Option<ClockReading> {
        let is_offered = self.tournament().is_some_and(|rules| rules.berserk);
        let ClockRule::Fischer { initial, .. } = self.terms().clock else {
            return None;
        };
        let clock = self.clock()?;
        let half = Millis(Millis::from_secs(initial).0 / 2);
        if !is_offered || self.has_moved(seat) || clock.left(seat, now) <= half {
            return None;
        }
        let mut left = clock.left;
        left[seat.index()] = left[seat.index()] - half;
        Some(ClockReading { left, ..clock })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::{at, clock_shows, command, fresh};
    use crate::{Decision, Reason, TournamentMatch};
    use tochki_rules::{Setup, dots};

    fn game(clock: &str, berserk: bool) -> Match {
        let setup = dots::Setup::new(5, 5, dots::Opening::Empty).unwrap();
        let rules = TournamentMatch {
            id: 7,
            first_move: Millis::from_secs(20),
            offers_after: 0,
            berserk,
        };
        fresh(Setup::Dots(setup), clock).in_tournament(Some(rules), at(0))
    }

    /// Executes a command, and returns the number of its events, or the refusal.
    fn after(game: &mut Match, second: u32, asked: &str) -> Result<usize, Refusal> {
        match game.decide(&command(asked), at(second))? {
            Decision::Happens(events) => {
                for event in &events {
                    game.apply(event).unwrap();
                }
                Ok(events.len())
            }
            Decision::AlreadyDone(_) => unreachable!(),
        }
    }

    #[test]
    fn half_of_the_clock_and_the_increment_are_gone() {
        let mut game = game("60+3", true);
        assert_eq!(after(&mut game, 4, "1 berserks"), Ok(1));
        // The clock runs on from where it ran.
        clock_shows(&game, [30, 60], Some(1), 0);
        assert_eq!(game.berserk(), [true, false]);
        assert_eq!(game.move_by(), Some(at(20)));
        assert_eq!(after(&mut game, 5, "1 berserks"), Ok(0));
        clock_shows(&game, [30, 60], Some(1), 0);
        assert_eq!(after(&mut game, 10, "1 0,0"), Ok(1));
        clock_shows(&game, [20, 60], Some(2), 10);
        // The other side has not moved yet, and keeps its increment without it.
        assert_eq!(after(&mut game, 15, "2 1,1"), Ok(1));
        clock_shows(&game, [20, 58], Some(1), 15);
        assert_eq!(after(&mut game, 16, "1 0,1"), Ok(1));
        clock_shows(&game, [19, 58], Some(2), 16);
    }

    #[test]
    fn both_may_and_thinking_first_gains_nothing() {
        let mut game = game("60+3", true);
        assert_eq!(after(&mut game, 2, "2 berserks"), Ok(1));
        assert_eq!(after(&mut game, 12, "1 berserks"), Ok(1));
        assert_eq!(after(&mut game, 14, "1 0,0"), Ok(1));
        clock_shows(&game, [16, 30], Some(2), 14);
        assert_eq!(game.berserk(), [true, true]);
    }

    #[test]
    fn there_is_none_elsewhere_later_or_with_too_little_left() {
        let none: Result<usize, Refusal> = Err(Refusal::NoBerserk);
        assert_eq!(after(&mut game("60+3", false), 1, "1 berserks"), none);
        for clock in ["none", "25/300", "0~20x3"] {
            let mut game = game(clock, true);
            assert_eq!(after(&mut game, 1, "1 berserks"), none, "{clock}");
        }
        let setup = Setup::Dots(dots::Setup::new(5, 5, dots::Opening::Empty).unwrap());
        assert_eq!(after(&mut fresh(setup, "60+3"), 1, "1 berserks"), none);

        let mut moved = game("60+3", true);
        assert_eq!(after(&mut moved, 1, "1 0,0"), Ok(1));
        assert_eq!(after(&mut moved, 2, "1 berserks"), none);
        assert_eq!(after(&mut moved, 2, "2 berserks"), Ok(1));
        assert_eq!(after(&mut moved, 30, "2 berserks"), Err(Refusal::Finished));

        // Nobody's flag falls by it.
        let mut short = game("10+0", true);
        assert_eq!(after(&mut short, 5, "1 berserks"), none);
        assert_eq!(after(&mut short, 4, "1 berserks"), Ok(1));
        assert_eq!(short.deadline(), Some(at(5)));
    }

    #[test]
    fn who_does_not_come_forfeits_with_half_a_clock_too() {
        let mut game = game("60+0", true);
        assert_eq!(after(&mut game, 1, "2 berserks"), Ok(1));
        assert_eq!(after(&mut game, 20, "-"), Ok(1));
        let result = game.result().unwrap();
        assert_eq!(result.reason, Reason::Forfeit);
        assert_eq!(result.winner, Some(Seat::Second));
        assert_eq!(after(&mut game, 21, "1 berserks"), Err(Refusal::Finished));
    }
}
