//! Confirmed events, pending moves and snapshots in every order that a page meets.

use super::*;
use tochki_play::{ClockReading, ClockRule, Millis, OfferEnd, OfferKind, Reason, Terms, Timestamp};
use tochki_protocol::{MatchId, MatchStatus, PlayerCard, PlayerId, SnapshotClock};
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
        provisional: false,
        bot: false,
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
        move_by: None,
    }
}

fn id(name: &str) -> ClientId {
    name.parse().unwrap()
}

#[test]
fn a_move_on_the_way_is_shown_and_then_real() {
    let mut game = OptimisticMatch::from_snapshot(&snapshot(&[]));
    let pending = game.propose(Seat::First, "5,5", id("a")).unwrap();
    assert_eq!(
        (
            pending.version,
            game.shown().plies.len(),
            game.confirmed().plies().len()
        ),
        (0, 1, 0)
    );
    assert!(game.has_pending());
    assert_eq!(game.shown().plies[0].mv.to_string(), "5,5");
    assert_eq!(game.to_move(), Some(Seat::Second));
    assert_eq!(
        game.propose(Seat::First, "6,6", id("b")),
        Err(Refusal::NotYourTurn)
    );

    assert_eq!(
        game.apply_event(1, &moved(Seat::First, "5,5", Some(id("a")))),
        Applied::Next
    );
    assert_eq!(
        (
            game.version(),
            game.shown().plies.len(),
            game.confirmed().plies().len()
        ),
        (1, 1, 1)
    );
    assert!(
        !game.discard_pending(&id("a")),
        "a late refusal takes nothing back"
    );
}

#[test]
fn a_refused_move_is_withdrawn() {
    let mut game = OptimisticMatch::from_snapshot(&snapshot(&["5,5"]));
    assert!(game.propose(Seat::Second, "5,5", id("a")).is_err());
    game.propose(Seat::Second, "6,5", id("b")).unwrap();
    assert!(game.discard_pending(&id("b")));
    assert_eq!(game.shown().plies.len(), 1);
    assert_eq!(game.to_move(), Some(Seat::Second));
}

#[test]
fn gaps_and_repetitions_are_noticed() {
    let mut game = OptimisticMatch::from_snapshot(&snapshot(&["5,5"]));
    assert_eq!(
        game.apply_event(1, &moved(Seat::First, "5,5", None)),
        Applied::Duplicate
    );
    assert_eq!(
        game.apply_event(3, &moved(Seat::First, "7,7", None)),
        Applied::Gap
    );
    game.update_from_snapshot(&snapshot(&["5,5", "6,6", "7,7"]));
    assert_eq!((game.version(), game.confirmed().plies().len()), (3, 3));
    game.update_from_snapshot(&snapshot(&["5,5"]));
    assert_eq!(
        game.version(),
        3,
        "an old answer that comes late changes nothing"
    );
}

#[test]
fn a_snapshot_of_the_same_version_keeps_the_move_on_the_way() {
    let mut game = OptimisticMatch::from_snapshot(&snapshot(&[]));
    game.propose(Seat::First, "5,5", id("a")).unwrap();
    game.update_from_snapshot(&snapshot(&[]));
    assert!(game.is_pending(&id("a")));
    assert_eq!(game.shown().plies.len(), 1);
    game.update_from_snapshot(&snapshot(&["5,5"]));
    assert!(!game.is_pending(&id("a")));
    assert_eq!(game.shown().plies.len(), 1);
}

#[test]
fn an_offer_leaves_a_move_on_its_way() {
    let mut game = OptimisticMatch::from_snapshot(&snapshot(&[]));
    let pending = game.propose(Seat::First, "5,5", id("a")).unwrap();
    assert_eq!(game.rebase_pending(&id("a")), None);
    let offered = Event::Offered {
        seat: Seat::Second,
        kind: OfferKind::Draw,
        expires_at: Some(Timestamp(15_000)),
        resume_at: None,
    };
    assert_eq!(game.apply_event(1, &offered), Applied::Next);
    assert_eq!(
        game.confirmed().offer().map(|offer| offer.seat),
        Some(Seat::Second),
        "what the page shows"
    );
    assert!(game.is_pending(&id("a")));
    let again = PendingMove {
        version: 1,
        ..pending
    };
    assert_eq!(game.rebase_pending(&id("a")), Some(again));
    let why = OfferEnd::Moved;
    assert_eq!(
        game.apply_event(2, &Event::OfferClosed { why }),
        Applied::Next
    );
    assert_eq!(
        (game.confirmed().offer(), game.shown().plies.len()),
        (None, 1),
        "no moment without it"
    );
    game.apply_event(3, &moved(Seat::First, "5,5", Some(id("a"))));
    assert!(!game.is_pending(&id("a")));
}

#[test]
fn a_take_back_goes_back_on_the_board() {
    let mut game = OptimisticMatch::from_snapshot(&snapshot(&["5,5", "6,6"]));
    game.propose(Seat::First, "7,7", id("a")).unwrap();
    let taken_back = Event::TakenBack {
        count: 2,
        clock: None,
        move_by: None,
    };
    assert_eq!(game.apply_event(3, &taken_back), Applied::Next);
    assert_eq!(
        (game.shown().plies.len(), game.to_move()),
        (0, Some(Seat::First))
    );
}

#[test]
fn a_snapshot_without_moves_says_what_the_clocks_show() {
    let mut spent = snapshot(&[]);
    spent.time_control = "60+0".parse().unwrap();
    let reading = ClockReading {
        left: [Millis(7_000), Millis(50_000)],
        running: Some(Seat::First),
        at: Timestamp(99_000),
    };
    spent.clock = Some(SnapshotClock::of(spent.time_control, reading));
    assert_eq!(
        OptimisticMatch::from_snapshot(&spent).confirmed().clock(),
        Some(reading)
    );
}

#[test]
fn the_end_settles_everything() {
    let mut game = OptimisticMatch::from_snapshot(&snapshot(&[]));
    game.propose(Seat::First, "5,5", id("a")).unwrap();
    let result = MatchResult {
        winner: Some(Seat::First),
        reason: Reason::Resigned,
        ratings: None,
        by: None,
    };
    assert_eq!(
        game.apply_event(1, &Event::Finished { result }),
        Applied::Next
    );
    assert_eq!((game.to_move(), game.shown().plies.len()), (None, 0));
}
