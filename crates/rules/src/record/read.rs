//! SGF text as a record, as far as it makes sense.
//!
//! The sites agree on the form and differ in what they put into it, so everything that is not a dot, a size or a name is
//! passed over: times, closed lines (`W[Aw.zvyw…]`, which the rules find again), rule sets, whatever else there is.

use super::tree::{Broken, Node, Property, main_line, simple_text, text};
use super::{PlacedDot, Record, Side, Verdict, letters};
use crate::dots::{Dots, Opening, Point, Setup};
use crate::{Game as _, MoveError, Seat};

/// A record that has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The game, as far as it goes.
    pub record: Record,
    /// Where it ends before the text does, and why.
    pub stop: Option<Stop>,
}

/// A move that cannot be played; the record ends before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Which move it is, counted from 1; 0 is a dot that should have stood there before the first.
    pub number: usize,
    /// What is wrong with it.
    pub why: MoveError,
}

/// Why a text is no record of a game of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// No game begins anywhere in it.
    NotSgf,
    /// A game begins, but it breaks off or goes wrong here. Both are counted from 1, columns in characters.
    Broken {
        /// The line.
        line: usize,
        /// The place in the line.
        column: usize,
    },
    /// It is a record of another game.
    OtherGame,
    /// There is no such board.
    BadSize,
}

/// Reads the main line of the first game of an SGF file.
///
/// # Errors
///
/// What is no game of Dots at all. A game with a move that cannot be played is shown up to that move.
pub fn read(sgf: &str) -> Result<Reading, Unreadable> {
    let sgf = sgf.trim_start_matches('\u{feff}');
    let nodes = main_line(sgf).map_err(|Broken(at)| place_of(sgf, at))?;
    let nodes = nodes.ok_or(Unreadable::NotSgf)?;
    let (root, rest) = nodes.split_first().ok_or(Unreadable::NotSgf)?;
    if first(root, "GM").is_some_and(|game| game.trim() != "40") {
        return Err(Unreadable::OtherGame);
    }
    let (width, height) = size(root).ok_or(Unreadable::BadSize)?;
    let mut reader = Reader::new(root, width, height)?;
    let stop = std::iter::once(root)
        .chain(rest)
        .flat_map(|node| &node.0)
        .try_for_each(|property| reader.take(property))
        .err();
    Ok(Reading {
        record: reader.record,
        stop,
    })
}

/// A record that grows, and the position it has come to.
struct Reader {
    record: Record,
    position: Dots,
}

impl Reader {
    /// The record before its first move.
    fn new(root: &Node, width: u8, height: u8) -> Result<Self, Unreadable> {
        let opening = opening(root, width, height);
        let setup = Setup::new(width, height, opening).map_err(|_| Unreadable::BadSize)?;
        let line = |name| first(root, name).map(simple_text).unwrap_or_default();
        let side = |name, rank| Side {
            name: line(name),
            rank: line(rank),
        };
        Ok(Self {
            record: Record {
                setup,
                start: Vec::new(),
                plies: Vec::new(),
                sides: [side("PB", "BR"), side("PW", "WR")],
                verdict: first(root, "RE").and_then(Verdict::read),
                date: line("DT"),
                comment: first(root, "C").map(text).unwrap_or_default(),
            },
            position: Dots::new(&setup),
        })
    }

    /// Plays what a property places.
    fn take(&mut self, property: &Property) -> Result<(), Stop> {
        let (seat, setting_up) = match &*property.name {
            "B" => (Seat::First, false),
            "W" => (Seat::Second, false),
            "AB" => (Seat::First, true),
            "AW" => (Seat::Second, true),
            _ => return Ok(()),
        };
        for value in &property.values {
            // A blank value is a pass, or the grounding with which some sites end a game.
            if !value.trim().is_empty() {
                self.place(seat, value, setting_up)?;
            }
        }
        Ok(())
    }

    fn place(&mut self, seat: Seat, value: &str, setting_up: bool) -> Result<(), Stop> {
        let Record {
            setup,
            start,
            plies,
            ..
        } = &mut self.record;
        let before_the_first = setting_up && plies.is_empty();
        let (points, placed) = if setting_up {
            (several(value), if before_the_first { start } else { plies })
        } else {
            (one(value).map(|point| vec![point]), plies)
        };
        let stop = |placed: &[PlacedDot], why| Stop {
            number: if before_the_first {
                0
            } else {
                placed.len() + 1
            },
            why,
        };
        for point in points.ok_or(stop(placed, MoveError::Malformed))? {
            // The opening is on the board already.
            if before_the_first && setup.start_dots().contains(&(point, seat)) {
                continue;
            }
            if let Err(why) = self.position.play_as(seat, point) {
                return Err(stop(placed, why.into()));
            }
            placed.push(PlacedDot { seat, point });
        }
        Ok(())
    }
}

/// A move; whatever follows a dot behind its letters is the closed line that it made.
fn one(value: &str) -> Option<Point> {
    let letters = value.split('.').next().unwrap_or_default();
    letters::read(letters.trim())
}

/// A point, or from one corner to the other.
fn several(value: &str) -> Option<Vec<Point>> {
    let Some((from, to)) = value.split_once(':') else {
        return one(value).map(|point| vec![point]);
    };
    let (from, to) = (letters::read(from.trim())?, letters::read(to.trim())?);
    let row = |y| (from.x..=to.x).map(move |x| Point::new(x, y));
    Some((from.y..=to.y).flat_map(row).collect())
}

/// `39:32`, or one number for both ways; what is left out is the usual paper.
fn size(root: &Node) -> Option<(u8, u8)> {
    let Some(size) = first(root, "SZ") else {
        return Some((Setup::DEFAULT.width(), Setup::DEFAULT.height()));
    };
    let (width, height) = size.split_once(':').unwrap_or((size, size));
    let points = |number: &str| number.trim().parse().ok();
    Some((points(width)?, points(height)?))
}

/// The opening whose dots are those that stand on the board before the first move.
fn opening(root: &Node, width: u8, height: u8) -> Opening {
    let placed = |name| {
        let properties = root.0.iter().filter(move |property| property.name == name);
        properties.flat_map(|property| property.values.iter().filter_map(|value| one(value)))
    };
    let red = placed("AB").map(|point| (point, Seat::First));
    let placed: Vec<_> = red
        .chain(placed("AW").map(|point| (point, Seat::Second)))
        .collect();
    let fits = |opening: &Opening| {
        Setup::new(width, height, *opening).is_ok_and(|setup| {
            let dots = setup.start_dots();
            dots.len() == placed.len() && dots.iter().all(|dot| placed.contains(dot))
        })
    };
    let all = Opening::ALL.into_iter();
    all.filter(|opening| *opening != Opening::Empty)
        .find(fits)
        .unwrap_or_default()
}

/// The first value of that name.
fn first<'a>(node: &Node<'a>, name: &str) -> Option<&'a str> {
    let property = node.0.iter().find(|property| property.name == name)?;
    property.values.first().copied()
}

fn place_of(text: &str, at: usize) -> Unreadable {
    let before = &text[..text.floor_char_boundary(at)];
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    Unreadable::Broken { line, column }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Illegal;
    use crate::record::How;

    #[track_caller]
    fn check(sgf: &str, start: &str, moves: &str, stop: Option<Stop>) -> Reading {
        let reading = read(sgf).expect("a game of Dots");
        let told = |dots: &[PlacedDot]| {
            let told = |dot: &PlacedDot| format!("{}:{}", dot.seat.number(), dot.point);
            dots.iter().map(told).collect::<Vec<_>>().join(" ")
        };
        let record = &reading.record;
        assert_eq!(
            (&*told(&record.start), &*told(&record.plies)),
            (start, moves)
        );
        assert_eq!(reading.stop, stop);
        reading
    }

    fn illegal(number: usize, why: Illegal) -> Stop {
        Stop {
            number,
            why: why.into(),
        }
    }

    #[test]
    fn names_result_and_date_are_somebodys_words() {
        let sgf = "\u{feff}(;GM[40]FF[4]CA[UTF-8]SZ[5:7]\r\nPB[Аня \\] <b>]BR[1701]\r\nPW[\r\nx]DT[2007-06-06 20:37]RE[B+16]C[a\r\nb];B[aa];W[eg])";
        let Record {
            setup,
            sides: [red, blue],
            verdict,
            date,
            comment,
            ..
        } = check(sgf, "", "1:0,0 2:4,6", None).record;
        let board = Setup::new(5, 7, Opening::Empty).unwrap();
        assert_eq!(setup, board);
        assert_eq!((&*red.name, &*red.rank), ("Аня ] <b>", "1701"));
        assert_eq!((&*blue.name, &*blue.rank), (" x", ""));
        assert_eq!(
            verdict,
            Some(Verdict::Won {
                by: Seat::First,
                how: How::Points(16)
            })
        );
        assert_eq!((&*date, &*comment), ("2007-06-06 20:37", "a\nb"));
    }

    #[test]
    fn closed_lines_are_found_again() {
        let sgf = "(;GM[40]SZ[3];B[ba];W[bb];B[ab];W[aa];B[cb];W[ca];B[bc.abbacbbcab]BL[615.5])";
        let moves = "1:1,0 2:1,1 1:0,1 2:0,0 1:2,1 2:2,0 1:1,2";
        check(sgf, "", moves, None);
    }

    #[test]
    fn the_board_is_drawn_as_the_moves_draw_it() {
        let sgf = "(;GM[40]SZ[3];B[ba];W[bb];B[ab];W[aa];B[cb];W[ca];B[bc])";
        let record = read(sgf).unwrap().record;
        let mut dots = Dots::new(&record.setup);
        for &PlacedDot { seat, point } in &record.plies {
            dots.play_as(seat, point).unwrap();
        }
        let mark = |point| match dots.at(point).dot {
            None => '.',
            Some(dot) => match (dot.seat, dot.alive) {
                (Seat::First, true) => 'R',
                (Seat::First, false) => 'r',
                (Seat::Second, true) => 'B',
                (Seat::Second, false) => 'b',
            },
        };
        let row = |y| {
            (0..3)
                .map(move |x| Point::new(x, y))
                .map(mark)
                .collect::<String>()
        };
        assert_eq!([row(0), row(1), row(2)], ["BRB", "RbR", ".R."]);
    }

    #[test]
    fn several_values_are_several_dots_and_an_empty_one_is_none() {
        let sgf = "(;GM[40]SZ[9];B[aa];W[bb][cc][dd];B[];W[];B[ee])";
        check(sgf, "", "1:0,0 2:1,1 2:2,2 2:3,3 1:4,4", None);
    }

    #[test]
    fn an_opening_is_known_by_its_dots() {
        let cross = "AB[cc][dd]AW[dc][cd]";
        let reading = check(&format!("(;GM[40]SZ[5]{cross};B[aa])"), "", "1:0,0", None);
        let setup = Setup::new(5, 5, Opening::Cross).unwrap();
        assert_eq!(reading.record.setup, setup);
        check(
            "(;GM[40]SZ[5]AB[cc:dd]AW[aa];W[ab];AB[ac])",
            "1:2,2 1:3,2 1:2,3 1:3,3 2:0,0",
            "2:0,1 1:0,2",
            None,
        );
    }

    #[test]
    fn a_move_that_cannot_be_played_ends_the_game_before_it() {
        let on = |rest: &str| format!("(;GM[40]SZ[5]{rest};W[ee])");
        check(
            &on(";B[aa];W[aa]"),
            "",
            "1:0,0",
            Some(illegal(2, Illegal::Occupied)),
        );
        check(
            &on(";B[aa];W[fa]"),
            "",
            "1:0,0",
            Some(illegal(2, Illegal::OffBoard)),
        );
        check(
            &on("AB[aa]AW[aa]"),
            "1:0,0",
            "",
            Some(illegal(0, Illegal::Occupied)),
        );
        let why = MoveError::Malformed;
        check(
            &on(";B[aa];W[7]"),
            "",
            "1:0,0",
            Some(Stop { number: 2, why }),
        );
        check(&on("AB[a]"), "", "", Some(Stop { number: 0, why }));
    }

    #[test]
    fn the_main_line_is_read_to_its_end() {
        check(
            "(;GM[40]SZ[5];B[aa](;W[bb];B[cc])(;W[dd]))",
            "",
            "1:0,0 2:1,1 1:2,2",
            None,
        );
    }

    #[test]
    fn what_is_no_game_of_dots_says_why() {
        assert_eq!(read(""), Err(Unreadable::NotSgf));
        assert_eq!(read("<html>(no)</html>"), Err(Unreadable::NotSgf));
        assert_eq!(read("(;GM[1]SZ[19];B[aa])"), Err(Unreadable::OtherGame));
        for size in ["0", "51", "39:51", "-3", "x", "", "19:"] {
            let sgf = format!("(;GM[40]SZ[{size}];B[aa])");
            assert_eq!(read(&sgf), Err(Unreadable::BadSize), "{size}");
        }
        assert_eq!(
            read("(;GM[40]\nPB[Аня];!)"),
            Err(Unreadable::Broken { line: 2, column: 9 })
        );
    }
}
