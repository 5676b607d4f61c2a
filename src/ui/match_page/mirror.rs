//! A match as this page knows it: what the server has confirmed, and at most one move of ours on the way.

use crate::ui::board::Shown;
use tochki_play::{Event, Match, MatchResult, Ply, Refusal, Terms, Timestamp};
use tochki_protocol::{ClientId, Snapshot};
use tochki_rules::Seat;

/// Confirmed and pending. What is shown is both together.
#[derive(Clone, Debug)]
pub(crate) struct OptimisticMatch {
    confirmed: Match,
    /// The version of the last event in it. The match's own count begins anew with every snapshot.
    version: u32,
    pending: Option<Pending>,
    shown: Shown,
}

/// A move that the server has not answered for yet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pending {
    /// Whose.
    seat: Seat,
    /// In its text form.
    pub(crate) mv: String,
    /// Its name: sent again under it, it is still made only once.
    pub(crate) client_id: ClientId,
    /// The version it is made from.
    pub(crate) version: u32,
}

/// What hearing of an event has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Took {
    /// It is the next one, and is in.
    In,
    /// It was in already.
    Known,
    /// Something is missing before it: the snapshot must be fetched.
    Gap,
}

impl OptimisticMatch {
    /// The match of a snapshot, played again by the same rules.
    pub(crate) fn of(snapshot: &Snapshot) -> Self {
        let terms = Terms {
            setup: snapshot.setup,
            clock: snapshot.time_control,
            rated: snapshot.rated,
        };
        // Where there is a clock, its reading says since when.
        let start = snapshot
            .clock
            .map_or(Timestamp::default(), |clock| clock.at);
        let mut confirmed = Match::new(terms, start);
        // Score and turn come from the rules; the fields are for programs without any.
        let moved = |(mv, seat): (&String, &Seat)| Event::Moved {
            seat: *seat,
            mv: mv.clone(),
            score: [0, 0],
            to_move: None,
            passed: false,
            clock: snapshot.clock,
            client_id: None,
        };
        // Nothing is taken back by it: it says what the clocks show, also where there are no moves.
        let clocks = Event::TakenBack {
            count: 0,
            clock: snapshot.clock,
        };
        let offered = snapshot.offer.map(|offer| Event::Offered {
            seat: offer.seat,
            kind: offer.kind,
            expires_at: offer.expires_at,
        });
        let finished = snapshot.result.clone();
        let finished = finished.map(|result| Event::Finished { result });
        let moves = snapshot.moves.iter().zip(&snapshot.seats).map(moved);
        let mut events = moves.chain([clocks]).chain(offered).chain(finished);
        // The server has replayed the same moves, so this is a page of another version: it shows no move after the one that
        // it does not understand.
        if let Err(broken) = events.try_for_each(|event| confirmed.apply(&event)) {
            leptos::logging::error!("{broken}");
        }
        let shown = show(&confirmed, None);
        Self {
            confirmed,
            version: snapshot.version,
            pending: None,
            shown,
        }
    }

    /// Takes in a newer snapshot. A move on the way stays so only if the board has not changed since.
    pub(crate) fn renew(&mut self, snapshot: &Snapshot) {
        if snapshot.version < self.version {
            return;
        }
        let made = self.confirmed.plies().iter().map(|ply| ply.mv.to_string());
        let same = snapshot.result.is_none() && made.eq(snapshot.moves.iter().cloned());
        let pending = self.pending.take().filter(|_| same);
        *self = Self::of(snapshot);
        self.set_pending(pending);
    }

    /// Takes in an event of the stream. Whatever changes the board also settles the move on the way: it is that move, or
    /// the match has gone on without it. An offer leaves it on its way.
    pub(crate) fn hear(&mut self, version: u32, event: &Event) -> Took {
        if version <= self.version {
            return Took::Known;
        }
        if version > self.version + 1 {
            return Took::Gap;
        }
        if self.confirmed.apply(event).is_err() {
            // What this page knows is not what the event came after.
            return Took::Gap;
        }
        self.version = version;
        let pending = match event {
            Event::Offered { .. } | Event::OfferClosed { .. } => self.pending.take(),
            _ => None,
        };
        self.set_pending(pending);
        Took::In
    }

    /// Makes a move here, if the rules and the turn allow it, and says what to send.
    pub(crate) fn propose(
        &mut self,
        seat: Seat,
        mv: &str,
        client_id: ClientId,
    ) -> Result<Pending, Refusal> {
        if self.pending.is_some() {
            return Err(Refusal::NotYourTurn);
        }
        // Time is for the server alone to judge: this computer's clock may be wrong.
        self.confirmed.check_move(seat, mv)?;
        let pending = Pending {
            seat,
            mv: mv.to_owned(),
            client_id,
            version: self.version,
        };
        self.set_pending(Some(pending.clone()));
        Ok(pending)
    }

    /// Takes a move back that the server has refused. Says whether it was still on the way.
    pub(crate) fn withdraw(&mut self, client_id: &ClientId) -> bool {
        let on_the_way = self.is_pending(client_id);
        if on_the_way {
            self.set_pending(None);
        }
        on_the_way
    }

    /// The move of that name as it is to be sent again, from the present version: only an offer has come in between.
    pub(crate) fn overtaken(&self, client_id: &ClientId) -> Option<Pending> {
        let pending = self.pending.as_ref()?;
        let again = pending.client_id == *client_id && pending.version < self.version;
        again.then(|| Pending {
            version: self.version,
            ..pending.clone()
        })
    }

    /// Whether the move of that name is still on the way.
    pub(crate) fn is_pending(&self, client_id: &ClientId) -> bool {
        self.pending
            .as_ref()
            .is_some_and(|pending| pending.client_id == *client_id)
    }

    fn set_pending(&mut self, pending: Option<Pending>) {
        self.shown = show(&self.confirmed, pending.as_ref());
        self.pending = pending;
    }

    /// The version of the last confirmed event.
    pub(crate) fn version(&self) -> u32 {
        self.version
    }

    /// What is on the board: confirmed and pending.
    pub(crate) fn shown(&self) -> &Shown {
        &self.shown
    }

    /// Whether the last move shown is one on the way.
    pub(crate) fn is_on_the_way(&self) -> bool {
        self.pending.is_some()
    }

    /// What the server has confirmed.
    pub(crate) fn confirmed(&self) -> &Match {
        &self.confirmed
    }

    /// Who moves now; nobody after the end.
    pub(crate) fn to_move(&self) -> Option<Seat> {
        if self.confirmed.result().is_some() {
            None
        } else {
            self.shown.position.to_move()
        }
    }

    /// Points of both seats.
    pub(crate) fn score(&self) -> [u32; 2] {
        self.shown.position.score()
    }

    /// The result, once there is one.
    pub(crate) fn result(&self) -> Option<&MatchResult> {
        self.confirmed.result()
    }
}

fn show(confirmed: &Match, pending: Option<&Pending>) -> Shown {
    let mut position = confirmed.position().clone();
    let mut plies = confirmed.plies().to_vec();
    if let Some(Pending { seat, mv, .. }) = pending {
        let played = position
            .parse_move(mv)
            .and_then(|mv| position.play_as(*seat, mv).map(|_| mv));
        // It was allowed when it was proposed, and nothing has happened since.
        plies.extend(played.map(|mv| Ply { seat: *seat, mv }));
    }
    Shown { position, plies }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_play::{ClockReading, ClockRule, Millis, OfferEnd, OfferKind, Reason};
    use tochki_protocol::{MatchId, MatchStatus, PlayerCard, PlayerId};
    use tochki_rules::GameKind;

    fn snapshot(moves: &[&str]) -> Snapshot {
        let terms = Terms {
            setup: GameKind::Dots.default_setup(),
            clock: ClockRule::None,
            rated: true,
        };
        let mut game = Match::new(terms, Timestamp::default());
        for (ply, mv) in moves.iter().enumerate() {
            game.apply(&moved(Seat::BOTH[ply % 2], mv, None)).unwrap();
        }
        let card = |id| PlayerCard {
            id: PlayerId(id),
            name: format!("p{id}"),
            rating: 1600.0,
            guest: false,
        };
        let players = [card(1), card(2)];
        Snapshot::of(
            MatchId(1),
            &game,
            players,
            [true, true],
            &MatchStatus::default(),
        )
    }

    fn moved(seat: Seat, mv: &str, client_id: Option<ClientId>) -> Event {
        Event::Moved {
            seat,
            mv: mv.to_owned(),
            score: [0, 0],
            to_move: None,
            passed: false,
            clock: None,
            client_id,
        }
    }

    fn id(name: &str) -> ClientId {
        name.parse().unwrap()
    }

    #[test]
    fn a_move_on_the_way_is_shown_and_then_real() {
        let mut mirror = OptimisticMatch::of(&snapshot(&[]));
        let pending = mirror.propose(Seat::First, "5,5", id("a")).unwrap();
        assert_eq!(
            (
                pending.version,
                mirror.shown().plies.len(),
                mirror.confirmed().plies().len()
            ),
            (0, 1, 0)
        );
        assert!(mirror.is_on_the_way());
        assert_eq!(mirror.shown().plies[0].mv.to_string(), "5,5");
        assert_eq!(mirror.to_move(), Some(Seat::Second));
        assert_eq!(
            mirror.propose(Seat::First, "6,6", id("b")),
            Err(Refusal::NotYourTurn)
        );

        assert_eq!(
            mirror.hear(1, &moved(Seat::First, "5,5", Some(id("a")))),
            Took::In
        );
        assert_eq!(
            (
                mirror.version(),
                mirror.shown().plies.len(),
                mirror.confirmed().plies().len()
            ),
            (1, 1, 1)
        );
        assert!(
            !mirror.withdraw(&id("a")),
            "a late refusal takes nothing back"
        );
    }

    #[test]
    fn a_refused_move_is_withdrawn() {
        let mut mirror = OptimisticMatch::of(&snapshot(&["5,5"]));
        assert!(mirror.propose(Seat::Second, "5,5", id("a")).is_err());
        mirror.propose(Seat::Second, "6,5", id("b")).unwrap();
        assert!(mirror.withdraw(&id("b")));
        assert_eq!(mirror.shown().plies.len(), 1);
        assert_eq!(mirror.to_move(), Some(Seat::Second));
    }

    #[test]
    fn gaps_and_repetitions_are_noticed() {
        let mut mirror = OptimisticMatch::of(&snapshot(&["5,5"]));
        assert_eq!(
            mirror.hear(1, &moved(Seat::First, "5,5", None)),
            Took::Known
        );
        assert_eq!(mirror.hear(3, &moved(Seat::First, "7,7", None)), Took::Gap);
        mirror.renew(&snapshot(&["5,5", "6,6", "7,7"]));
        assert_eq!((mirror.version(), mirror.confirmed().plies().len()), (3, 3));
        mirror.renew(&snapshot(&["5,5"]));
        assert_eq!(
            mirror.version(),
            3,
            "an old answer that comes late changes nothing"
        );
    }

    #[test]
    fn a_snapshot_of_the_same_version_keeps_the_move_on_the_way() {
        let mut mirror = OptimisticMatch::of(&snapshot(&[]));
        mirror.propose(Seat::First, "5,5", id("a")).unwrap();
        mirror.renew(&snapshot(&[]));
        assert!(mirror.is_pending(&id("a")));
        assert_eq!(mirror.shown().plies.len(), 1);
        mirror.renew(&snapshot(&["5,5"]));
        assert!(!mirror.is_pending(&id("a")));
        assert_eq!(mirror.shown().plies.len(), 1);
    }

    #[test]
    fn an_offer_leaves_a_move_on_its_way() {
        let mut mirror = OptimisticMatch::of(&snapshot(&[]));
        let pending = mirror.propose(Seat::First, "5,5", id("a")).unwrap();
        assert_eq!(mirror.overtaken(&id("a")), None);
        let offered = Event::Offered {
            seat: Seat::Second,
            kind: OfferKind::Draw,
            expires_at: Timestamp(15_000),
        };
        assert_eq!(mirror.hear(1, &offered), Took::In);
        assert_eq!(
            mirror.confirmed().offer().map(|offer| offer.seat),
            Some(Seat::Second),
            "what the page shows"
        );
        assert!(mirror.is_pending(&id("a")));
        let again = Pending {
            version: 1,
            ..pending
        };
        assert_eq!(mirror.overtaken(&id("a")), Some(again));
        let why = OfferEnd::Moved;
        assert_eq!(mirror.hear(2, &Event::OfferClosed { why }), Took::In);
        assert_eq!(
            (mirror.confirmed().offer(), mirror.shown().plies.len()),
            (None, 1),
            "no moment without it"
        );
        mirror.hear(3, &moved(Seat::First, "5,5", Some(id("a"))));
        assert!(!mirror.is_pending(&id("a")));
    }

    #[test]
    fn a_take_back_goes_back_on_the_board() {
        let mut mirror = OptimisticMatch::of(&snapshot(&["5,5", "6,6"]));
        mirror.propose(Seat::First, "7,7", id("a")).unwrap();
        let clock = None;
        assert_eq!(
            mirror.hear(3, &Event::TakenBack { count: 2, clock }),
            Took::In
        );
        assert_eq!(
            (mirror.shown().plies.len(), mirror.to_move()),
            (0, Some(Seat::First))
        );
    }

    #[test]
    fn a_snapshot_without_moves_says_what_the_clocks_show() {
        let mut spent = snapshot(&[]);
        spent.time_control = "60+0".parse().unwrap();
        spent.clock = Some(ClockReading {
            left: [Millis(7_000), Millis(50_000)],
            running: Some(Seat::First),
            at: Timestamp(99_000),
        });
        assert_eq!(OptimisticMatch::of(&spent).confirmed().clock(), spent.clock);
    }

    #[test]
    fn the_end_settles_everything() {
        let mut mirror = OptimisticMatch::of(&snapshot(&[]));
        mirror.propose(Seat::First, "5,5", id("a")).unwrap();
        let result = MatchResult {
            winner: Some(Seat::First),
            reason: Reason::Resigned,
            ratings: None,
        };
        assert_eq!(mirror.hear(1, &Event::Finished { result }), Took::In);
        assert_eq!((mirror.to_move(), mirror.shown().plies.len()), (None, 0));
    }
}
