//! Steps through the moves of a game, on the page of a match and in a replay. Nothing here knows of the server.
//!
//! 1. The place of a reader ([`Steps`]) is a ply, or none while they follow the end of the game. No positions are stored: an
//!    earlier position is the last one with moves undone.
//! 2. [`MoveList`] offers a slider over the graph of the score, four buttons, keys, and the list of moves. They are one form
//!    and links, so that without scripts the same page comes back at another ply (`?ply=12&step=on`, `query`).
//! 3. During a match new moves arrive meanwhile. [`PastBanner`] says so over the board, `MatchController::can_move` allows no
//!    move, and a reader whose ply is taken back follows the end again.
//! 4. A finished match has these parts on a page of its own (`replay`), in an island that needs no server.
//! 5. An uploaded record is posted to `/sgf`. `http` parses it and passes it to the page as a context; nothing is stored.
//!    Without scripts each step posts the text again.

mod move_list;
mod past_banner;
mod query;
mod score_graph;
mod step;

pub(crate) use move_list::{MoveList, scroll_into_view, step_label};
pub(crate) use past_banner::PastBanner;
pub(crate) use query::{read_requested_ply, requested_ply};
pub(crate) use score_graph::score_graph;
pub(crate) use step::Step;

use crate::ui::board::Shown;
use crate::ui::games;
use crate::ui::islands::effect::effect;
use crate::ui::text::side;
use crate::ui::text::{Language, t};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use tochki_play::Ply;

/// The ply that a reader looks at, in a game that may still grow or shrink.
///
/// Earlier positions are not stored: they are reached by undoing moves.
#[derive(Clone, Copy)]
pub(crate) struct Steps {
    /// The game as far as it is known.
    game: Memo<Shown>,
    /// Plies of the starting position, which nobody steps back beyond.
    setup_plies: usize,
    /// `None` while the reader follows the end of the game.
    past: RwSignal<Option<PastPly>>,
}

/// An earlier ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PastPly {
    /// The ply that is shown.
    ply: usize,
    /// The number of moves when the reader left the end.
    left: usize,
}

impl PastPly {
    /// Returns the ply after a take-back to `last` moves; `None` if the ply no longer exists.
    fn after_taking_back(self, last: usize) -> Option<Self> {
        let left = self.left.min(last);
        (self.ply < last).then_some(Self { left, ..self })
    }
}

impl Steps {
    /// Creates the steps of a reader at the end of a game.
    pub(crate) fn new(game: Memo<Shown>, setup_plies: usize) -> Self {
        let steps = Self {
            game,
            setup_plies,
            past: RwSignal::new(None),
        };
        // A reader whose ply was taken back follows the end again; another one still sees how many moves were made
        // since.
        effect(move || {
            let last = steps.last();
            steps.past.maybe_update(|past| {
                let before = *past;
                *past = before.and_then(|it| it.after_taking_back(last));
                *past != before
            });
        });
        steps
    }

    /// Returns the number of moves.
    pub(crate) fn last(self) -> usize {
        self.game
            .with(|game| game.plies.len().saturating_sub(self.setup_plies))
    }

    /// Returns the ply that is shown.
    pub(crate) fn ply(self) -> usize {
        let last = self.last();
        self.past.get().map_or(last, |past| past.ply.min(last))
    }

    /// Returns whether an earlier position is shown.
    pub(crate) fn in_past(self) -> bool {
        self.past.with(Option::is_some) && self.ply() < self.last()
    }

    /// Returns the number of moves made since the reader left the end.
    fn new_moves(self) -> usize {
        let left = self.past.get().map(|past| past.left);
        left.map_or(0, |left| self.last().saturating_sub(left))
    }

    /// Jumps to a ply; the last one follows the game again.
    pub(crate) fn jump(self, ply: usize) {
        let last = untrack(|| self.last());
        self.past.update(|past| {
            let left = past.map_or(last, |past| past.left);
            *past = (ply < last).then_some(PastPly { ply, left });
        });
    }

    /// Makes one step.
    fn step(self, step: Step) {
        let (ply, last) = untrack(|| (self.ply(), self.last()));
        self.jump(step.from(ply, last));
    }

    /// Handles the keys that step.
    pub(crate) fn on_key(self, key: &KeyboardEvent) {
        if let Some(step) = Step::of_key(key) {
            key.prevent_default();
            self.step(step);
        }
    }

    /// Returns the position at this ply.
    pub(crate) fn shown(self) -> Memo<Shown> {
        Memo::new(move |_| {
            let ply = self.ply() + self.setup_plies;
            let mut shown = self.game.get();
            for _ in ply..shown.plies.len() {
                shown.position.undo();
            }
            shown.plies.truncate(ply);
            shown
        })
    }

    /// Returns the scores before the first move and after each move.
    fn scores(self) -> Vec<[u32; 2]> {
        let mut position = self.game.with(|game| game.position.clone());
        let mut scores = vec![position.score()];
        for _ in 0..self.last() {
            position.undo();
            scores.push(position.score());
        }
        scores.reverse();
        scores
    }

    /// Returns the moves, without the starting position.
    fn plies(self) -> Vec<Ply> {
        self.game
            .with(|game| game.plies[self.setup_plies.min(game.plies.len())..].to_vec())
    }

    /// Returns the ply in words: its number and its move.
    pub(crate) fn position_text(self, language: Language) -> String {
        let (ply, last) = (self.ply(), self.last());
        let place = t!(language, steps.place, ply = ply, last = last);
        let made = self.game.with(|game| {
            let made = game.plies.get((ply + self.setup_plies).checked_sub(1)?)?;
            let setup = game.position.setup();
            let side = side::colour(language, setup.kind(), made.seat);
            (ply > 0).then(|| format!(": {side} {}", games::move_text(setup, made.mv)))
        });
        place + &made.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_lands_where_moves_are_taken_back() {
        let past = PastPly { ply: 8, left: 12 };
        assert_eq!(past.after_taking_back(14), Some(past));
        assert_eq!(
            past.after_taking_back(10),
            Some(PastPly { ply: 8, left: 10 })
        );
        assert_eq!(past.after_taking_back(8), None);
        assert_eq!(past.after_taking_back(7), None);
    }
}
