//! Packs of whole matches.

use super::*;
use crate::properties::{play, story};
use crate::{Command, Decision, Match};
use proptest::prelude::*;
use tochki_rules::GameKind;

fn past(event: Event, at: i64, grace: i64) -> PastEvent {
    PastEvent {
        event,
        at: Timestamp(at),
        grace: Millis(grace),
    }
}

fn without_names(events: &[PastEvent]) -> Vec<PastEvent> {
    let plain = |past: &PastEvent| PastEvent {
        event: past.event.clone().without_client_id(),
        ..*past
    };
    events.iter().map(plain).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_match_reads_back(
        (terms, story) in story(),
        rows in prop::collection::vec((-50..5_000_i64, prop::option::weighted(0.1, 0..30_000_000_i64)), 200),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let (_, events) = play(terms, &story);
        let mut now = 0;
        let events: Vec<_> = events
            .into_iter()
            .zip(rows.iter().cycle())
            .map(|((_, event), (pause, grace))| {
                now += pause;
                past(event, now, grace.unwrap_or_default())
            })
            .collect();
        let bytes = pack(&terms, Timestamp(0), &events).unwrap();
        prop_assert_eq!(unpack(&terms, Timestamp(0), &bytes).unwrap(), without_names(&events));
        // Nothing that is cut off reads as another match.
        let at = at.index(bytes.len());
        prop_assert!(unpack(&terms, Timestamp(0), &bytes[..at]).is_err());
        let longer = [&bytes[..], &[0]].concat();
        prop_assert!(unpack(&terms, Timestamp(0), &longer).is_err());
        // Other damage is found, or gives another match, but breaks nothing.
        let mut damaged = bytes;
        damaged[at] = byte;
        let _ = unpack(&terms, Timestamp(0), &damaged);
    }

    #[test]
    fn no_bytes_break_anything((terms, _) in story(), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = unpack(&terms, Timestamp(0), &[&[VERSION][..], &bytes].concat());
    }
}

/// Sixty moves that make no five, of some seconds each, and the end.
fn game_of_sixty(clock: &str) -> (Terms, Vec<PastEvent>) {
    let terms = Terms {
        setup: GameKind::Gomoku.default_setup(),
        clock: clock.parse().unwrap(),
        rated: true,
    };
    let (mut now, mut events) = (Timestamp(0), Vec::new());
    let mut game = Match::new(terms, now);
    for number in 0..=60_u32 {
        now = now + Millis(900 + i64::from(number * 7_919 % 16_000));
        let seat = game.to_move().unwrap();
        let command = if number == 60 {
            Command::Resign { seat }
        } else {
            Command::Move {
                seat,
                mv: format!("{},{}", number % 15, number / 15),
                version: None,
                client_id: Some(format!("c-{number}-0123456789").parse().unwrap()),
            }
        };
        let Ok(Decision::Happens(happened)) = game.decide(&command, now) else {
            panic!("move {number} cannot be made");
        };
        for event in happened {
            game.apply(&event).unwrap();
            events.push(past(event, now.0 + 3 + i64::from(number % 5), 0));
        }
    }
    (terms, events)
}

#[test]
fn a_game_of_sixty_moves_takes_a_few_hundred_bytes() {
    for (clock, most) in [("300+5", 420), ("none", 420), ("3d", 420)] {
        let (terms, events) = game_of_sixty(clock);
        assert_eq!(events.len(), 61);
        let json: usize = events
            .iter()
            .map(|past| past.event.encode().unwrap().body.len())
            .sum();
        let bytes = pack(&terms, Timestamp(0), &events).unwrap();
        assert!(bytes.len() <= most, "{clock}: {} bytes", bytes.len());
        assert!(json > 10 * bytes.len(), "{clock}: {json} bytes of JSON");
        let again = unpack(&terms, Timestamp(0), &bytes).unwrap();
        assert_eq!(again, without_names(&events));
    }
}

#[test]
fn an_event_that_breaks_a_rule_is_kept_as_it_is() {
    let (terms, mut events) = game_of_sixty("300+5");
    let Event::Moved { score, .. } = &mut events[7].event else {
        panic!("a move");
    };
    *score = [9, 9];
    let Event::Moved { mv, .. } = &mut events[9].event else {
        panic!("a move");
    };
    *mv = "no move".to_owned();
    let Event::Moved { clock, .. } = &mut events[11].event else {
        panic!("a move");
    };
    *clock = None;
    events[20].at = Timestamp(i64::MIN);
    events[21].at = Timestamp(i64::MAX);
    let bytes = pack(&terms, Timestamp(0), &events).unwrap();
    let again = unpack(&terms, Timestamp(0), &bytes).unwrap();
    assert_eq!(again, without_names(&events));
}

#[test]
fn bytes_of_another_version_are_refused() {
    let (terms, events) = game_of_sixty("none");
    let mut bytes = pack(&terms, Timestamp(0), &events).unwrap();
    bytes[0] = VERSION + 1;
    let error = unpack(&terms, Timestamp(0), &bytes).unwrap_err();
    assert_eq!(
        error.to_string(),
        "damaged pack of events: version 2 is not known"
    );
    assert!(unpack(&terms, Timestamp(0), &[]).is_err());
}
