//! Going through a game: where its reader is, and what takes them on and back. A table that is being played at and a
//! replay share it; it knows nothing of servers.

mod asked;
mod graph;
mod moves;
mod past;
mod step;

pub(crate) use asked::{asked, read as read_asked};
pub(crate) use moves::Moves;
pub(crate) use past::PastMark;

use self::step::Step;
use crate::ui::board::Shown;
use crate::ui::games;
use crate::ui::islands::effect::effect;
use crate::ui::text::words;
use crate::ui::text::{Language, say};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use tochki_play::Ply;

/// Where a reader is in a game that may still grow, or grow shorter.
///
/// Positions of the past are not kept anywhere: they are found by taking moves back.
#[derive(Clone, Copy)]
pub(crate) struct Steps {
    /// The game as far as it is known.
    whole: Memo<Shown>,
    /// Dots that stood there before the first move: nobody steps back beyond them.
    first: usize,
    /// Nothing as long as the reader is at the end, and goes on with it.
    past: RwSignal<Option<Past>>,
}

/// A place in the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Past {
    /// So many moves have been made here.
    ply: usize,
    /// So many had been made when the reader left the present.
    left: usize,
}

impl Past {
    /// What is left of it once only so many moves stand.
    fn after_taking_back(self, last: usize) -> Option<Self> {
        let left = self.left.min(last);
        (self.ply < last).then_some(Self { left, ..self })
    }
}

impl Steps {
    /// A reader at the end of a game.
    pub(crate) fn new(whole: Memo<Shown>, first: usize) -> Self {
        let steps = Self {
            whole,
            first,
            past: RwSignal::new(None),
        };
        // Whose place has been taken back is in the present, and stays there when the game goes on; whose has not still
        // hears of every move that is made after it.
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

    /// How many moves there are.
    pub(crate) fn last(self) -> usize {
        self.whole
            .with(|whole| whole.plies.len().saturating_sub(self.first))
    }

    /// After how many moves the reader is.
    pub(crate) fn ply(self) -> usize {
        let last = self.last();
        self.past.get().map_or(last, |past| past.ply.min(last))
    }

    /// Whether the reader looks at the past.
    pub(crate) fn in_past(self) -> bool {
        self.past.with(Option::is_some) && self.ply() < self.last()
    }

    /// How many moves have been made since the reader left the present.
    fn news(self) -> usize {
        let left = self.past.get().map(|past| past.left);
        left.map_or(0, |left| self.last().saturating_sub(left))
    }

    /// Goes to a place; at the end begins the present.
    pub(crate) fn go(self, ply: usize) {
        let last = untrack(|| self.last());
        self.past.update(|past| {
            let left = past.map_or(last, |past| past.left);
            *past = (ply < last).then_some(Past { ply, left });
        });
    }

    /// Goes a step.
    fn take(self, step: Step) {
        let (ply, last) = untrack(|| (self.ply(), self.last()));
        self.go(step.from(ply, last));
    }

    /// Goes the step that a key means.
    pub(crate) fn press(self, key: &KeyboardEvent) {
        if let Some(step) = Step::of_key(key) {
            key.prevent_default();
            self.take(step);
        }
    }

    /// What there is to see where the reader is.
    pub(crate) fn shown(self) -> Memo<Shown> {
        Memo::new(move |_| {
            let ply = self.ply() + self.first;
            let mut shown = self.whole.get();
            for _ in ply..shown.plies.len() {
                shown.position.undo();
            }
            shown.plies.truncate(ply);
            shown
        })
    }

    /// The points after each move, and before the first.
    fn scores(self) -> Vec<[u32; 2]> {
        let mut position = self.whole.with(|whole| whole.position.clone());
        let mut scores = vec![position.score()];
        for _ in 0..self.last() {
            position.undo();
            scores.push(position.score());
        }
        scores.reverse();
        scores
    }

    /// The moves, without what stood there before the first.
    fn plies(self) -> Vec<Ply> {
        self.whole
            .with(|whole| whole.plies[self.first.min(whole.plies.len())..].to_vec())
    }

    /// Where the reader is, in words.
    pub(crate) fn whereabouts(self, language: Language) -> String {
        let (ply, last) = (self.ply(), self.last());
        let place = say!(language, steps.place, ply = ply, last = last);
        let made = self.whole.with(|whole| {
            let made = whole.plies.get((ply + self.first).checked_sub(1)?)?;
            let side = words::colour(language, made.seat);
            (ply > 0).then(|| format!(": {side} {}", games::written(made.mv)))
        });
        place + &made.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_lands_where_moves_are_taken_back() {
        let past = Past { ply: 8, left: 12 };
        assert_eq!(past.after_taking_back(14), Some(past));
        assert_eq!(past.after_taking_back(10), Some(Past { ply: 8, left: 10 }));
        assert_eq!(past.after_taking_back(8), None);
        assert_eq!(past.after_taking_back(7), None);
    }
}
