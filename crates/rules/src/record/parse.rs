//! Parsing SGF as a record.
//!
//! The sites use different properties, so all properties except moves, dots, sizes, names and rules are ignored: times, and
//! captures (`W[Aw.zvyw…]`), which follow from the rules. Where they do not, the game was played by other rules, which the result
//! says.

use super::other_rules::{OtherRules, Outlines};
use super::tree::{Damage, GameTree, Node, Property, game_trees, simple_text, text};
use super::{GameResult, PlacedDot, Record, RecordPlayer, Variations, letters};
use crate::dots::{Dots, Opening, Point, Setup};
use crate::{Game as _, MoveError, Seat};

/// The most dots that are placed for one record, in all of its variations together. A text of a few bytes may ask for a full
/// board at each of its nodes; the largest upload has room for half as many moves as this.
const MAX_DOTS: usize = 100_000;

/// A parsed record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedRecord {
    /// The game up to the first invalid move.
    pub record: Record,
    /// The first move that cannot be played.
    pub invalid_move: Option<InvalidMove>,
}

/// A record with everything in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullRecord {
    /// The game up to the first invalid move.
    pub record: Record,
    /// The first move that cannot be played.
    pub invalid_move: Option<InvalidMove>,
    /// All variations with their comments, the main line among them.
    pub variations: Variations,
    /// The first place where the text is not SGF, if there is one.
    pub damage: Option<DamagedPlace>,
    /// Evidence that the game was played by other rules.
    pub other_rules: Option<OtherRules>,
    /// Whether variations are left out, because they have too many dots.
    pub is_shortened: bool,
}

/// A move that cannot be played; the record ends before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidMove {
    /// The number of the move, from 1; 0 for a dot placed before the first move.
    pub number: usize,
    /// The reason why it cannot be played.
    pub why: MoveError,
}

/// A place where a text is no SGF. Line and column are counted from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DamagedPlace {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// Whether the text is cut off there. Otherwise the text there was skipped.
    pub is_end: bool,
}

/// The reason why a text cannot be parsed as a record of Dots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SgfError {
    /// The text contains no game tree.
    NotSgf,
    /// A syntax error, and nothing to show beside it. Line and column are counted from 1, columns in characters.
    Syntax {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// The text is a record of another game.
    OtherGame,
    /// The size of the board is invalid.
    InvalidSize,
}

/// The entry of a game in a list of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// The players, in the order of their seats.
    pub players: [RecordPlayer; 2],
    /// The result, if known.
    pub result: Option<GameResult>,
    /// The date of the game.
    pub date: String,
    /// The number of moves on the main line of its text, legal or not.
    pub moves: usize,
    /// Whether the text is a game of Dots.
    pub is_dots: bool,
}

/// The games of a text: an SGF collection has several.
#[derive(Debug)]
pub struct Collection<'a> {
    text: &'a str,
    trees: Vec<GameTree<'a>>,
}

impl<'a> Collection<'a> {
    /// Reads the syntax of a text, and so finds its games.
    ///
    /// # Errors
    ///
    /// [`SgfError::NotSgf`] if there is none.
    pub fn read(text: &'a str) -> Result<Self, SgfError> {
        let text = text.trim_start_matches('\u{feff}');
        let trees = game_trees(text);
        if trees.is_empty() {
            return Err(SgfError::NotSgf);
        }
        Ok(Self { text, trees })
    }

    /// The number of games, at least one.
    pub fn count(&self) -> usize {
        self.trees.len()
    }

    /// The place of the first game of Dots, else of the first game.
    pub fn first_of_dots(&self) -> usize {
        let place = self.trees.iter().position(is_dots);
        place.unwrap_or_default()
    }

    /// The entry of each game for a list.
    pub fn summaries(&self) -> impl Iterator<Item = GameSummary> {
        self.trees.iter().map(summary)
    }

    /// Parses the game at a place, with all of its variations.
    ///
    /// # Errors
    ///
    /// If the game is no record of Dots, or there is no such place. A move that cannot be played is no error: its line ends
    /// before it. Neither is a syntax error after which something is left to show.
    pub fn parse(&self, place: usize) -> Result<FullRecord, SgfError> {
        let tree = self.trees.get(place).ok_or(SgfError::NotSgf)?;
        let root = tree.nodes.first().ok_or(SgfError::NotSgf)?;
        if !is_dots(tree) {
            return Err(SgfError::OtherGame);
        }
        let (width, height) = size(root).ok_or(SgfError::InvalidSize)?;
        let full = Parser::new(root, width, height)?.parse(tree);
        let damage = tree.damage.map(|damage| self.place_of(damage));
        match damage {
            Some(DamagedPlace { line, column, .. })
                if full.record.plies.is_empty() && full.record.start.is_empty() =>
            {
                Err(SgfError::Syntax { line, column })
            }
            damage => Ok(FullRecord { damage, ..full }),
        }
    }

    fn place_of(&self, damage: Damage) -> DamagedPlace {
        let (at, is_end) = match damage {
            Damage::Skipped(at) => (at, false),
            Damage::CutOff(at) => (at, true),
        };
        let before = &self.text[..self.text.floor_char_boundary(at)];
        let line = before.rsplit('\n').next().unwrap_or_default();
        DamagedPlace {
            line: before.matches('\n').count() + 1,
            column: line.chars().count() + 1,
            is_end,
        }
    }
}

/// Parses the main line of the first game tree of an SGF collection.
///
/// # Errors
///
/// As [`Collection::parse`].
pub fn parse(sgf: &str) -> Result<ParsedRecord, SgfError> {
    let FullRecord {
        record,
        invalid_move,
        ..
    } = Collection::read(sgf)?.parse(0)?;
    Ok(ParsedRecord {
        record,
        invalid_move,
    })
}

/// Parses all variations of the first game tree, with their comments. A variation ends before a move that cannot be played.
///
/// # Errors
///
/// As [`Collection::parse`].
pub fn parse_variations(sgf: &str) -> Result<Variations, SgfError> {
    Ok(Collection::read(sgf)?.parse(0)?.variations)
}

/// Returns whether a tree is a game of Dots. A tree that names no game is one.
fn is_dots(tree: &GameTree) -> bool {
    let game = tree.nodes.first().and_then(|root| root.first("GM"));
    game.is_none_or(|game| game.trim() == "40")
}

fn summary(tree: &GameTree) -> GameSummary {
    let none = Node::default();
    let root = tree.nodes.first().unwrap_or(&none);
    let is_move = |property: &&Property| matches!(&*property.name, "B" | "W");
    let line = tree.nodes[..tree.main_line].iter().flat_map(|node| &node.0);
    let moves = line.filter(is_move).flat_map(|property| &property.values);
    GameSummary {
        players: players(root),
        result: root.first("RE").and_then(GameResult::parse),
        date: line_of(root, "DT"),
        moves: moves.filter(|value| !is_no_move(value)).count(),
        is_dots: is_dots(tree),
    }
}

fn players(root: &Node) -> [RecordPlayer; 2] {
    [("PB", "BR"), ("PW", "WR")].map(|(name, rank)| RecordPlayer {
        name: line_of(root, name),
        rank: line_of(root, rank),
    })
}

/// The value of a property as one line, empty if there is none.
fn line_of(root: &Node, name: &str) -> String {
    root.first(name).map(simple_text).unwrap_or_default()
}

/// The record so far, and its position.
struct Parser {
    record: Record,
    position: Dots,
    /// The number of dots placed so far, including those taken back.
    placed: usize,
    /// The lines around captures in the text, compared with those of the rules.
    outlines: Outlines,
}

impl Parser {
    /// The record before its first move.
    fn new(root: &Node, width: u8, height: u8) -> Result<Self, SgfError> {
        let opening = opening(root, width, height);
        let setup = Setup::new(width, height, opening).map_err(|_| SgfError::InvalidSize)?;
        Ok(Self {
            record: Record {
                setup,
                start: Vec::new(),
                plies: Vec::new(),
                players: players(root),
                result: root.first("RE").and_then(GameResult::parse),
                date: line_of(root, "DT"),
                comment: root.first("C").map(text).unwrap_or_default(),
            },
            position: Dots::new(&setup),
            placed: 0,
            outlines: Outlines::default(),
        })
    }

    /// Plays all lines of the tree, the main line first, which comes first in the text.
    fn parse(mut self, tree: &GameTree) -> FullRecord {
        let mut variations = Variations::default();
        // For each node of the text the last move up to it, or `Err` where the line ended before.
        let mut ends: Vec<Result<Option<usize>, ()>> = Vec::with_capacity(tree.nodes.len());
        // The moves that lead to the position of the parser.
        let mut path: Vec<usize> = Vec::new();
        let mut main_line = None;
        let (mut invalid_move, mut is_shortened) = (None, false);
        for (place, node) in tree.nodes.iter().enumerate() {
            if place == tree.main_line {
                main_line = Some((self.record.plies.clone(), self.outlines.clone()));
            }
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
            if place >= tree.main_line && self.placed > MAX_DOTS {
                is_shortened = true;
                ends.push(Err(()));
                continue;
            }
            while path.last().copied() != parent {
                path.pop();
                self.undo();
            }
            let played = node.0.iter().try_for_each(|property| self.take(property));
            let known = path.len();
            for dot in &self.record.plies[known..] {
                path.push(variations.add(path.last().copied(), *dot));
            }
            if let (Some(comment), Some(&last)) = (node.first("C"), path.last())
                && path.len() > known
            {
                variations.moves[last].comment = text(comment);
            }
            if place < tree.main_line {
                invalid_move = played.err();
            }
            ends.push(played.map(|()| path.last().copied()).map_err(|_| ()));
        }
        let (plies, outlines) = main_line.unwrap_or_else(|| {
            let plies = std::mem::take(&mut self.record.plies);
            (plies, std::mem::take(&mut self.outlines))
        });
        let rules = tree.nodes.first().and_then(|root| root.first("RU"));
        FullRecord {
            record: Record {
                plies,
                ..self.record
            },
            invalid_move,
            variations,
            damage: None,
            other_rules: OtherRules::find(rules, &outlines),
            is_shortened,
        }
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
            if !is_no_move(value) {
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
            match self.position.play_as(seat, point) {
                Ok(change) if !before_first_move => {
                    let own = self.position.captures_of(&change);
                    let captures = own.filter(|enclosure| enclosure.seat() == seat).count();
                    let drawn = value.contains('.');
                    self.outlines.note(placed.len() + 1, captures > 0, drawn);
                }
                Ok(_) => {}
                Err(why) => return Err(invalid_move(placed, why.into())),
            }
            self.placed += 1;
            placed.push(PlacedDot { seat, point });
        }
        Ok(())
    }
}

/// Returns whether a value of a move places no dot: an empty value is a pass, or the grounding with which some sites end a game,
/// and some programs write in words how the game ended.
#[must_use]
pub fn is_no_move(value: &str) -> bool {
    let words = [
        "", "pass", "resign", "resigns", "ground", "stop", "draw", "time", "timeout",
    ];
    words
        .iter()
        .any(|word| value.trim().eq_ignore_ascii_case(word))
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
    let Some(size) = root.first("SZ") else {
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
                how: WinReason::Points(16.into())
            })
        );
        assert_eq!((&*date, &*comment), ("2007-06-06 20:37", "a\nb"));
    }

    #[test]
    fn outlines_of_captures_are_those_of_the_rules() {
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
        let collection = Collection::read("(;GM[40])").unwrap();
        assert_eq!(collection.parse(1), Err(SgfError::NotSgf));
    }

    #[test]
    fn a_damaged_text_is_read_as_far_as_it_can_be() {
        let check = |sgf, moves, line, column, is_end| {
            check(sgf, "", moves, None);
            let full = Collection::read(sgf).unwrap().parse(0).unwrap();
            let place = DamagedPlace {
                line,
                column,
                is_end,
            };
            assert_eq!(full.damage, Some(place), "{sgf}");
        };
        let moves = "1:2,2 2:3,3";
        check("(;GM[40]SZ[9]\n;B[cc];W[dd]\n;B[e", moves, 3, 3, true);
        check("(;GM[40]SZ[9];B[cc];W[dd]", moves, 1, 26, true);
        check("(;GM[40]SZ[9];B[cc];W[dd]C[so\\", moves, 1, 27, true);
        check("(;GM[40]SZ[9]PB[Ё];B[cc]7\n8;W[dd])", moves, 1, 25, false);
        check("(;GM[40]SZ[9];B[cc]...;W[dd]...;B", moves, 1, 34, true);
    }

    #[test]
    fn properties_without_values_are_no_damage() {
        let full = Collection::read("(;GM[40]SZ[9]LB;B[cc]LB;W[dd])").unwrap();
        let full = full.parse(0).unwrap();
        assert_eq!((full.damage, full.record.plies.len()), (None, 2));
    }

    #[test]
    fn words_in_place_of_a_move_are_none() {
        for word in ["resign", "Resign", " pass ", "ground", "stop", "time", ""] {
            let sgf = format!("(;GM[40]SZ[5]RE[B+R];B[aa];W[bb];B[cc];W[{word}])");
            check(&sgf, "", "1:0,0 2:1,1 1:2,2", None);
        }
        let why = MoveError::Malformed;
        for word in ["resigned?", "a1", "tt."] {
            let sgf = format!("(;GM[40]SZ[5];B[{word}])");
            let stop = InvalidMove { number: 1, why };
            check(
                &sgf,
                "",
                "",
                Some(stop)
                    .filter(|_| word != "tt.")
                    .or(Some(illegal(1, Illegal::OffBoard))),
            );
        }
    }

    #[test]
    fn a_collection_lists_its_games() {
        let sgf = "(;GM[40]SZ[9]PB[Ann]BR[1600]DT[2026-11-21]RE[B+R];B[aa](;W[bb];B[resign])(;W[cc]))\n\
                   (;GM[1]SZ[19]PW[Go];B[dd])\n(;SZ[5];B[bb];W[cc]";
        let collection = Collection::read(sgf).unwrap();
        let told: Vec<_> = collection
            .summaries()
            .map(|game| {
                let [red, blue] = game.players.map(|player| player.name + &player.rank);
                (
                    red + "-" + &blue,
                    game.date,
                    game.moves,
                    game.is_dots,
                    game.result.is_some(),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("Ann1600-".into(), "2026-11-21".into(), 2, true, true),
                ("-Go".into(), String::new(), 1, false, false),
                ("-".into(), String::new(), 2, true, false),
            ]
        );
        assert_eq!((collection.count(), collection.first_of_dots()), (3, 0));
        assert_eq!(collection.parse(0).unwrap().variations.moves.len(), 3);
        assert_eq!(collection.parse(1), Err(SgfError::OtherGame));
        let last = collection.parse(2).unwrap();
        assert_eq!(last.record.plies.len(), 2);
        // The line and the column are those of the whole text.
        let end = DamagedPlace {
            line: 3,
            column: 20,
            is_end: true,
        };
        assert_eq!(last.damage, Some(end));
        let of_go_first = Collection::read("(;GM[1])(;GM[40])").unwrap();
        assert_eq!(of_go_first.first_of_dots(), 1);
    }

    #[test]
    fn a_few_bytes_do_not_fill_boards_without_end() {
        // Each variation asks for a full board.
        let sgf = format!("(;GM[40]SZ[50];B[aa]{})", "(;AB[ba:XX])".repeat(20_000));
        let full = Collection::read(&sgf).unwrap().parse(0).unwrap();
        assert!(full.is_shortened);
        // The first one is the main line.
        assert_eq!(full.record.plies.len(), 1 + 49 * 50);
        let whole = Collection::read("(;GM[40]SZ[50];B[aa](;AB[ba:XX])(;W[bb]))").unwrap();
        assert!(!whole.parse(0).unwrap().is_shortened);
    }

    /// Checks that depth is no recursion: neither reading, nor writing, nor dropping overflows a stack.
    #[test]
    fn a_million_variations_in_each_other_are_read() {
        for piece in ["(;B[aa](;W[bb])", "(;C[x]", "(;AB[aa]"] {
            let sgf = format!("(;GM[40]SZ[9]{}", piece.repeat(1_000_000));
            let full = Collection::read(&sgf).unwrap().parse(0);
            let Ok(full) = full else {
                assert_eq!(piece, "(;C[x]");
                continue;
            };
            let text = full.record.with_variations(&full.variations);
            assert_eq!(parse_variations(&text), Ok(full.variations));
        }
    }
}
