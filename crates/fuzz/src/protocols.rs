//! Any lines at all for the sessions of engines: the text protocol, Gomocup, GTP and `NBoard` with its games in GGF.

use std::time::Duration;
use tochki_engine::Limits;
use tochki_engine_cli::protocol::{Gomocup, Gtp, Nboard, Session, Text};
use tochki_engine_cli::random::RandomMover;
use tochki_engine_cli::search::SearchOptions;
use tochki_engine_cli::time::Bounds;
use tochki_rules::GameKind;

pub(crate) fn run((which, text): (u8, &str)) {
    let options = SearchOptions {
        limits: Limits::NONE,
        seed: 1,
        bounds: Bounds::nodes(10),
    };
    let mover = RandomMover::default();
    match which % 4 {
        0 => converse(Text::new(mover, options, GameKind::Dots), text),
        1 => converse(Gomocup::new(mover, options), text),
        2 => converse(Gtp::new(mover, options), text),
        _ => converse(Nboard::new(mover, options), text),
    }
}

fn converse(mut session: impl Session, text: &str) {
    let mut answers = Vec::new();
    let mut now = Duration::ZERO;
    for line in text.split('\n') {
        if session.has_ended() {
            break;
        }
        session.read(line, now, &mut answers);
        now += Duration::from_millis(1);
        if session.thinks() {
            session.think(now, &mut answers);
            // The search must not keep the next line waiting.
            session.stop(now, &mut answers);
        }
    }
    assert!(answers.iter().all(|answer| !answer.contains('\r')));
}
