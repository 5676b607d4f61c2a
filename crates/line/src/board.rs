//! A match in the line protocol: the lines that each event causes for one of the players, and the whole board as digits.

use crate::message::{End, Message};
use tochki_play::{Match, MatchResult};
use tochki_rules::boxes::{Boxes, Line, Setup};
use tochki_rules::{Game as _, Position, Seat};

/// The boxes in a row, and in a column.
pub(crate) const SIZE: u8 = 3;

/// The numbers of lines and boxes of a board.
const COUNTS: [usize; 2] = [24, 9];

/// Returns whether this protocol plays on the board.
pub(crate) fn is_served(setup: tochki_rules::Setup) -> bool {
    matches!(setup, tochki_rules::Setup::Boxes(boxes) if boxes == Setup::DEFAULT)
}

/// Returns the position of a match.
pub(crate) fn position(game: &Match) -> Option<&Boxes> {
    match game.position() {
        Position::Boxes(boxes) => Some(boxes),
        _ => None,
    }
}

/// Returns the line with these coordinates, if it is free.
pub(crate) fn free_line(boxes: &Boxes, x: u8, row: u8) -> Option<Line> {
    let line = Line::in_row(row, x);
    boxes.is_free(line).ok().map(|()| line)
}

/// Returns the messages to `me` about a line: the line itself if the opponent drew it, and the boxes that it closed.
pub(crate) fn told_of(before: &Boxes, seat: Seat, line: Line, me: Seat) -> Vec<Message> {
    let mut messages = Vec::new();
    if seat != me {
        messages.push(Message::Turn {
            x: line.x,
            row: line.row(),
        });
    }
    let mut after = before.clone();
    // A move that cannot be played is a broken record, which the match itself finds.
    let taken = after.play_as(seat, line).map(|change| change.taken);
    let boxes: Vec<_> = taken.into_iter().flatten().flatten().collect();
    if !boxes.is_empty() {
        let by_opponent = seat != me;
        messages.push(Message::Acquired { by_opponent, boxes });
    }
    messages
}

/// Returns the message to `me` about the side that draws next; `None` at the end.
pub(crate) fn turn(to_move: Option<Seat>, me: Seat) -> Option<Message> {
    to_move.map(|seat| {
        if seat == me {
            Message::OnTurn
        } else {
            Message::OpponentsTurn
        }
    })
}

/// Returns the message to `me` about the result. An aborted match has no winner.
pub(crate) fn end(result: &MatchResult, me: Seat) -> Message {
    Message::End(match result.winner {
        Some(winner) if winner == me => End::Win,
        Some(_) => End::Lose,
        None => End::Draw,
    })
}

/// Returns the answer to `SYNC`: the size, the drawer of each line and the owner of each box, as `me` sees it. Before the game
/// there is none.
pub(crate) fn sync(boxes: Option<&Boxes>, me: Seat) -> Message {
    let digit = |seat: Option<Seat>| match seat {
        None => '0',
        Some(seat) if seat == me => '1',
        Some(_) => '2',
    };
    let [sticks, squares] = match boxes {
        None => COUNTS.map(|count| "0".repeat(count)),
        Some(boxes) => {
            let rows = 0..SIZE;
            let squares = rows.flat_map(|y| (0..SIZE).map(move |x| (x, y)));
            [
                boxes
                    .setup()
                    .lines()
                    .map(|line| digit(boxes.line(line)))
                    .collect(),
                squares.map(|(x, y)| digit(boxes.owner(x, y))).collect(),
            ]
        }
    };
    let size = SIZE.to_string();
    Message::OkWith(vec![size.clone(), size, sticks, squares])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a board on which the first player draws the left box but one line; then the second closes two boxes at once.
    fn board() -> Boxes {
        let mut boxes = Boxes::new(&Setup::DEFAULT);
        for (row, x, seat) in [
            (0, 0, Seat::First),
            (0, 1, Seat::Second),
            (1, 0, Seat::First),
            (1, 2, Seat::Second),
            (2, 0, Seat::First),
            (2, 1, Seat::Second),
        ] {
            boxes.play_as(seat, Line::in_row(row, x)).unwrap();
        }
        boxes
    }

    #[test]
    fn a_line_is_told_to_the_opponent_and_its_boxes_to_both() {
        let line = Line::in_row(1, 1);
        let told = |me| {
            let messages = told_of(&board(), Seat::Second, line, me);
            messages
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(told(Seat::Second), "ACQ|0|0|1|0");
        assert_eq!(told(Seat::First), "TURN|1|1 OP_ACQ|0|0|1|0");
        let quiet = told_of(&board(), Seat::First, Line::in_row(6, 2), Seat::First);
        assert_eq!(quiet, []);
    }

    #[test]
    fn sync_tells_rows_of_lines_and_boxes_from_the_side_of_the_one_who_asks() {
        let mut boxes = board();
        boxes.play_as(Seat::Second, Line::in_row(1, 1)).unwrap();
        assert_eq!(
            sync(Some(&boxes), Seat::First).to_string(),
            "OK|3|3|120122012000000000000000|220000000"
        );
        assert_eq!(
            sync(Some(&boxes), Seat::Second).to_string(),
            "OK|3|3|210211021000000000000000|110000000"
        );
        assert_eq!(
            sync(None, Seat::First).to_string(),
            format!("OK|3|3|{}|{}", "0".repeat(24), "0".repeat(9))
        );
    }

    #[test]
    fn only_free_lines_of_the_board_can_be_drawn() {
        let boxes = board();
        assert!(free_line(&boxes, 0, 0).is_none(), "drawn");
        assert!(free_line(&boxes, 3, 0).is_none(), "three lines across");
        assert!(free_line(&boxes, 3, 1).is_some(), "four lines down");
        assert!(free_line(&boxes, 0, 7).is_none());
        assert!(free_line(&boxes, 255, 255).is_none());
        let free = (0..=255).flat_map(|row| (0..=255).map(move |x| (x, row)));
        let free = free.filter(|(x, row)| free_line(&boxes, *x, *row).is_some());
        assert_eq!(free.count(), 24 - 6);
    }
}
