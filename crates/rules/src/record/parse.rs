//! Parsing SGF as a record.
//!
//! The sites use different properties, so all properties except moves, dots, sizes and names are ignored: times, captures
//! (`W[Aw.zvyw…]`, which follow from the rules), rule sets.

use super::tree::{GameTree, Node, Property, SyntaxError, game_tree, simple_text, text};
use super::{GameResult, PlacedDot, Record, RecordPlayer, Variations, letters};
use crate::dots::{Dots, Opening, Point, Setup};
use crate::{Game as _, MoveError, Seat};

/// A parsed record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedRecord {
    /// The game up to the first invalid move.
    pub record: Record,
    /// The first move that cannot be played.
    pub invalid_move: Option<InvalidMove>,
}

/// A move that cannot be played; the record ends before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidMove {
    /// The number of the move, from 1; 0 for a dot placed before the first move.
    pub number: usize,
    /// Why it cannot be played.
    pub why: MoveError,
}

/// Why a text cannot be parsed as a record of Dots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SgfError {
    /// The text contains no game tree.
    NotSgf,
    /// A syntax error. Line and column are counted from 1, columns in characters.
    Syntax {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// It is a record of another game.
    OtherGame,
    /// The size of the board is invalid.
    InvalidSize,
}

/// Parses the main line of the first game tree of an SGF collection.
///
/// # Errors
///
/// If the text is not a record of Dots. A move that cannot be played is no error: the record ends before it.
pub fn parse(sgf: &str) -> Result<ParsedRecord, SgfError> {
    let (tree, mut parser) = begin(sgf)?;
    let mut properties = tree.nodes[..tree.main_line].iter().flat_map(|node| &node.0);
    let invalid_move = properties
        .try_for_each(|property| parser.take(property))
        .err();
    Ok(ParsedRecord {
        record: parser.record,
        invalid_move,
    })
}

/// Parses all variations of the first game tree, with their comments. A variation ends before a move that cannot be played.
///
/// # Errors
///
/// If the text is not a record of Dots.
pub fn parse_variations(sgf: &str) -> Result<Variations, SgfError> {
    let (tree, mut parser) = begin(sgf)?;
    let mut variations = Variations::default();
    // For each node of the text the last move up to it, or that the line ended before.
    let mut ends: Vec<Result<Option<usize>, ()>> = Vec::with_capacity(tree.nodes.len());
    // The moves that lead to the position of the parser.
    let mut path: Vec<usize> = Vec::new();
    for (place, node) in tree.nodes.iter().enumerate() {
        let end = match place {
            0 => Ok(None),
            _ => ends[tree.parents[place]],
        };
        let Ok(parent) = end else {
            ends.push(Err(()));
            continue;
        };
        // Dots before the first move are those of the main line.
        if place >= tree.main_line && parent.is_none() && node.sets_up() {
            ends.push(Err(()));
            continue;
        }
        while path.last().copied() != parent {
            path.pop();
            parser.undo();
        }
        let played = node.0.iter().try_for_each(|property| parser.take(property));
        let known = path.len();
        for dot in &parser.record.plies[known..] {
            path.push(variations.add(path.last().copied(), *dot));
        }
        if let (Some(comment), Some(&last)) = (first(node, "C"), path.last())
            && path.len() > known
        {
            variations.moves[last].comment = text(comment);
        }
        ends.push(played.map(|()| path.last().copied()).map_err(|_| ()));
    }
    Ok(variations)
}

/// The first game tree, and a parser for its board.
fn begin(sgf: &str) -> Result<(GameTree<'_>, Parser), SgfError> {
    let sgf = sgf.trim_start_matches('\u{feff}');
    let tree = game_tree(sgf).map_err(|SyntaxError(at)| syntax_error(sgf, at))?;
    let tree = tree.ok_or(SgfError::NotSgf)?;
    let root = tree.nodes.first().ok_or(SgfError::NotSgf)?;
    if first(root, "GM").is_some_and(|game| game.trim() != "40") {
        return Err(SgfError::OtherGame);
    }
    let (width, height) = size(root).ok_or(SgfError::InvalidSize)?;
    let parser = Parser::new(root, width, height)?;
    Ok((tree, parser))
}

/// The record so far, and its position.
struct Parser {
    record: Record,
    position: Dots,
}

impl Parser {
    /// The record before its first move.
    fn new(root: &Node, width: u8, height: u8) -> Result<Self, SgfError> {
        let opening = opening(root, width, height);
        let setup = Setup::new(width, height, opening).map_err(|_| SgfError::InvalidSize)?;
        let line = |name| first(root, name).map(simple_text).unwrap_or_default();
        let player = |name, rank| RecordPlayer {
            name: line(name),
            rank: line(rank),
        };
        Ok(Self {
            record: Record {
                setup,
                start: Vec::new(),
                plies: Vec::new(),
                players: [player("PB", "BR"), player("PW", "WR")],
                result: first(root, "RE").and_then(GameResult::parse),
                date: line("DT"),
                comment: first(root, "C").map(text).unwrap_or_default(),
            },
            position: Dots::new(&setup),
        })
    }

    /// Takes the last move back.
    fn undo(&mut self) {
        self.record.plies.pop();
        self.position.undo();
    }

    /// Plays the moves of a property.
    fn take(&mut self, property: &Property) -> Result<(), InvalidMove> {
        let (seat, setting_up) = match &*property.name {
            "B" => (Seat::First, false),
            "W" => (Seat::Second, false),
            "AB" => (Seat::First, true),
            "AW" => (Seat::Second, true),
            _ => return Ok(()),
        };
        for value in &property.values {
            // An empty value is a pass, or the grounding with which some sites end a game.
            if !value.trim().is_empty() {
                self.place(seat, value, setting_up)?;
            }
        }
        Ok(())
    }

    fn place(&mut self, seat: Seat, value: &str, setting_up: bool) -> Result<(), InvalidMove> {
        let Record {
            setup,
            start,
            plies,
            ..
        } = &mut self.record;
        let before_first_move = setting_up && plies.is_empty();
        let (points, placed) = if setting_up {
            (
                point_list(value),
                if before_first_move { start } else { plies },
            )
        } else {
            (move_point(value).map(|point| vec![point]), plies)
        };
        let invalid_move = |placed: &[PlacedDot], why| InvalidMove {
            number: if before_first_move {
                0
            } else {
                placed.len() + 1
            },
            why,
        };
        for point in points.ok_or(invalid_move(placed, MoveError::Malformed))? {
            // The opening is on the board already.
            if before_first_move && setup.start_dots().contains(&(point, seat)) {
                continue;
            }
            if let Err(why) = self.position.play_as(seat, point) {
                return Err(invalid_move(placed, why.into()));
            }
            placed.push(PlacedDot { seat, point });
        }
        Ok(())
    }
}

/// The point of a move. After a `.`, some sites write the outline of the captured area, which is ignored.
fn move_point(value: &str) -> Option<Point> {
    let letters = value.split('.').next().unwrap_or_default();
    letters::read(letters.trim())
}

/// A point, or a rectangle of points given by two corners (a compressed point list).
fn point_list(value: &str) -> Option<Vec<Point>> {
    let Some((from, to)) = value.split_once(':') else {
        return move_point(value).map(|point| vec![point]);
    };
    let (from, to) = (letters::read(from.trim())?, letters::read(to.trim())?);
    let row = |y| (from.x..=to.x).map(move |x| Point::new(x, y));
    Some((from.y..=to.y).flat_map(row).collect())
}

/// The size: `39:32`, or one number for a square board; if omitted, the default.
fn size(root: &Node) -> Option<(u8, u8)> {
    let Some(size) = first(root, "SZ") else {
        return Some((Setup::DEFAULT.width(), Setup::DEFAULT.height()));
    };
    let (width, height) = size.split_once(':').unwrap_or((size, size));
    let points = |number: &str| number.trim().parse().ok();
    Some((points(width)?, points(height)?))
}

/// The opening whose dots are exactly those placed before the first move.
fn opening(root: &Node, width: u8, height: u8) -> Opening {
    let placed = |name| {
        let properties = root.0.iter().filter(move |property| property.name == name);
        properties.flat_map(|property| property.values.iter().filter_map(|value| move_point(value)))
    };
    let red = placed("AB").map(|point| (point, Seat::First));
    let placed: Vec<_> = red
        .chain(placed("AW").map(|point| (point, Seat::Second)))
        .collect();
    let matches = |opening: &Opening| {
        Setup::new(width, height, *opening).is_ok_and(|setup| {
            let dots = setup.start_dots();
            dots.len() == placed.len() && dots.iter().all(|dot| placed.contains(dot))
        })
    };
    let all = Opening::ALL.into_iter();
    all.filter(|opening| *opening != Opening::Empty)
        .find(matches)
        .unwrap_or_default()
}

/// The first value of a property.
fn first<'a>(node: &Node<'a>, name: &str) -> Option<&'a str> {
    let property = node.0.iter().find(|property| property.name == name)?;
    property.values.first().copied()
}

fn syntax_error(text: &str, at: usize) -> SgfError {
    let before = &text[..text.floor_char_boundary(at)];
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    SgfError::Syntax { line, column }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Illegal;
    use crate::record::WinReason;

    #[track_caller]
    fn check(
        sgf: &str,
        start: &str,
        moves: &str,
        invalid_move: Option<InvalidMove>,
    ) -> ParsedRecord {
        let parsed = parse(sgf).expect("a game of Dots");
        let told = |dots: &[PlacedDot]| {
            let told = |dot: &PlacedDot| format!("{}:{}", dot.seat.number(), dot.point);
            dots.iter().map(told).collect::<Vec<_>>().join(" ")
        };
        let record = &parsed.record;
        assert_eq!(
            (&*told(&record.start), &*told(&record.plies)),
            (start, moves)
        );
        assert_eq!(parsed.invalid_move, invalid_move);
        parsed
    }

    fn illegal(number: usize, why: Illegal) -> InvalidMove {
        InvalidMove {
            number,
            why: why.into(),
        }
    }

    #[test]
    fn names_result_and_date_are_free_text() {
        let sgf = "\u{feff}(;GM[40]FF[4]CA[UTF-8]SZ[5:7]\r\nPB[Аня \\] <b>]BR[1701]\r\nPW[\r\nx]DT[2007-06-06 20:37]RE[B+16]C[a\r\nb];B[aa];W[eg])";
        let Record {
            setup,
            players: [red, blue],
            result,
            date,
            comment,
            ..
        } = check(sgf, "", "1:0,0 2:4,6", None).record;
        let board = Setup::new(5, 7, Opening::Empty).unwrap();
        assert_eq!(setup, board);
        assert_eq!((&*red.name, &*red.rank), ("Аня ] <b>", "1701"));
        assert_eq!((&*blue.name, &*blue.rank), (" x", ""));
        assert_eq!(
            result,
            Some(GameResult::Won {
                by: Seat::First,
                how: WinReason::Points(16)
            })
        );
        assert_eq!((&*date, &*comment), ("2007-06-06 20:37", "a\nb"));
    }

    #[test]
    fn outlines_of_captures_are_ignored() {
        let sgf = "(;GM[40]SZ[3];B[ba];W[bb];B[ab];W[aa];B[cb];W[ca];B[bc.abbacbbcab]BL[615.5])";
        let moves = "1:1,0 2:1,1 1:0,1 2:0,0 1:2,1 2:2,0 1:1,2";
        check(sgf, "", moves, None);
    }

    #[test]
    fn moves_of_a_record_can_be_played() {
        let sgf = "(;GM[40]SZ[3];B[ba];W[bb];B[ab];W[aa];B[cb];W[ca];B[bc])";
        let record = parse(sgf).unwrap().record;
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
    fn each_value_is_a_dot_and_an_empty_one_is_a_pass() {
        let sgf = "(;GM[40]SZ[9];B[aa];W[bb][cc][dd];B[];W[];B[ee])";
        check(sgf, "", "1:0,0 2:1,1 2:2,2 2:3,3 1:4,4", None);
    }

    #[test]
    fn an_opening_is_recognized_by_its_dots() {
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
            Some(InvalidMove { number: 2, why }),
        );
        check(&on("AB[a]"), "", "", Some(InvalidMove { number: 0, why }));
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
        assert_eq!(parse(""), Err(SgfError::NotSgf));
        assert_eq!(parse("<html>(no)</html>"), Err(SgfError::NotSgf));
        assert_eq!(parse("(;GM[1]SZ[19];B[aa])"), Err(SgfError::OtherGame));
        for size in ["0", "51", "39:51", "-3", "x", "", "19:"] {
            let sgf = format!("(;GM[40]SZ[{size}];B[aa])");
            assert_eq!(parse(&sgf), Err(SgfError::InvalidSize), "{size}");
        }
        assert_eq!(
            parse("(;GM[40]\nPB[Аня];!)"),
            Err(SgfError::Syntax { line: 2, column: 9 })
        );
    }
}
