//! The board: paper, marks, and the hand over it. Each game draws its own; what lies where is `geometry`.

mod aim;
mod diagram;
mod dots;
mod geometry;
mod hatchings;
mod paper;
mod picture;
mod preview;
mod tools;

pub(super) use self::diagram::Piece;
pub(super) use self::hatchings::Hatchings;
pub(super) use self::tools::BoardTools;

use self::dots::DotsBoard;
use crate::play::Ply;
use crate::rules::{Move, Position, Seat};
use leptos::prelude::*;

/// A position and the moves that led to it: what there is to see.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shown {
    /// The position.
    pub(super) position: Position,
    /// Its moves in order, each with its side.
    pub(super) plies: Vec<Ply>,
}

/// The hand of a visitor who sits at the board.
#[derive(Clone, Copy)]
pub(super) struct Hand {
    /// Whose mark it would make now; nobody's while it is not this visitor's turn.
    pub(super) seat: Signal<Option<Seat>>,
    /// Makes a move.
    pub(super) play: Callback<Move>,
    /// Tells what lies under the hand, beside the board.
    pub(super) hint: RwSignal<Option<String>>,
    /// Says something aloud.
    pub(super) say: RwSignal<String>,
    /// Tells how it stands: the score, and whose move it is.
    pub(super) score: Callback<(), String>,
    /// Tells what the clocks show.
    pub(super) clocks: Callback<(), String>,
}

impl Hand {
    /// Says it aloud, also when it is what was said last: a screen reader speaks only where a text has changed, so the
    /// same words end in a space that is not heard.
    fn tell(self, mut words: String) {
        if self.say.with_untracked(|said| *said == words) {
            words.push('\u{a0}');
        }
        self.say.set(words);
    }
}

/// The board of any game. Without a hand it is a picture.
#[component]
pub(super) fn Board(
    /// What stands on it.
    shown: Memo<Shown>,
    /// Whose hand is over it.
    hand: Option<Hand>,
) -> impl IntoView {
    let position = shown.with_untracked(|shown| shown.position.clone());
    match position {
        Position::Dots(dots) => {
            view! { <DotsBoard setup=*crate::rules::Game::setup(&dots) shown hand /> }
        }
    }
}
