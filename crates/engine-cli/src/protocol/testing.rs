//! What the tests of sessions use: a thinker that draws its moves, and sessions written as text.

use super::Session;
use crate::moves;
use crate::search::{Manner, NoEngine, Thinker};
use crate::time::Bounds;
use std::time::Duration;
use tochki_engine::{Candidate, Limits, Progress, Report, Rng};
use tochki_rules::{Move, Position};

/// Draws a move; a node costs nothing, and the value is that of no side. It is done after 2³² nodes.
#[derive(Debug, Default)]
pub(crate) struct RandomThinker {
    moves: Vec<Move>,
    chosen: usize,
    nodes: u64,
    most: u64,
}

impl Thinker for RandomThinker {
    fn forget(&mut self) {
        *self = Self::default();
    }

    fn begin(&mut self, position: &Position, limits: Limits, seed: u64) -> Result<(), NoEngine> {
        self.moves = moves::legal(position);
        self.chosen = Rng::new(seed).below(self.moves.len() as u32) as usize;
        (self.nodes, self.most) = (0, limits.nodes.min(1 << 32));
        Ok(())
    }

    fn step(&mut self, budget: u64) -> Progress {
        self.nodes = self.nodes.saturating_add(budget).min(self.most);
        if self.nodes == self.most {
            Progress::Done
        } else {
            Progress::Running
        }
    }

    fn best(&self) -> Report<Move> {
        let candidate = |mv: &Move| Candidate {
            mv: *mv,
            value: 0.5,
            exact: false,
            visits: 1,
            depth: 1,
            pv: vec![*mv],
        };
        let mut listed: Vec<_> = self.moves.iter().map(candidate).collect();
        if !listed.is_empty() {
            listed.swap(0, self.chosen);
        }
        Report {
            choice: self.moves.get(self.chosen).copied(),
            moves: listed,
            nodes: self.nodes,
            settled: false,
        }
    }
}

/// The strongest level, seed 1, and 1,000 nodes where a protocol gives no bound.
pub(crate) fn manner() -> Manner {
    Manner {
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
        let waits = |session: &dyn Session| {
            session.thinks() && (last || !session.interrupts(lines[number + 1]))
        };
        if last {
            session.close(now, &mut answers);
        }
        while waits(session) {
            now += Duration::from_millis(1);
            session.think(now, &mut answers);
        }
        now += Duration::from_millis(1);
        all.push(answers);
    }
    all
}

/// Holds a session against its text: lines after `> ` are read, the others are what must be answered.
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
