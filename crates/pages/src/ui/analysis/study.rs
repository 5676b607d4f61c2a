//! The game on the page: its tree, the position that is shown, and the actions on them.

use crate::ui::analysis::address::keep;
use crate::ui::analysis::{Addresses, AnalysisTexts, FairPlay, MoveTree, NodeId, filled};
use crate::ui::board::Shown;
use crate::ui::games;
use crate::ui::steps::Step;
use crate::ui::text::side;
use crate::ui::text::words;
use crate::ui::text::{Language, t};
use leptos::prelude::*;
use tochki_protocol::limits;
use tochki_rules::{Move, MoveError, Seat, Setup};
use wasm_bindgen::JsValue;

/// The parts of the page that do not change with the moves.
pub(crate) struct StudyPage {
    /// The address up to the moves: `/analysis?game=dots&board=20x20&start=empty`.
    pub(crate) address: String,
    /// The name under which this tab keeps the rest of a tree for which no address has room.
    pub(crate) kept: String,
    pub(crate) texts: AnalysisTexts,
    /// Whether the address is to be replaced in a moment, because the browser has refused.
    pub(crate) retries: bool,
    /// The matches at whose positions the engine stays off.
    pub(crate) fair_play: FairPlay,
}

/// The game that is analysed.
#[derive(Clone, Copy)]
pub(crate) struct Study {
    /// The tree of all moves.
    pub(crate) tree: RwSignal<MoveTree>,
    /// The position that is shown.
    pub(crate) current: RwSignal<NodeId>,
    /// The side to move, if it is not as by the rules: so a position is set up by hand.
    pub(crate) turn: RwSignal<Option<Seat>>,
    /// The position that is shown, with its moves and this turn.
    pub(crate) shown: Memo<Shown>,
    /// The line of that position, to its end.
    pub(crate) line: Memo<Vec<NodeId>>,
    /// The reason why the last move was refused.
    pub(crate) refused: RwSignal<Option<String>>,
    /// The language of the page.
    pub(crate) language: Language,
    page: StoredValue<StudyPage>,
}

impl Study {
    /// Begins with a tree and one of its positions.
    pub(crate) fn new(
        tree: MoveTree,
        current: NodeId,
        turn: Option<Seat>,
        page: StudyPage,
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
            page: StoredValue::new(page),
        }
    }

    /// Returns the result of `read` on the texts of the page.
    pub(crate) fn with_texts<T>(self, read: impl FnOnce(&AnalysisTexts) -> T) -> T {
        self.page.with_value(|page| read(&page.texts))
    }

    /// Returns a text of the page.
    pub(crate) fn text(self, of: fn(&AnalysisTexts) -> &str) -> String {
        self.with_texts(|texts| of(texts).to_owned())
    }

    /// Returns a text of the page with its values.
    pub(crate) fn fill(self, of: fn(&AnalysisTexts) -> &str, values: &[(&str, &str)]) -> String {
        self.with_texts(|texts| filled(of(texts), values))
    }

    /// Returns the game and its board.
    pub(crate) fn setup(self) -> Setup {
        self.tree.with_untracked(MoveTree::setup)
    }

    /// Returns the address of the rated match that the reader plays, if the position at this node is one of it.
    pub(crate) fn running_match(self, node: NodeId) -> Option<String> {
        let plies = self.tree.with_untracked(|tree| tree.shown(node).plies);
        self.page.with_value(|page| {
            let found = page.fair_play.running(self.setup(), &plies);
            found.map(str::to_owned)
        })
    }

    /// Plays a move of the side whose turn it is, by [`Self::turn`] or by the rules. A move other than the next one begins a
    /// variation.
    pub(crate) fn play(self, mv: Move) {
        self.play_text(&mv.to_string());
    }

    /// Plays a move as it is typed.
    pub(crate) fn play_text(self, text: &str) {
        let after = self.current.get_untracked();
        let seat = untrack(|| self.shown.with(|shown| shown.position.to_move()));
        if seat.is_none() {
            self.refused
                .set(Some(t!(self.language, turn.over).to_owned()));
            return;
        }
        match self.tree.try_update(|tree| tree.play(after, seat, text)) {
            Some(Ok(node)) => self.show(node),
            Some(Err(MoveError::Malformed)) => {
                let malformed = self
                    .shown
                    .with_untracked(|shown| games::malformed_move(self.language, &shown.position));
                self.refused.set(Some(malformed));
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

    /// Returns the number of moves that lead to the position that is shown.
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

    /// Deletes the last move with all moves after it.
    pub(crate) fn delete(self) {
        let current = self.current.get_untracked();
        let before = self.tree.with_untracked(|tree| tree.parent(current));
        // First the position, so that no node without a place is shown.
        self.current.set(before);
        self.tree.update(|tree| {
            tree.delete(current);
        });
    }

    /// Returns the position in words: the number of its move and the move.
    pub(crate) fn position_text(self) -> String {
        let (ply, last) = (self.ply(), self.line.with(Vec::len));
        let place = t!(self.language, steps.place, ply = ply, last = last);
        let current = self.current.get();
        let made = self.tree.with(|tree| tree.ply(current));
        let made = made.map(|made| {
            let setup = self.setup();
            let side = side::colour(self.language, setup.kind(), made.seat);
            format!(": {side} {}", games::move_text(setup, made.mv))
        });
        place + &made.unwrap_or_default()
    }

    /// Returns the addresses of this page with the tree and the position.
    pub(crate) fn addresses(self) -> Addresses {
        let current = self.current.get();
        let page = self.page.with_value(|page| page.address.clone());
        let turn = self.turn.get();
        self.tree
            .with(|tree| Addresses::new(&page, tree, current, turn))
    }

    /// Puts the tree into the address bar, and the rest of a tree that does not fit there into the storage of this tab, so that
    /// both survive a reload. Where the browser refuses, tries again in a moment.
    pub(crate) fn remember(self, addresses: &Addresses) {
        let id = self.page.with_value(|page| page.kept.clone());
        let is_kept = addresses.left_out.is_some() && keep(&id, &addresses.whole);
        let replaced = if is_kept {
            replace_url(&addresses.with_kept(&id))
        } else {
            replace_url(&addresses.short)
        };
        if !replaced && !self.page.with_value(|page| page.retries) {
            self.page.update_value(|page| page.retries = true);
            let again = move || {
                // The page may be another one by then.
                let is_here = self.page.try_update_value(|page| page.retries = false);
                if is_here.is_some() {
                    self.remember(&untrack(|| self.addresses()));
                }
            };
            set_timeout(again, limits::ADDRESS_RETRY_DELAY);
        }
    }

    /// Comments on the position that is shown, while the comment is typed: the list of moves shows it later.
    pub(crate) fn type_comment(self, text: String) {
        let current = self.current.get_untracked();
        self.tree
            .update_untracked(|tree| tree.set_comment(current, text));
        self.remember(&untrack(|| self.addresses()));
    }

    /// Comments on the position that is shown.
    pub(crate) fn set_comment(self, text: String) {
        let current = self.current.get_untracked();
        self.tree.update(|tree| tree.set_comment(current, text));
    }
}

/// Puts an address into the address bar, so that the tree survives a reload; false if the browser refuses, as it may after a
/// hundred changes within half a minute.
fn replace_url(address: &str) -> bool {
    let replaced = window()
        .history()
        .and_then(|history| history.replace_state_with_url(&JsValue::NULL, "", Some(address)));
    replaced.is_ok()
}
