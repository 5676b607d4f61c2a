//! Reversi in drawings: a board and a disc on the left, the board after it on the right.
//!
//! `X` is black, the first seat, `O` is white; `*` is black's move. The foot of a drawing is the score and the side to move then:
//! `black`, `white` or `nobody`.

use super::{Position, Reversi, Setup, Squares, Turn};
use crate::{Ending, Game, Illegal, Outcome, Point, Seat};

/// A position with these discs, whatever moves may have put them there, in which this side is to move if it can.
fn position(rows: &[String], seat: Seat) -> Reversi {
    let discs = ['X', 'O'].map(|mark| points(rows, mark));
    let [own, enemy] = [seat.other(), seat].map(|seat| discs[seat.index()]);
    let turn = Turn::after(seat.other(), own, enemy);
    Reversi {
        now: Position { discs, turn },
        ..Reversi::new(&Setup::DEFAULT)
    }
}

fn points(rows: &[String], mark: char) -> Squares {
    let at = |y: usize, x: usize| Point::new(x as u8, y as u8);
    let marked = rows.iter().enumerate().flat_map(|(y, row)| {
        let marks = row.chars().enumerate();
        marks
            .filter(move |(_, it)| *it == mark)
            .map(move |(x, _)| at(y, x))
    });
    marked.collect()
}

fn draw(reversi: &Reversi) -> Vec<String> {
    let mark = |point| match reversi.disc(point) {
        Some(Seat::First) => 'X',
        Some(Seat::Second) => 'O',
        None => '.',
    };
    (0..8)
        .map(|y| (0..8).map(|x| mark(Point::new(x, y))).collect())
        .collect()
}

/// Plays the drawn move and takes it back; returns the position after it.
#[track_caller]
fn check(drawing: &str) -> Reversi {
    let mut lines: Vec<String> = drawing
        .lines()
        .map(|line| line.split_whitespace().collect())
        .filter(|line: &String| !line.is_empty())
        .collect();
    let foot = lines.pop().unwrap();
    let (before, after): (Vec<_>, Vec<_>) = lines
        .iter()
        .map(|line| (line[..8].to_owned(), line[8..].to_owned()))
        .unzip();
    let mv = points(&before, '*').into_iter().next().expect("a move");

    let mut reversi = position(&before, Seat::First);
    let start = reversi.clone();
    let change = reversi.play_as(Seat::First, mv).unwrap();
    assert_eq!(draw(&reversi), after);
    let [black, white] = reversi.score();
    let turn = match reversi.to_move() {
        Some(Seat::First) => "black",
        Some(Seat::Second) => "white",
        None => "nobody",
    };
    assert_eq!(format!("=>{black}:{white}{turn}"), foot);
    assert_eq!(change.passed, turn == "black");
    assert_eq!(reversi.passed(), change.passed);

    let played = reversi.clone();
    assert_eq!(reversi.undo(), Some(mv));
    assert_eq!(reversi, start);
    played
}

#[test]
fn the_first_move() {
    check(
        "
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .
        . . . * . . . .    . . . X . . . .
        . . . O X . . .    . . . X X . . .
        . . . X O . . .    . . . X O . . .
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .
        => 4:1 white
        ",
    );
}

#[test]
fn runs_are_flipped_in_all_eight_directions() {
    check(
        "
        X . . X . . X .    X . . X . . X .
        . O . O . O . .    . X . X . X . .
        . . O O O . . .    . . X X X . . .
        X O O * O O O X    X X X X X X X X
        . . O O O . . .    . . X X X . . .
        . O . O . O . .    . X . X . X . .
        X . . O . . X .    X . . X . . X .
        . . . X . . . O    . . . X . . . O
        => 27:1 nobody
        ",
    );
}

#[test]
fn a_run_ends_at_a_gap_or_at_the_edge() {
    check(
        "
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .
        O O O * O . O X    O O O X O . O X
        . . . O . . . .    . . . X . . . .
        . . . X . . . .    . . . X . . . .
        . . . O . . . .    . . . O . . . .
        . . . X . . . .    . . . X . . . .
        => 5:6 white
        ",
    );
}

#[test]
fn nothing_runs_round_the_edge() {
    let rows = [
        "......OX", "O.......", "X.......", ".......O", "X.......", "........", "........",
        "........",
    ]
    .map(str::to_owned);
    let mut reversi = position(&rows, Seat::First);
    assert_eq!(
        reversi.legal(Seat::First),
        [Point::new(5, 0), Point::new(0, 0)].into_iter().collect()
    );
    for (x, y) in [(1, 1), (7, 2), (6, 3)] {
        assert_eq!(reversi.play(Point::new(x, y)), Err(Illegal::FlipsNothing));
    }
}

#[test]
fn a_side_without_a_move_is_passed_over() {
    check(
        "
        * O X . . . . .    X X X . . . . .
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .
        X O . . . . . .    X O . . . . . .
        => 4:1 black
        ",
    );
}

#[test]
fn the_game_ends_on_a_board_that_is_not_full() {
    let reversi = check(
        "
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .
        . . . . X O * .    . . . . X X X .
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .
        => 3:0 nobody
        ",
    );
    let outcome = Outcome {
        winner: Some(Seat::First),
        ending: Ending::NoMoves,
    };
    assert_eq!(reversi.outcome(), Some(outcome));
}

#[test]
fn the_last_square_ends_it_and_equal_discs_are_a_draw() {
    let reversi = check(
        "
        * O X X X X X X    X X X X X X X X
        X X X X X X X X    X X X X X X X X
        X X X X X X X X    X X X X X X X X
        X X X X X X X X    X X X X X X X X
        O O O O O O O O    O O O O O O O O
        O O O O O O O O    O O O O O O O O
        O O O O O O O O    O O O O O O O O
        O O O O O O O O    O O O O O O O O
        => 32:32 nobody
        ",
    );
    let outcome = Outcome {
        winner: None,
        ending: Ending::NoMoves,
    };
    assert_eq!(reversi.outcome(), Some(outcome));
}

#[test]
fn a_taken_square_and_one_that_flips_nothing_are_refused() {
    let mut reversi = Reversi::new(&Setup::DEFAULT);
    let start = reversi.clone();
    for (x, y, why) in [
        (3, 3, Illegal::Occupied),
        (4, 3, Illegal::Occupied),
        (0, 0, Illegal::FlipsNothing),
        (4, 2, Illegal::FlipsNothing),
        (8, 0, Illegal::OffBoard),
    ] {
        assert_eq!(reversi.play(Point::new(x, y)), Err(why), "{x},{y}");
        assert_eq!(reversi, start);
    }
}
