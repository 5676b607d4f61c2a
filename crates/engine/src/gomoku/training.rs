//! The interface for the trainer of the weights: the codes of a position's points, and the meaning of codes.

use super::{
    board::{self, Board, Tables},
    classes::{CLASSES, Class},
    weights::{CODES, THREATS, Threat, Weights, code, threat},
};
use std::sync::Arc;
use tochki_rules::{
    Game, Point,
    gomoku::{Gomoku, Rule},
};

/// The number of classes of a line.
pub const LINE_CLASSES: usize = CLASSES;

/// The features of a position for the evaluation and the order of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features {
    /// The codes of the free points, for the side to move and for the other side.
    pub points: Vec<[u16; 2]>,
    /// The number of points of each threat, for the side to move and for the other side.
    pub threats: [[u16; THREATS]; 2],
    /// The moves that a search would look at, with their codes.
    pub moves: Vec<(Point, [u16; 2])>,
}

/// Extracts the features of positions.
#[derive(Clone, Debug)]
pub struct Extractor {
    tables: [Arc<Tables>; 2],
}

impl Default for Extractor {
    fn default() -> Self {
        let weights = Weights::zero();
        Self {
            tables: Rule::ALL.map(|rule| Arc::new(Tables::new(rule, &weights))),
        }
    }
}

impl Extractor {
    /// The features of a position, unless it is over or has a five, which no search evaluates.
    #[must_use]
    pub fn features(&self, position: &Gomoku) -> Option<Features> {
        position.to_move()?;
        let rule = position.setup().rule();
        let tables = self.tables.iter().find(|tables| tables.rule() == rule)?;
        let board = Board::new(position, tables);
        let sides = [board.side(), 1 - board.side()];
        if sides
            .iter()
            .any(|&side| board.count(side, Threat::Five) > 0)
        {
            return None;
        }
        let threatened = board.count(sides[1], Threat::OpenFour) > 0;
        let is_move = |&cell: &board::Cell| {
            let four = sides
                .iter()
                .any(|&side| board.threat(side, cell) >= Threat::Four);
            board.is_near(cell) && (four || !threatened)
        };
        let moves = board.free_points().filter(is_move);
        Some(Features {
            points: board.free_points().map(|cell| board.codes(cell)).collect(),
            threats: sides.map(|side| board.counts(side)),
            moves: moves
                .map(|cell| (board::point(cell), board.codes(cell)))
                .collect(),
        })
    }
}

/// The classes of each code, from 0 for a dead line to [`LINE_CLASSES`] − 1 for five, and the number of its threat.
#[must_use]
pub fn codes() -> Vec<([u8; 4], usize)> {
    let mut all = vec![([0; 4], 0); CODES];
    let classes = || 0..CLASSES as Class;
    for a in classes() {
        for b in 0..=a {
            for c in 0..=b {
                for d in 0..=c {
                    let four = [a, b, c, d];
                    all[usize::from(code(four))] = (four, threat(four) as usize);
                }
            }
        }
    }
    all
}
