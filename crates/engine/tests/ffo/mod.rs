//! The endgame tests of the Fédération Française d'Othello: `data/ffo.txt`, for the test and the benchmark.

use tochki_engine::reversi::Board;
use tochki_rules::{Game, Point, reversi::Reversi};

/// A position with its exact value.
pub(crate) struct Ending {
    /// The number among the tests.
    pub number: u8,
    /// The discs, own ones being those of the side to move.
    pub board: Board,
    /// Discs that the side to move is ahead at the end.
    pub value: i32,
    /// The moves that reach the value.
    pub moves: Vec<Point>,
}

/// All positions of the tests.
pub(crate) fn positions() -> Vec<Ending> {
    let lines = include_str!("../data/ffo.txt").lines();
    lines
        .filter(|line| !line.starts_with('#'))
        .map(read)
        .collect()
}

fn read(line: &str) -> Ending {
    let words: Vec<&str> = line.split(' ').collect();
    let [number, discs, mover, value, moves @ ..] = words.as_slice() else {
        panic!("{line}");
    };
    let mut board = Board::default();
    for (square, disc) in discs.split("").filter(|disc| !disc.is_empty()).enumerate() {
        match disc {
            "-" => {}
            disc if disc == *mover => board.own |= 1 << square,
            _ => board.enemy |= 1 << square,
        }
    }
    let read_move = |text: &&str| Reversi::parse_move(text).expect("a move");
    Ending {
        number: number.parse().expect("a number"),
        board,
        value: value.parse().expect("a number"),
        moves: moves.iter().map(read_move).collect(),
    }
}
