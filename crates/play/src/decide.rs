//! `decide`: may this be done, and what happens then? Nothing changes here.

use super::offer::OFFER_TIMEOUT;
use super::{
    ClientId, Command, Decision, Event, Match, MatchResult, Millis, Offer, OfferEnd, OfferKind,
    Reason, Refusal, Timestamp,
};
use tochki_rules::{Move, MoveError, Seat};

impl Match {
    /// May this be done, and what happens then? Nothing changes.
    ///
    /// A repeated `client_id` is answered first, so that a lost answer can be had again at any time; then what cannot
    /// be read at all, then what comes too late, then what comes too early, then what the rules forbid.
    ///
    /// # Errors
    ///
    /// Why the command is refused.
    pub fn decide(&self, command: &Command, now: Timestamp) -> Result<Decision, Refusal> {
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
                if version.is_some_and(|version| version != self.version()) {
                    return Err(Refusal::Stale);
                }
                if self.to_move() != Some(*seat) {
                    return Err(Refusal::NotYourTurn);
                }
                self.in_time(now)?;
                self.decide_move(*seat, read?, client_id.clone(), now)?
            }
            Command::Offer { seat, kind } => {
                self.in_time(now)?;
                if self.offer().is_some() {
                    return Err(Refusal::OfferOpen);
                }
                if *kind == OfferKind::Takeback && self.plies_back_to(*seat).is_none() {
                    return Err(Refusal::NothingToTakeBack);
                }
                vec![Event::Offered {
                    seat: *seat,
                    kind: *kind,
                    expires_at: now + OFFER_TIMEOUT,
                }]
            }
            Command::AnswerOffer { seat, accept } => {
                let offer = self.open_offer(now)?;
                if offer.seat == *seat {
                    return Err(Refusal::NotYours);
                }
                if *accept {
                    self.agree(offer, now)
                } else {
                    vec![closed(OfferEnd::Declined)]
                }
            }
            Command::CancelOffer { seat } => {
                if self.open_offer(now)?.seat != *seat {
                    return Err(Refusal::NotYours);
                }
                vec![closed(OfferEnd::Cancelled)]
            }
            Command::Resign { seat } => self.lost(*seat, Reason::Resigned)?,
            Command::Abandon { seat } => self.lost(*seat, Reason::Absence)?,
            Command::Tick => self.elapsed(now)?,
        };
        Ok(Decision::Happens(events))
    }

    /// Whether rules and turn allow a move, whatever the clocks show: a browser asks this before it sends a move.
    ///
    /// # Errors
    ///
    /// As [`Match::decide`] refuses it.
    pub fn check_move(&self, seat: Seat, mv: &str) -> Result<(), Refusal> {
        let read = self.position().parse_move(mv);
        if read == Err(MoveError::Malformed) {
            return Err(Refusal::Malformed);
        }
        self.running()?;
        if self.to_move() != Some(seat) {
            return Err(Refusal::NotYourTurn);
        }
        self.position().clone().play(read?)?;
        Ok(())
    }

    fn decide_move(
        &self,
        seat: Seat,
        mv: Move,
        client_id: Option<ClientId>,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        let mut after = self.position().clone();
        after.play(mv)?;
        let outcome = after.outcome();
        let to_move = after.to_move();
        let moved = Event::Moved {
            seat,
            mv: mv.to_string(),
            score: after.score(),
            to_move,
            passed: outcome.is_none() && after.passed(),
            clock: self
                .clock()
                .map(|clock| clock.moved(self.terms().clock, seat, to_move, now)),
            client_id,
        };
        let finished = outcome.map(|outcome| Event::Finished {
            result: outcome.into(),
        });
        // What becomes of an offer comes first, so that the move is the last event of a command that ends nothing.
        let closed = self.offer().and_then(|offer| {
            let why = if offer.seat != seat || offer.kind == OfferKind::Takeback {
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

    /// Both want what was offered.
    fn agree(&self, offer: Offer, now: Timestamp) -> Vec<Event> {
        let agreed = match offer.kind {
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
        };
        vec![closed(OfferEnd::Accepted), agreed]
    }

    /// The match goes back to before the last move of `seat`. An offer to do so is only ever open where there is one,
    /// because every move closes it.
    fn taken_back(&self, seat: Seat, now: Timestamp) -> Event {
        let count = self.plies_back_to(seat).unwrap_or(0);
        let mut undone = [0; 2];
        for ply in self.plies().iter().rev().take(count) {
            undone[ply.seat.index()] += 1;
        }
        Event::TakenBack {
            count: u32::try_from(count).unwrap_or(u32::MAX),
            clock: self
                .clock()
                .map(|clock| clock.taken_back(self.terms().clock, seat, undone, now)),
        }
    }

    /// How many plies lie after the position in which `seat` made their last move; nothing if they never moved.
    fn plies_back_to(&self, seat: Seat) -> Option<usize> {
        let plies = self.plies();
        let last = plies.iter().rposition(|ply| ply.seat == seat)?;
        Some(plies.len() - last)
    }

    /// `seat` has lost by what was done rather than on the board.
    fn lost(&self, seat: Seat, reason: Reason) -> Result<Vec<Event>, Refusal> {
        self.running()?;
        let closed = self.offer().map(|_| closed(OfferEnd::Finished));
        let result = MatchResult::won(seat.other(), reason);
        Ok(closed
            .into_iter()
            .chain([Event::Finished { result }])
            .collect())
    }

    /// What time alone has brought about, in the order in which it did.
    fn elapsed(&self, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        self.running()?;
        let flag = self.flag_fallen(now);
        let flag_at = self.clock().and_then(|clock| clock.flag_at());
        let closed = self.offer().and_then(|offer| {
            if offer.expires_at <= now
                && (flag.is_none() || flag_at.is_none_or(|flag_at| offer.expires_at <= flag_at))
            {
                Some(closed(OfferEnd::Expired))
            } else {
                flag.map(|_| closed(OfferEnd::Finished))
            }
        });
        let finished = flag.map(|seat| Event::Finished {
            result: MatchResult::won(seat.other(), Reason::Time),
        });
        Ok(closed.into_iter().chain(finished).collect())
    }

    /// The offer that can still be answered.
    fn open_offer(&self, now: Timestamp) -> Result<Offer, Refusal> {
        self.in_time(now).map_err(|_| Refusal::OfferClosed)?;
        self.offer()
            .filter(|offer| now < offer.expires_at)
            .ok_or(Refusal::OfferClosed)
    }

    /// The version of the first answer, if this very move was made under this name before.
    fn answered(
        &self,
        seat: Seat,
        client_id: Option<&ClientId>,
        mv: &str,
    ) -> Result<Option<u32>, Refusal> {
        let Some(named) = client_id.and_then(|id| self.named(seat, id)) else {
            return Ok(None);
        };
        let same = self
            .position()
            .parse_move(mv)
            .is_ok_and(|mv| mv.to_string() == named.mv);
        if same {
            Ok(Some(named.version))
        } else {
            Err(Refusal::ClientIdReused)
        }
    }

    fn running(&self) -> Result<(), Refusal> {
        if self.result().is_none() {
            Ok(())
        } else {
            Err(Refusal::Finished)
        }
    }

    /// It runs, and no flag has fallen that nobody has looked at yet.
    fn in_time(&self, now: Timestamp) -> Result<(), Refusal> {
        self.running()?;
        if self.flag_fallen(now).is_some() {
            Err(Refusal::Finished)
        } else {
            Ok(())
        }
    }

    fn flag_fallen(&self, now: Timestamp) -> Option<Seat> {
        let clock = self.clock()?;
        clock
            .running
            .filter(|seat| clock.left(*seat, now) <= Millis::ZERO)
    }
}

const fn closed(why: OfferEnd) -> Event {
    Event::OfferClosed { why }
}
