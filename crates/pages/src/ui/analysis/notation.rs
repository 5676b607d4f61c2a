//! A tree of moves as an address has it: `5,5_6,6(7,7_8,8)_9,9`.
//!
//! Moves are separated by `_`. In parentheses after a move is a variation that begins with another move in its place. A
//! move of the side whose turn it is not has the number of its seat before it: `2.5,5`.
//!
//! Moves of Reversi are read as people write them, too: `F5D6C3D3C4F4`.
//!
//! Comments stand by themselves: `0.An old game_3.Too far`, each after the place of its position.
//!
//! Moves and comments that cannot be read are reported ([`Unread`]). Nothing is recursive: an address may be as deep as it is
//! long.

use crate::ui::analysis::{MoveTree, NodeId};
use std::fmt::Write;
use tochki_play::Ply;
use tochki_rules::{MoveError, Position, Seat, Setup};

/// A tree as text.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// The moves.
    pub(crate) moves: String,
    /// The comments.
    pub(crate) notes: String,
    /// The place of the requested position: the number of moves written up to it, 0 for the start.
    pub(crate) place: usize,
}

/// Writes the tree as text, and the place of a node in it.
pub(crate) fn write(tree: &MoveTree, current: NodeId) -> Written {
    let mut writer = Writer {
        tree,
        current,
        text: Written::default(),
        written: 0,
    };
    writer.note(NodeId::START);
    writer.write(tree.start());
    writer.text
}

/// Writes the main line alone as text, without comments. The place is that of the last node on it that leads to the requested
/// one.
pub(crate) fn write_main_line(tree: &MoveTree, current: NodeId) -> Written {
    let mut written = Written::default();
    let mut position = tree.start();
    let path = tree.path(current);
    for (place, node) in tree.main_line().into_iter().enumerate() {
        let Some(ply) = tree.ply(node) else { break };
        write_ply(&mut written.moves, ply, &position);
        // Only legal moves are in the tree.
        let _ = position.play_as(ply.seat, ply.mv);
        if path.get(place) == Some(&node) {
            written.place = place + 1;
        }
    }
    written
}

/// Writes the moves that are placed before the first move.
pub(crate) fn write_placed(tree: &MoveTree) -> String {
    let placed = tree.placed().iter();
    let placed = placed.map(|ply| format!("{}.{}", ply.seat.number(), ply.mv));
    placed.collect::<Vec<_>>().join("_")
}

struct Writer<'a> {
    tree: &'a MoveTree,
    current: NodeId,
    text: Written,
    written: usize,
}

/// The parts still to be written, the next one last. A list and no recursion: variations are as deep as somebody likes.
enum Pending {
    /// The moves after the position.
    Next(NodeId),
    /// The moves after this one, which is written already.
    Played(NodeId),
    /// A variation in parentheses.
    Variation(NodeId),
    /// The end of a variation, before which so many moves were played.
    Close(usize),
}

impl Writer<'_> {
    /// Writes all moves, from the starting position.
    fn write(&mut self, mut position: Position) {
        let mut played = 0;
        let mut pending = vec![Pending::Next(NodeId::START)];
        while let Some(next) = pending.pop() {
            match next {
                Pending::Next(node) => {
                    if let [first, others @ ..] = self.tree.children(node) {
                        self.write_move(*first, &position);
                        pending.push(Pending::Played(*first));
                        pending.extend(others.iter().rev().copied().map(Pending::Variation));
                    }
                }
                Pending::Played(node) => {
                    self.play(&mut position, node);
                    played += 1;
                    pending.push(Pending::Next(node));
                }
                Pending::Variation(node) => {
                    self.text.moves.push('(');
                    self.write_move(node, &position);
                    pending.extend([Pending::Close(played), Pending::Played(node)]);
                }
                Pending::Close(before) => {
                    for _ in before..std::mem::replace(&mut played, before) {
                        position.undo();
                    }
                    self.text.moves.push(')');
                }
            }
        }
    }

    fn play(&self, position: &mut Position, node: NodeId) {
        if let Some(ply) = self.tree.ply(node) {
            // Only legal moves are in the tree.
            let _ = position.play_as(ply.seat, ply.mv);
        }
    }

    fn write_move(&mut self, node: NodeId, position: &Position) {
        let Some(ply) = self.tree.ply(node) else {
            return;
        };
        write_ply(&mut self.text.moves, ply, position);
        self.written += 1;
        if node == self.current {
            self.text.place = self.written;
        }
        self.note(node);
    }

    /// Writes the comment on the position that was written last.
    fn note(&mut self, node: NodeId) {
        let comment = self.tree.comment(node).trim();
        if comment.is_empty() {
            return;
        }
        let text = &mut self.text.notes;
        if !text.is_empty() {
            text.push('_');
        }
        let comment = comment.replace('~', "~~").replace('_', "~-");
        // Writing into a string cannot fail.
        let _ = write!(text, "{}.{comment}", self.written);
    }
}

/// Writes a move after the others.
fn write_ply(text: &mut String, ply: Ply, position: &Position) {
    if !text.is_empty() && !text.ends_with('(') {
        text.push('_');
    }
    if position.to_move() != Some(ply.seat) {
        // Writing into a string cannot fail.
        let _ = write!(text, "{}.", ply.seat.number());
    }
    let _ = write!(text, "{}", ply.mv);
}

/// A tree that was read.
#[derive(Debug)]
pub(crate) struct Read {
    /// The tree.
    pub(crate) tree: MoveTree,
    /// The nodes in the order of the text, the start first.
    pub(crate) order: Vec<NodeId>,
    /// The first move that was left out, with all moves after it.
    pub(crate) unread: Option<Unread>,
}

/// A move that could not be read or played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unread {
    /// The number of the move, from 1; 0 for the moves placed before the first.
    pub(crate) number: usize,
    /// The text as it was written.
    pub(crate) text: String,
}

/// Reads a tree. A move that cannot be played ends its line there: without it the rest would be another game.
pub(crate) fn read(setup: Setup, placed: &str, text: &str) -> Read {
    let mut position = Position::new(&setup);
    let mut stones = Vec::new();
    let mut unread = None;
    let mut leave_out = |number, text: &str| {
        unread.get_or_insert(Unread {
            number,
            text: text.to_owned(),
        });
    };
    for token in placed.split('_').filter(|token| !token.is_empty()) {
        let Ok(ply) = play(&mut position, token) else {
            leave_out(0, token);
            break;
        };
        stones.push(ply);
    }
    let mut tree = MoveTree::new(setup, stones);
    let mut order = vec![NodeId::START];
    let mut at = NodeId::START;
    // The number of the next move.
    let mut number = 1;
    // For each open parenthesis the move to which it is an alternative, and the number of the one after it.
    let mut forks: Vec<(NodeId, usize)> = Vec::new();
    // How many parentheses were open when a move could not be played.
    let mut broken: Option<usize> = None;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        match first {
            '(' => {
                forks.push((at, number));
                if broken.is_none() && at != NodeId::START {
                    position.undo();
                    at = tree.parent(at);
                    number -= 1;
                }
            }
            ')' => {
                let Some((fork, after)) = forks.pop() else {
                    leave_out(number, rest);
                    break;
                };
                if broken.is_none_or(|depth| depth > forks.len()) {
                    broken = None;
                    let before = tree.parent(fork);
                    while at != before {
                        position.undo();
                        at = tree.parent(at);
                    }
                    if let Some(ply) = tree.ply(fork) {
                        let _ = position.play_as(ply.seat, ply.mv);
                    }
                    (at, number) = (fork, after);
                }
            }
            '_' => {}
            _ => {
                let end = rest.find(['(', ')', '_']).unwrap_or(rest.len());
                let (token, behind) = rest.split_at(end);
                if broken.is_none() {
                    for token in moves_of(&position, token) {
                        let Ok(ply) = play(&mut position, token) else {
                            leave_out(number, token);
                            broken = Some(forks.len());
                            break;
                        };
                        at = tree.add(at, ply);
                        order.push(at);
                        number += 1;
                    }
                }
                rest = behind;
                continue;
            }
        }
        rest = &rest[1..];
    }
    Read {
        tree,
        order,
        unread,
    }
}

/// Returns the moves that stand between two separators: one, or squares one after another as people write them.
fn moves_of<'a>(position: &Position, token: &'a str) -> Vec<&'a str> {
    if position.parse_move(token).is_err()
        && let Some(squares) = squares(token)
    {
        return squares;
    }
    vec![token]
}

/// Reads letters with numbers, and nothing else but passes and separators: `F5D6C3`, `f5 d6, c3 -- pa`.
fn squares(text: &str) -> Option<Vec<&str>> {
    let is_between = |c: char| c.is_ascii_whitespace() || matches!(c, '+' | ',' | ';' | '-');
    let mut squares = Vec::new();
    let mut rest = text.trim_start_matches(is_between);
    while !rest.is_empty() {
        // A pass is no move here: whoever has none is passed over.
        if let Some(("pa" | "PA", behind)) = rest.split_at_checked(2) {
            rest = behind.trim_start_matches(is_between);
            continue;
        }
        let digits = rest.strip_prefix(|c: char| c.is_ascii_alphabetic())?;
        let behind = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        if behind.len() == digits.len() {
            return None;
        }
        squares.push(&rest[..rest.len() - behind.len()]);
        rest = behind.trim_start_matches(is_between);
    }
    (!squares.is_empty()).then_some(squares)
}

/// Reads comments on the positions of a tree, which are given in the order of its text. Returns the first that is not a comment
/// on one of them, and is left out.
pub(crate) fn read_notes<'a>(
    tree: &mut MoveTree,
    order: &[NodeId],
    notes: &'a str,
) -> Option<&'a str> {
    let mut unread = None;
    for note in notes.split('_').filter(|note| !note.is_empty()) {
        let read = note.split_once('.').and_then(|(place, comment)| {
            let node = order.get(place.parse::<usize>().ok()?)?;
            Some((*node, unescape(comment)))
        });
        match read {
            Some((node, comment)) => tree.set_comment(node, comment),
            None => {
                unread.get_or_insert(note);
            }
        }
    }
    unread
}

fn unescape(comment: &str) -> String {
    let mut text = String::with_capacity(comment.len());
    let mut escaped = false;
    for c in comment.chars() {
        match (escaped, c) {
            (false, '~') => {
                escaped = true;
                continue;
            }
            (true, '-') => text.push('_'),
            _ => text.push(c),
        }
        escaped = false;
    }
    text
}

fn play(position: &mut Position, token: &str) -> Result<Ply, MoveError> {
    let (seat, token) = match token.split_at_checked(2) {
        Some(("1.", mv)) => (Seat::First, mv),
        Some(("2.", mv)) => (Seat::Second, mv),
        _ => (position.to_move().ok_or(MoveError::Malformed)?, token),
    };
    let mv = position.parse_move(token)?;
    position.play_as(seat, mv)?;
    Ok(Ply { seat, mv })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::GameKind;

    #[track_caller]
    fn check(game: GameKind, placed: &str, text: &str) {
        let Read {
            tree,
            order,
            unread,
        } = read(game.default_setup(), placed, text);
        assert_eq!(unread, None);
        for (place, node) in order.iter().enumerate() {
            let written = write(&tree, *node);
            assert_eq!((&*written.moves, written.place), (text, place));
        }
        assert_eq!(write_placed(&tree), placed);
    }

    #[test]
    fn a_tree_reads_back() {
        check(GameKind::Gomoku, "", "");
        check(GameKind::Gomoku, "", "5,5_6,6_7,7");
        check(GameKind::Gomoku, "", "5,5(6,6_7,7)_8,8");
        check(GameKind::Gomoku, "", "5,5_6,6(7,7_8,8(9,9)_1,1)(2,2)_3,3");
        check(GameKind::Dots, "1.5,5_1.6,6", "1,1_3,3_1.4,4");
        check(GameKind::Boxes, "", "h:0,0_v:0,0(h:1,1)_v:1,0_h:0,1_v:2,2");
        check(GameKind::Reversi, "", "3,2(2,3)_2,2");
    }

    #[test]
    fn comments_read_back() {
        let setup = GameKind::Gomoku.default_setup();
        let Read {
            mut tree, order, ..
        } = read(setup, "", "5,5_6,6(7,7_8,8)_9,9");
        let comments = ["An_old ~ game", "", "3.5 ~- _", "", "&?=#%\nдва", ""];
        for (node, comment) in order.iter().zip(comments) {
            tree.set_comment(*node, comment.into());
        }
        let written = write(&tree, NodeId::START);
        let Read {
            tree: mut again,
            order,
            ..
        } = read(setup, "", &written.moves);
        assert_eq!(read_notes(&mut again, &order, &written.notes), None);
        assert_eq!(again, tree);
        // A hostile address is no panic.
        let unread = read_notes(&mut again, &order, "99.x_-1.y_~_._0.~_1");
        assert_eq!(unread, Some("99.x"));
        assert_eq!(again.comment(NodeId::START), "");
    }

    #[track_caller]
    fn check_unread(game: GameKind, text: &str, moves: &str, unread: Option<(usize, &str)>) {
        let read = read(game.default_setup(), "", text);
        assert_eq!(write(&read.tree, NodeId::START).moves, moves, "{text}");
        let unread = unread.map(|(number, text)| Unread {
            number,
            text: text.to_owned(),
        });
        assert_eq!(read.unread, unread, "{text}");
    }

    #[test]
    fn a_line_ends_before_a_move_that_cannot_be_played_and_that_is_told() {
        let check = |text, moves, unread| check_unread(GameKind::Gomoku, text, moves, Some(unread));
        check("5,5_5,5_6,6", "5,5", (2, "5,5"));
        check("5,5_6,6(7,7_x_8,8)_9,9", "5,5_6,6(7,7)_9,9", (3, "x"));
        check(
            "5,5_6,6(7,7(x_8,8)_1,1)_9,9",
            "5,5_6,6(7,7_1,1)_9,9",
            (2, "x"),
        );
        check("5,5_x(6,6)_7,7", "5,5", (2, "x"));
        check("5,5)_6,6", "5,5", (2, ")_6,6"));
        check("5,5(ё", "5,5", (1, "ё"));
        check_unread(GameKind::Gomoku, "(5,5)", "5,5", None);
        // As players write, from the lower left.
        check_unread(GameKind::Gomoku, "e5f6", "4,14_5,13", None);
        let placed = read(GameKind::Dots.default_setup(), "1.5,5_x_2.6,6", "1,1");
        assert_eq!(placed.unread.map(|unread| unread.number), Some(0));
    }

    #[test]
    fn squares_are_read_as_people_write_them() {
        let moves = "5,4_3,5_2,2_3,2_2,3_5,3";
        for text in [
            "F5D6C3D3C4F4",
            "f5d6c3d3c4f4",
            "f5_d6_c3_d3_c4_f4",
            "f5 d6 c3 d3 c4 f4",
            "F5+D6+C3D3,C4, F4",
            "f5-d6-c3-d3-c4-f4-",
            "f5d6c3d3pac4PA--f4",
        ] {
            let read = read(GameKind::Reversi.default_setup(), "", text);
            let again = write(&read.tree, NodeId::START).moves;
            let same = super::read(GameKind::Reversi.default_setup(), "", moves);
            assert_eq!(again, write(&same.tree, NodeId::START).moves, "{text}");
            assert_eq!((read.order.len(), read.unread), (7, None), "{text}");
        }
        let check = |text, len, unread: (usize, &str)| {
            let read = read(GameKind::Reversi.default_setup(), "", text);
            let found = read.unread.expect("something is unread");
            assert_eq!(
                (read.order.len() - 1, found.number, &*found.text),
                (len, unread.0, unread.1),
                "{text}"
            );
        };
        check("F5D6A1C3", 2, (3, "A1"));
        check("F5D6C3D", 0, (1, "F5D6C3D"));
        check("F5D6C33", 2, (3, "C33"));
        check("1. F5 2. D6", 0, (1, "1. F5 2. D6"));
    }

    #[test]
    fn the_main_line_can_be_written_alone() {
        let setup = GameKind::Gomoku.default_setup();
        let Read { tree, order, .. } = read(setup, "", "5,5_6,6(7,7_8,8)_9,9_2.1,1");
        let written = |place: usize| {
            let Written { moves, place, .. } = write_main_line(&tree, order[place]);
            (moves, place)
        };
        let moves = "5,5_6,6_9,9_1,1";
        assert_eq!(written(6), (moves.to_owned(), 4));
        assert_eq!(written(2), (moves.to_owned(), 2));
        // Where the variation begins.
        assert_eq!(written(4), (moves.to_owned(), 1));
        assert_eq!(written(0), (moves.to_owned(), 0));
    }

    /// A million parentheses in an address overflow no stack.
    #[test]
    fn a_million_variations_in_each_other_are_read() {
        let setup = GameKind::Gomoku.default_setup();
        for piece in ["(", "(6,6", "5,5(", "()", ")", "x(", "F5"] {
            let text = format!("5,5{}", piece.repeat(1_000_000));
            let read = read(setup, &text, &text);
            assert!(
                write(&read.tree, NodeId::START).moves.len() < 10_000,
                "{piece}"
            );
        }
        let notes = "0.~_".repeat(1_000_000);
        let Read {
            mut tree, order, ..
        } = read(setup, "", "5,5");
        assert_eq!(read_notes(&mut tree, &order, &notes), None);
    }

    /// A tree may be deeper than a board has moves.
    #[test]
    fn a_deep_tree_is_written() {
        let setup = GameKind::Gomoku.default_setup();
        let mut tree = MoveTree::new(setup, Vec::new());
        let plies = ["1,1", "2,2"].map(|text| Ply {
            seat: Seat::First,
            mv: tree.start().parse_move(text).unwrap(),
        });
        let mut at = NodeId::START;
        for _ in 0..100_000 {
            tree.add(at, plies[0]);
            at = tree.add(at, plies[1]);
        }
        let written = write(&tree, at).moves;
        assert_eq!(written.matches('(').count(), 100_000);
        assert_eq!(written.matches(')').count(), 100_000);
    }
}
