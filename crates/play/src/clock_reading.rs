//! The reading of the two clocks of a match under its time control.

use super::{ClockRule, MatchResult, Millis, Reason, Timestamp};
use serde::{Deserialize, Serialize};
use tochki_rules::Seat;

/// The reading of both clocks at a time. The time control tells what of it is a bank, or periods ([`ClockReading::parts`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockReading {
    /// The time that each side had left at `at` until its flag falls, bank and periods included.
    #[serde(rename = "left_ms")]
    pub left: [Millis; 2],
    /// The side whose clock runs from `at` on.
    pub running: Option<Seat>,
    /// The time of this reading.
    pub at: Timestamp,
}

impl ClockReading {
    /// Returns the reading with both clocks full, the first player's running from `now`.
    pub(super) fn start(rule: ClockRule, now: Timestamp) -> Option<Self> {
        rule.initial().map(|full| Self {
            left: [full; 2],
            running: Some(Seat::First),
            at: now,
        })
    }

    /// Returns the time that a side has left at `now`; at or below zero its flag has fallen.
    pub fn left(&self, seat: Seat, now: Timestamp) -> Millis {
        let spent = if self.running == Some(seat) {
            (now - self.at).max(Millis::ZERO)
        } else {
            Millis::ZERO
        };
        self.left[seat.index()] - spent
    }

    /// Returns the time at which the running side's flag falls.
    pub fn flag_at(&self) -> Option<Timestamp> {
        self.running.map(|seat| self.at + self.left[seat.index()])
    }

    /// Returns what a side's clock shows once it has `left` until its flag falls: the time that runs first, and what is there after it.
    pub fn parts(&self, rule: ClockRule, seat: Seat, left: Millis) -> ClockParts {
        let left = left.max(Millis::ZERO);
        match rule {
            ClockRule::Bank { per_move, .. } => {
                let bank = self.left[seat.index()] - Millis::from_secs(per_move);
                let bank = bank.max(Millis::ZERO).min(left);
                ClockParts {
                    first: left - bank,
                    bank: Some(bank),
                    periods: None,
                }
            }
            ClockRule::ByoYomi {
                period, periods, ..
            } => {
                let period = Millis::from_secs(period);
                let reserve = period * periods;
                let begun = rule.periods(left).unwrap_or_default();
                let first = if left > reserve {
                    left - reserve
                } else {
                    left - period * begun.saturating_sub(1)
                };
                ClockParts {
                    first,
                    bank: None,
                    periods: Some(begun),
                }
            }
            _ => ClockParts {
                first: left,
                bank: None,
                periods: None,
            },
        }
    }

    /// Returns what the clock of a side gained by a move, from this reading to that after it: the increment, less where the cap took some
    /// of it, and nothing where the move was an answer chosen before.
    ///
    /// The reading after a move is of the time at which the next clock starts, mostly that of the move. Where it starts later, after a
    /// vacation, more may seem gained, but never more than the increment.
    pub(super) fn gained(&self, rule: ClockRule, seat: Seat, after: &Self) -> Millis {
        let [before, after_it] = [self, after].map(|reading| reading.left[seat.index()]);
        // Such an answer is not charged, however late it comes.
        if matches!(rule, ClockRule::FischerDays { cap, .. } if before == after_it && before < Millis::from_hours(cap))
        {
            return Millis::ZERO;
        }
        let thought = (after.at - self.at).max(Millis::ZERO);
        let gained = after_it - (before - thought);
        gained.max(Millis::ZERO).min(rule.increment())
    }

    /// Returns the clocks once moves are taken back at `now`, by which both sides had `gained`: the time spent on them stays spent, bank
    /// and periods too, the increments they earned are lost, and the side that asked thinks on. Nobody's flag falls by it: a little
    /// stays at least ([`min_left_after_takeback`](super::Pace::min_left_after_takeback)). The asker's clock runs from `start`.
    pub(super) fn taken_back(
        &self,
        rule: ClockRule,
        asker: Seat,
        gained: [Millis; 2],
        now: Timestamp,
        start: Timestamp,
    ) -> Self {
        let least = rule.pace().min_left_after_takeback();
        let left = Seat::BOTH.map(|seat| {
            let index = seat.index();
            (rule.renewed(self.left[index], self.left(seat, now)) - gained[index]).max(least)
        });
        Self {
            left,
            running: Some(asker),
            at: start,
        }
    }

    /// Returns the clocks with that of this side held at `now`, if it runs, to run again from `start`.
    pub(super) fn held(&self, seat: Seat, now: Timestamp, start: Timestamp) -> Self {
        if self.running != Some(seat) {
            return *self;
        }
        let mut left = self.left;
        left[seat.index()] = self.left(seat, now).max(Millis::ZERO);
        Self {
            left,
            at: start,
            ..*self
        }
    }

    /// Returns the clocks after the end. A side that ran out of time has none left.
    pub(super) fn stopped(self, result: &MatchResult) -> Self {
        let mut left = self.left;
        if let (Reason::Time, Some(winner)) = (result.reason, result.winner) {
            left[winner.other().index()] = Millis::ZERO;
        }
        Self {
            left,
            running: None,
            ..self
        }
    }

    /// Returns the clocks after a move that was chosen before this turn began: nothing is charged and no increment given. The next
    /// side's clock runs from `start`.
    pub(super) fn answered(
        &self,
        rule: ClockRule,
        seat: Seat,
        next: Option<Seat>,
        start: Timestamp,
    ) -> Self {
        let mut left = self.left;
        let answered = &mut left[seat.index()];
        *answered = rule.renewed(*answered, *answered);
        Self {
            left,
            running: next,
            at: start,
        }
    }

    /// Returns the clocks after a move that was received at `received_at`: time charged up to then, increment given up to the cap,
    /// the next side's clock running from `start`.
    pub(super) fn moved(
        &self,
        rule: ClockRule,
        seat: Seat,
        next: Option<Seat>,
        received_at: Timestamp,
        start: Timestamp,
    ) -> Self {
        let mut left = self.left;
        let moved = &mut left[seat.index()];
        // A flag may fall later than on its clock; that time is nobody's.
        let remaining = self.left(seat, received_at).max(Millis::ZERO);
        *moved = rule.renewed(*moved, remaining) + rule.increment();
        if let ClockRule::FischerDays { cap, .. } = rule {
            *moved = (*moved).min(Millis::from_hours(cap));
        }
        Self {
            left,
            running: next,
            at: start,
        }
    }
}

/// The parts of a side's clock, as it shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockParts {
    /// The time that runs first: until the bank or the next period begins, or the flag falls.
    pub first: Millis,
    /// The bank that is left.
    pub bank: Option<Millis>,
    /// The periods of byo-yomi that are left, the one that runs among them.
    pub periods: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays moves by the first side, each after so many seconds, and returns the clock of the turn after them.
    fn after(clock: &str, seconds: &[u32]) -> (ClockRule, ClockReading) {
        let rule: ClockRule = clock.parse().unwrap();
        let mut reading = ClockReading::start(rule, Timestamp(0)).unwrap();
        for seconds in seconds {
            let now = reading.at + Millis::from_secs(*seconds);
            assert!(reading.flag_at().unwrap() > now, "{clock}: in time");
            reading = reading.moved(rule, Seat::First, Some(Seat::First), now, now);
        }
        (rule, reading)
    }

    /// Checks what the clock shows after moves and some thinking: seconds that run first, bank, periods, and until the flag.
    #[track_caller]
    fn shows(
        clock: &str,
        moves: &[u32],
        thinking: u32,
        first: i64,
        bank: Option<i64>,
        periods: Option<u32>,
        flag: i64,
    ) {
        let (rule, reading) = after(clock, moves);
        let now = reading.at + Millis::from_secs(thinking);
        let parts = ClockParts {
            first: Millis(first * 1000),
            bank: bank.map(|bank| Millis(bank * 1000)),
            periods,
        };
        assert_eq!(
            reading.parts(rule, Seat::First, reading.left(Seat::First, now)),
            parts
        );
        assert_eq!((reading.flag_at().unwrap() - now).0, flag * 1000);
    }

    #[test]
    fn a_bank_pays_for_what_a_move_takes_longer() {
        shows("25/300", &[], 0, 25, Some(300), None, 325);
        shows("25/300", &[], 10, 15, Some(300), None, 315);
        shows("25/300", &[], 100, 0, Some(225), None, 225);
        // What is left of a move's time is not saved.
        shows("25/300", &[10, 25], 0, 25, Some(300), None, 325);
        shows("25/300", &[26, 1, 125], 0, 25, Some(199), None, 224);
        shows("25/300", &[324], 0, 25, Some(1), None, 26);
        shows("25/300", &[324], 26, 0, Some(0), None, 0);
        shows("5/0", &[4, 4, 4], 1, 4, Some(0), None, 4);
    }

    #[test]
    fn a_period_is_lost_when_it_runs_out() {
        shows("60~30x3", &[], 0, 60, None, Some(3), 150);
        shows("60~30x3", &[20, 20], 19, 1, None, Some(3), 91);
        // The initial time is over: the first of three periods runs.
        shows("60~30x3", &[], 61, 29, None, Some(3), 89);
        shows("60~30x3", &[60], 0, 30, None, Some(3), 90);
        // A move within a period leaves it whole.
        shows("60~30x3", &[89], 0, 30, None, Some(3), 90);
        shows("60~30x3", &[89, 29, 29], 0, 30, None, Some(3), 90);
        shows("60~30x3", &[89, 30], 0, 30, None, Some(2), 60);
        shows("60~30x3", &[149], 0, 30, None, Some(1), 30);
        shows("60~30x3", &[149, 29, 29], 10, 20, None, Some(1), 20);
        shows("0~5x1", &[4, 4], 5, 0, None, Some(1), 0);
    }

    #[test]
    fn days_are_there_anew_for_each_move() {
        const DAY: u32 = 86_400;
        shows(
            "3d",
            &[2 * DAY, 3 * DAY - 1],
            DAY,
            172_800,
            None,
            None,
            172_800,
        );
    }

    #[test]
    fn days_are_added_up_to_the_cap() {
        const DAY: u32 = 86_400;
        let day = i64::from(DAY);
        shows("3d+1d..7d", &[DAY], 0, 3 * day, None, None, 3 * day);
        shows("3d+1d..7d", &[0; 9], DAY, 6 * day, None, None, 6 * day);
        shows("7d+12h..3d", &[DAY], 0, 3 * day, None, None, 3 * day);
    }

    #[test]
    fn a_take_back_returns_neither_bank_nor_periods() {
        const DAY: i64 = 86_400;
        let left = |clock: &str, moves: &[u32], thinking| {
            let (rule, reading) = after(clock, moves);
            let now = reading.at + Millis::from_secs(thinking);
            let gained = [rule.increment(), Millis::ZERO];
            let taken_back = reading.taken_back(rule, Seat::First, gained, now, now);
            assert_eq!(
                (taken_back.running, taken_back.at),
                (Some(Seat::First), now)
            );
            taken_back.left.map(|left| left.0 / 1000)
        };
        assert_eq!(left("25/300", &[125], 30), [25 + 195, 325]);
        assert_eq!(left("60~30x3", &[100], 35), [30, 150]);
        assert_eq!(left("60~30x3", &[10], 10), [130, 150]);
        assert_eq!(left("300+5", &[10], 10), [280, 300]);
        assert_eq!(left("10+5", &[9], 5), [1, 10]);
        assert_eq!(left("3d", &[86_400], 86_400), [3 * DAY, 3 * DAY]);
        assert_eq!(
            left("3d+1d..7d", &[86_400], 3600),
            [2 * DAY - 3600, 3 * DAY]
        );
        // Nobody is flagged while they sleep.
        assert_eq!(left("1d+7d..28d", &[86_390], 3600), [3600, DAY]);
    }

    #[test]
    fn a_move_charges_its_side_and_starts_the_other() {
        let rule = ClockRule::Fischer {
            initial: 60,
            increment: 2,
        };
        let start = ClockReading::start(rule, Timestamp(1_000)).unwrap();
        assert_eq!(start.flag_at(), Some(Timestamp(61_000)));
        // Received at 11 s, made a second later: that second is nobody's.
        let (received_at, now) = (Timestamp(11_000), Timestamp(12_000));
        let after = start.moved(rule, Seat::First, Some(Seat::Second), received_at, now);
        assert_eq!(
            after,
            ClockReading {
                left: [Millis(52_000), Millis(60_000)],
                running: Some(Seat::Second),
                at: Timestamp(12_000)
            }
        );
        assert_eq!(after.left(Seat::First, Timestamp(99_000)), Millis(52_000));
        assert_eq!(after.left(Seat::Second, Timestamp(22_000)), Millis(50_000));
    }
}
