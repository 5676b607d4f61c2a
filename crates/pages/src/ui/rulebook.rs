//! The rules of a game as data: exercises, and chapters with examples, which have a position and a move.
//!
//! `games` fills them in, and the pages in `rules` draw them.

use crate::ui::board::{DiagramCrop, Shown};
use tochki_play::Ply;
use tochki_rules::{Move, Position, Seat, Setup};

/// The rules of one game: an introduction, then chapters.
#[derive(Clone, Debug)]
pub(crate) struct GameRules {
    pub(crate) heading: &'static str,
    /// The lead: how to move, and the aim of the game.
    pub(crate) lead: Vec<&'static str>,
    /// Positions to try the rules on, before they are told in detail.
    pub(crate) exercises: Vec<Exercise>,
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

/// A position in which the reader finds a move of the first player.
#[derive(Clone, Debug)]
pub(crate) struct Exercise {
    /// The `id` in the page.
    pub(crate) id: &'static str,
    /// The task, as a request.
    pub(crate) task: &'static str,
    pub(crate) before: Shown,
    pub(crate) goal: Goal,
}

/// The condition under which a move solves an exercise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The move gains so many points.
    Gain(u32),
    /// No answer to the move gains a point.
    Defence,
}

impl Exercise {
    /// Sets up a position regardless of turns.
    ///
    /// # Panics
    ///
    /// If a ply is illegal; a test goes through all exercises.
    pub(crate) fn set_up(
        id: &'static str,
        task: &'static str,
        goal: Goal,
        setup: Setup,
        plies: Vec<Ply>,
    ) -> Self {
        let before = place(setup, plies);
        Self {
            id,
            task,
            before,
            goal,
        }
    }

    /// Returns the position after a move; `None` if it is illegal.
    pub(crate) fn after(&self, mv: Move) -> Option<Shown> {
        let seat = Seat::First;
        let mut after = self.before.clone();
        after.position.play_as(seat, mv).ok()?;
        after.plies.push(Ply { seat, mv });
        Some(after)
    }

    /// Returns whether the rules find that a move does what the task asks for.
    pub(crate) fn is_solved_by(&self, mv: Move) -> bool {
        let Some(after) = self.after(mv) else {
            return false;
        };
        let gain = |before: &Position, after: &Position, seat: Seat| {
            let [before, after] = [before, after].map(|position| position.score()[seat.index()]);
            after.saturating_sub(before)
        };
        match self.goal {
            Goal::Gain(points) => {
                gain(&self.before.position, &after.position, Seat::First) >= points
            }
            Goal::Defence => after.position.legal_moves().into_iter().all(|answer| {
                let mut answered = after.position.clone();
                let played = answered.play_as(Seat::Second, answer);
                played.is_err() || gain(&after.position, &answered, Seat::Second) == 0
            }),
        }
    }
}

fn place(setup: Setup, plies: Vec<Ply>) -> Shown {
    let mut position = Position::new(&setup);
    for ply in &plies {
        position
            .play_as(ply.seat, ply.mv)
            .expect("what stands there may stand there");
    }
    Shown { position, plies }
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
        let before = place(setup, plies);
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
