//! Dots and Boxes in drawings.
//!
//! `+` are dots. `-` and `|` are red's lines, `=` and `!` blue's, `.` is an open place; a box has the number of its owner.

use super::{Boxes, Line, Setup};
use crate::{Ending, Game, Outcome, Seat};

/// Plays the moves in turn and compares the board with the drawing, the score, and the side to move then: 0 is nobody.
#[track_caller]
fn check(moves: &str, drawing: &str, score: [u32; 2], to_move: u8) -> Boxes {
    let drawn: Vec<_> = drawing.split_whitespace().collect();
    let setup = Setup::new(drawn[0].len() as u8 / 2, drawn.len() as u8 / 2).unwrap();
    let mut boxes = Boxes::new(&setup);
    for mv in moves.split_whitespace() {
        boxes.play(mv.parse().unwrap()).unwrap();
    }
    assert_eq!(draw(&boxes), drawn);
    assert_eq!(boxes.score(), score);
    assert_eq!(boxes.to_move().map_or(0, Seat::number), to_move);
    boxes
}

fn draw(boxes: &Boxes) -> Vec<String> {
    let (width, height) = (2 * boxes.setup.cols() + 1, 2 * boxes.setup.rows() + 1);
    let line = |line, marks: [char; 2]| boxes.line(line).map_or('.', |seat| marks[seat.index()]);
    let mark = |x: u8, y: u8| match (x % 2, y % 2) {
        (0, 0) => '+',
        (1, 0) => line(Line::across(x / 2, y / 2), ['-', '=']),
        (0, 1) => line(Line::down(x / 2, y / 2), ['|', '!']),
        _ => boxes
            .owner(x / 2, y / 2)
            .map_or('.', |seat| char::from(b'0' + seat.number())),
    };
    (0..height)
        .map(|y| (0..width).map(|x| mark(x, y)).collect())
        .collect()
}

#[test]
fn players_alternate_while_no_box_closes() {
    check(
        "h:0,0 v:2,1 h:1,2",
        "
        +-+.+
        .....
        +.+.+
        ....!
        +.+-+
        ",
        [0, 0],
        2,
    );
}

#[test]
fn who_takes_a_box_moves_again() {
    check(
        "h:0,0 v:0,0 v:1,0 h:0,1",
        "
        +-+.+
        !2|..
        +=+.+
        .....
        +.+.+
        ",
        [0, 1],
        2,
    );
    check(
        "h:0,0 v:0,0 v:1,0 h:0,1 h:1,1",
        "
        +-+.+
        !2|..
        +=+=+
        .....
        +.+.+
        ",
        [0, 1],
        1,
    );
}

#[test]
fn one_line_takes_two_boxes() {
    let side_by_side = check(
        "h:0,0 h:1,0 h:0,1 h:1,1 v:0,0 v:2,0 v:1,0",
        "
        +-+=+
        |1|1!
        +-+=+
        ",
        [2, 0],
        0,
    );
    let outcome = Outcome {
        winner: Some(Seat::First),
        ending: Ending::AllBoxes,
    };
    assert_eq!(side_by_side.outcome(), Some(outcome));
    let mut on_top = check(
        "v:0,0 v:1,0 v:0,1 v:1,1 h:0,0 h:0,2",
        "
        +-+
        |.!
        +.+
        |.!
        +=+
        ",
        [0, 0],
        1,
    );
    let change = on_top.play(Line::across(0, 1)).unwrap();
    assert_eq!(change.taken, [Some((0, 0)), Some((0, 1))]);
    assert_eq!(change.count(), 2);
}

#[test]
fn a_box_beside_a_taken_one_is_another() {
    let mut boxes = check(
        "h:0,0 h:0,1 v:0,0 v:1,0 h:1,0 h:1,1",
        "
        +-+=+
        |2!..
        +=+-+
        ",
        [0, 1],
        2,
    );
    let change = boxes.play(Line::down(2, 0)).unwrap();
    assert_eq!(change.taken, [Some((1, 0)), None]);
}

#[test]
fn equal_boxes_are_a_draw() {
    let boxes = check(
        "h:0,0 h:0,1 v:0,0 h:1,0 v:1,0 h:1,1 v:2,0",
        "
        +-+=+
        |1|2!
        +=+-+
        ",
        [1, 1],
        0,
    );
    let outcome = Outcome {
        winner: None,
        ending: Ending::AllBoxes,
    };
    assert_eq!(boxes.outcome(), Some(outcome));
}
