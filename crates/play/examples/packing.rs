//! Packs games of 60 moves, and unpacks them: bytes a game, and games a second on one core.
//!
//! ```text
//! cargo run --release --package tochki-play --example packing
//! ```

use std::time::Instant;
use tochki_play::{Command, Decision, Match, Millis, PastEvent, Terms, Timestamp, pack, unpack};
use tochki_rules::GameKind;

const MOVES: u32 = 60;
const ROUNDS: u32 = 20_000;

/// Plays moves of some seconds each, row by row on the board as far as they are legal, and resigns.
fn game(kind: GameKind, clock: &str) -> (Terms, Vec<PastEvent>) {
    let terms = Terms {
        setup: kind.default_setup(),
        clock: clock.parse().expect("a clock"),
        rated: true,
    };
    let (mut now, mut events) = (Timestamp(0), Vec::new());
    let mut game = Match::new(terms, now);
    for number in 0..=MOVES {
        now = now + Millis(900 + i64::from(number * 7_919 % 16_000));
        let seat = game.to_move().expect("a game that goes on");
        let legal = game.position().legal_moves();
        let command = if number == MOVES || legal.is_empty() {
            Command::Resign { seat }
        } else {
            // Neighbours would make a row of five soon.
            let mv = legal[number as usize * 7 % legal.len()].to_string();
            Command::Move {
                seat,
                mv,
                version: None,
                client_id: None,
            }
        };
        let decision = game.decide(&command, now).expect("a legal command");
        let Decision::Happens(happened) = decision else {
            panic!("{command:?} was done before");
        };
        for event in happened {
            game.apply(&event).expect("an event of this game");
            let at = now + Millis(3 + i64::from(number % 5));
            let grace = Millis::ZERO;
            events.push(PastEvent { event, at, grace });
        }
        if game.result().is_some() {
            break;
        }
    }
    (terms, events)
}

fn main() {
    for (kind, clock) in [
        (GameKind::Dots, "300+5"),
        (GameKind::Gomoku, "300+5"),
        (GameKind::Gomoku, "3d"),
        (GameKind::Boxes, "300+5"),
        (GameKind::Reversi, "300+5"),
    ] {
        let (terms, events) = game(kind, clock);
        let bytes = pack(&terms, Timestamp(0), &events).expect("a pack");
        let json: usize = events
            .iter()
            .map(|past| past.event.encode().expect("JSON").body.len())
            .sum();
        let begun = Instant::now();
        for _ in 0..ROUNDS {
            pack(&terms, Timestamp(0), &events).expect("a pack");
        }
        let packed = f64::from(ROUNDS) / begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        for _ in 0..ROUNDS {
            unpack(&terms, Timestamp(0), &bytes).expect("the events");
        }
        let unpacked = f64::from(ROUNDS) / begun.elapsed().as_secs_f64();
        println!(
            "{} {clock}: {} events, {json} bytes of JSON, {} bytes packed; a second: {packed:.0} packed, {unpacked:.0} unpacked",
            kind.id(),
            events.len(),
            bytes.len()
        );
    }
}
