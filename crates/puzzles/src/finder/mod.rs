//! Finds puzzles in games. The result depends on the game and on numbers of nodes alone.
//!
//! Each game has its own way to know the only good move of a position: exact values of all moves in Reversi and Boxes
//! ([`endings`]), proofs and searches of all other moves in Gomoku ([`fours`]), tactical searches in Dots ([`captures`]).

mod captures;
mod endings;
mod fours;
mod game_finder;
mod self_play;

pub use game_finder::SearchBudget;
pub use self_play::play;

use crate::Puzzle;
use captures::Captures;
use endings::Endings;
use fours::FoursFinder;
use game_finder::GameFinder;
use tochki_rules::{GameKind, Move, Position, Setup};

/// Moves of the solver in a line at most.
const MAX_SOLVER_MOVES: usize = 8;

/// Puzzles from one game at most, and plies from one to the next at least, so that they differ.
const MAX_PUZZLES_PER_GAME: usize = 2;
const MIN_PLIES_BETWEEN: usize = 6;

/// Finds puzzles of all games.
#[derive(Debug)]
pub struct Finder {
    budget: SearchBudget,
    captures: Captures,
    endings: Endings,
    fours: FoursFinder,
}

impl Finder {
    /// A finder with its searches.
    #[must_use]
    pub fn new(budget: SearchBudget) -> Self {
        Self {
            budget,
            captures: Captures::new(budget),
            endings: Endings::new(budget),
            fours: FoursFinder::new(budget),
        }
    }

    /// The bounds of the searches.
    #[must_use]
    pub const fn budget(&self) -> SearchBudget {
        self.budget
    }

    /// The puzzles in a game. An illegal move ends it.
    pub fn find(&mut self, setup: &Setup, moves: &[Move]) -> Vec<Puzzle> {
        let mut position = Position::new(setup);
        let mut found = Vec::new();
        let mut next = 0;
        for (ply, &mv) in moves.iter().enumerate() {
            if ply >= next
                && let Some(puzzle) = self.at(&position, &moves[..ply])
            {
                found.push(puzzle);
                next = ply + MIN_PLIES_BETWEEN;
            }
            if found.len() == MAX_PUZZLES_PER_GAME || position.play(mv).is_err() {
                break;
            }
        }
        found
    }

    /// Returns whether the first move of a puzzle is still the only good one.
    pub fn confirms(&mut self, puzzle: &Puzzle) -> bool {
        let only = self
            .seeker(puzzle.setup().kind())
            .only_move(puzzle.start(), true);
        only.is_some_and(|only| Some(&only.mv) == puzzle.line().first())
    }

    fn seeker(&mut self, game: GameKind) -> &mut dyn GameFinder {
        match game {
            GameKind::Dots => &mut self.captures,
            GameKind::Gomoku => &mut self.fours,
            GameKind::Boxes | GameKind::Reversi => &mut self.endings,
        }
    }

    /// The puzzle of this position, if it is one.
    fn at(&mut self, position: &Position, moves: &[Move]) -> Option<Puzzle> {
        let solver = position.to_move()?;
        let seeker = self.seeker(position.kind());
        let first = seeker.only_move(position, true)?;
        let (theme, difficulty) = (first.theme, first.difficulty);
        let mut line = Vec::new();
        // Moves of the other side that belong to the line only if the solver has one after them.
        let mut answers = Vec::new();
        let mut end = position.clone();
        let mut solved = 0;
        let mut next = Some(first);
        let mut last = None;
        while let Some(only) = next.take() {
            line.append(&mut answers);
            line.push(only.mv);
            end.play(only.mv).ok()?;
            let after = end.clone();
            solved += 1;
            let stops = only.last || solved == MAX_SOLVER_MOVES;
            last = Some((after, only));
            if stops {
                break;
            }
            while end.to_move() == Some(solver.other()) {
                let Some(answer) = seeker.answer(&end) else {
                    break;
                };
                answers.push(answer);
                end.play(answer).ok()?;
            }
            if end.to_move() == Some(solver) {
                next = seeker.only_move(&end, false);
            }
        }
        let (after, only) = last?;
        let rest = seeker.rest(position, &after, &only)?;
        Puzzle::new(
            position.setup(),
            (theme, difficulty + 60 * (solved as u16 - 1)),
            moves.to_vec(),
            line,
            rest,
        )
        .ok()
    }
}
