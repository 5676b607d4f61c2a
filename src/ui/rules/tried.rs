//! A move that is tried on a small board, with all that came before it.

use crate::ui::board::Shown;
use tochki_play::Ply;
use tochki_rules::{Position, Seat, Setup};

/// A position, and the move that shows a rule.
#[derive(Clone, Debug)]
pub(crate) struct Tried {
    pub(crate) before: Shown,
    pub(crate) last: Ply,
}

impl Tried {
    /// A position that is set up, whoever's turn it would be; the last of these is the move.
    ///
    /// # Panics
    ///
    /// If there is no move, or one that may not be made; a test goes through all of them.
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

    /// The moves of a game in their order, as they are written; the last one is the move.
    ///
    /// # Panics
    ///
    /// If one of them may not be made; a test goes through all of them.
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

    /// What comes of the move.
    ///
    /// # Panics
    ///
    /// If it may not be made.
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
