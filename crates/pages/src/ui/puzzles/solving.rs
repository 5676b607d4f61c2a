//! A puzzle that is being solved: the moves so far, and the judgement of the server.

use crate::api;
use crate::error::ErrorResponse;
use crate::ui::board::Shown;
use crate::ui::computer::overlay;
use crate::ui::games;
use crate::ui::games::move_text;
use crate::ui::islands::form_action::FormAction;
use crate::ui::puzzles::{PuzzleTexts, position};
use crate::ui::text::Language;
use crate::ui::text::words;
use leptos::prelude::*;
use tochki_protocol::limits::PUZZLE_TRIES;
use tochki_protocol::{PuzzleAnswer, PuzzleId, PuzzleState};
use tochki_rules::{Move, MoveError, Seat};

/// The feedback on the last action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Feedback {
    /// No feedback yet.
    Nothing,
    /// The last move is right; this was the answer, if there was one.
    Right(Option<String>),
    /// The last move, which is on the board, is wrong.
    Wrong,
    /// The puzzle is solved.
    Solved,
    /// The solution was shown.
    Shown,
    /// The place of the next move.
    Hint(String),
    /// The move is illegal, or the server could not be asked.
    Refused(String),
}

/// A puzzle that is being solved.
#[derive(Clone, Copy)]
pub(crate) struct Solving {
    pub(crate) id: PuzzleId,
    pub(crate) seat: Seat,
    /// The position of the puzzle.
    start: StoredValue<Shown>,
    /// The solver's moves that are right.
    found: RwSignal<Vec<String>>,
    /// The moves of both sides.
    line: RwSignal<Vec<String>>,
    /// A move that is on its way to the server, or wrong.
    tried: RwSignal<Option<String>>,
    pub(crate) feedback: RwSignal<Feedback>,
    /// Wrong moves.
    pub(crate) wrong: RwSignal<u8>,
    /// The rating before and after a first try.
    pub(crate) rating: RwSignal<Option<(f64, f64)>>,
    /// The position that is shown.
    pub(crate) shown: Memo<Shown>,
    action: FormAction,
    pub(crate) texts: StoredValue<PuzzleTexts>,
    language: Language,
}

impl Solving {
    pub(crate) fn new(
        (id, start): (PuzzleId, Shown),
        (found, line): (Vec<String>, Vec<String>),
        feedback: Feedback,
        texts: PuzzleTexts,
        language: Language,
    ) -> Self {
        let seat = position::to_move(&start);
        let start = StoredValue::new(start);
        let (line, tried) = (RwSignal::new(line), RwSignal::new(None::<String>));
        let shown = Memo::new(move |_| {
            let mut shown = start.get_value();
            line.with(|line| {
                for mv in line {
                    position::play(&mut shown, mv);
                }
            });
            tried.with(|tried| tried.as_ref().map(|mv| position::play(&mut shown, mv)));
            shown
        });
        Self {
            id,
            seat,
            start,
            found: RwSignal::new(found),
            line,
            tried,
            feedback: RwSignal::new(feedback),
            wrong: RwSignal::new(0),
            rating: RwSignal::new(None),
            shown,
            action: FormAction::new(None),
            texts: StoredValue::new(texts),
            language,
        }
    }

    /// Returns whether nothing is left to do.
    pub(crate) fn is_over(self) -> bool {
        self.feedback
            .with(|feedback| matches!(feedback, Feedback::Solved | Feedback::Shown))
    }

    /// Returns whether a move can be tried.
    pub(crate) fn can_move(self) -> bool {
        !self.is_over()
            && self.tried.with(Option::is_none)
            && self.wrong.get() < PUZZLE_TRIES
            && !self.action.pending.get()
    }

    /// Returns a text of the page.
    pub(crate) fn text(self, of: fn(&PuzzleTexts) -> &str) -> String {
        self.texts.with_value(|texts| of(texts).to_owned())
    }

    /// Tries a move. The rules are asked first, so that an illegal move does not count as wrong.
    pub(crate) fn play(self, mv: Move) {
        self.play_text(&mv.to_string());
    }

    /// Tries a move as it is typed. A wrong move is taken back first.
    pub(crate) fn play_text(self, text: &str) {
        if untrack(|| {
            self.is_over() || self.wrong.get() >= PUZZLE_TRIES || self.action.pending.get()
        }) {
            return;
        }
        self.tried.set(None);
        let mut position = self.shown.with_untracked(|shown| shown.position.clone());
        let played = position.parse_move(text);
        let played = played.and_then(|mv| position.play(mv).map(|_| mv));
        let mv = match played {
            Ok(mv) => mv.to_string(),
            Err(MoveError::Malformed) => {
                let why = games::malformed_move(self.language, &position);
                self.feedback.set(Feedback::Refused(why));
                return;
            }
            Err(MoveError::Illegal(illegal)) => {
                let why = words::illegal(self.language, illegal);
                self.feedback.set(Feedback::Refused(why.to_owned()));
                return;
            }
        };
        self.tried.set(Some(mv.clone()));
        let moves = self.found.with_untracked(|found| found.join(" "));
        let (id, asked) = (self.id, mv.clone());
        self.ask(
            async move { api::try_puzzle(id, Some(moves), Some(asked)).await },
            move |answer| self.take(answer, mv),
        );
    }

    /// Asks the server; an error takes the move back and is shown.
    fn ask<T: 'static>(
        self,
        call: impl Future<Output = Result<T, ErrorResponse>> + 'static,
        then: impl FnOnce(T) + 'static,
    ) {
        let checked = async move {
            let answer = call.await;
            if let Err(error) = &answer {
                self.tried.set(None);
                let why = words::match_error(self.language, error);
                self.feedback.set(Feedback::Refused(why.to_owned()));
            }
            answer
        };
        self.action.dispatch(checked, then);
    }

    fn take(self, answer: PuzzleAnswer, mv: String) {
        if let Some(change) = answer.rating {
            self.rating.set(Some((change.before, change.after)));
        }
        match answer.state {
            PuzzleState::Wrong => {
                self.wrong.update(|wrong| *wrong += 1);
                self.feedback.set(Feedback::Wrong);
            }
            PuzzleState::Right => {
                let before = self.line.with_untracked(Vec::len);
                let answers = answer.line.get(before + 1..).unwrap_or_default();
                let answers: Vec<String> = answers.iter().map(|mv| self.written(mv)).collect();
                let answers = (!answers.is_empty()).then(|| answers.join(" "));
                self.accept(mv, answer.line);
                self.feedback.set(Feedback::Right(answers));
            }
            PuzzleState::Solved => {
                self.accept(mv, answer.line);
                self.feedback.set(Feedback::Solved);
            }
        }
    }

    fn accept(self, mv: String, line: Vec<String>) {
        self.tried.set(None);
        self.found.update(|found| found.push(mv));
        self.line.set(line);
    }

    /// Returns a move as it is written on the page.
    fn written(self, mv: &str) -> String {
        let read = self.start.with_value(|Shown { position, .. }| {
            let read = position.parse_move(mv).ok()?;
            Some(move_text(position.setup(), read))
        });
        read.unwrap_or_else(|| mv.to_owned())
    }

    /// Asks for the next move.
    pub(crate) fn hint(self) {
        self.tried.set(None);
        let moves = self.found.with_untracked(|found| found.join(" "));
        let id = self.id;
        self.ask(
            async move { api::help_puzzle(id, Some(moves), None).await },
            move |help| {
                if let Some(mv) = help.line.into_iter().next() {
                    self.feedback.set(Feedback::Hint(mv));
                }
            },
        );
    }

    /// Asks for the whole solution.
    pub(crate) fn solution(self) {
        let id = self.id;
        self.ask(
            async move { api::help_puzzle(id, None, Some(true)).await },
            move |help| {
                self.tried.set(None);
                self.line.set(help.line);
                self.feedback.set(Feedback::Shown);
            },
        );
    }

    /// Begins again.
    pub(crate) fn restart(self) {
        self.tried.set(None);
        self.found.set(Vec::new());
        self.line.set(Vec::new());
        self.wrong.set(0);
        self.feedback.set(Feedback::Nothing);
    }

    /// Returns the last feedback in words.
    pub(crate) fn feedback_text(self) -> String {
        let feedback = self.feedback.get();
        let left = PUZZLE_TRIES.saturating_sub(self.wrong.get());
        self.texts.with_value(|texts| match feedback {
            Feedback::Nothing => texts.task.clone(),
            Feedback::Right(None) => texts.right.clone(),
            Feedback::Right(Some(answer)) => format!("{} {}", texts.right, texts.answered(&answer)),
            Feedback::Wrong if left == 0 => format!("{} {}", texts.wrong, texts.no_tries),
            Feedback::Wrong => format!("{} {}", texts.wrong, texts.tries_left(left)),
            Feedback::Solved => texts.solved.clone(),
            Feedback::Shown => texts.shown.clone(),
            Feedback::Hint(mv) => texts.hint_text(&self.written(&mv)),
            Feedback::Refused(why) => why,
        })
    }

    /// Draws the mark of a hint on the board.
    pub(crate) fn overlay(self) -> String {
        let Feedback::Hint(mv) = self.feedback.get() else {
            return String::new();
        };
        self.shown.with(|shown| overlay::hint(&shown.position, &mv))
    }

    /// Returns the moves that were found, for a form that is posted without scripts.
    pub(crate) fn found(self) -> String {
        self.found.with_untracked(|found| found.join(" "))
    }
}
