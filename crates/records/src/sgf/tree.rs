//! Gomoku, Reversi and Dots and Boxes in SGF: a tree of moves is played through, without recursion.

use super::points;
use super::root::{describe, line_of, warn_of_damage};
use super::source::Source;
use crate::builder::Builder;
use crate::error::ErrorKind;
use crate::{GameRecord, Placed, RecordError, StopReason, Warning, reversi_text};
use tochki_rules::record::letters;
use tochki_rules::record::tree::{GameTree, Node, Property, text};
use tochki_rules::{Move, MoveError, Point, Seat, Setup, boxes, gomoku, reversi};

/// The value of a move: `None` is a pass.
type Parsed = Result<Option<Move>, MoveError>;

/// Reads a tree of Gomoku or Renju.
pub(super) fn read_gomoku(
    tree: &GameTree,
    source: &Source,
    default: gomoku::Setup,
) -> Result<GameRecord, RecordError> {
    let root = root(tree);
    let size = match size(root, source)? {
        None => default.size(),
        Some((width, height)) if width == height => width,
        Some(_) => return Err(invalid_size(root, source)),
    };
    let rule = rule_named(&line_of(root, "RU")).unwrap_or(default.rule());
    let setup = gomoku::Setup::new(size, rule).map_err(|_| invalid_size(root, source))?;
    // Gomoku Quest writes the moves of an opening protocol as properties of its own; without them another game would be read.
    for name in ["QPR", "QSLW"] {
        if let Some(value) = tree.nodes.iter().find_map(|node| node.first(name)) {
            let fault = ErrorKind::Unsupported(format!("the opening of Gomoku Quest ({name})"));
            return Err(fault.at(source.place_of(value)));
        }
    }
    let parse = move |_: &Builder, value: &str| -> Parsed {
        if points::is_pass(value, setup) {
            return Ok(None);
        }
        let point = points::of_gomoku(value.trim(), setup)?;
        Ok(Some(Move::Gomoku(point)))
    };
    Ok(read(
        tree,
        source,
        Setup::Gomoku(setup),
        Turns::Free,
        &parse,
    ))
}

/// The rule that the name of the rules says; `None` if there is no name.
pub(super) fn rule_named(rules: &str) -> Option<gomoku::Rule> {
    match rules.trim().to_ascii_lowercase().as_str() {
        "" => None,
        "standard" | "gomoku-standard" | "1" => Some(gomoku::Rule::Standard),
        _ => Some(gomoku::Rule::Freestyle),
    }
}

/// Reads a tree of Reversi.
pub(super) fn read_reversi(tree: &GameTree, source: &Source) -> Result<GameRecord, RecordError> {
    let root = root(tree);
    if size(root, source)?.is_some_and(|size| size != (8, 8)) {
        return Err(invalid_size(root, source));
    }
    let unsupported = |value: &str| {
        let what = ErrorKind::Unsupported("a start of its own".to_owned());
        what.at(source.place_of(value))
    };
    let start = reversi::Setup::DEFAULT;
    let begin = tochki_rules::Position::new(&Setup::Reversi(start));
    let mut set_up = 0;
    for (name, seat) in [("AB", Seat::First), ("AW", Seat::Second)] {
        for property in root.0.iter().filter(|property| property.name == name) {
            for value in &property.values {
                let tochki_rules::Position::Reversi(reversi) = &begin else {
                    continue;
                };
                let point = reversi_point(value.trim()).ok();
                if point.and_then(|point| reversi.disc(point)) != Some(seat) {
                    return Err(unsupported(value));
                }
                set_up += 1;
            }
        }
    }
    if let Some(value) = root.first("AB").or_else(|| root.first("AW"))
        && set_up != 4
    {
        return Err(unsupported(value));
    }
    if let Some(value) = root.first("PL")
        && !matches!(value.trim(), "B" | "b" | "black" | "1")
    {
        return Err(unsupported(value));
    }
    let parse = |_: &Builder, value: &str| -> Parsed {
        if value.trim().is_empty() || reversi_text::is_pass(value.trim()) || value.trim() == "tt" {
            return Ok(None);
        }
        reversi_point(value.trim()).map(|point| Some(Move::Reversi(point)))
    };
    Ok(read(
        tree,
        source,
        Setup::Reversi(start),
        Turns::Strict,
        &parse,
    ))
}

/// Reads a tree of Dots and Boxes. Its size is of dots, as its moves are.
pub(super) fn read_boxes(tree: &GameTree, source: &Source) -> Result<GameRecord, RecordError> {
    let root = root(tree);
    let setup = match size(root, source)? {
        None => boxes::Setup::DEFAULT,
        Some((width, height)) => {
            let boxes = (width.checked_sub(1)).zip(height.checked_sub(1));
            boxes
                .and_then(|(cols, rows)| boxes::Setup::new(cols, rows).ok())
                .ok_or_else(|| invalid_size(root, source))?
        }
    };
    let parse = |_: &Builder, value: &str| -> Parsed {
        if tochki_rules::record::is_no_move(value) {
            return Ok(None);
        }
        points::of_boxes(value.trim()).map(|line| Some(Move::Boxes(line)))
    };
    Ok(read(tree, source, Setup::Boxes(setup), Turns::Free, &parse))
}

/// A square: two letters from the upper left, or a letter and a number from the upper left (`f5`).
fn reversi_point(value: &str) -> Result<Point, MoveError> {
    if let Some(point) = letters::read(value) {
        return Ok(point);
    }
    if value.contains(',') {
        return Err(MoveError::Malformed);
    }
    match tochki_rules::Position::new(&Setup::Reversi(reversi::Setup::DEFAULT)).parse_move(value)? {
        Move::Reversi(point) => Ok(point),
        _ => Err(MoveError::Malformed),
    }
}

/// Whether a side may move out of turn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turns {
    Strict,
    Free,
}

/// The most variations of one game that end before a move that cannot be played and are still looked at.
const MAX_SHORTENED: usize = 100_000;

fn read(
    tree: &GameTree,
    source: &Source,
    setup: Setup,
    turns: Turns,
    parse: &dyn Fn(&Builder, &str) -> Parsed,
) -> GameRecord {
    let mut builder = Builder::tree(setup);
    describe(&mut builder.record, root(tree));
    // The comment of the root is that of the game.
    let comment = std::mem::take(&mut builder.record.comment);
    let mut shortened = 0;
    // For each node the last move up to it, or `Err` where its line has ended before.
    let mut ends: Vec<Result<Option<usize>, ()>> = Vec::with_capacity(tree.nodes.len());
    let mut is_ended = false;
    for (place, node) in tree.nodes.iter().enumerate() {
        if place == tree.main_line && !is_ended {
            builder.end_main_line();
            is_ended = true;
        }
        let end = match place {
            0 => Ok(None),
            _ => ends[tree.parents[place]],
        };
        let Ok(before) = end else {
            ends.push(Err(()));
            continue;
        };
        if shortened > MAX_SHORTENED {
            ends.push(Err(()));
            continue;
        }
        builder.go_back_to(before);
        let is_main_line = place < tree.main_line;
        let taken = take_node(&mut builder, node, is_main_line, turns, parse);
        if let Some(comment) = node.first("C")
            && place > 0
            && builder.last() != before
        {
            builder.comment(&text(comment));
        }
        match taken {
            Ok(()) => ends.push(Ok(builder.last())),
            Err(Fault {
                why,
                value,
                sets_up,
            }) => {
                // The place is looked for in all of the text before it, so only for the one that is told.
                if is_main_line && sets_up && builder.is_at_start() {
                    builder.stop_before_moves(why, source.place_of(value));
                } else if is_main_line {
                    builder.stop(why, source.place_of(value));
                } else {
                    shortened += 1;
                }
                ends.push(Err(()));
            }
        }
    }
    if !is_ended {
        builder.end_main_line();
    }
    let mut record = builder.finish();
    record.comment = comment;
    if shortened > 0 {
        record
            .warnings
            .push(Warning::ShortenedVariations(shortened));
    }
    warn_of_damage(&mut record, tree, source);
    record
}

/// A value that cannot be played.
struct Fault<'a> {
    why: StopReason,
    value: &'a str,
    /// Whether it is no move, but sets something up.
    sets_up: bool,
}

/// Plays the moves of a node.
fn take_node<'a>(
    builder: &mut Builder,
    node: &Node<'a>,
    is_main_line: bool,
    turns: Turns,
    parse: &dyn Fn(&Builder, &str) -> Parsed,
) -> Result<(), Fault<'a>> {
    let is_start = builder.is_at_start();
    for property in &node.0 {
        let (seat, sets_up) = match &*property.name {
            "B" => (Seat::First, false),
            "W" => (Seat::Second, false),
            "AB" => (Seat::First, true),
            "AW" => (Seat::Second, true),
            "AE" => {
                let value = property.values.first().copied().unwrap_or_default();
                return Err(Fault {
                    why: StopReason::SetUp,
                    value,
                    sets_up: true,
                });
            }
            _ => continue,
        };
        if sets_up {
            place_all(builder, seat, property, is_start && is_main_line, parse)?;
            continue;
        }
        for &value in &property.values {
            play(builder, seat, value, turns, parse).map_err(|why| Fault {
                why,
                value,
                sets_up: false,
            })?;
        }
    }
    Ok(())
}

fn play(
    builder: &mut Builder,
    seat: Seat,
    value: &str,
    turns: Turns,
    parse: &dyn Fn(&Builder, &str) -> Parsed,
) -> Result<(), StopReason> {
    match parse(builder, value)? {
        None if turns == Turns::Strict => builder.pass(Some(seat)),
        None => Ok(()),
        Some(_) if turns == Turns::Strict && builder.position().to_move() == Some(seat.other()) => {
            Err(StopReason::OutOfTurn)
        }
        Some(mv) => builder.play_as(Placed { seat, mv }, None),
    }
}

/// Puts the stones of a property onto the board; a value may be a rectangle of points, given by two corners.
fn place_all<'a>(
    builder: &mut Builder,
    seat: Seat,
    property: &Property<'a>,
    may_place: bool,
    parse: &dyn Fn(&Builder, &str) -> Parsed,
) -> Result<(), Fault<'a>> {
    for &value in &property.values {
        let fault = |why| Fault {
            why,
            value,
            sets_up: true,
        };
        if !may_place || !builder.is_at_start() {
            return Err(fault(StopReason::SetUp));
        }
        // The start of Reversi is of its setup: only its discs may be named.
        if let tochki_rules::Position::Reversi(reversi) = builder.position() {
            let point = reversi_point(value.trim()).map_err(|why| fault(why.into()))?;
            if reversi.disc(point) != Some(seat) {
                return Err(fault(StopReason::SetUp));
            }
            continue;
        }
        let corners = value.split_once(':').unwrap_or((value, value));
        let corner = |text: &str| match parse(builder, text) {
            Ok(Some(mv)) => Ok(mv),
            Ok(None) => Err(fault(StopReason::Move(MoveError::Malformed))),
            Err(why) => Err(fault(why.into())),
        };
        let moves = rectangle(corner(corners.0)?, corner(corners.1)?);
        if moves.is_empty() {
            return Err(fault(StopReason::Move(MoveError::Malformed)));
        }
        for mv in moves {
            builder.place(Placed { seat, mv }).map_err(fault)?;
        }
    }
    Ok(())
}

/// All points of a rectangle from its upper left to its lower right point, row by row; none if it has other corners. Lines have no
/// rectangles, and then only the first is there.
fn rectangle(from: Move, to: Move) -> Vec<Move> {
    let (Move::Gomoku(from), Move::Gomoku(to)) = (from, to) else {
        return vec![from];
    };
    let row = |y| (from.x..=to.x).map(move |x| Move::Gomoku(Point::new(x, y)));
    (from.y..=to.y).flat_map(row).collect()
}

fn root<'t, 'a>(tree: &'t GameTree<'a>) -> &'t Node<'a> {
    // A tree that is cut out of a text has a root.
    &tree.nodes[0]
}

/// The size: `15`, or `15:15`.
fn size(root: &Node, source: &Source) -> Result<Option<(u8, u8)>, RecordError> {
    let Some(value) = root.first("SZ") else {
        return Ok(None);
    };
    let (width, height) = value.split_once(':').unwrap_or((value, value));
    let number = |text: &str| text.trim().parse::<u8>().ok();
    let size = number(width).zip(number(height));
    size.map(Some).ok_or_else(|| invalid_size(root, source))
}

fn invalid_size(root: &Node, source: &Source) -> RecordError {
    let place = root
        .first("SZ")
        .map_or(source.place, |value| source.place_of(value));
    ErrorKind::InvalidSize.at(place)
}
