//! Drawing a board: paper, marks, diagrams. Each game implements `BoardPosition` (`ui/games/`).

mod board_position;
mod diagram;
pub(crate) mod geometry;
mod hatchings;
mod paper;
mod picture;
mod stones;
mod tools;

pub(crate) use self::board_position::{BoardPosition, Initials, Preview};
pub(crate) use self::diagram::{DiagramCrop, DiagramPosition};
pub(crate) use self::geometry::{Geometry, Grid, MoveTarget, SQUARE, along};
pub(crate) use self::hatchings::Hatchings;
pub(crate) use self::paper::{GridStyle, paper};
pub(crate) use self::picture::{Area, Mark, Picture, Shape, circles, outline};
pub(crate) use self::stones::StonesStylesheet;
pub(crate) use self::tools::{BoardTools, later_script_paths, script_path};

use leptos::prelude::*;
use tochki_play::Ply;
use tochki_rules::{Move, Position, Seat};

/// A position and the moves that led to it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shown {
    /// The position.
    pub(crate) position: Position,
    /// The moves in order, each with its side.
    pub(crate) plies: Vec<Ply>,
}

/// The input of a player on the board, and how it is answered.
#[derive(Clone, Copy)]
pub(crate) struct BoardInput {
    /// The side that may move now; `None` while it is not this player's turn.
    pub(crate) seat: Signal<Option<Seat>>,
    /// Makes a move.
    pub(crate) play: Callback<Move>,
    /// The hint beside the board: the effect of a move at the cursor.
    pub(crate) hint: RwSignal<Option<String>>,
    /// The announcement of a screen reader.
    pub(crate) announcement: RwSignal<String>,
    /// The score and whose turn it is, in words.
    pub(crate) score: Callback<(), String>,
    /// The clocks, in words.
    pub(crate) clocks: Callback<(), String>,
}

impl BoardInput {
    /// Announces a text. Screen readers announce changes only, so a repeated text gets a trailing space.
    pub(crate) fn announce(self, mut words: String) {
        if self.announcement.with_untracked(|last| *last == words) {
            words.push('\u{a0}');
        }
        self.announcement.set(words);
    }
}
