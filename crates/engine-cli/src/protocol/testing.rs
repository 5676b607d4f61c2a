//! Helpers for the tests of sessions: sessions written as text, with a searcher that draws its moves.

use super::{Precedence, Session};
use crate::search::SearchOptions;
use crate::time::Bounds;
use std::time::Duration;
use tochki_engine::Limits;

pub(crate) use crate::random::RandomMover;

/// The strongest level, seed 1, and 1,000 nodes where a protocol gives no bound.
pub(crate) fn options() -> SearchOptions {
    SearchOptions {
        limits: Limits::NONE,
        seed: 1,
        bounds: Bounds::nodes(1000),
    }
}

/// Reads lines as the loop of [`crate::io`] does; every look at the clock is a millisecond later.
pub(crate) fn converse(session: &mut impl Session, lines: &[&str]) -> Vec<Vec<String>> {
    let mut now = Duration::ZERO;
    let mut all = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let mut answers = Vec::new();
        if !session.has_ended() {
            session.read(line, now, &mut answers);
        }
        let last = number + 1 == lines.len();
        if last {
            session.close(now, &mut answers);
        }
        while session.thinks()
            && (last || session.precedence(lines[number + 1]) == Precedence::Timeouts)
        {
            now += Duration::from_millis(1);
            session.think(now, &mut answers);
        }
        now += Duration::from_millis(1);
        all.push(answers);
    }
    all
}

/// Checks a session against its text: lines after `> ` are read, the others are the expected answers.
#[track_caller]
pub(crate) fn check(session: &mut impl Session, text: &str) {
    let read: Vec<_> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix('>').map(str::trim))
        .collect();
    let mut found = String::new();
    for (line, answers) in read.iter().zip(converse(session, &read)) {
        found += "> ";
        found += line;
        found.push('\n');
        for answer in answers {
            found += answer.trim();
            found.push('\n');
        }
    }
    let tidy = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.trim().to_owned());
        lines.filter(|line| !line.is_empty()).collect()
    };
    assert_eq!(tidy(&found), tidy(text));
}
