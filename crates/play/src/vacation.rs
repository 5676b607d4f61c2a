//! Vacation: the days that an account has, and the spans in which the clocks of a player stand still by correspondence.

use super::{Millis, Timestamp};

/// The days of a new account.
pub const VACATION_DAYS_AT_START: u32 = 7;

/// The time in which one day is added.
pub const VACATION_DAY_INTERVAL: Millis = Millis::from_hours(13 * 24);

/// The most days of an account.
pub const MAX_VACATION_DAYS: u32 = 28;

/// The most vacation of a player in one match.
pub const MAX_VACATION_IN_MATCH: Millis = Millis::from_hours(14 * 24);

/// The vacation days of an account at a time, from which those of any later time follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VacationDays {
    /// The whole days.
    pub days: u32,
    /// The time from which on the next day is waited for.
    pub counted_at: Timestamp,
}

impl VacationDays {
    /// Returns the days of an account that was created at this time.
    pub const fn of_new_account(created_at: Timestamp) -> Self {
        Self {
            days: VACATION_DAYS_AT_START,
            counted_at: created_at,
        }
    }

    /// Returns the days at a later time: one more after each [`VACATION_DAY_INTERVAL`], until there are [`MAX_VACATION_DAYS`].
    #[must_use]
    pub fn at(self, now: Timestamp) -> Self {
        let waited = (now - self.counted_at).max(Millis::ZERO).0;
        let gained = u32::try_from(waited / VACATION_DAY_INTERVAL.0).unwrap_or(MAX_VACATION_DAYS);
        let days = self.days.saturating_add(gained);
        if days >= MAX_VACATION_DAYS {
            return Self {
                days: MAX_VACATION_DAYS,
                counted_at: now.max(self.counted_at),
            };
        }
        Self {
            days,
            counted_at: self.counted_at + VACATION_DAY_INTERVAL * gained,
        }
    }

    /// Returns the time of the next day; `None` if there are as many as there can be.
    pub fn next_at(self) -> Option<Timestamp> {
        (self.days < MAX_VACATION_DAYS).then(|| self.counted_at + VACATION_DAY_INTERVAL)
    }

    /// Returns the time at which a vacation ends by itself that begins `now`.
    pub fn last_until(self, now: Timestamp) -> Timestamp {
        now + Millis::DAY * self.days
    }

    /// Returns what is left after a vacation from `since` until `until`: it costs a day for each 24 hours begun.
    #[must_use]
    pub fn after(self, since: Timestamp, until: Timestamp) -> Self {
        let lasted = (until - since).max(Millis(1)).0.cast_unsigned();
        let begun = lasted.div_ceil(Millis::DAY.0.cast_unsigned());
        let begun = u32::try_from(begun).unwrap_or(u32::MAX);
        Self {
            days: self.days.saturating_sub(begun),
            ..self
        }
    }
}

/// The vacation of a player in one match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MatchVacation {
    /// How long earlier ones were.
    spent: Millis,
    /// The beginning and the end of the last one. It ends by itself, or is ended before.
    last: Option<(Timestamp, Timestamp)>,
}

impl MatchVacation {
    /// Returns the vacation that a snapshot shows.
    pub(super) fn resumed(until: Option<Timestamp>) -> Self {
        Self {
            spent: Millis::ZERO,
            last: until.map(|until| (until, until)),
        }
    }

    /// Begins a vacation, or ends it.
    pub(super) fn change(&mut self, at: Timestamp, until: Option<Timestamp>) {
        self.spent = self.spent_at(at);
        self.last = until.map(|until| (at, until));
    }

    /// Returns the time at which a vacation ends that is on at `now`.
    pub(super) fn until(&self, now: Timestamp) -> Option<Timestamp> {
        self.last
            .map(|(_, until)| until)
            .filter(|until| *until > now)
    }

    /// Returns the end of the last vacation, be it on or over, unless it was ended before.
    pub(super) fn last_until(&self) -> Option<Timestamp> {
        self.last.map(|(_, until)| until)
    }

    /// Returns how much more there may be in this match.
    pub(super) fn left(&self, now: Timestamp) -> Millis {
        (MAX_VACATION_IN_MATCH - self.spent_at(now)).max(Millis::ZERO)
    }

    fn spent_at(&self, now: Timestamp) -> Millis {
        let last = self.last.map_or(Millis::ZERO, |(since, until)| {
            (until.min(now) - since).max(Millis::ZERO)
        });
        self.spent + last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::fresh;
    use crate::{Command, Decision, Event, Match, Refusal};
    use tochki_rules::{Seat, Setup, dots};

    const DAY: i64 = Millis::DAY.0;

    fn days(days: f64) -> Timestamp {
        Timestamp((days * DAY as f64) as i64)
    }

    #[test]
    fn a_day_is_added_in_thirteen_until_there_are_enough() {
        let new = VacationDays::of_new_account(days(0.0));
        for (after, expected, next) in [
            (0.0, 7, Some(13.0)),
            (12.99, 7, Some(13.0)),
            (13.0, 8, Some(26.0)),
            (20.0, 8, Some(26.0)),
            (13.0 * 20.0, 27, Some(13.0 * 21.0)),
            (13.0 * 21.0, 28, None),
            (9_999.0, 28, None),
        ] {
            let then = new.at(days(after));
            assert_eq!(
                (then.days, then.next_at()),
                (expected, next.map(days)),
                "{after}"
            );
        }
        // From a full account on, a day begins to be waited for when one is spent.
        let full = new.at(days(500.0)).after(days(500.0), days(500.5));
        assert_eq!((full.days, full.next_at()), (27, Some(days(513.0))));
        assert_eq!(
            new.at(Timestamp(-5)),
            new,
            "a clock that went back takes nothing"
        );
    }

    #[test]
    fn each_day_begun_costs_one() {
        let seven = VacationDays::of_new_account(days(0.0));
        for (lasted, left) in [
            (0.0, 6),
            (0.1, 6),
            (1.0, 6),
            (1.01, 5),
            (6.5, 0),
            (7.0, 0),
            (30.0, 0),
        ] {
            assert_eq!(
                seven.after(days(1.0), days(1.0 + lasted)).days,
                left,
                "{lasted}"
            );
        }
        assert_eq!(seven.last_until(days(1.0)), days(8.0));
    }

    /// A match of `3d` in which both have moved at its start, and the first side is on turn.
    fn begun(clock: &str) -> Match {
        let setup = dots::Setup::new(5, 5, dots::Opening::Empty).unwrap();
        let mut game = fresh(Setup::Dots(setup), clock);
        mv(&mut game, 1, "4,4", 0.0);
        mv(&mut game, 2, "4,3", 0.0);
        game
    }

    fn run(game: &mut Match, command: &Command, at: f64) -> Result<usize, Refusal> {
        let Decision::Happens(events) = game.decide(command, days(at))? else {
            panic!("it was done before");
        };
        for event in &events {
            let encoded = event.encode().unwrap();
            let read = Event::read(encoded.name, &encoded.body).unwrap();
            assert_eq!(&read, event);
            game.apply(&read).unwrap();
        }
        Ok(events.len())
    }

    #[track_caller]
    fn mv(game: &mut Match, seat: u8, mv: &str, at: f64) {
        let command = Command::Move {
            seat: Seat::try_from(seat).unwrap(),
            mv: mv.to_owned(),
            version: None,
            client_id: None,
        };
        run(game, &command, at).unwrap();
    }

    fn vacation(game: &mut Match, seat: u8, until: Option<f64>, at: f64) -> Result<usize, Refusal> {
        let command = Command::Vacation {
            seat: Seat::try_from(seat).unwrap(),
            until: until.map(days),
        };
        run(game, &command, at)
    }

    #[track_caller]
    fn flag_falls(game: &Match, at: f64) {
        assert_eq!(game.deadline(), Some(days(at)));
    }

    #[test]
    fn the_clock_on_turn_stands_still_and_goes_on_with_what_it_had() {
        let mut game = begun("3d");
        assert_eq!(vacation(&mut game, 1, Some(9.0), 2.0), Ok(1));
        flag_falls(&game, 10.0);
        assert_eq!(
            game.clock().unwrap().left(Seat::First, days(5.0)),
            Millis(DAY)
        );
        assert_eq!(
            vacation(&mut game, 1, Some(12.0), 3.0),
            Ok(0),
            "it is on already"
        );
        assert_eq!(vacation(&mut game, 1, None, 5.0), Ok(1));
        flag_falls(&game, 6.0);
        assert_eq!(
            vacation(&mut game, 1, None, 5.0),
            Ok(0),
            "it is over already"
        );
        mv(&mut game, 1, "0,0", 5.5);
        flag_falls(&game, 8.5);
    }

    #[test]
    fn it_ends_by_itself_and_the_flag_falls() {
        let mut game = begun("3d");
        vacation(&mut game, 1, Some(9.0), 2.0).unwrap();
        assert_eq!(run(&mut game, &Command::Tick, 9.9), Ok(0));
        assert_eq!(vacation(&mut game, 1, None, 9.5), Ok(0), "it is over");
        flag_falls(&game, 10.0);
        assert_eq!(run(&mut game, &Command::Tick, 10.0), Ok(1));
        assert_eq!(game.result().unwrap().winner, Some(Seat::Second));
    }

    #[test]
    fn the_opponents_clock_goes_on_and_the_own_one_stands_still_when_they_have_moved() {
        let mut game = begun("3d+1d..7d");
        let left = game.clock().unwrap().left;
        assert_eq!(vacation(&mut game, 2, Some(6.0), 1.0), Ok(1));
        flag_falls(&game, 4.0);
        mv(&mut game, 1, "0,0", 2.0);
        assert_eq!(game.clock().unwrap().left(Seat::Second, days(5.0)), left[1]);
        flag_falls(&game, 10.0);
        // Both at once: each has a vacation of their own.
        assert_eq!(vacation(&mut game, 1, Some(5.0), 3.0), Ok(1));
        flag_falls(&game, 10.0);
        assert_eq!(vacation(&mut game, 2, None, 4.0), Ok(1));
        flag_falls(&game, 8.0);
        mv(&mut game, 2, "1,1", 4.5);
        assert_eq!(game.clock().unwrap().at, days(5.0), "of the first side");
        assert_eq!(vacation(&mut game, 1, None, 4.75), Ok(1));
        assert_eq!(game.clock().unwrap().at, days(4.75));
    }

    #[test]
    fn a_flag_that_has_fallen_stays_so() {
        let mut game = begun("3d");
        assert_eq!(
            vacation(&mut game, 1, Some(9.0), 3.0),
            Err(Refusal::Finished)
        );
        assert_eq!(
            vacation(&mut game, 1, Some(9.0), 2.999_999),
            Ok(1),
            "in the last second"
        );
    }

    #[test]
    fn a_match_takes_fourteen_days_of_it() {
        let mut game = begun("3d");
        vacation(&mut game, 1, Some(11.0), 1.0).unwrap();
        vacation(&mut game, 1, None, 11.0).unwrap();
        // It has ended by itself, so that there was nothing to do. Ten days are spent.
        flag_falls(&game, 13.0);
        assert_eq!(vacation(&mut game, 1, Some(30.0), 12.0), Ok(1));
        flag_falls(&game, 17.0);
        assert_eq!(vacation(&mut game, 1, None, 13.0), Ok(1));
        assert_eq!(vacation(&mut game, 1, Some(20.0), 13.0), Ok(1));
        flag_falls(&game, 17.0);
        assert_eq!(
            vacation(&mut game, 1, Some(40.0), 16.5),
            Ok(0),
            "nothing is left"
        );
        flag_falls(&game, 17.0);
        // The other side has its own.
        assert_eq!(vacation(&mut game, 2, Some(40.0), 16.5), Ok(1));
    }

    #[test]
    fn the_first_move_is_waited_for_too() {
        let setup = dots::Setup::new(5, 5, dots::Opening::Empty).unwrap();
        let mut game = fresh(Setup::Dots(setup), "7d");
        flag_falls(&game, 3.0);
        vacation(&mut game, 1, Some(6.0), 1.0).unwrap();
        assert_eq!(game.move_by(), Some(days(8.0)));
        vacation(&mut game, 1, None, 2.0).unwrap();
        assert_eq!(game.move_by(), Some(days(4.0)));
        vacation(&mut game, 2, Some(9.0), 2.0).unwrap();
        assert_eq!(game.move_by(), Some(days(4.0)), "the other side's");
        mv(&mut game, 1, "0,0", 3.0);
        assert_eq!(game.move_by(), Some(days(12.0)));
    }

    #[test]
    fn a_take_back_gives_no_time_of_it_away() {
        let mut game = begun("3d");
        mv(&mut game, 1, "0,0", 1.0);
        vacation(&mut game, 1, Some(6.0), 2.0).unwrap();
        let offer = Command::Offer {
            seat: Seat::First,
            kind: crate::OfferKind::Takeback,
        };
        run(&mut game, &offer, 3.0).unwrap();
        let answer = Command::AnswerOffer {
            seat: Seat::Second,
            accept: true,
            offer: None,
        };
        run(&mut game, &answer, 3.5).unwrap();
        flag_falls(&game, 9.0);
    }

    #[test]
    fn a_flag_that_falls_later_charges_nothing_for_that() {
        let mut game = begun("1d+4h..2d");
        let left = game.clock().unwrap().left[0];
        game.extend_turn(Millis::from_hours(8));
        let flag = game.clock().unwrap().flag_at().unwrap();
        assert_eq!(game.deadline(), Some(flag + Millis::from_hours(8)));
        let late = (flag.0 + Millis::from_hours(7).0) as f64 / DAY as f64;
        assert_eq!(left, Millis::from_hours(28));
        assert_eq!(run(&mut game, &Command::Tick, late), Ok(0));
        let mut held = game.clone();
        mv(&mut game, 1, "0,0", late);
        assert_eq!(game.clock().unwrap().left[0], Millis::from_hours(4));
        assert_eq!(game.grace(), Millis::ZERO, "that was the other side's");
        // A vacation that begins then holds a clock without any time.
        vacation(&mut held, 1, Some(9.0), late).unwrap();
        assert_eq!(held.clock().unwrap().left[0], Millis::ZERO);
        flag_falls(&held, 9.0);
        // An offer sets no clock.
        game.extend_turn(Millis::from_hours(1));
        let offer = Command::Offer {
            seat: Seat::First,
            kind: crate::OfferKind::Draw,
        };
        run(&mut game, &offer, late).unwrap();
        vacation(&mut game, 1, Some(9.0), late).unwrap();
        assert_eq!(game.grace(), Millis::from_hours(1), "of the other side");
        assert_eq!(run(&mut game, &Command::Tick, late + 3.0), Ok(2));
    }

    #[test]
    fn a_live_match_knows_none() {
        let mut game = begun("300+5");
        assert_eq!(vacation(&mut game, 1, Some(9.0), 0.001), Ok(0));
    }
}
