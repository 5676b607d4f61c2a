//! A game as a page hands it to its island: the setup, and the moves as text.

use crate::ui::board::Shown;
use std::fmt::{Display, Write};
use tochki_play::Ply;
use tochki_protocol::Snapshot;
use tochki_rules::record::Record;
use tochki_rules::{Position, Seat, Setup};

/// Setup and moves. What stood there before the first move comes first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Course {
    /// Which game, on which board.
    pub(crate) setup: Setup,
    /// `1:5,5 2:6,6`: who, and where.
    pub(crate) moves: String,
    /// How many of these are no moves, but stood there before.
    pub(crate) first: usize,
    /// How many are moves.
    pub(crate) last: usize,
}

impl Course {
    /// The course of a match.
    pub(crate) fn of(snapshot: &Snapshot) -> Self {
        let moves = snapshot.seats.iter().copied().zip(&snapshot.moves);
        Self {
            setup: snapshot.setup,
            moves: written(moves),
            first: 0,
            last: snapshot.moves.len(),
        }
    }

    /// The course of a recorded game.
    pub(crate) fn recorded(record: &Record) -> Self {
        let plies = record.start.iter().chain(&record.plies);
        Self {
            setup: Setup::Dots(record.setup),
            moves: written(plies.map(|dot| (dot.seat, dot.point))),
            first: record.start.len(),
            last: record.plies.len(),
        }
    }
}

fn written<M: Display>(moves: impl Iterator<Item = (Seat, M)>) -> String {
    let mut text = String::new();
    for (seat, mv) in moves {
        // Writing into a string cannot fail.
        let _ = write!(text, "{}:{mv} ", seat.number());
    }
    text
}

/// The game that was written like this, played again by the same rules. It ends before a move that cannot be played: with
/// that move left out it would be another game.
pub(crate) fn read(setup: Setup, moves: &str) -> Shown {
    let mut position = Position::new(&setup);
    let mut plies = Vec::new();
    for written in moves.split_ascii_whitespace() {
        let Some((seat, mv)) = written.split_once(':') else {
            break;
        };
        let seat = if seat == "1" {
            Seat::First
        } else {
            Seat::Second
        };
        let played = position
            .parse_move(mv)
            .and_then(|mv| position.play_as(seat, mv).map(|_| mv));
        let Ok(mv) = played else {
            leptos::logging::error!("move {mv} cannot be played");
            break;
        };
        plies.push(Ply { seat, mv });
    }
    Shown { position, plies }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::Move;
    use tochki_rules::record::{self, PlacedDot};

    #[test]
    fn a_course_reads_back() {
        let sgf = "(;GM[40]SZ[9]AB[aa]AW[ii];B[ba];W[bb][cc];B[ab])";
        let record = record::read(sgf).unwrap().record;
        let course = Course::recorded(&record);
        assert_eq!((course.first, course.last), (2, 4));
        let shown = read(course.setup, &course.moves);
        let dots = record.start.into_iter().chain(record.plies);
        let plies = dots.map(|PlacedDot { seat, point }| Ply {
            seat,
            mv: Move::Dots(point),
        });
        assert_eq!(shown.plies, plies.collect::<Vec<_>>());
        assert_eq!(shown.position.score(), [0, 0]);
    }
}
