//! The texts of the page of a puzzle, in the language of the page.

use crate::ui::text::{Language, side, t};
use serde::{Deserialize, Serialize};
use tochki_rules::{GameKind, Seat};

/// Texts that only this page uses. Words in braces are replaced in the browser.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PuzzleTexts {
    pub(crate) task: String,
    pub(crate) wrong: String,
    pub(crate) right: String,
    /// `{mv}`
    answered: String,
    pub(crate) solved: String,
    pub(crate) shown: String,
    pub(crate) hint: String,
    /// `{mv}`
    hint_text: String,
    pub(crate) help_counts: String,
    pub(crate) solution: String,
    pub(crate) again: String,
    pub(crate) next: String,
    pub(crate) all: String,
    pub(crate) why: String,
    pub(crate) analyse: String,
    /// `{count}`
    tries_left: String,
    pub(crate) no_tries: String,
    /// `{before}`, `{after}`
    rating_now: String,
    pub(crate) solver: String,
    pub(crate) no_rating: String,
}

/// Returns the task by the theme.
pub(crate) fn task(language: Language, game: GameKind, theme: &str, seat: Seat) -> String {
    let side = side::colour(language, game, seat);
    match theme {
        "capture" => t!(language, puzzles.task_capture, side = side),
        "combination" => t!(language, puzzles.task_combination, side = side),
        "ladder" => t!(language, puzzles.task_ladder, side = side),
        "rescue" => t!(language, puzzles.task_rescue, side = side),
        "fours" => t!(language, puzzles.task_fours, side = side),
        "hand_back" => t!(language, puzzles.task_hand_back, side = side),
        _ => t!(language, puzzles.task_ending, side = side),
    }
}

impl PuzzleTexts {
    /// Returns the texts in a language. For pages.
    pub(crate) fn new(language: Language, game: GameKind, theme: &str, seat: Seat) -> Self {
        Self {
            task: task(language, game, theme, seat),
            wrong: t!(language, puzzles.wrong).into(),
            right: t!(language, puzzles.right).into(),
            answered: t!(language, puzzles.answered, mv = "{mv}"),
            solved: t!(language, puzzles.solved).into(),
            shown: t!(language, puzzles.shown).into(),
            hint: t!(language, puzzles.hint).into(),
            hint_text: t!(language, puzzles.hint_text, mv = "{mv}"),
            help_counts: t!(language, puzzles.help_counts).into(),
            solution: t!(language, puzzles.solution).into(),
            again: t!(language, puzzles.again).into(),
            next: t!(language, puzzles.next).into(),
            all: t!(language, puzzles.all).into(),
            why: t!(language, puzzles.why).into(),
            analyse: t!(language, analysis.link).into(),
            tries_left: t!(language, puzzles.tries_left, number = "{count}"),
            no_tries: t!(language, puzzles.no_tries).into(),
            rating_now: t!(
                language,
                puzzles.rating_now,
                before = "{before}",
                after = "{after}"
            ),
            solver: t!(language, puzzles.solver).into(),
            no_rating: t!(language, puzzles.no_rating).into(),
        }
    }

    /// Returns the answer of the other side in words.
    pub(crate) fn answered(&self, mv: &str) -> String {
        self.answered.replace("{mv}", mv)
    }

    /// Returns a hint in words.
    pub(crate) fn hint_text(&self, mv: &str) -> String {
        self.hint_text.replace("{mv}", mv)
    }

    /// Returns the number of tries left in words.
    pub(crate) fn tries_left(&self, count: u8) -> String {
        self.tries_left.replace("{count}", &count.to_string())
    }

    /// Returns the effect of a first try on the rating in words.
    pub(crate) fn rating_now(&self, before: &str, after: &str) -> String {
        self.rating_now
            .replace("{before}", before)
            .replace("{after}", after)
    }
}
