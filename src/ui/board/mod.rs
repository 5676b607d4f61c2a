//! The board: paper, marks, and the hand over it. What is drawn on it each game tells by its `Face` (`ui/games/`).

mod diagram;
mod face;
pub(crate) mod geometry;
mod hatchings;
mod paper;
mod picture;
mod tools;

pub(crate) use self::diagram::{Piece, Standing};
pub(crate) use self::face::{Face, Initials, Preview};
pub(crate) use self::geometry::{Geometry, Grid, Place, SQUARE, along};
pub(crate) use self::hatchings::Hatchings;
pub(crate) use self::paper::{Ruling, paper};
pub(crate) use self::picture::{Area, Mark, Picture, Shape, circles, outline};
pub(crate) use self::tools::BoardTools;

use leptos::prelude::*;
use tochki_play::Ply;
use tochki_rules::{Move, Position, Seat};

/// A position and the moves that led to it: what there is to see.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shown {
    /// The position.
    pub(crate) position: Position,
    /// Its moves in order, each with its side.
    pub(crate) plies: Vec<Ply>,
}

/// The hand of a visitor who sits at the board.
#[derive(Clone, Copy)]
pub(crate) struct Hand {
    /// Whose mark it would make now; nobody's while it is not this visitor's turn.
    pub(crate) seat: Signal<Option<Seat>>,
    /// Makes a move.
    pub(crate) play: Callback<Move>,
    /// Tells what lies under the hand, beside the board.
    pub(crate) hint: RwSignal<Option<String>>,
    /// Says something aloud.
    pub(crate) say: RwSignal<String>,
    /// Tells how it stands: the score, and whose move it is.
    pub(crate) score: Callback<(), String>,
    /// Tells what the clocks show.
    pub(crate) clocks: Callback<(), String>,
}

impl Hand {
    /// Says it aloud, also when it is what was said last: a screen reader speaks only where a text has changed, so the
    /// same words end in a space that is not heard.
    pub(crate) fn tell(self, mut words: String) {
        if self.say.with_untracked(|said| *said == words) {
            words.push('\u{a0}');
        }
        self.say.set(words);
    }
}
