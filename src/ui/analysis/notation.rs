//! A tree of moves as an address has it: `5,5_6,6(7,7_8,8)_9,9`.
//!
//! Moves are separated by `_`. In parentheses after a move is a variation that begins with another move in its place. A
//! move of the side whose turn it is not has the number of its seat before it: `2.5,5`. Comments are not in an address.

use crate::ui::analysis::{MoveTree, NodeId};
use std::fmt::Write;
use tochki_play::Ply;
use tochki_rules::{MoveError, Position, Seat, Setup};

/// The tree as text, and the place of a node in it: the number of moves written up to it, 0 for the start.
pub(crate) fn write(tree: &MoveTree, current: NodeId) -> (String, usize) {
    let mut writer = Writer {
        tree,
        current,
        text: String::new(),
        written: 0,
        place: 0,
    };
    writer.follow(NodeId::START, &mut tree.start());
    (writer.text, writer.place)
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
    text: String,
    written: usize,
    place: usize,
}

impl Writer<'_> {
    /// Writes what follows a node, whose position is given and is the same afterwards.
    fn follow(&mut self, from: NodeId, position: &mut Position) {
        let mut at = from;
        let mut played = 0;
        while let [first, others @ ..] = self.tree.children(at) {
            self.write_move(*first, position);
            for &other in others {
                self.text.push('(');
                self.write_move(other, position);
                if let Some(ply) = self.tree.ply(other) {
                    // Only legal moves are in the tree.
                    let _ = position.play_as(ply.seat, ply.mv);
                    self.follow(other, position);
                    position.undo();
                }
                self.text.push(')');
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
        if !self.text.is_empty() && !self.text.ends_with('(') {
            self.text.push('_');
        }
        if position.to_move() != Some(ply.seat) {
            // Writing into a string cannot fail.
            let _ = write!(self.text, "{}.", ply.seat.number());
        }
        let _ = write!(self.text, "{}", ply.mv);
        self.written += 1;
        if node == self.current {
            self.place = self.written;
        }
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
            assert_eq!(write(&tree, *node), (text.to_owned(), place), "{text}");
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
    fn a_line_ends_before_a_move_that_cannot_be_played() {
        let read = |text| {
            let (tree, _) = read(GameKind::Gomoku.default_setup(), "", text);
            write(&tree, NodeId::START).0
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
