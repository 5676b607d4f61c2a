//! A tree of moves as an address has it: `5,5_6,6(7,7_8,8)_9,9`.
//!
//! Moves are separated by `_`. In parentheses after a move is a variation that begins with another move in its place. A
//! move of the side whose turn it is not has the number of its seat before it: `2.5,5`.
//!
//! Comments stand by themselves: `0.An old game_3.Too far`, each after the place of its position.

use crate::ui::analysis::{MoveTree, NodeId};
use leptos_router::location::Url;
use std::fmt::Write;
use tochki_play::Ply;
use tochki_protocol::limits;
use tochki_rules::{MoveError, Position, Seat, Setup};

/// A tree as text.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// The moves.
    pub(crate) moves: String,
    /// The comments.
    pub(crate) notes: String,
    /// The place of the position that was asked for: the number of moves written up to it, 0 for the start.
    pub(crate) place: usize,
}

/// The tree as text, and the place of a node in it.
pub(crate) fn write(tree: &MoveTree, current: NodeId) -> Written {
    let mut writer = Writer {
        tree,
        current,
        text: Written::default(),
        written: 0,
    };
    writer.note(NodeId::START);
    writer.follow(NodeId::START, &mut tree.start());
    writer.text
}

/// The address of a tree, from the address of the page up to the moves: `/analysis?game=dots&board=20x20&start=empty`. `turn`
/// is whose move the next one is, if it is not as by the rules. An address that would be too long for a browser has no comments.
pub(crate) fn address(page: &str, tree: &MoveTree, current: NodeId, turn: Option<Seat>) -> String {
    let written = write(tree, current);
    let last = tree.main_line().last().copied();
    let mut address = page.to_owned();
    let mut add = |name: &str, value: &str| {
        if !value.is_empty() && address.len() + value.len() <= limits::ANALYSIS_ADDRESS_MAX_BYTES {
            address.push(if address.contains('?') { '&' } else { '?' });
            address.push_str(name);
            address.push('=');
            address.push_str(value);
        }
    };
    add("placed", &write_placed(tree));
    add("moves", &written.moves);
    if !written.moves.is_empty() && last != Some(current) {
        add("at", &written.place.to_string());
    }
    if let Some(seat) = turn {
        add("turn", &seat.number().to_string());
    }
    add("notes", &Url::escape(&written.notes));
    address
}

/// What is placed before the first move, as text.
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

impl Writer<'_> {
    /// Writes what follows a node, whose position is given and is the same afterwards.
    fn follow(&mut self, from: NodeId, position: &mut Position) {
        let mut at = from;
        let mut played = 0;
        while let [first, others @ ..] = self.tree.children(at) {
            self.write_move(*first, position);
            for &other in others {
                self.text.moves.push('(');
                self.write_move(other, position);
                if let Some(ply) = self.tree.ply(other) {
                    // Only legal moves are in the tree.
                    let _ = position.play_as(ply.seat, ply.mv);
                    self.follow(other, position);
                    position.undo();
                }
                self.text.moves.push(')');
            }
            if let Some(ply) = self.tree.ply(*first) {
                let _ = position.play_as(ply.seat, ply.mv);
                played += 1;
            }
            at = *first;
        }
        for _ in 0..played {
            position.undo();
        }
    }

    fn write_move(&mut self, node: NodeId, position: &Position) {
        let Some(ply) = self.tree.ply(node) else {
            return;
        };
        let text = &mut self.text.moves;
        if !text.is_empty() && !text.ends_with('(') {
            text.push('_');
        }
        if position.to_move() != Some(ply.seat) {
            // Writing into a string cannot fail.
            let _ = write!(text, "{}.", ply.seat.number());
        }
        let _ = write!(text, "{}", ply.mv);
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

/// Reads a tree. A move that cannot be played ends its line there: without it the rest would be another game. With the
/// tree come its nodes in the order of the text, the start first.
pub(crate) fn read(setup: Setup, placed: &str, text: &str) -> (MoveTree, Vec<NodeId>) {
    let mut position = Position::new(&setup);
    let mut stones = Vec::new();
    for token in placed.split('_').filter(|token| !token.is_empty()) {
        let Ok(ply) = play(&mut position, token) else {
            break;
        };
        stones.push(ply);
    }
    let mut tree = MoveTree::new(setup, stones);
    let mut order = vec![NodeId::START];
    let mut at = NodeId::START;
    // For each open parenthesis the move to which it is an alternative.
    let mut forks: Vec<NodeId> = Vec::new();
    // How many parentheses were open when a move could not be played.
    let mut broken: Option<usize> = None;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        match first {
            '(' => {
                forks.push(at);
                if broken.is_none() && at != NodeId::START {
                    position.undo();
                    at = tree.parent(at);
                }
            }
            ')' => {
                let Some(fork) = forks.pop() else { break };
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
                    at = fork;
                }
            }
            '_' => {}
            _ => {
                let end = rest.find(['(', ')', '_']).unwrap_or(rest.len());
                if broken.is_none() {
                    match play(&mut position, &rest[..end]) {
                        Ok(ply) => {
                            at = tree.add(at, ply);
                            order.push(at);
                        }
                        Err(_) => broken = Some(forks.len()),
                    }
                }
                rest = &rest[end..];
                continue;
            }
        }
        rest = &rest[1..];
    }
    (tree, order)
}

/// Reads comments on the positions of a tree, which are given in the order of its text. What is not a comment on one of them
/// is left out.
pub(crate) fn read_notes(tree: &mut MoveTree, order: &[NodeId], notes: &str) {
    for note in notes.split('_') {
        let Some((place, comment)) = note.split_once('.') else {
            continue;
        };
        let node = place.parse().ok().and_then(|place: usize| order.get(place));
        if let Some(&node) = node {
            tree.set_comment(node, unescape(comment));
        }
    }
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
        let (tree, order) = read(game.default_setup(), placed, text);
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
        let (mut tree, order) = read(setup, "", "5,5_6,6(7,7_8,8)_9,9");
        let comments = ["An_old ~ game", "", "3.5 ~- _", "", "&?=#%\nдва", ""];
        for (node, comment) in order.iter().zip(comments) {
            tree.set_comment(*node, comment.into());
        }
        let written = write(&tree, NodeId::START);
        let (mut again, order) = read(setup, "", &written.moves);
        read_notes(&mut again, &order, &written.notes);
        assert_eq!(again, tree);
        // A hostile address is no panic.
        read_notes(&mut again, &order, "99.x_-1.y_~_._0.~_1");
        assert_eq!(again.comment(NodeId::START), "");
    }

    #[test]
    fn an_address_has_the_tree_with_its_comments() {
        let setup = GameKind::Gomoku.default_setup();
        let (mut tree, order) = read(setup, "", "5,5_6,6(7,7)");
        tree.set_comment(order[3], "a_b & c".into());
        let page = "/analysis?game=gomoku";
        // Browser and server escape different letters.
        let unescaped = |page, node| Url::unescape(&address(page, &tree, node, None));
        assert_eq!(
            unescaped(page, order[3]),
            "/analysis?game=gomoku&moves=5,5_6,6(7,7)&at=3&notes=3.a~-b & c"
        );
        assert_eq!(
            unescaped("/match/7/analysis", order[2]),
            "/match/7/analysis?moves=5,5_6,6(7,7)&notes=3.a~-b & c"
        );
        assert!(!address(page, &tree, order[2], None).contains("& c"));
        assert!(address(page, &tree, order[3], Some(Seat::Second)).contains("&at=3&turn=2&"));
        tree.set_comment(order[3], "ы".repeat(limits::ANALYSIS_ADDRESS_MAX_BYTES / 6));
        assert_eq!(
            address(page, &tree, order[2], None),
            "/analysis?game=gomoku&moves=5,5_6,6(7,7)"
        );
    }

    #[test]
    fn a_line_ends_before_a_move_that_cannot_be_played() {
        let read = |text| {
            let (tree, _) = read(GameKind::Gomoku.default_setup(), "", text);
            write(&tree, NodeId::START).moves
        };
        assert_eq!(read("5,5_5,5_6,6"), "5,5");
        assert_eq!(read("5,5_6,6(7,7_x_8,8)_9,9"), "5,5_6,6(7,7)_9,9");
        assert_eq!(read("5,5_6,6(7,7(x_8,8)_1,1)_9,9"), "5,5_6,6(7,7_1,1)_9,9");
        assert_eq!(read("5,5_x(6,6)_7,7"), "5,5");
        assert_eq!(read("5,5)_6,6"), "5,5");
        assert_eq!(read("(5,5)"), "5,5");
        assert_eq!(read("5,5(ё"), "5,5");
    }
}
