//! Simulation of fair play: the time that a thousand stalling and a thousand absent players cost their opponents.

use super::scenarios::{at, fresh};
use super::{
    Command, Decision, FIRST_MOVE_TIMEOUT, Match, OfferKind, Reason, Timestamp,
    UNTIMED_MOVE_TIMEOUT,
};
use tochki_rules::{Seat, Setup, dots};

/// A linear congruential generator, so that every run is the same.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }
}

fn table() -> Match {
    let setup = dots::Setup::new(9, 9, dots::Opening::Empty).unwrap();
    fresh(Setup::Dots(setup), "none")
}

/// Executes a command, if it is not refused. Returns whether anything happened.
fn ask(game: &mut Match, command: &Command, now: Timestamp) -> bool {
    let Ok(Decision::Happens(events)) = game.decide(command, now) else {
        return false;
    };
    for event in &events {
        game.apply(event).unwrap();
    }
    !events.is_empty()
}

/// Makes the next move of the side to move.
fn make_move(game: &mut Match, now: Timestamp) {
    let seat = game.to_move().expect("a running match");
    let at = game.plies().len();
    let mv = format!("{},{}", at % 9, at / 9);
    let mv = Command::Move {
        seat,
        mv,
        version: None,
        client_id: None,
    };
    assert!(ask(game, &mv, now), "a move onto a free point");
}

/// Returns a command by which a staller may distract without moving.
fn distraction(random: &mut Random, seat: Seat) -> Command {
    let kinds = [OfferKind::Draw, OfferKind::Finish, OfferKind::Takeback];
    match random.below(5) {
        kind @ 0..=2 => Command::Offer {
            seat,
            kind: kinds[kind as usize],
        },
        3 => Command::CancelOffer { seat },
        _ => Command::AnswerOffer {
            seat,
            accept: false,
            offer: None,
        },
    }
}

/// Plays a rated match without a clock, where one side stops moving at some time and does everything else it can, while the other
/// declines all offers. Returns how long the other side has waited, in milliseconds.
fn stall(random: &mut Random) -> (Match, Seat, i64) {
    let mut game = table();
    let mut second = 0;
    for _ in 0..random.below(40) {
        second += random.below(50);
        make_move(&mut game, at(second));
    }
    let staller = game.to_move().expect("a running match");
    let since = second;
    let mut ended = at(since);
    while game.result().is_none() {
        second += 1 + random.below(20);
        let now = at(second);
        // The sweeper comes first, at the moment that is due.
        if let Some(due) = game.deadline().filter(|due| *due <= now) {
            ask(&mut game, &Command::Tick, due);
            ended = due;
            continue;
        }
        ask(&mut game, &distraction(random, staller), now);
        let decline = Command::AnswerOffer {
            seat: staller.other(),
            accept: false,
            offer: None,
        };
        ask(&mut game, &decline, now);
        assert!(second < since + 3600, "nobody is held for an hour");
    }
    (game, staller, ended.0 - at(since).0)
}

#[test]
fn a_thousand_stallers_free_their_opponents_in_time() {
    let (mut longest, mut lost) = (0, 0);
    for seed in 0..1000 {
        let (game, staller, waited) = stall(&mut Random(seed));
        let result = game.result().unwrap();
        if game.has_begun() {
            assert_eq!(result.winner, Some(staller.other()), "{seed}");
            assert_eq!(result.reason, Reason::Time, "{seed}");
            assert!(waited <= UNTIMED_MOVE_TIMEOUT.0, "{seed}: {waited}");
            lost += 1;
        } else {
            assert!(result.is_aborted() && result.by == Some(staller), "{seed}");
            assert!(waited <= FIRST_MOVE_TIMEOUT.0, "{seed}: {waited}");
        }
        longest = longest.max(waited);
    }
    println!(
        "1000 stallers: {lost} lost on time, the others before both had moved; longest wait {longest} ms"
    );
    assert!(lost > 900, "{lost}");
    assert_eq!(longest, UNTIMED_MOVE_TIMEOUT.0);
}

#[test]
fn a_thousand_who_never_come_cost_the_other_one_nothing() {
    let mut longest = 0;
    for seed in 0..1000 {
        let mut random = Random(seed);
        let mut game = table();
        let [came, missing] = if random.below(2) == 0 {
            [Seat::First, Seat::Second]
        } else {
            [Seat::Second, Seat::First]
        };
        let arrived = at(random.below(59));
        if game.to_move() == Some(came) {
            make_move(&mut game, arrived);
        }
        // Commands by which the player who came could lose, or that ask something of them, are refused.
        for wrong in [
            Command::Resign { seat: came },
            Command::Offer {
                seat: missing,
                kind: OfferKind::Draw,
            },
        ] {
            assert!(!ask(&mut game, &wrong, arrived), "{seed}");
        }
        let due = game.deadline().expect("a first move is awaited");
        assert!(ask(&mut game, &Command::Tick, due));
        let result = game.result().expect("an end");
        // An aborted match changes no rating and no count: the server looks at `is_aborted` alone.
        assert!(result.is_aborted() && result.by == Some(missing), "{seed}");
        assert_eq!((result.winner, result.ratings), (None, None), "{seed}");
        longest = longest.max(due.0 - arrived.0);
    }
    println!(
        "1000 no-shows: all aborted, no winner and no rating; longest wait after coming {longest} ms"
    );
    assert!(longest <= FIRST_MOVE_TIMEOUT.0, "{longest}");
}
