//! Writing SGF: our own, with variations, comments and everything that a record has; and Dots in the dialects of their sites.

use super::tree::rule_named;
use crate::turns::colour_letter;
use crate::{GameRecord, Placed, RecordMove, WriteError};
use std::fmt::{self, Write as _};
use tochki_rules::record::tree::escaped;
use tochki_rules::record::{Dialect, PlacedDot, Record, letters};
use tochki_rules::{Move, Point, Seat, Setup};

/// The program that writes the record.
const APPLICATION: &str = concat!("Tochki:", env!("CARGO_PKG_VERSION"));

/// The number of moves in a line of text.
const MOVES_PER_LINE: usize = 10;

/// Writes a game with all of its variations.
pub(crate) fn write(text: &mut String, record: &GameRecord) {
    // Writing into a string cannot fail.
    let _ = write_root(text, record).and_then(|()| write_moves(text, record));
    text.push_str(")\n");
}

/// Writes a game of Dots in a dialect, without its variations.
pub(crate) fn write_dots(
    text: &mut String,
    record: &GameRecord,
    dialect: Dialect,
) -> Result<(), WriteError> {
    let Setup::Dots(setup) = record.setup else {
        return Err(WriteError::OtherGame);
    };
    let dot = |seat, mv| match mv {
        Move::Dots(point) => Some(PlacedDot { seat, point }),
        _ => None,
    };
    let dots = Record {
        setup,
        start: record
            .start
            .iter()
            .filter_map(|placed| dot(placed.seat, placed.mv))
            .collect(),
        plies: record
            .main_line()
            .iter()
            .filter_map(|mv| dot(mv.seat, mv.mv))
            .collect(),
        players: record.players.clone(),
        result: record.result,
        date: record.date.clone(),
        comment: record.comment.clone(),
    };
    text.push_str(&dots.written_as(dialect));
    Ok(())
}

fn write_root(f: &mut String, record: &GameRecord) -> fmt::Result {
    let (game, width, height) = match record.setup {
        Setup::Dots(setup) => ("40", setup.width(), setup.height()),
        Setup::Boxes(setup) => ("Dots and Boxes", setup.cols() + 1, setup.rows() + 1),
        Setup::Gomoku(setup) => ("4", setup.size(), setup.size()),
        Setup::Reversi(_) => ("2", 8, 8),
    };
    write!(f, "(;GM[{game}]FF[4]CA[UTF-8]AP[{APPLICATION}]")?;
    if width == height {
        write!(f, "SZ[{width}]")?;
    } else {
        write!(f, "SZ[{width}:{height}]")?;
    }
    // The rule that is read from a name of rules must be the one of the game.
    let rules: &str = match record.setup {
        Setup::Gomoku(setup) if rule_named(&record.rules).unwrap_or_default() != setup.rule() => {
            setup.rule().as_str()
        }
        _ => &record.rules,
    };
    let [first, second] = &record.players;
    let result = record.result.map(|result| result.to_string());
    for (name, value) in [
        ("RU", rules),
        ("PB", &*first.name),
        ("BR", &*first.rank),
        ("PW", &*second.name),
        ("WR", &*second.rank),
        ("EV", &*record.event),
        ("RO", &*record.round),
        ("PC", &*record.site),
        ("DT", &*record.date),
        ("RE", result.as_deref().unwrap_or_default()),
        ("C", &*record.comment),
    ] {
        if !value.is_empty() {
            write!(f, "{name}[{}]", escaped(value))?;
        }
    }
    f.push('\n');
    write_start(f, record)
}

/// Writes what is on the board before the first move, each side's together.
fn write_start(f: &mut String, record: &GameRecord) -> fmt::Result {
    let of_setup = match record.setup {
        Setup::Dots(setup) => setup.start_dots(),
        _ => Vec::new(),
    };
    let of_setup = of_setup.into_iter().map(|(point, seat)| Placed {
        seat,
        mv: Move::Dots(point),
    });
    let placed: Vec<_> = of_setup.chain(record.start.iter().copied()).collect();
    for seat in Seat::BOTH {
        let mut own = placed
            .iter()
            .filter(|placed| placed.seat == seat)
            .peekable();
        if own.peek().is_some() {
            write!(f, "A{}", colour_letter(seat))?;
        }
        for placed in own {
            f.push('[');
            write_move(f, placed.mv);
            f.push(']');
        }
    }
    Ok(())
}

/// Moves still to be written, the next one last. A list and no recursion: variations are as deep as somebody likes.
enum Pending {
    /// The moves that follow the one at this place, or those that may come first: one line as it is, several in parentheses. Where
    /// the main line has ended, an empty node goes first, so that no variation takes its place.
    After(usize),
    /// A line in parentheses.
    Branch(usize),
    /// The parenthesis after a line.
    End,
}

fn write_moves(f: &mut String, record: &GameRecord) -> fmt::Result {
    let followers = record.followers();
    let mut pending = vec![Pending::After(record.moves.len())];
    let mut number = 0;
    let end = record.main_line.checked_sub(1);
    let end = end.unwrap_or(record.moves.len());
    while let Some(next) = pending.pop() {
        let place = match next {
            Pending::End => {
                f.push(')');
                continue;
            }
            Pending::After(place) => match followers[place].as_slice() {
                [] => continue,
                [only] if place != end => {
                    if number % MOVES_PER_LINE == 0 {
                        f.push('\n');
                    }
                    *only
                }
                branches => {
                    if place == end {
                        f.push_str("\n(;)");
                    }
                    pending.extend(branches.iter().rev().map(|&place| Pending::Branch(place)));
                    continue;
                }
            },
            Pending::Branch(place) => {
                f.push_str("\n(");
                pending.push(Pending::End);
                place
            }
        };
        number += 1;
        write_node(f, &record.moves[place])?;
        pending.push(Pending::After(place));
    }
    Ok(())
}

fn write_node(f: &mut String, mv: &RecordMove) -> fmt::Result {
    write!(f, ";{}[", colour_letter(mv.seat))?;
    write_move(f, mv.mv);
    f.push(']');
    if mv.comment.is_empty() {
        Ok(())
    } else {
        write!(f, "C[{}]", escaped(&mv.comment))
    }
}

fn write_move(f: &mut String, mv: Move) {
    match mv {
        Move::Dots(point) | Move::Gomoku(point) | Move::Reversi(point) => {
            f.extend(letters::spell(point));
        }
        Move::Boxes(line) => {
            let from = Point::new(line.x, line.y);
            let to = match line.orientation {
                tochki_rules::boxes::Orientation::Horizontal => Point::new(line.x + 1, line.y),
                tochki_rules::boxes::Orientation::Vertical => Point::new(line.x, line.y + 1),
            };
            f.extend(letters::spell(from));
            f.extend(letters::spell(to));
        }
    }
}
