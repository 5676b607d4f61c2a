//! Writing a record as SGF.

use super::letters::spell;
use super::tree::escaped;
use super::{PlacedDot, Record, RecordPlayer};
use crate::Seat;
use crate::dots::{Point, Setup};
use std::fmt::{self, Write};

/// The program that writes the record: never the program of a site, whatever the dialect.
pub(super) const APPLICATION: &str = concat!("Tochki:", env!("CARGO_PKG_VERSION"));

/// The number of moves per line of text.
const MOVES_PER_LINE: usize = 10;

/// Writes SGF as the Dots sites do. Red is black in SGF, because it moves first.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(;GM[40]FF[4]CA[UTF-8]AP[{APPLICATION}]")?;
        write_size(f, self.setup)?;
        let [red, blue] = &self.players;
        for (names, RecordPlayer { name, rank }) in [(["PB", "BR"], red), (["PW", "WR"], blue)] {
            write_property(f, names[0], name)?;
            write_property(f, names[1], rank)?;
        }
        write_property(f, "DT", &self.date)?;
        if let Some(result) = self.result {
            write!(f, "RE[{result}]")?;
        }
        write_property(f, "C", &self.comment)?;
        f.write_char('\n')?;
        write_start(f, self, "")?;
        for (number, &PlacedDot { seat, point }) in self.plies.iter().enumerate() {
            if number % MOVES_PER_LINE == 0 {
                f.write_char('\n')?;
            }
            write!(f, ";{}", colour_letter(seat))?;
            write_point(f, point)?;
        }
        f.write_str(")\n")
    }
}

pub(super) fn write_size(f: &mut impl Write, setup: Setup) -> fmt::Result {
    match (setup.width(), setup.height()) {
        (width, height) if width == height => write!(f, "SZ[{width}]"),
        (width, height) => write!(f, "SZ[{width}:{height}]"),
    }
}

/// Writes the dots before the first move, those of each side after this text.
pub(super) fn write_start(f: &mut impl Write, record: &Record, before: &str) -> fmt::Result {
    let own = record.start.iter().map(|dot| (dot.point, dot.seat));
    let dots: Vec<_> = record.setup.start_dots().into_iter().chain(own).collect();
    for seat in Seat::BOTH {
        let mut points = dots.iter().filter(|dot| dot.1 == seat).peekable();
        if points.peek().is_some() {
            write!(f, "{before}A{}", colour_letter(seat))?;
        }
        points.try_for_each(|dot| write_point(f, dot.0))?;
    }
    Ok(())
}

pub(super) fn write_property(f: &mut impl Write, name: &str, text: &str) -> fmt::Result {
    if text.is_empty() {
        return Ok(());
    }
    write!(f, "{name}[{}]", escaped(text))
}

pub(super) fn write_point(f: &mut impl Write, point: Point) -> fmt::Result {
    let [x, y] = spell(point);
    write!(f, "[{x}{y}]")
}

pub(super) const fn colour_letter(seat: Seat) -> char {
    match seat {
        Seat::First => 'B',
        Seat::Second => 'W',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dots::Opening;
    use crate::record::{GameResult, WinReason};

    fn record(width: u8, height: u8, start: Opening) -> Record {
        let side = |name: &str, rank: &str| RecordPlayer {
            name: name.to_owned(),
            rank: rank.to_owned(),
        };
        Record {
            setup: Setup::new(width, height, start).unwrap(),
            start: Vec::new(),
            plies: Vec::new(),
            players: [side("ann", "1600"), side("bob", "1588")],
            result: Some(GameResult::Won {
                by: Seat::First,
                how: WinReason::Points(1.into()),
            }),
            date: "2026-11-21".to_owned(),
            comment: String::new(),
        }
    }

    fn head(size: &str) -> String {
        let version = env!("CARGO_PKG_VERSION");
        format!(
            "(;GM[40]FF[4]CA[UTF-8]AP[Tochki:{version}]SZ[{size}]PB[ann]BR[1600]PW[bob]WR[1588]DT[2026-11-21]RE[B+1]\n"
        )
    }

    #[test]
    fn a_record_is_a_root_node_and_moves() {
        let mut game = record(39, 32, Opening::Empty);
        for (seat, x, y) in [(Seat::First, 0, 0), (Seat::Second, 38, 31)] {
            let point = Point::new(x, y);
            game.plies.push(PlacedDot { seat, point });
        }
        assert_eq!(game.to_string(), head("39:32") + "\n;B[aa];W[MF])\n");
    }

    #[test]
    fn a_square_board_has_one_size_and_an_opening_its_dots() {
        let game = record(5, 5, Opening::Cross);
        assert_eq!(game.to_string(), head("5") + "AB[cc][dd]AW[dc][cd])\n");
    }
}
