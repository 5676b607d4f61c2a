//! Properties of every game of Dots and Boxes.

use super::{Boxes, Line, Setup};
use crate::properties::{ListMoves, check_properties, choices, random_moves};
use crate::{Game, Illegal, Outcome, Seat};
use proptest::prelude::*;

impl ListMoves for Boxes {
    fn moves(&self, _: Seat) -> Vec<Line> {
        self.free_lines().collect()
    }

    fn places(&self) -> Vec<Line> {
        let (rows, columns) = (2 * self.setup.rows() + 3, self.setup.cols() + 2);
        (0..rows)
            .flat_map(|row| (0..columns).map(move |x| Line::in_row(row, x)))
            .collect()
    }
}

fn setups() -> impl Strategy<Value = Setup> {
    (1..=10_u8, 1..=10_u8).prop_map(|(cols, rows)| Setup::new(cols, rows).unwrap())
}

/// Draws a line and checks the change that the move tells, the owners, the score and the turn.
#[track_caller]
fn told_truly(boxes: &mut Boxes, seat: Seat, line: Line) {
    let before = boxes.clone();
    let change = boxes.play_as(seat, line).unwrap();
    assert_eq!((change.seat, change.line), (seat, line));
    assert_eq!(boxes.line(line), Some(seat));
    assert_eq!(boxes.play(line), Err(Illegal::AlreadyDrawn));

    let setup = *boxes.setup();
    let all = (0..setup.rows()).flat_map(|y| (0..setup.cols()).map(move |x| (x, y)));
    let mut taken = Vec::new();
    for (x, y) in all {
        let sides = [
            Line::across(x, y),
            Line::across(x, y + 1),
            Line::down(x, y),
            Line::down(x + 1, y),
        ];
        let closed = sides.iter().all(|&side| boxes.line(side).is_some());
        assert_eq!(boxes.owner(x, y).is_some(), closed);
        if boxes.owner(x, y) != before.owner(x, y) {
            assert_eq!((before.owner(x, y), boxes.owner(x, y)), (None, Some(seat)));
            taken.push((x, y));
        }
    }
    assert_eq!(
        change.taken.into_iter().flatten().collect::<Vec<_>>(),
        taken
    );
    assert_eq!(usize::from(change.count()), taken.len());

    let mut score = before.score();
    score[seat.index()] += taken.len() as u32;
    assert_eq!(boxes.score(), score);
    let next = if taken.is_empty() { seat.other() } else { seat };
    let over = boxes.free_lines().next().is_none();
    assert_eq!(boxes.to_move(), (!over).then_some(next));
    if over {
        assert_eq!(score.iter().sum::<u32>(), u32::from(setup.area()));
        assert_eq!(boxes.progress(), 100);
    }
}

/// Plays every order in which the free lines can be drawn; returns the number of these games.
fn every_order(boxes: &mut Boxes) -> u32 {
    let Some(seat) = boxes.to_move() else {
        return 1;
    };
    let free: Vec<_> = boxes.free_lines().collect();
    let mut games = 0;
    for line in free {
        told_truly(boxes, seat, line);
        games += every_order(boxes);
        assert_eq!(boxes.undo(), Some(line));
    }
    games
}

#[test]
fn the_smallest_boards_to_their_last_line() {
    for (cols, rows, games) in [(1, 1, 24), (1, 2, 5040), (2, 1, 5040)] {
        let setup = Setup::new(cols, rows).unwrap();
        assert_eq!(every_order(&mut Boxes::new(&setup)), games);
    }
}

#[test]
fn a_single_box_goes_to_the_second() {
    let mut boxes = Boxes::new(&Setup::new(1, 1).unwrap());
    for row in [0, 1, 2] {
        boxes.play(Line::in_row(row, 0)).unwrap();
    }
    boxes.play(Line::down(1, 0)).unwrap();
    let winner = boxes.outcome().map(|Outcome { winner, .. }| winner);
    assert_eq!((boxes.score(), winner), ([0, 1], Some(Some(Seat::Second))));
}

proptest! {
    #[test]
    fn it_keeps_the_laws_of_all_games(setup in setups(), choices in choices(230)) {
        check_properties::<Boxes>(&setup, &random_moves::<Boxes>(&setup, &choices));
    }

    #[test]
    fn a_move_tells_what_it_does(setup in setups(), choices in choices(230)) {
        let mut boxes = Boxes::new(&setup);
        for (seat, line) in random_moves::<Boxes>(&setup, &choices) {
            told_truly(&mut boxes, seat, line);
        }
    }

    #[test]
    fn lines_are_numbered_row_by_row(setup in setups()) {
        let (cols, rows) = (setup.cols(), setup.rows());
        let lines: Vec<_> = setup.lines().collect();
        prop_assert_eq!(lines.len(), usize::from(setup.line_count()));
        let across = (0..=rows).flat_map(|y| (0..cols).map(move |x| (2 * y, x, format!("h:{x},{y}"))));
        let down = (0..rows).flat_map(|y| (0..=cols).map(move |x| (2 * y + 1, x, format!("v:{x},{y}"))));
        let mut named: Vec<_> = across.chain(down).collect();
        named.sort();
        let found: Vec<_> = lines.iter().map(|line| (line.row(), line.x, line.to_string())).collect();
        prop_assert_eq!(found, named);
    }

    #[test]
    fn no_other_line_is_on_the_board(setup in setups(), row in any::<u8>(), x in any::<u8>(), y in any::<u8>()) {
        for line in [Line::in_row(row, x), Line::across(x, y), Line::down(x, y)] {
            let on_board = setup.lines().any(|it| it == line);
            prop_assert_eq!(setup.contains(line), on_board);
            prop_assert_eq!(Boxes::new(&setup).is_free(line), if on_board { Ok(()) } else { Err(Illegal::OffBoard) });
        }
    }
}
