//! Gomoku in drawings.
//!
//! `X` are the stones of the first seat, `O` those of the second, `*` is the move of the first. On the right, the stones
//! that have won by it are `#`.

use super::{Gomoku, Rule, Setup};
use crate::{Ending, Game, Outcome, Point, Seat};

const BOTH: &[Rule] = &Rule::ALL;

/// Plays the drawn move by each of the rules, in all ways in which the board can be turned and mirrored.
#[track_caller]
fn check(rules: &[Rule], drawing: &str) {
    let rows: Vec<Vec<_>> = drawing
        .lines()
        .map(|line| line.chars().filter(|mark| !mark.is_whitespace()).collect())
        .filter(|row: &Vec<char>| !row.is_empty())
        .collect();
    let half = |right: bool| -> Vec<Vec<char>> {
        let halves = rows.iter().map(|row| row.split_at(row.len() / 2));
        halves
            .map(|(before, after)| if right { after } else { before }.to_vec())
            .collect()
    };
    let (mut before, mut after) = (half(false), half(true));
    for _ in 0..2 {
        for _ in 0..4 {
            for &rule in rules {
                assert_eq!(draw(&played(rule, &before)), after, "{rule:?}");
            }
            (before, after) = (turned(&before), turned(&after));
        }
        for row in before.iter_mut().chain(&mut after) {
            row.reverse();
        }
    }
}

#[track_caller]
fn played(rule: Rule, board: &[Vec<char>]) -> Gomoku {
    let setup = Setup::new(board.len() as u8, rule).unwrap();
    let mut gomoku = Gomoku::new(&setup);
    let mark = |point: Point| board[usize::from(point.y)][usize::from(point.x)];
    for point in setup.points() {
        match mark(point) {
            'X' => assert!(!gomoku.play_as(Seat::First, point).unwrap().wins),
            'O' => assert!(!gomoku.play_as(Seat::Second, point).unwrap().wins),
            _ => {}
        }
    }
    let mv = setup.points().find(|&point| mark(point) == '*');
    let change = gomoku.play_as(Seat::First, mv.expect("a move")).unwrap();
    assert_eq!(change.wins, gomoku.winning_rows().is_some());
    gomoku
}

fn draw(gomoku: &Gomoku) -> Vec<Vec<char>> {
    let won: Vec<_> = gomoku
        .winning_rows()
        .into_iter()
        .flat_map(super::WinningRows::points)
        .collect();
    let mark = |point| match gomoku.stone(point) {
        _ if won.contains(&point) => '#',
        Some(Seat::First) => 'X',
        Some(Seat::Second) => 'O',
        None => '.',
    };
    let size = gomoku.setup.size();
    (0..size)
        .map(|y| (0..size).map(|x| mark(Point::new(x, y))).collect())
        .collect()
}

/// A quarter turn clockwise.
fn turned(board: &[Vec<char>]) -> Vec<Vec<char>> {
    (0..board.len())
        .map(|x| board.iter().rev().map(|row| row[x]).collect())
        .collect()
}

#[test]
fn five_in_a_row_and_in_a_slanting_one() {
    check(
        BOTH,
        "
        . . . . . . .      . . . . . . .
        . O O O O . .      . O O O O . .
        . X X * X X .      . # # # # # .
        . . . . . . .      . . . . . . .
        . . . . . . .      . . . . . . .
        . . . . . . .      . . . . . . .
        . . . . . . .      . . . . . . .
        ",
    );
    check(
        BOTH,
        "
        . . . . . . .      . . . . . . .
        . X . . . . .      . # . . . . .
        . . X . O . .      . . # . O . .
        . . . X O . .      . . . # O . .
        . . . . X . .      . . . . # . .
        . . . . . * .      . . . . . # .
        . . . . . . .      . . . . . . .
        ",
    );
}

#[test]
fn five_along_the_edge_and_into_the_corner() {
    check(
        BOTH,
        "
        X X X X *      # # # # #
        . . . . .      . . . . .
        . . . . .      . . . . .
        . . . . .      . . . . .
        O O . O O      O O . O O
        ",
    );
    check(
        BOTH,
        "
        * . . . .      # . . . .
        . X . . .      . # . . .
        . . X . .      . . # . .
        . . . X .      . . . # .
        . . . . X      . . . . #
        ",
    );
}

#[test]
fn a_row_does_not_go_on_at_the_other_edge() {
    check(
        BOTH,
        "
        . . . . . .      . . . . . .
        . . . X X *      . . . X X X
        X X X . . .      X X X . . .
        . . . . . .      . . . . . .
        . . . . . .      . . . . . .
        . . . . . .      . . . . . .
        ",
    );
    check(
        BOTH,
        "
        . . . . . X      . . . . . X
        X . . . . .      X . . . . .
        . X . . . .      . X . . . .
        . . X . . .      . . X . . .
        . . . * . .      . . . X . .
        . . . . . .      . . . . . .
        ",
    );
}

#[test]
fn four_and_a_gap_or_an_enemy_is_not_five() {
    check(
        BOTH,
        "
        . . . . . . .      . . . . . . .
        X X X O X X X      X X X O X X X
        X X * . X X X      X X X . X X X
        . . . . . . .      . . . . . . .
        . . . . . . .      . . . . . . .
        . . . . . . .      . . . . . . .
        . . . . . . .      . . . . . . .
        ",
    );
}

#[test]
fn an_overline_wins_only_in_free_style() {
    let before = "
        . . . . . . .      . . . . . . .
        X X X * X X .      # # # # # # .
        . . . . . . .      . . . . . . .
        . . . . . . .      . . . . . . .
        . . . . . . .      . . . . . . .
        . . . . . . .      . . . . . . .
        . . . . . . .      . . . . . . .
        ";
    check(&[Rule::Freestyle], before);
    check(&[Rule::Standard], &before.replace('#', "X"));
    let nine = "
        . . . . . . . . .      . . . . . . . . .
        X X X X * X X X X      # # # # # # # # #
        . . . . . . . . .      . . . . . . . . .
        . . . . . . . . .      . . . . . . . . .
        . . . . . . . . .      . . . . . . . . .
        . . . . . . . . .      . . . . . . . . .
        . . . . . . . . .      . . . . . . . . .
        . . . . . . . . .      . . . . . . . . .
        . . . . . . . . .      . . . . . . . . .
        ";
    check(&[Rule::Freestyle], nine);
    check(&[Rule::Standard], &nine.replace('#', "X"));
}

#[test]
fn five_beside_an_overline_wins() {
    let drawing = "
        . . . X . . .      . . . # . . .
        X X X * X X .      X X X # X X .
        . . . X . . .      . . . # . . .
        . . . X . . .      . . . # . . .
        . . . X . . .      . . . # . . .
        . . . . . . .      . . . . . . .
        . . . . . . .      . . . . . . .
        ";
    check(&[Rule::Standard], drawing);
    check(
        &[Rule::Freestyle],
        &drawing.replace("X X X # X X .", "# # # # # # ."),
    );
}

#[test]
fn one_stone_makes_four_rows() {
    check(
        BOTH,
        "
        X . . . X . . . X      # . . . # . . . #
        . X . . X . . X .      . # . . # . . # .
        . . X . X . X . .      . . # . # . # . .
        . . . X X X . . .      . . . # # # . . .
        X X X X * . . . .      # # # # # . . . .
        . . . . . . . . .      . . . . . . . . .
        . . . . . . . . .      . . . . . . . . .
        . . . . . . . . .      . . . . . . . . .
        . . . . . . . . .      . . . . . . . . .
        ",
    );
}

/// No five anywhere, however the last point is filled, unless by `X` in the last row.
const NEARLY_FULL: &str = "
    O O X X O
    X X O O X
    O O X X O
    X X O O X
";

#[track_caller]
fn fills(last_row: &str) -> Gomoku {
    let board: Vec<Vec<_>> = format!("{NEARLY_FULL}{last_row}")
        .lines()
        .map(|line| line.chars().filter(|mark| !mark.is_whitespace()).collect())
        .filter(|row: &Vec<char>| !row.is_empty())
        .collect();
    let gomoku = played(Rule::Standard, &board);
    assert_eq!((gomoku.progress(), gomoku.to_move()), (100, None));
    gomoku
}

#[test]
fn progress_is_rounded() {
    let setup = Setup::new(19, Rule::Freestyle).unwrap();
    let mut gomoku = Gomoku::new(&setup);
    let mut progress = vec![gomoku.progress()];
    for (number, point) in setup.points().step_by(2).take(18).enumerate() {
        assert!(!gomoku.play_as(Seat::BOTH[number % 2], point).unwrap().wins);
        progress.push(gomoku.progress());
    }
    // 1 of 361 is 0.28 %, 2 are 0.55 %, and 18 are 4.99 %.
    assert_eq!(
        [progress[0], progress[1], progress[2], progress[18]],
        [0, 0, 1, 5]
    );
}

#[test]
fn a_full_board_without_five_is_a_draw() {
    let gomoku = fills("O O X X *");
    let outcome = Outcome {
        winner: None,
        ending: Ending::BoardFull,
    };
    assert_eq!(gomoku.outcome(), Some(outcome));
    assert_eq!(gomoku.score(), [0, 0]);
}

#[test]
fn five_by_the_last_stone_wins() {
    let gomoku = fills("X X X X *");
    let outcome = Outcome {
        winner: Some(Seat::First),
        ending: Ending::FiveInRow,
    };
    assert_eq!(gomoku.outcome(), Some(outcome));
    assert_eq!(gomoku.score(), [1, 0]);
}

#[test]
fn a_row_is_told_in_order() {
    let mut gomoku = Gomoku::new(&Setup::DEFAULT);
    for (x, y) in [(14, 4), (15, 3), (18, 0), (17, 1), (16, 2)] {
        gomoku.play_as(Seat::Second, Point::new(x, y)).unwrap();
    }
    let winning = gomoku.winning_rows().unwrap();
    let rows: Vec<_> = winning.rows().collect();
    assert_eq!((rows.len(), rows[0].stones()), (1, 5));
    let told: Vec<_> = rows[0].points().map(|point| point.to_string()).collect();
    assert_eq!(told, ["14,4", "15,3", "16,2", "17,1", "18,0"]);
    assert_eq!(
        (winning.seat(), winning.last()),
        (Seat::Second, Point::new(16, 2))
    );
}
