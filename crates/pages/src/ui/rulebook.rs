//! The rules of a game as data: chapters, and examples with a position and a move.
//!
//! `games` fills them in, and the pages in `rules` draw them.

use crate::ui::board::{DiagramCrop, Shown};
use tochki_play::Ply;
use tochki_rules::{Position, Seat, Setup};

/// The rules of one game: an introduction, then chapters.
#[derive(Clone, Debug)]
pub(crate) struct GameRules {
    pub(crate) heading: &'static str,
    /// The lead: how to move, and the aim of the game.
    pub(crate) lead: Vec<&'static str>,
    /// The rules in detail.
    pub(crate) chapters: Vec<Chapter>,
}

/// A heading with paragraphs and examples.
#[derive(Clone, Debug)]
pub(crate) struct Chapter {
    pub(crate) title: &'static str,
    pub(crate) text: Vec<&'static str>,
    pub(crate) examples: Vec<Example>,
}

/// An example of a rule, shown on a small board.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// The `id` in the page.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    pub(crate) diagram: DiagramCrop,
    pub(crate) demonstration: ExampleMove,
}

/// A position and the move that shows the rule.
#[derive(Clone, Debug)]
pub(crate) struct ExampleMove {
    pub(crate) before: Shown,
    pub(crate) last: Ply,
}

impl ExampleMove {
    /// Sets up a position regardless of turns; the last ply is the move.
    ///
    /// # Panics
    ///
    /// If there is no move, or an illegal one; a test goes through all examples.
    pub(crate) fn set_up(setup: Setup, mut plies: Vec<Ply>) -> Self {
        let last = plies.pop().expect("there is a move to be shown");
        let mut position = Position::new(&setup);
        for ply in &plies {
            position
                .play_as(ply.seat, ply.mv)
                .expect("what stands there may stand there");
        }
        let before = Shown { position, plies };
        Self { before, last }
    }

    /// Plays the moves of a game in order, as text; the last one is the move of the example.
    ///
    /// # Panics
    ///
    /// If a move is illegal; a test goes through all examples.
    pub(crate) fn in_turn(setup: Setup, moves: &str) -> Self {
        let mut position = Position::new(&setup);
        let plies = moves.split_whitespace().map(|text| {
            let seat = position.to_move().unwrap_or(Seat::First);
            let mv = position.parse_move(text).expect("a move of this game");
            position.play(mv).expect("a move that may be made");
            Ply { seat, mv }
        });
        let plies = plies.collect();
        Self::set_up(setup, plies)
    }

    /// Returns the position after the move.
    ///
    /// # Panics
    ///
    /// If the move is illegal.
    pub(crate) fn after(&self) -> Shown {
        let Self { mut before, last } = self.clone();
        before
            .position
            .play_as(last.seat, last.mv)
            .expect("a move that may be made");
        before.plies.push(last);
        before
    }
}
