//! Records as the Dots sites write them: the order of their properties, and the text beside a move.

use super::tree::escaped;
use super::write::{APPLICATION, colour_letter, write_property, write_size, write_start};
use super::{PlacedDot, Record, letters};
use crate::Game as _;
use crate::dots::{Dots, Enclosure};
use std::fmt::{self, Write};
use std::str::FromStr;

/// The way of writing a record. All dialects are SGF, and [`parse()`](super::parse()) reads them all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Our own: as few properties as the record needs.
    #[default]
    Tochki,
    /// The dialect of zagram.org and `PointsXT`: one line, its rules by name, and after a move the lines that it closed.
    Zagram,
    /// The dialect of playdots.ru: a property a line, then all moves.
    Playdots,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 3] = [Self::Tochki, Self::Zagram, Self::Playdots];

    /// The name in addresses.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Tochki => "tochki",
            Self::Zagram => "zagram",
            Self::Playdots => "playdots",
        }
    }
}

/// The text is the name of no dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDialect;

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(text: &str) -> Result<Self, UnknownDialect> {
        let mut all = Self::ALL.into_iter();
        all.find(|dialect| dialect.id() == text)
            .ok_or(UnknownDialect)
    }
}

/// Our rules by the names of zagram.org: empty areas stay open, captures are made at once, an area with one dot counts.
const ZAGRAM_RULES: &str = "Punish=0,Holes=1,AddTurn=0,MustSurr=1,MinArea=1,Pass=0,Stop=1,LastSafe=0,ScoreTerr=0,InstantWin=0";

/// The rules of playdots.ru.
const PLAYDOTS_RULES: &str = "russian";

impl Record {
    /// The record as SGF in a dialect.
    pub fn written_as(&self, dialect: Dialect) -> String {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = match dialect {
            Dialect::Tochki => write!(text, "{self}"),
            Dialect::Zagram => self.write_as_zagram(&mut text),
            Dialect::Playdots => self.write_as_playdots(&mut text),
        };
        text
    }

    fn write_as_zagram(&self, text: &mut String) -> fmt::Result {
        let [red, blue] = &self.players;
        write!(text, "(;FF[4]GM[40]CA[UTF-8]AP[{APPLICATION}]")?;
        write_size(text, self.setup)?;
        write!(text, "RU[{ZAGRAM_RULES}]")?;
        write_start(text, self, "")?;
        write_property(text, "PB", &red.name)?;
        write_property(text, "PW", &blue.name)?;
        write_property(text, "DT", &self.date)?;
        if let Some(result) = self.result {
            write!(text, "RE[{result}]")?;
        }
        write_property(text, "BR", &red.rank)?;
        write_property(text, "WR", &blue.rank)?;
        write_property(text, "C", &self.comment)?;
        let mut position = Dots::new(&self.setup);
        for dot in &self.start {
            // A dot that cannot be played closes no line; a record that was parsed or played has no such dot.
            let _ = position.play_as(dot.seat, dot.point);
        }
        for &PlacedDot { seat, point } in &self.plies {
            write!(text, ";{}[", colour_letter(seat))?;
            text.extend(letters::spell(point));
            if let Ok(change) = position.play_as(seat, point) {
                let own = position.captures_of(&change);
                for enclosure in own.filter(|enclosure| enclosure.seat() == seat) {
                    write_closed_line(text, enclosure);
                }
            }
            text.push(']');
        }
        text.write_str(")\n")
    }

    fn write_as_playdots(&self, text: &mut String) -> fmt::Result {
        let [red, blue] = &self.players;
        write!(text, "(;CA[UTF-8]AP[{APPLICATION}]GM[40]FF[4]")?;
        write_size(text, self.setup)?;
        write!(text, "RU[{PLAYDOTS_RULES}]")?;
        let result = self
            .result
            .map_or_else(String::new, |result| result.to_string());
        let properties = [
            ("PB", &red.name),
            ("PW", &blue.name),
            ("BR", &red.rank),
            ("WR", &blue.rank),
            ("DT", &self.date),
            ("RE", &result),
            ("C", &self.comment),
        ];
        for (name, value) in properties
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
        {
            write!(text, "\n{name}[{}]", escaped(value))?;
        }
        write_start(text, self, "\n")?;
        text.push('\n');
        for &PlacedDot { seat, point } in &self.plies {
            let [x, y] = letters::spell(point);
            write!(text, ";{}[{x}{y}]", colour_letter(seat))?;
        }
        text.write_str(")\n")
    }
}

/// The closed line of a capture: a point, its dots anticlockwise from the uppermost (of these the leftmost), and that dot again,
/// as in the games of that site with automatic captures.
fn write_closed_line(text: &mut String, enclosure: Enclosure) {
    let places = enclosure.line().enumerate();
    let first = places.min_by_key(|(_, point)| (point.y, point.x));
    let first = first.map_or(0, |(place, _)| place);
    let from_first = enclosure.line().skip(first).chain(enclosure.line());
    text.push('.');
    text.extend(
        from_first
            .take(enclosure.line().len() + 1)
            .flat_map(letters::spell),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::parse;

    /// A record of a red capture, a blue one with two lines at once, and blue's dot in a red house.
    const MOVES: &str = ";B[ba];W[bb];B[ab];W[aa];B[cb];W[ca];B[bc]";

    #[track_caller]
    fn check(sgf: &str, dialect: Dialect, expected: &str) {
        let record = parse(sgf).unwrap();
        assert_eq!(record.invalid_move, None);
        let text = record.record.written_as(dialect);
        assert_eq!(text.replace(APPLICATION, "APP"), expected);
        assert_eq!(parse(&text), Ok(record));
    }

    #[test]
    fn zagram_has_one_line_and_the_lines_of_captures() {
        check(
            &format!("(;GM[40]SZ[3:4]PB[ann]BR[1600]PW[b\\]]DT[2026-11-21]RE[B+1]C[x]{MOVES})"),
            Dialect::Zagram,
            &format!(
                "(;FF[4]GM[40]CA[UTF-8]AP[APP]SZ[3:4]RU[{ZAGRAM_RULES}]PB[ann]PW[b\\]]DT[2026-11-21]RE[B+1]BR[1600]C[x]\
                 ;B[ba];W[bb];B[ab];W[aa];B[cb];W[ca];B[bc.baabbccbba])\n"
            ),
        );
    }

    #[test]
    fn a_move_that_closes_two_lines_has_both_and_one_into_a_house_none() {
        let two = "AB[ba][ab][bc][da][eb][dc]AW[bb][db]";
        let moves = ";B[cb];W[cd];B[cf];W[de]";
        check(
            &format!("(;GM[40]SZ[6]{two}{moves})"),
            Dialect::Zagram,
            &format!(
                "(;FF[4]GM[40]CA[UTF-8]AP[APP]SZ[6]RU[{ZAGRAM_RULES}]{two}\
                 ;B[cb.baabbccbba.dacbdcebda];W[cd];B[cf];W[de])\n"
            ),
        );
        let house = "AB[ba][ab][bc][cb]";
        check(
            &format!("(;GM[40]SZ[5]{house};W[bb])"),
            Dialect::Zagram,
            &format!("(;FF[4]GM[40]CA[UTF-8]AP[APP]SZ[5]RU[{ZAGRAM_RULES}]{house};W[bb])\n"),
        );
    }

    #[test]
    fn playdots_has_a_property_a_line() {
        check(
            "(;GM[40]SZ[5]AB[cc][dd]AW[dc][cd]PB[ann]BR[Master, 1600]PW[bob]RE[W+R];B[aa];W[ee])",
            Dialect::Playdots,
            "(;CA[UTF-8]AP[APP]GM[40]FF[4]SZ[5]RU[russian]\nPB[ann]\nPW[bob]\nBR[Master, 1600]\nRE[W+R]\nAB[cc][dd]\nAW[dc][cd]\n;B[aa];W[ee])\n",
        );
    }

    #[test]
    fn dialects_have_names() {
        for dialect in Dialect::ALL {
            assert_eq!(dialect.id().parse(), Ok(dialect));
        }
        assert_eq!("Zagram".parse::<Dialect>(), Err(UnknownDialect));
    }
}
