//! The texts of the table, in the language of the page.

use crate::ui::computer::{SavedGame, level};
use crate::ui::text::{Language, t};
use serde::{Deserialize, Serialize};
use tochki_rules::Seat;

/// Texts that only these pages use. Words in braces are replaced in the browser.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ComputerTexts {
    /// The names of the levels, the weakest first.
    levels: Vec<String>,
    /// `{level}`
    opponent: String,
    pub(crate) you: String,
    pub(crate) thinks: String,
    pub(crate) failed: String,
    pub(crate) retry: String,
    pub(crate) loading_engine: String,
    pub(crate) late: String,
    pub(crate) take_back: String,
    pub(crate) redo: String,
    pub(crate) hint: String,
    pub(crate) searching: String,
    /// `{mv}`
    hint_text: String,
    pub(crate) settled: String,
    pub(crate) finish: String,
    pub(crate) show_thoughts: String,
    /// `{value}`, `{nodes}`
    thought: String,
    pub(crate) exact: String,
    pub(crate) again: String,
    pub(crate) other: String,
    pub(crate) analyse: String,
    pub(crate) sgf: String,
    pub(crate) json: String,
    pub(crate) keep: String,
    pub(crate) kept: String,
    pub(crate) kept_games: String,
    pub(crate) keep_needs_account: String,
    pub(crate) too_many_kept: String,
    pub(crate) keep_failed: String,
    pub(crate) sign_in: String,
    pub(crate) not_saved: String,
    pub(crate) no_game: String,
    pub(crate) invalid: String,
    pub(crate) none_saved: String,
    pub(crate) go_on: String,
    pub(crate) look: String,
    pub(crate) delete: String,
    /// `{count}`
    move_count: String,
}

impl ComputerTexts {
    /// Returns the few texts of a game on the front page. For pages.
    pub(crate) fn of_front_page(language: Language) -> Self {
        Self {
            opponent: t!(language, computer.opponent, level = "{level}"),
            you: t!(language, computer.you).into(),
            levels: level::names(language).map(str::to_owned).to_vec(),
            failed: t!(language, computer.failed).into(),
            retry: t!(language, computer.retry).into(),
            late: t!(language, engine.late).into(),
            again: t!(language, computer.again).into(),
            ..Self::default()
        }
    }

    /// Returns the texts in a language. For pages.
    pub(crate) fn new(language: Language) -> Self {
        let levels = level::names(language).map(str::to_owned).to_vec();
        Self {
            levels,
            opponent: t!(language, computer.opponent, level = "{level}"),
            you: t!(language, computer.you).into(),
            thinks: t!(language, computer.thinks).into(),
            failed: t!(language, computer.failed).into(),
            retry: t!(language, computer.retry).into(),
            loading_engine: t!(language, engine.loading).into(),
            late: t!(language, engine.late).into(),
            take_back: t!(language, computer.take_back).into(),
            redo: t!(language, computer.redo).into(),
            hint: t!(language, computer.hint).into(),
            searching: t!(language, computer.searching).into(),
            hint_text: t!(language, computer.hint_text, mv = "{mv}"),
            settled: t!(language, computer.settled).into(),
            finish: t!(language, computer.finish).into(),
            show_thoughts: t!(language, computer.show_thoughts).into(),
            thought: t!(
                language,
                computer.thought,
                value = "{value}",
                nodes = "{nodes}"
            ),
            exact: t!(language, computer.exact).into(),
            again: t!(language, computer.again).into(),
            other: t!(language, computer.other).into(),
            analyse: t!(language, analysis.link).into(),
            sgf: t!(language, computer.sgf).into(),
            json: t!(language, computer.json).into(),
            keep: t!(language, kept_games.keep).into(),
            kept: t!(language, kept_games.kept).into(),
            kept_games: t!(language, kept_games.title).into(),
            keep_needs_account: t!(language, kept_games.needs_account).into(),
            too_many_kept: t!(language, kept_games.limit).into(),
            keep_failed: t!(language, kept_games.failed).into(),
            sign_in: t!(language, header.sign_in).into(),
            not_saved: t!(language, computer.not_saved).into(),
            no_game: t!(language, computer.no_game).into(),
            invalid: t!(language, computer.invalid).into(),
            none_saved: t!(language, computer.none_saved).into(),
            go_on: t!(language, computer.go_on).into(),
            look: t!(language, computer.look).into(),
            delete: t!(language, computer.delete).into(),
            move_count: t!(language, computer.move_count, count = "{count}"),
        }
    }

    /// Returns the name of the computer at a level.
    pub(crate) fn opponent(&self, level: u8) -> String {
        let name = self.levels.get(usize::from(level).wrapping_sub(1));
        self.opponent
            .replace("{level}", name.map_or("", String::as_str))
    }

    /// Returns the name of a side: the visitor, or the computer at its level.
    pub(crate) fn name(&self, game: &SavedGame, seat: Seat) -> String {
        if seat == game.seat {
            self.you.clone()
        } else {
            self.opponent(game.level)
        }
    }

    /// Returns a hint in words, without the gain of the move.
    pub(crate) fn hint_text(&self, mv: &str) -> String {
        self.hint_text.replace("{mv}", mv)
    }

    /// Returns the computer's judgement of its position in words.
    pub(crate) fn thought(&self, value: &str, nodes: u64) -> String {
        self.thought
            .replace("{value}", value)
            .replace("{nodes}", &nodes.to_string())
    }

    /// Returns a number of moves in words.
    pub(crate) fn move_count(&self, count: usize) -> String {
        self.move_count.replace("{count}", &count.to_string())
    }
}
