//! The game on the page: its tree, the position that is shown, and what can be done with them.

use crate::ui::analysis::{AnalysisTexts, MoveTree, NodeId, filled, notation};
use crate::ui::board::Shown;
use crate::ui::games;
use crate::ui::steps::Step;
use crate::ui::text::side;
use crate::ui::text::words;
use crate::ui::text::{Language, say};
use leptos::prelude::*;
use tochki_rules::{Move, MoveError, Seat, Setup};
use wasm_bindgen::JsValue;

/// What is analysed.
#[derive(Clone, Copy)]
pub(crate) struct Study {
    /// All moves.
    pub(crate) tree: RwSignal<MoveTree>,
    /// The position that is shown.
    pub(crate) current: RwSignal<NodeId>,
    /// Whose move the next one is, if it is not as by the rules: so a position is set up by hand.
    pub(crate) turn: RwSignal<Option<Seat>>,
    /// The same position with its moves and this turn.
    pub(crate) shown: Memo<Shown>,
    /// The line in which it is, to its end.
    pub(crate) line: Memo<Vec<NodeId>>,
    /// Why the last move was refused.
    pub(crate) refused: RwSignal<Option<String>>,
    /// The language of the page.
    pub(crate) language: Language,
    /// The address of the page up to the moves, `/analysis?game=dots&board=20x20&start=empty`, and its texts.
    page: StoredValue<(String, AnalysisTexts)>,
}

impl Study {
    /// Begins with a tree and one of its positions.
    pub(crate) fn new(
        tree: MoveTree,
        current: NodeId,
        turn: Option<Seat>,
        address: String,
        texts: AnalysisTexts,
        language: Language,
    ) -> Self {
        let (tree, current) = (RwSignal::new(tree), RwSignal::new(current));
        let turn = RwSignal::new(turn);
        let shown = move |_: Option<&Shown>| {
            let mut shown = tree.with(|tree| tree.shown(current.get()));
            if let Some(seat) = turn.get() {
                shown.position.give_turn(seat);
            }
            shown
        };
        Self {
            tree,
            current,
            turn,
            shown: Memo::new(shown),
            line: Memo::new(move |_| tree.with(|tree| tree.line(current.get()))),
            refused: RwSignal::new(None),
            language,
            page: StoredValue::new((address, texts)),
        }
    }

    /// What `read` makes of the texts of the page.
    pub(crate) fn with_texts<T>(self, read: impl FnOnce(&AnalysisTexts) -> T) -> T {
        self.page.with_value(|(_, texts)| read(texts))
    }

    /// A text of the page.
    pub(crate) fn text(self, of: fn(&AnalysisTexts) -> &str) -> String {
        self.with_texts(|texts| of(texts).to_owned())
    }

    /// A text of the page with its values.
    pub(crate) fn fill(self, of: fn(&AnalysisTexts) -> &str, values: &[(&str, &str)]) -> String {
        self.with_texts(|texts| filled(of(texts), values))
    }

    /// The game and its board.
    pub(crate) fn setup(self) -> Setup {
        self.tree.with_untracked(MoveTree::setup)
    }

    /// Plays a move of the side whose turn it is, by [`Self::turn`] or by the rules. Another move than the next one begins a
    /// variation.
    pub(crate) fn play(self, mv: Move) {
        self.play_text(&mv.to_string());
    }

    /// The same with a move as it is typed.
    pub(crate) fn play_text(self, text: &str) {
        let after = self.current.get_untracked();
        let seat = untrack(|| self.shown.with(|shown| shown.position.to_move()));
        if seat.is_none() {
            self.refused
                .set(Some(say!(self.language, turn.over).to_owned()));
            return;
        }
        match self.tree.try_update(|tree| tree.play(after, seat, text)) {
            Some(Ok(node)) => self.show(node),
            Some(Err(MoveError::Malformed)) => {
                let malformed = say!(self.language, errors.malformed_move);
                self.refused.set(Some(malformed.to_owned()));
            }
            Some(Err(MoveError::Illegal(illegal))) => {
                let why = words::illegal(self.language, illegal);
                self.refused.set(Some(why.to_owned()));
            }
            None => {}
        }
    }

    /// Plays a line that this side begins after a node, as far as the rules allow it, and shows its first move.
    pub(crate) fn show_line(self, after: NodeId, seat: Seat, line: &[String]) {
        let mut first = Some(seat);
        let first = self.tree.try_update(|tree| {
            let mut at = after;
            for mv in line {
                let Ok(next) = tree.play(at, first.take(), mv) else {
                    break;
                };
                at = next;
            }
            let path = tree.path(at);
            path.get(tree.path(after).len()).copied()
        });
        self.go(first.flatten().unwrap_or(after));
    }

    /// Shows a position, and moves in turn again.
    pub(crate) fn go(self, node: NodeId) {
        self.turn.set(None);
        self.show(node);
    }

    fn show(self, node: NodeId) {
        self.refused.set(None);
        if self.tree.with_untracked(|tree| tree.has(node)) {
            self.current.set(node);
        }
    }

    /// How many moves lead to the position that is shown.
    pub(crate) fn ply(self) -> usize {
        let current = self.current.get();
        self.tree.with(|tree| tree.path(current).len())
    }

    /// Shows the position after so many moves of this line.
    pub(crate) fn jump(self, ply: usize) {
        let node = untrack(|| {
            let line = self.line.get();
            ply.min(line.len()).checked_sub(1).map(|place| line[place])
        });
        self.go(node.unwrap_or(NodeId::START));
    }

    /// Makes a step in this line.
    pub(crate) fn step(self, step: Step) {
        let (ply, last) = untrack(|| (self.ply(), self.line.with(Vec::len)));
        self.jump(step.from(ply, last));
    }

    /// Makes the line to this position the main line.
    pub(crate) fn make_main(self) {
        let current = self.current.get_untracked();
        self.tree.update(|tree| tree.make_main(current));
    }

    /// Deletes the last move with all that follows it.
    pub(crate) fn delete(self) {
        let current = self.current.get_untracked();
        let before = self.tree.with_untracked(|tree| tree.parent(current));
        // First the position, so that no node without a place is shown.
        self.current.set(before);
        self.tree.update(|tree| {
            tree.delete(current);
        });
    }

    /// The position in words: the number of its move and the move.
    pub(crate) fn position_text(self) -> String {
        let (ply, last) = (self.ply(), self.line.with(Vec::len));
        let place = say!(self.language, steps.place, ply = ply, last = last);
        let current = self.current.get();
        let made = self.tree.with(|tree| tree.ply(current));
        let made = made.map(|made| {
            let side = side::colour(self.language, made.seat);
            format!(": {side} {}", games::move_text(made.mv))
        });
        place + &made.unwrap_or_default()
    }

    /// The address of this page with the whole tree and the position.
    pub(crate) fn address(self) -> String {
        let current = self.current.get();
        let page = self.page.with_value(|(address, _)| address.clone());
        let turn = self.turn.get();
        self.tree
            .with(|tree| notation::address(&page, tree, current, turn))
    }
}

/// Puts an address into the address bar, so that the tree survives a reload. A browser may refuse after a hundred changes,
/// which is ignored.
pub(crate) fn replace_url(address: &str) {
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(address));
    }
}
