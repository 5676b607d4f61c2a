//! The variations and comments of a game, and writing them as SGF.

use super::tree::escaped;
use super::write::{colour_letter, write_point};
use super::{PlacedDot, Record};
use std::fmt::{self, Write};

/// A move in a game with variations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The move.
    pub dot: PlacedDot,
    /// The comment on the move.
    pub comment: String,
    /// The moves that may follow, as places in the list; the first of them continues the line.
    pub next: Vec<usize>,
}

/// The moves of a game with variations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variations {
    /// All moves, each after the move that it follows.
    pub moves: Vec<Variation>,
    /// The moves that may come first, as places in the list; the first of them begins the main line.
    pub first: Vec<usize>,
}

impl Variations {
    /// Adds a move after another one, or as a first move; returns its place. The same move is never there twice.
    pub(super) fn add(&mut self, after: Option<usize>, dot: PlacedDot) -> usize {
        let next = match after {
            Some(place) => &self.moves[place].next,
            None => &self.first,
        };
        if let Some(&known) = next.iter().find(|&&place| self.moves[place].dot == dot) {
            return known;
        }
        let place = self.moves.len();
        self.moves.push(Variation {
            dot,
            comment: String::new(),
            next: Vec::new(),
        });
        match after {
            Some(before) => self.moves[before].next.push(place),
            None => self.first.push(place),
        }
        place
    }
}

impl Record {
    /// The record as SGF with these moves instead of its own.
    ///
    /// A place that the list does not have is left out. No move may follow itself.
    pub fn with_variations(&self, variations: &Variations) -> String {
        let root = Self {
            plies: Vec::new(),
            ..self.clone()
        };
        let mut text = root.to_string();
        // Without the end of the root: `)` and a line break.
        text.truncate(text.len() - 2);
        // Writing into a string cannot fail.
        let _ = write_lines(&mut text, &variations.moves, &variations.first);
        text + ")\n"
    }
}

/// Moves still to be written, the next one last. A list and no recursion: variations are as deep as somebody likes.
enum Pending<'a> {
    /// The moves that may follow: one line as it is, several in parentheses.
    Next(&'a [usize]),
    /// A line in parentheses.
    Branch(&'a Variation),
    /// The end of a line in parentheses.
    Close,
}

/// Writes the moves that may follow.
fn write_lines(text: &mut String, moves: &[Variation], first: &[usize]) -> fmt::Result {
    let mut pending = vec![Pending::Next(first)];
    while let Some(next) = pending.pop() {
        match next {
            Pending::Next(next) => {
                let mut next = next.iter().filter_map(|place| moves.get(*place)).rev();
                match (next.next(), next.next()) {
                    (None, _) => {}
                    (Some(only), None) => {
                        write_move(text, only)?;
                        pending.push(Pending::Next(&only.next));
                    }
                    (Some(last), Some(before)) => {
                        for variation in [last, before].into_iter().chain(next) {
                            pending.extend([Pending::Close, Pending::Branch(variation)]);
                        }
                    }
                }
            }
            Pending::Branch(variation) => {
                text.push_str("\n(");
                write_move(text, variation)?;
                pending.push(Pending::Next(&variation.next));
            }
            Pending::Close => text.push(')'),
        }
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
    use super::super::parse_variations;
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
        let moves = vec![
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
        let main: Vec<_> = moves[..3].iter().map(|variation| variation.dot).collect();
        let first = vec![0];
        let text = record.with_variations(&Variations { moves, first });
        assert!(
            text.ends_with(";B[aa]\n(;W[ba]C[a \\] b];B[ca])\n(;W[ea]))\n"),
            "{text}"
        );
        let read = super::super::parse(&text).unwrap().record;
        assert_eq!(read.plies, main);
        let none = record.with_variations(&Variations::default());
        assert!(none.ends_with("SZ[9]\n)\n"));
    }

    /// Each line of the tree as `1:0,0 2:1,1`, with comments in parentheses.
    fn lines(variations: &Variations) -> Vec<String> {
        fn follow(of: &Variations, before: &str, next: &[usize], lines: &mut Vec<String>) {
            for &place in next {
                let Variation { dot, comment, next } = &of.moves[place];
                let mut line = format!("{before} {}:{}", dot.seat.number(), dot.point);
                if !comment.is_empty() {
                    // Writing into a string cannot fail.
                    let _ = write!(line, "({comment})");
                }
                if next.is_empty() {
                    lines.push(line.trim_start().to_owned());
                }
                follow(of, &line, next, lines);
            }
        }
        let mut found = Vec::new();
        follow(variations, "", &variations.first, &mut found);
        found
    }

    #[track_caller]
    fn check(moves: &str, expected: &[&str]) {
        let sgf = format!("(;GM[40]SZ[5]{moves})");
        let variations = parse_variations(&sgf).unwrap();
        assert_eq!(lines(&variations), expected, "{moves}");
        let record = super::super::parse(&sgf).unwrap().record;
        let again = record.with_variations(&variations);
        assert_eq!(parse_variations(&again), Ok(variations), "{again}");
    }

    #[test]
    fn variations_read_back() {
        check("", &[]);
        check(
            ";B[aa];W[bb](;B[cc]C[a \\] b];W[dd])(;B[ee](;W[ea])(;W[eb]))",
            &[
                "1:0,0 2:1,1 1:2,2(a ] b) 2:3,3",
                "1:0,0 2:1,1 1:4,4 2:4,0",
                "1:0,0 2:1,1 1:4,4 2:4,1",
            ],
        );
        check("(;B[aa])(;B[bb];W[cc])", &["1:0,0", "1:1,1 2:2,2"]);
        // The comment of a node with two dots is that of the second.
        check(
            ";B[aa](;W[bb][cc]C[two])(;AB[dd])",
            &["1:0,0 2:1,1 2:2,2(two)", "1:0,0 1:3,3"],
        );
        // The same move twice is one.
        check(
            "(;B[aa];W[bb])(;B[aa];W[cc])",
            &["1:0,0 2:1,1", "1:0,0 2:2,2"],
        );
    }

    #[test]
    fn a_variation_ends_before_a_move_that_cannot_be_played() {
        check(
            "AB[ee](;B[aa](;W[aa];B[cc])(;W[dd]))(;AB[ba];B[bb])(;B[ee])(;B[ea])",
            &["1:0,0 2:3,3", "1:4,0"],
        );
    }

    /// Without recursion nothing overflows a stack: neither writing nor dropping.
    #[test]
    fn variations_are_written_a_million_deep() {
        let moves = (0..1_000_000).map(|place| Variation {
            dot: PlacedDot {
                seat: Seat::First,
                point: Point::new(0, 0),
            },
            comment: String::new(),
            // Each with a variation beside the next move, which has no place in the list or is the last move.
            next: vec![place + 1, 999_999],
        });
        let mut moves: Vec<_> = moves.collect();
        moves[999_999].next.clear();
        let variations = Variations {
            moves,
            first: vec![0],
        };
        let record = super::super::parse("(;GM[40]SZ[5])").unwrap().record;
        let text = record.with_variations(&variations);
        assert_eq!(text.matches('(').count(), text.matches(')').count());
        assert_eq!(text.matches(";B[aa]").count(), 1_999_999);
        assert_eq!(variations.clone(), variations);
    }
}
