//! Exact endings of Reversi and Boxes: the only move that wins with perfect play, every other one loses or draws.

use super::game_finder::{GameFinder, OnlyMove, SearchBudget};
use crate::{Theme, are_alike};
use tochki_engine::{AnyEngine, Limits, Progress};
use tochki_rules::{Change, Move, Position, Seat};

/// Empty squares of Reversi, and free lines of Boxes, at most.
const MAX_EMPTY_SQUARES: usize = 12;
const MAX_FREE_LINES: usize = 26;

/// Legal moves that a first position has at least.
const MIN_LEGAL_MOVES: usize = 4;

/// Values by the solvers of the engines.
#[derive(Debug)]
pub(super) struct Endings {
    budget: SearchBudget,
    engine: Option<AnyEngine>,
}

impl Endings {
    pub(super) const fn new(budget: SearchBudget) -> Self {
        Self {
            budget,
            engine: None,
        }
    }

    /// The seat's gain by the end of the game with perfect play, and the line, if that is known.
    fn value(&mut self, position: &Position, seat: Seat) -> Option<(i32, Vec<Move>)> {
        let Some(mover) = position.to_move() else {
            let score = position.score();
            let lead = score[seat.index()] as i32 - score[seat.other().index()] as i32;
            return Some((lead, Vec::new()));
        };
        let limits = Limits {
            memory: 8 << 20,
            ..Limits::nodes(self.budget.exact_nodes)
        };
        let set = self
            .engine
            .as_mut()
            .is_some_and(|engine| engine.set_position(position, limits, 1));
        if !set {
            self.engine = Some(AnyEngine::new(position, limits, 1));
        }
        let engine = self.engine.as_mut()?;
        while engine.step(10_000) == Progress::Running {}
        let best = engine.best().moves.into_iter().next()?;
        if !best.exact {
            return None;
        }
        let value = best.value as i32;
        Some((if mover == seat { value } else { -value }, best.pv))
    }

    /// The value of each move.
    fn values(&mut self, position: &Position, seat: Seat) -> Option<Vec<(Move, i32, Vec<Move>)>> {
        let moves = position.legal_moves();
        let values = moves.into_iter().map(|mv| {
            let mut after = position.clone();
            after.play(mv).ok()?;
            let (value, line) = self.value(&after, seat)?;
            Some((mv, value, line))
        });
        values.collect()
    }
}

impl GameFinder for Endings {
    fn only_move(&mut self, position: &Position, first: bool) -> Option<OnlyMove> {
        let seat = position.to_move()?;
        let left = places_left(position);
        let most = if matches!(position, Position::Boxes(_)) {
            MAX_FREE_LINES
        } else {
            MAX_EMPTY_SQUARES
        };
        let moves = position.legal_moves().len();
        if left > most || first && moves < MIN_LEGAL_MOVES || moves < 2 {
            return None;
        }
        // A position that is not won has no winning move, and one value is known sooner than all.
        let (value, _) = self.value(position, seat)?;
        if value <= 0 {
            return None;
        }
        let values = self.values(position, seat)?;
        let (best, _, line) = values.iter().max_by_key(|(_, value, _)| *value)?;
        let wins = values.iter().filter(|(_, value, _)| *value > 0);
        if !wins.clone().all(|(mv, ..)| are_alike(position, *mv, *best)) {
            return None;
        }
        let capture = values.iter().find(|(mv, ..)| gain(position, *mv) > 0);
        let takes = gain(position, *best);
        let theme = if capture.is_some() && takes == 0 && matches!(position, Position::Boxes(_)) {
            Theme::HandBack
        } else {
            Theme::Ending
        };
        // A move that a greedy player finds is easy.
        let greedy = values.iter().all(|(mv, ..)| gain(position, *mv) <= takes);
        let base = match position {
            Position::Boxes(_) if theme == Theme::HandBack => 1000 + 25 * left,
            Position::Boxes(_) => 900 + 40 * left,
            _ => 1000 + 75 * left,
        };
        let difficulty = if greedy { base - 250 } else { base };
        let expected: Vec<Move> = [*best].into_iter().chain(line.iter().copied()).collect();
        Some(OnlyMove {
            mv: *best,
            theme,
            difficulty: difficulty as u16,
            expected: legal_start(position, expected),
            last: left <= 3,
        })
    }

    fn answer(&mut self, position: &Position) -> Option<Move> {
        let seat = position.to_move()?;
        let values = self.values(position, seat)?;
        // The first of the best, so that the line does not depend on anything else.
        let best = values.iter().map(|(_, value, _)| *value).max()?;
        let found = values.into_iter().find(|(_, value, _)| *value == best)?;
        Some(found.0)
    }

    fn rest(&mut self, _: &Position, _: &Position, last: &OnlyMove) -> Option<Vec<Move>> {
        Some(last.expected.iter().skip(1).copied().collect())
    }
}

/// The moves of a line as far as they are legal: a line of Boxes leaves out the captures on the way.
fn legal_start(position: &Position, line: Vec<Move>) -> Vec<Move> {
    let boxes = matches!(position, Position::Boxes(_));
    let mut after = position.clone();
    let legal = line.into_iter().take(if boxes { 1 } else { usize::MAX });
    legal
        .take_while(|&mv| after.to_move().is_some() && after.play(mv).is_ok())
        .collect()
}

/// The immediate gain of a move: boxes, or discs that it flips.
fn gain(position: &Position, mv: Move) -> usize {
    match position.clone().play(mv) {
        Ok(Change::Boxes(change)) => usize::from(change.count()),
        Ok(Change::Reversi(_)) => {
            let seat = position.to_move().unwrap_or(Seat::First);
            let mut after = position.clone();
            let before = position.score()[seat.index()];
            let _ = after.play(mv);
            (after.score()[seat.index()] - before) as usize
        }
        _ => 0,
    }
}

fn places_left(position: &Position) -> usize {
    match position {
        Position::Boxes(boxes) => boxes.free_lines().count(),
        _ => {
            let [first, second] = position.score();
            64_usize.saturating_sub((first + second) as usize)
        }
    }
}
