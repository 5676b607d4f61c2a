//! Writing a game with its variations and comments as SGF.

use super::tree::escaped;
use super::write::{colour_letter, write_point};
use super::{PlacedDot, Record};
use std::fmt::{self, Write};

/// A move in a game with variations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The move.
    pub dot: PlacedDot,
    /// What is said about it.
    pub comment: String,
    /// The moves that may follow, as places in the list; the first one continues the line.
    pub next: Vec<usize>,
}

impl Record {
    /// The record as SGF with these moves instead of its own. `first` are those that may come first.
    ///
    /// A place that the list does not have is left out. No move may follow itself.
    pub fn with_variations(&self, moves: &[Variation], first: &[usize]) -> String {
        let root = Self {
            plies: Vec::new(),
            ..self.clone()
        };
        let mut text = root.to_string();
        // Without the end of the root: `)` and a line break.
        text.truncate(text.len() - 2);
        // Writing into a string cannot fail.
        let _ = write_line(&mut text, moves, first);
        text + ")\n"
    }
}

/// Writes what may follow: one line as it is, several in parentheses.
fn write_line(text: &mut String, moves: &[Variation], first: &[usize]) -> fmt::Result {
    let mut next = first;
    while let [only] = next {
        let Some(variation) = moves.get(*only) else {
            return Ok(());
        };
        write_move(text, variation)?;
        next = &variation.next;
    }
    for place in next {
        text.push_str("\n(");
        write_line(text, moves, std::slice::from_ref(place))?;
        text.push(')');
    }
    Ok(())
}

fn write_move(text: &mut String, variation: &Variation) -> fmt::Result {
    write!(text, ";{}", colour_letter(variation.dot.seat))?;
    write_point(text, variation.dot.point)?;
    if variation.comment.is_empty() {
        return Ok(());
    }
    write!(text, "C[{}]", escaped(&variation.comment))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seat;
    use crate::dots::{Opening, Point, Setup};

    #[test]
    fn variations_are_in_parentheses_and_the_main_line_reads_back() {
        let dot = |seat, x| PlacedDot {
            seat,
            point: Point::new(x, 0),
        };
        let variation = |dot, comment: &str, next: &[usize]| Variation {
            dot,
            comment: comment.to_owned(),
            next: next.to_vec(),
        };
        let moves = [
            variation(dot(Seat::First, 0), "", &[1, 3]),
            variation(dot(Seat::Second, 1), "a ] b", &[2]),
            variation(dot(Seat::First, 2), "", &[]),
            variation(dot(Seat::Second, 4), "", &[99]),
        ];
        let record = Record {
            setup: Setup::new(9, 9, Opening::Empty).unwrap(),
            start: Vec::new(),
            plies: Vec::new(),
            players: Default::default(),
            result: None,
            date: String::new(),
            comment: String::new(),
        };
        let text = record.with_variations(&moves, &[0]);
        assert!(
            text.ends_with(";B[aa]\n(;W[ba]C[a \\] b];B[ca])\n(;W[ea]))\n"),
            "{text}"
        );
        let read = super::super::parse(&text).unwrap().record;
        let main: Vec<_> = moves[..3].iter().map(|variation| variation.dot).collect();
        assert_eq!(read.plies, main);
        assert!(record.with_variations(&[], &[]).ends_with("SZ[9]\n)\n"));
    }
}
