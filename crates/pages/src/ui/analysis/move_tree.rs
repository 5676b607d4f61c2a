//! A game with its variations: a tree of moves, which knows nothing of pages and engines.

use crate::ui::board::Shown;
use tochki_play::Ply;
use tochki_rules::record::{PlacedDot, Record, Variation, Variations};
use tochki_rules::{Move, MoveError, Position, Seat, Setup};

/// A position of the tree: the start, or the position after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(usize);

impl NodeId {
    /// The starting position.
    pub(crate) const START: Self = Self(0);

    /// The node with this number, as markup names it. The tree may have no such node: see [`MoveTree::has`].
    pub(crate) const fn from_number(number: usize) -> Self {
        Self(number)
    }

    /// Returns the number of the node.
    pub(crate) const fn number(self) -> usize {
        self.0
    }
}

/// The tree. The first child of each node continues the line in which the node is; the others begin variations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MoveTree {
    setup: Setup,
    /// The moves placed on the board before the first move, besides those of the setup.
    placed: Vec<Ply>,
    /// The start is the first one. Deleted nodes stay here, without a parent that knows them.
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, PartialEq)]
struct Node {
    parent: NodeId,
    /// The move that leads to the node; `None` at the start.
    ply: Option<Ply>,
    children: Vec<NodeId>,
    comment: String,
}

impl Node {
    const fn new(parent: NodeId, ply: Option<Ply>) -> Self {
        Self {
            parent,
            ply,
            children: Vec::new(),
            comment: String::new(),
        }
    }
}

impl MoveTree {
    /// Creates a tree without moves. `placed` must be legal by the rules.
    pub(crate) fn new(setup: Setup, placed: Vec<Ply>) -> Self {
        Self {
            setup,
            placed,
            nodes: vec![Node::new(NodeId::START, None)],
        }
    }

    /// Creates the tree of a game whose first `setup_plies` belong to the starting position.
    pub(crate) fn of_game(game: &Shown, setup_plies: usize) -> Self {
        let (placed, plies) = game.plies.split_at(setup_plies.min(game.plies.len()));
        let mut tree = Self::new(game.position.setup(), placed.to_vec());
        let mut at = NodeId::START;
        for ply in plies {
            at = tree.add(at, *ply);
        }
        tree
    }

    /// Creates the tree of a record with these moves in place of its own.
    pub(crate) fn of_record(record: &Record, variations: &Variations) -> Self {
        let ply = |dot: PlacedDot| Ply {
            seat: dot.seat,
            mv: Move::Dots(dot.point),
        };
        let placed = record.start.iter().copied().map(ply).collect();
        let mut tree = Self::new(Setup::Dots(record.setup), placed);
        tree.set_comment(NodeId::START, record.comment.clone());
        let after = |node: NodeId, next: &[usize]| -> Vec<(NodeId, usize)> {
            next.iter().rev().map(|place| (node, *place)).collect()
        };
        let mut rest = after(NodeId::START, &variations.first);
        while let Some((before, place)) = rest.pop() {
            let Some(Variation { dot, comment, next }) = variations.moves.get(place) else {
                continue;
            };
            let node = tree.add(before, ply(*dot));
            tree.set_comment(node, comment.clone());
            rest.extend(after(node, next));
        }
        tree
    }

    /// Returns the game and its board.
    pub(crate) const fn setup(&self) -> Setup {
        self.setup
    }

    /// Returns the moves placed on the board before the first move, besides those of the setup.
    pub(crate) fn placed(&self) -> &[Ply] {
        &self.placed
    }

    /// Returns all nodes, deleted ones included, in the order of their numbers.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len()).map(NodeId)
    }

    /// Returns whether the node exists and was not deleted.
    pub(crate) fn has(&self, node: NodeId) -> bool {
        let mut at = node;
        while at != NodeId::START {
            let Some(parent) = self.nodes.get(at.0).map(|node| node.parent) else {
                return false;
            };
            if !self.children(parent).contains(&at) {
                return false;
            }
            at = parent;
        }
        true
    }

    /// Returns the move that leads to a node; `None` at the start.
    pub(crate) fn ply(&self, node: NodeId) -> Option<Ply> {
        self.nodes[node.0].ply
    }

    /// Returns the node before; that of the start is the start.
    pub(crate) fn parent(&self, node: NodeId) -> NodeId {
        self.nodes[node.0].parent
    }

    /// Returns the moves that were tried in a position, that of its own line first.
    pub(crate) fn children(&self, node: NodeId) -> &[NodeId] {
        &self.nodes[node.0].children
    }

    /// Returns the nodes after the start up to this one.
    pub(crate) fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut at = node;
        while at != NodeId::START {
            path.push(at);
            at = self.parent(at);
        }
        path.reverse();
        path
    }

    /// Returns the line in which a node is, from the first move to the last.
    pub(crate) fn line(&self, node: NodeId) -> Vec<NodeId> {
        let mut line = self.path(node);
        let mut at = node;
        while let Some(&next) = self.children(at).first() {
            line.push(next);
            at = next;
        }
        line
    }

    /// Returns the main line, from the first move to the last.
    pub(crate) fn main_line(&self) -> Vec<NodeId> {
        self.line(NodeId::START)
    }

    /// Returns whether a node is on the main line.
    pub(crate) fn is_main(&self, node: NodeId) -> bool {
        let mut at = node;
        while at != NodeId::START {
            let parent = self.parent(at);
            if self.children(parent).first() != Some(&at) {
                return false;
            }
            at = parent;
        }
        true
    }

    /// Adds a move after a node, unless the node has this move already.
    pub(crate) fn add(&mut self, after: NodeId, ply: Ply) -> NodeId {
        let known = self.children(after).iter().copied();
        if let Some(known) = known
            .into_iter()
            .find(|&child| self.ply(child) == Some(ply))
        {
            return known;
        }
        let node = NodeId(self.nodes.len());
        self.nodes.push(Node::new(after, Some(ply)));
        self.nodes[after.0].children.push(node);
        node
    }

    /// Makes the line to a node the main line.
    pub(crate) fn make_main(&mut self, node: NodeId) {
        for at in self.path(node) {
            let parent = self.parent(at);
            let children = &mut self.nodes[parent.0].children;
            if let Some(place) = children.iter().position(|child| *child == at) {
                children[..=place].rotate_right(1);
            }
        }
    }

    /// Deletes a node with all nodes after it, and returns the node before it. The start stays.
    pub(crate) fn delete(&mut self, node: NodeId) -> NodeId {
        let parent = self.parent(node);
        if node != NodeId::START {
            self.nodes[parent.0].children.retain(|child| *child != node);
        }
        parent
    }

    /// Returns the comment on a node.
    pub(crate) fn comment(&self, node: NodeId) -> &str {
        &self.nodes[node.0].comment
    }

    /// Comments on a node.
    pub(crate) fn set_comment(&mut self, node: NodeId, comment: String) {
        self.nodes[node.0].comment = comment;
    }

    /// Returns the starting position.
    pub(crate) fn start(&self) -> Position {
        let mut position = Position::new(&self.setup);
        for ply in &self.placed {
            // They were legal when the tree was made.
            let _ = position.play_as(ply.seat, ply.mv);
        }
        position
    }

    /// Returns a node as a board shows it, with the moves that led there.
    pub(crate) fn shown(&self, node: NodeId) -> Shown {
        let mut position = self.start();
        let mut plies = self.placed.clone();
        for ply in self.path(node).into_iter().filter_map(|at| self.ply(at)) {
            // Only legal moves are added.
            let _ = position.play_as(ply.seat, ply.mv);
            plies.push(ply);
        }
        Shown { position, plies }
    }

    /// Returns the moves that lead to a node as an engine is told them: a move out of turn has the number of its seat before it.
    pub(crate) fn engine_moves(&self, node: NodeId) -> Vec<String> {
        let plies = self.path(node).into_iter().filter_map(|at| self.ply(at));
        let plies = self.placed.iter().copied().chain(plies);
        let mut position = Position::new(&self.setup);
        let mut moves = Vec::new();
        for ply in plies {
            let in_turn = position.to_move() == Some(ply.seat);
            // Only legal moves are in the tree.
            let _ = position.play_as(ply.seat, ply.mv);
            moves.push(if in_turn {
                ply.mv.to_string()
            } else {
                format!("{}.{}", ply.seat.number(), ply.mv)
            });
        }
        moves
    }

    /// Plays a move after a node, of this side, or of the side whose turn it is.
    ///
    /// # Errors
    ///
    /// If the rules forbid the move; nothing changes then.
    pub(crate) fn play(
        &mut self,
        after: NodeId,
        seat: Option<Seat>,
        text: &str,
    ) -> Result<NodeId, MoveError> {
        let mut position = self.shown(after).position;
        let mv = position.parse_move(text)?;
        let seat = seat.or(position.to_move()).unwrap_or(Seat::First);
        position.play_as(seat, mv)?;
        Ok(self.add(after, Ply { seat, mv }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::GameKind;

    /// Returns a tree of Gomoku with these moves; each text is a line from the start.
    fn tree(lines: &[&str]) -> MoveTree {
        let mut tree = MoveTree::new(GameKind::Gomoku.default_setup(), Vec::new());
        for line in lines {
            let mut at = NodeId::START;
            for mv in line.split_ascii_whitespace() {
                at = tree.play(at, None, mv).expect("a legal move");
            }
        }
        tree
    }

    #[track_caller]
    fn check_main(tree: &MoveTree, line: &str) {
        let moves = tree.main_line().into_iter().filter_map(|at| tree.ply(at));
        let moves: Vec<_> = moves.map(|ply| ply.mv.to_string()).collect();
        assert_eq!(moves.join(" "), line);
    }

    fn find(tree: &MoveTree, line: &str) -> NodeId {
        line.split_ascii_whitespace().fold(NodeId::START, |at, mv| {
            let is = |child: &&NodeId| tree.ply(**child).unwrap().mv.to_string() == mv;
            *tree.children(at).iter().find(is).expect("this line")
        })
    }

    #[test]
    fn another_move_begins_a_variation_and_the_same_one_does_not() {
        let tree = tree(&["1,1 2,2 3,3", "1,1 2,2 4,4", "1,1 2,2 3,3 5,5"]);
        check_main(&tree, "1,1 2,2 3,3 5,5");
        let fork = find(&tree, "1,1 2,2");
        assert_eq!(tree.children(fork).len(), 2);
        let other = find(&tree, "1,1 2,2 4,4");
        assert!(tree.is_main(fork) && !tree.is_main(other));
        assert_eq!(tree.path(other).len(), 3);
        assert_eq!(tree.shown(other).plies[2].seat, Seat::First);
    }

    #[test]
    fn a_variation_becomes_the_main_line_and_the_others_keep_their_order() {
        let mut tree = tree(&["1,1 2,2", "1,1 3,3 4,4", "1,1 5,5", "6,6 7,7"]);
        tree.make_main(find(&tree, "1,1 5,5"));
        check_main(&tree, "1,1 5,5");
        let after = find(&tree, "1,1");
        let order: Vec<_> = tree.children(after).iter().map(|node| node.0).collect();
        assert_eq!(order, [5, 2, 3]);
        tree.make_main(find(&tree, "6,6"));
        check_main(&tree, "6,6 7,7");
    }

    #[test]
    fn what_is_deleted_is_gone_with_what_follows() {
        let mut tree = tree(&["1,1 2,2 3,3", "1,1 4,4"]);
        let (deleted, last) = (find(&tree, "1,1 2,2"), find(&tree, "1,1 2,2 3,3"));
        assert_eq!(tree.delete(deleted), find(&tree, "1,1"));
        check_main(&tree, "1,1 4,4");
        assert!(!tree.has(deleted) && !tree.has(last) && !tree.has(NodeId(99)));
        assert_eq!(tree.delete(NodeId::START), NodeId::START);
        assert!(tree.has(NodeId::START));
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut tree = tree(&["1,1"]);
        let before = tree.clone();
        let at = find(&tree, "1,1");
        for text in ["1,1", "99,99", "nonsense"] {
            assert!(tree.play(at, None, text).is_err(), "{text}");
            assert_eq!(tree, before);
        }
    }

    #[test]
    fn an_engine_is_told_who_moves_out_of_turn() {
        let mut tree = tree(&["1,1 2,2"]);
        let end = find(&tree, "1,1 2,2");
        assert_eq!(tree.engine_moves(end), ["1,1", "2,2"]);
        let placed = vec![Ply {
            seat: Seat::Second,
            mv: tree.ply(end).unwrap().mv,
        }];
        let other = tree.play(end, Some(Seat::Second), "3,3").unwrap();
        let last = tree.play(other, None, "4,4").unwrap();
        assert_eq!(tree.engine_moves(last), ["1,1", "2,2", "2.3,3", "4,4"]);
        let tree = MoveTree::new(GameKind::Gomoku.default_setup(), placed);
        assert_eq!(tree.engine_moves(NodeId::START), ["2.2,2"]);
        assert_eq!(tree.shown(NodeId::START).plies.len(), 1);
    }
}
