//! A game as a page passes it to its island: the setup, and the moves as text.

use crate::ui::board::Shown;
use std::fmt::{Display, Write};
use tochki_play::Ply;
use tochki_protocol::Snapshot;
use tochki_rules::record::Record;
use tochki_rules::{Position, Seat, Setup};

/// Setup and moves. The stones of the starting position come first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MoveSequence {
    /// The game and its board.
    pub(crate) setup: Setup,
    /// The moves with their seats: `1:5,5 2:6,6`.
    pub(crate) moves: String,
    /// The number of plies that belong to the starting position.
    pub(crate) setup_plies: usize,
    /// The number of moves after them.
    pub(crate) len: usize,
}

impl MoveSequence {
    /// Takes the moves of a match.
    pub(crate) fn of_match(snapshot: &Snapshot) -> Self {
        Self::of_moves(snapshot.setup, &snapshot.seats, &snapshot.moves)
    }

    /// Joins moves with their seats.
    pub(crate) fn of_moves(setup: Setup, seats: &[Seat], moves: &[String]) -> Self {
        Self {
            setup,
            moves: encode(seats.iter().copied().zip(moves)),
            setup_plies: 0,
            len: moves.len(),
        }
    }

    /// Takes the moves of a record.
    pub(crate) fn of_record(record: &Record) -> Self {
        let plies = record.start.iter().chain(&record.plies);
        Self {
            setup: Setup::Dots(record.setup),
            moves: encode(plies.map(|dot| (dot.seat, dot.point))),
            setup_plies: record.start.len(),
            len: record.plies.len(),
        }
    }
}

fn encode<M: Display>(moves: impl Iterator<Item = (Seat, M)>) -> String {
    let mut text = String::new();
    for (seat, mv) in moves {
        // Writing into a string cannot fail.
        let _ = write!(text, "{}:{mv} ", seat.number());
    }
    text
}

/// Decodes a sequence and plays it by the rules, up to a move that cannot be played: without that move it would be another game.
pub(crate) fn read(setup: Setup, moves: &str) -> Shown {
    let mut position = Position::new(&setup);
    let mut plies = Vec::new();
    for encoded in moves.split_ascii_whitespace() {
        let Some((seat, mv)) = encoded.split_once(':') else {
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
        let record = record::parse(sgf).unwrap().record;
        let sequence = MoveSequence::of_record(&record);
        assert_eq!((sequence.setup_plies, sequence.len), (2, 4));
        let shown = read(sequence.setup, &sequence.moves);
        let dots = record.start.into_iter().chain(record.plies);
        let plies = dots.map(|PlacedDot { seat, point }| Ply {
            seat,
            mv: Move::Dots(point),
        });
        assert_eq!(shown.plies, plies.collect::<Vec<_>>());
        assert_eq!(shown.position.score(), [0, 0]);
    }
}
