//! The board: paper, marks, and the hand over it. What is drawn on it each game tells by its `Face` (`ui/games/`).

mod aim;
mod diagram;
mod face;
mod geometry;
mod hatchings;
mod paper;
mod picture;
mod tools;
mod view;

pub(super) use self::diagram::{Piece, Standing};
pub(super) use self::face::{Face, Initials, Preview};
pub(super) use self::geometry::{Geometry, Grid, Place, SQUARE, along};
pub(super) use self::hatchings::Hatchings;
pub(super) use self::paper::{Ruling, paper};
pub(super) use self::picture::{Area, Mark, Picture, Shape, circles, outline};
pub(super) use self::tools::BoardTools;
pub(super) use self::view::Board;

use leptos::prelude::*;
use tochki_play::Ply;
use tochki_rules::{Move, Position, Seat};

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
