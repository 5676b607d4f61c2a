//! `decide`: validates a command and returns its events, without changing the match.

use super::{
    ClientId, ClockReading, ClockRule, Command, Decision, Event, Match, MatchResult, Millis, Offer,
    OfferEnd, OfferKind, Pace, Reason, Refusal, Timestamp,
};
use tochki_rules::{Move, MoveError, Seat};

/// The time for each move in a rated match without a clock, and for a seal in any match without one.
pub const UNTIMED_MOVE_TIMEOUT: Millis = Millis::from_secs(600);

/// The time of a turn after which a conditional move is charged like others: the longest delay of an answer, and some seconds for the
/// commit of the move that is answered.
pub const ANSWER_GRACE: Millis = Millis::from_secs(30);

impl Match {
    /// Returns the events of a command, or refuses it. The match does not change.
    ///
    /// A repeated `client_id` is answered first, so that a lost answer can be had again at any time. Then unreadable commands are
    /// refused; then those that come too late; then those that come too early; then those that the rules forbid.
    ///
    /// # Errors
    ///
    /// The reason why the command is refused.
    pub fn decide(&self, command: &Command, now: Timestamp) -> Result<Decision, Refusal> {
        self.decide_received(command, now, now)
    }

    /// Decides as [`Match::decide`], for a command that was received at `received_at` and is decided `now`: it is in time if it
    /// was received in time, and the time since then is not charged to either clock.
    ///
    /// # Errors
    ///
    /// Those of [`Match::decide`].
    pub fn decide_received(
        &self,
        command: &Command,
        received_at: Timestamp,
        now: Timestamp,
    ) -> Result<Decision, Refusal> {
        let now = now.max(received_at);
        let events = match command {
            Command::Move {
                seat,
                mv,
                version,
                client_id,
            } => {
                let read = self.position().parse_move(mv);
                if let Some(version) = self.answered(*seat, client_id.as_ref(), mv)? {
                    return Ok(Decision::AlreadyDone(version));
                }
                if read == Err(MoveError::Malformed) {
                    return Err(Refusal::Malformed);
                }
                self.running()?;
                self.not_adjourned()?;
                // A version that this match has not reached yet is not one that anybody can have moved from.
                let known = self.board_version()..=self.version();
                if version.is_some_and(|version| !known.contains(&version)) {
                    return Err(Refusal::Stale);
                }
                if self.to_move() != Some(*seat) {
                    return Err(Refusal::NotYourTurn);
                }
                self.in_time(received_at)?;
                self.decide_move(
                    *seat,
                    read?,
                    client_id.clone(),
                    now,
                    |clock, next, start| {
                        clock.moved(self.clock_rule(*seat), *seat, next, received_at, start)
                    },
                )?
            }
            Command::Answer {
                seat,
                mv,
                version,
                due_at,
                client_id,
            } => {
                if let Some(version) = self.answered(*seat, client_id.as_ref(), mv)? {
                    return Ok(Decision::AlreadyDone(version));
                }
                self.in_time(received_at)?;
                self.not_adjourned()?;
                if *version != self.board_version() {
                    return Err(Refusal::Stale);
                }
                if self.to_move() != Some(*seat) {
                    return Err(Refusal::NotYourTurn);
                }
                if self.offer().is_some() {
                    return Err(Refusal::OfferOpen);
                }
                let mv = self.position().parse_move(mv)?;
                let due_at = (*due_at).min(now);
                self.decide_move(*seat, mv, client_id.clone(), now, |clock, next, start| {
                    let rule = self.terms().clock;
                    if due_at - clock.at > ANSWER_GRACE {
                        clock.moved(rule, *seat, next, due_at, start)
                    } else {
                        clock.answered(rule, *seat, next, start)
                    }
                })?
            }
            Command::Offer { seat, kind } => {
                self.may_offer(*seat, *kind, received_at)?;
                let timeout = self.terms().pace().offer_timeout();
                vec![Event::Offered {
                    seat: *seat,
                    kind: *kind,
                    expires_at: timeout.map(|timeout| now + timeout),
                    resume_at: None,
                }]
            }
            Command::OfferAdjournment { seat, resume_in } => {
                self.decide_adjourn_offer(*seat, *resume_in, received_at, now)?
            }
            Command::Seal { seat, moves } => self.decide_seal(*seat, moves, received_at, now)?,
            Command::Resume {
                seat,
                moves,
                live,
                vacation_until,
            } => self.decide_resume(*seat, moves, *live, *vacation_until, now)?,
            Command::AnswerOffer {
                seat,
                accept,
                offer: version,
            } => {
                let offer = self.open_offer(received_at)?;
                if version.is_some_and(|version| version != offer.version) {
                    return Err(Refusal::OfferClosed);
                }
                if offer.seat == *seat {
                    return Err(Refusal::NotYours);
                }
                if *accept {
                    let agreed = self.agreed(offer, now);
                    vec![closed(OfferEnd::Accepted), agreed]
                } else {
                    vec![closed(OfferEnd::Declined)]
                }
            }
            Command::CancelOffer { seat } => {
                if self.open_offer(received_at)?.seat != *seat {
                    return Err(Refusal::NotYours);
                }
                vec![closed(OfferEnd::Cancelled)]
            }
            Command::Abort { seat } => {
                self.running()?;
                if self.tournament().is_some() {
                    return Err(Refusal::InTournament);
                }
                if self.has_begun() {
                    return Err(Refusal::Begun);
                }
                self.ended(MatchResult::aborted(Some(*seat)))
            }
            Command::Resign { seat } => {
                self.running()?;
                if !self.has_begun() {
                    return Err(Refusal::NotBegun);
                }
                self.ended(MatchResult::won(seat.other(), Reason::Resigned))
            }
            Command::Leave { seat } => {
                self.running()?;
                self.ended(self.let_be(*seat, Reason::Resigned))
            }
            Command::Abandon { seat } => {
                self.running()?;
                // Nobody has to be there any more.
                self.not_adjourned()?;
                // Who does not come to the first move forfeits by its limit alone.
                if self.tournament().is_some() && !self.has_begun() {
                    return Err(Refusal::NotBegun);
                }
                self.ended(self.let_be(*seat, Reason::Absence))
            }
            Command::Vacation { seat, until } => {
                self.not_adjourned()?;
                self.change_vacation(*seat, *until, now)?
            }
            Command::Berserk { seat } => self.decide_berserk(*seat, received_at)?,
            Command::Tick => self.elapsed(now)?,
        };
        Ok(Decision::Happens(events))
    }

    /// Checks whether rules and turn allow a move, whatever the clocks show: a browser does so before it sends a move.
    ///
    /// # Errors
    ///
    /// The reason for which [`Match::decide`] refuses the move.
    pub fn check_move(&self, seat: Seat, mv: &str) -> Result<(), Refusal> {
        let read = self.position().parse_move(mv);
        if read == Err(MoveError::Malformed) {
            return Err(Refusal::Malformed);
        }
        self.running()?;
        self.not_adjourned()?;
        if self.to_move() != Some(seat) {
            return Err(Refusal::NotYourTurn);
        }
        self.position().clone().play(read?)?;
        Ok(())
    }

    /// Checks whether a side may make an offer.
    pub(super) fn may_offer(
        &self,
        seat: Seat,
        kind: OfferKind,
        now: Timestamp,
    ) -> Result<(), Refusal> {
        self.in_time(now)?;
        self.not_adjourned()?;
        let (game, pace) = (self.terms().setup.kind(), self.terms().pace());
        // By correspondence nobody has to be there anyway.
        if !kind.is_in(game) || kind == OfferKind::Adjourn && pace == Pace::Correspondence {
            return Err(Refusal::NoSuchOffer);
        }
        if let Some(rules) = self.tournament() {
            if matches!(kind, OfferKind::Takeback | OfferKind::Adjourn) {
                return Err(Refusal::InTournament);
            }
            if self.moves_of_each() < rules.offers_after {
                return Err(Refusal::TooEarly);
            }
        }
        if kind != OfferKind::Takeback && !self.has_begun() {
            return Err(Refusal::NotBegun);
        }
        if self.offer().is_some() {
            return Err(Refusal::OfferOpen);
        }
        if kind == OfferKind::Takeback && self.plies_back_to(seat).is_none() {
            return Err(Refusal::NothingToTakeBack);
        }
        if self.has_offered(seat, kind) {
            return Err(Refusal::OfferCooldown);
        }
        Ok(())
    }

    pub(super) fn decide_move(
        &self,
        seat: Seat,
        mv: Move,
        client_id: Option<ClientId>,
        now: Timestamp,
        charge: impl FnOnce(ClockReading, Option<Seat>, Timestamp) -> ClockReading,
    ) -> Result<Vec<Event>, Refusal> {
        let mut after = self.position().clone();
        after.play(mv)?;
        let outcome = after.outcome();
        let to_move = after.to_move();
        let start = to_move.map_or(now, |next| self.turn_start(next, now));
        let moved = Event::Moved {
            seat,
            mv: mv.to_string(),
            score: after.score(),
            to_move,
            passed: outcome.is_none() && after.passed(),
            clock: self.clock().map(|clock| charge(clock, to_move, start)),
            client_id,
            move_by: to_move.and_then(|next| {
                let begun = self.has_moved(seat.other());
                self.next_move_by(begun, begun || next == seat, start)
            }),
        };
        let finished = outcome.map(|outcome| Event::Finished {
            result: outcome.into(),
        });
        // The end of an offer comes first, so that the move is the last event of a command that ends nothing.
        let closed = self.offer().and_then(|offer| {
            // Who moves on by correspondence would otherwise leave an offer open for days.
            let answers = offer.seat != seat || self.terms().pace() == Pace::Correspondence;
            let why = if answers || offer.kind == OfferKind::Takeback {
                OfferEnd::Moved
            } else if finished.is_some() {
                OfferEnd::Finished
            } else {
                return None;
            };
            Some(closed(why))
        });
        Ok(closed.into_iter().chain([moved]).chain(finished).collect())
    }

    /// Returns the event of an agreement of both sides on a proposal of `seat`, without an offer: for a match in which one person
    /// decides for both.
    ///
    /// # Errors
    ///
    /// `Finished`, or `NothingToTakeBack`.
    pub fn agreement(&self, seat: Seat, kind: OfferKind, now: Timestamp) -> Result<Event, Refusal> {
        self.running()?;
        if kind == OfferKind::Takeback && self.plies_back_to(seat).is_none() {
            return Err(Refusal::NothingToTakeBack);
        }
        Ok(self.agreed(
            Offer {
                kind,
                seat,
                version: self.version(),
                expires_at: None,
                resume_at: None,
            },
            now,
        ))
    }

    /// Returns the event of an agreement on an offer.
    fn agreed(&self, offer: Offer, now: Timestamp) -> Event {
        match offer.kind {
            OfferKind::Draw => Event::Finished {
                result: MatchResult::agreed(None, Reason::AgreedDraw),
            },
            OfferKind::Finish => {
                let [first, second] = self.score();
                let winner = match first.cmp(&second) {
                    std::cmp::Ordering::Greater => Some(Seat::First),
                    std::cmp::Ordering::Less => Some(Seat::Second),
                    std::cmp::Ordering::Equal => None,
                };
                Event::Finished {
                    result: MatchResult::agreed(winner, Reason::AgreedFinish),
                }
            }
            OfferKind::Takeback => self.taken_back(offer.seat, now),
            OfferKind::Adjourn => Event::Adjourned {
                resume_at: offer.resume_at,
                move_by: self.clock().is_none().then_some(now + UNTIMED_MOVE_TIMEOUT),
            },
        }
    }

    /// Takes the match back to before the last move of `seat`. An offer to do so is only ever open where there is such a move,
    /// because every move closes it.
    fn taken_back(&self, seat: Seat, now: Timestamp) -> Event {
        let count = self.plies_back_to(seat).unwrap_or(0);
        let gained = self.gained_by_last(count);
        let start = self.turn_start(seat, now);
        Event::TakenBack {
            count: u32::try_from(count).unwrap_or(u32::MAX),
            clock: self
                .clock()
                .map(|clock| clock.taken_back(self.terms().clock, seat, gained, now, start)),
            move_by: {
                let left = &self.plies()[..self.plies().len() - count];
                let moved = self.has_begun() || left.iter().any(|ply| ply.seat == seat);
                self.next_move_by(self.has_begun(), moved, start)
            },
        }
    }

    /// Returns the event by which a vacation begins or ends: none where it is so already, where the match takes no more of it, and
    /// in a live match.
    pub(super) fn change_vacation(
        &self,
        seat: Seat,
        until: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        self.in_time(now)?;
        let is_on = self.vacation(seat, now).is_some();
        let until = until.map(|until| until.min(now + self.vacation_left(seat, now)));
        let is_nothing_new = until.map_or(!is_on, |until| is_on || until <= now);
        if is_nothing_new || self.terms().pace() == Pace::Live {
            return Ok(Vec::new());
        }
        let start = until.unwrap_or(now);
        let clock = self.clock();
        // A turn that waits for the end of a vacation has not begun to be timed.
        let timed_from = clock.map_or(now, |clock| clock.at.max(now));
        let move_by = self.move_by().map(|by| {
            if self.to_move() == Some(seat) {
                // In the grace of a night it is past.
                start + (by - timed_from).max(Millis::ZERO)
            } else {
                by
            }
        });
        Ok(vec![Event::VacationChanged {
            seat,
            at: now,
            until,
            clock: clock.map(|clock| clock.held(seat, now, start)),
            move_by,
        }])
    }

    /// Returns the time by which the next move has to be made, if the side to move thinks about it from `now` on, and has moved
    /// before or not.
    fn next_move_by(&self, begun: bool, moved: bool, now: Timestamp) -> Option<Timestamp> {
        let terms = self.terms();
        if !moved {
            let of_tournament = self.tournament().map(|rules| rules.first_move);
            Some(now + of_tournament.unwrap_or(terms.pace().first_move_timeout()))
        } else if begun && terms.rated && terms.clock == ClockRule::None {
            Some(now + UNTIMED_MOVE_TIMEOUT)
        } else {
            None
        }
    }

    /// Returns the number of plies after the position in which `seat` made their last move; `None` if they never moved.
    fn plies_back_to(&self, seat: Seat) -> Option<usize> {
        let plies = self.plies();
        let last = plies.iter().rposition(|ply| ply.seat == seat)?;
        Some(plies.len() - last)
    }

    /// Returns the moves of the side that has made fewer.
    fn moves_of_each(&self) -> u32 {
        let of = |seat| self.plies().iter().filter(|ply| ply.seat == seat).count();
        u32::try_from(of(Seat::First).min(of(Seat::Second))).unwrap_or(u32::MAX)
    }

    /// Returns the result of a match that `seat` does not play on: it is lost, or, if it had not begun, aborted, or forfeited in a
    /// tournament.
    fn let_be(&self, seat: Seat, reason: Reason) -> MatchResult {
        if self.has_begun() {
            MatchResult::won(seat.other(), reason)
        } else if self.tournament().is_some() {
            MatchResult::won(seat.other(), Reason::Forfeit)
        } else {
            MatchResult::aborted(Some(seat))
        }
    }

    /// Returns the events of an end by a command rather than on the board.
    fn ended(&self, result: MatchResult) -> Vec<Event> {
        let closed = self.offer().map(|_| closed(OfferEnd::Finished));
        let finished = Event::Finished { result };
        closed.into_iter().chain([finished]).collect()
    }

    /// Returns the events that time alone has caused, in their order.
    fn elapsed(&self, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        self.running()?;
        let overdue = self.overdue(now);
        let closed = self.offer().and_then(|offer| {
            let until = overdue.map_or(now, |(_, at)| at);
            if offer.expires_at.is_some_and(|at| at <= until) {
                Some(closed(OfferEnd::Expired))
            } else {
                overdue.map(|_| closed(OfferEnd::Finished))
            }
        });
        // No clock runs while a sealed move waits.
        let reason = if self.sealed_by().is_some() {
            Reason::Absence
        } else {
            Reason::Time
        };
        let finished = overdue.map(|(seat, _)| Event::Finished {
            result: self.let_be(seat, reason),
        });
        Ok(closed.into_iter().chain(finished).collect())
    }

    /// Returns the offer that can still be answered.
    fn open_offer(&self, now: Timestamp) -> Result<Offer, Refusal> {
        self.in_time(now).map_err(|_| Refusal::OfferClosed)?;
        self.offer()
            .filter(|offer| offer.expires_at.is_none_or(|at| now < at))
            .ok_or(Refusal::OfferClosed)
    }

    /// Returns the version of the first answer, if this very move was made under this name before.
    fn answered(
        &self,
        seat: Seat,
        client_id: Option<&ClientId>,
        mv: &str,
    ) -> Result<Option<u32>, Refusal> {
        let Some(identified) = client_id.and_then(|id| self.identified_move(seat, id)) else {
            return Ok(None);
        };
        let same = self
            .position()
            .parse_move(mv)
            .is_ok_and(|mv| mv.to_string() == identified.mv);
        if same {
            Ok(Some(identified.version))
        } else {
            Err(Refusal::ClientIdReused)
        }
    }

    fn not_adjourned(&self) -> Result<(), Refusal> {
        if self.adjournment().is_none() {
            Ok(())
        } else {
            Err(Refusal::Adjourned)
        }
    }

    fn running(&self) -> Result<(), Refusal> {
        if self.result().is_none() {
            Ok(())
        } else {
            Err(Refusal::Finished)
        }
    }

    /// Refuses a match that has ended, also by a flag that has fallen or a move that is overdue, which no event has noted yet.
    pub(super) fn in_time(&self, now: Timestamp) -> Result<(), Refusal> {
        self.running()?;
        match self.overdue(now) {
            Some(_) => Err(Refusal::Finished),
            None => Ok(()),
        }
    }

    /// Returns the side whose time is over, and since when: by the clock, by the limit of the match, or by that of a sealed move.
    fn overdue(&self, now: Timestamp) -> Option<(Seat, Timestamp)> {
        let seat = self.awaited()?;
        let come_by = self
            .adjournment()
            .and_then(|adjourned| adjourned.expires_at);
        let at = self
            .flag_at()
            .into_iter()
            .chain(self.extended_move_by())
            .chain(come_by)
            .min()?;
        (at <= now).then_some((seat, at))
    }
}

const fn closed(why: OfferEnd) -> Event {
    Event::OfferClosed { why }
}
