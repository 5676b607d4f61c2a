//! The texts of the analysis, in the language of the page.

use crate::ui::analysis::Verdict;
use crate::ui::text::{Language, side, t};
use serde::{Deserialize, Serialize};
use tochki_rules::{GameKind, Seat};

/// Texts that only this page uses. Words in braces are replaced in the browser ([`filled`]).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AnalysisTexts {
    pub(crate) invalid: String,
    /// `{number}`, `{mv}`
    pub(crate) unread_move: String,
    /// `{part}`
    pub(crate) unread: String,
    pub(crate) not_kept: String,
    pub(crate) without_comments: String,
    pub(crate) without_variations: String,
    pub(crate) no_game: String,
    pub(crate) new: String,
    pub(crate) table: String,
    pub(crate) computer: String,
    pub(crate) search: String,
    pub(crate) searching: String,
    pub(crate) found: String,
    /// `{nodes}`
    pub(crate) positions: String,
    /// `{depth}`
    pub(crate) depth: String,
    /// `{tries}`
    pub(crate) tries: String,
    pub(crate) exact: String,
    /// `{moves}`
    pub(crate) then: String,
    /// `{gains}`
    pub(crate) gains: String,
    /// `{lengths}`
    pub(crate) chains: String,
    /// `{lengths}`
    pub(crate) loops: String,
    pub(crate) best: String,
    pub(crate) next_move: String,
    pub(crate) next_about: String,
    pub(crate) in_turn: String,
    pub(crate) over: String,
    pub(crate) running: String,
    pub(crate) failed: String,
    pub(crate) retry: String,
    pub(crate) whole: String,
    pub(crate) review: String,
    pub(crate) review_about: String,
    pub(crate) cancel: String,
    /// `{at}`, `{count}`
    pub(crate) progress: String,
    /// `{owner}`, `{chance}`
    pub(crate) chances: String,
    pub(crate) inaccuracy: String,
    pub(crate) mistake: String,
    pub(crate) blunder: String,
    pub(crate) moments: String,
    pub(crate) no_moments: String,
    /// `{number}`, `{side}`, `{mv}`, `{owner}`, `{before}`, `{after}`
    pub(crate) moment: String,
    /// `{mv}`
    pub(crate) better: String,
    /// `{points}`
    pub(crate) cost: String,
    red: String,
    blue: String,
    black: String,
    white: String,
    pub(crate) go: String,
    pub(crate) show_better: String,
    pub(crate) make_main: String,
    pub(crate) delete: String,
    pub(crate) comment: String,
    pub(crate) tried: String,
    pub(crate) variation: String,
    pub(crate) share: String,
    pub(crate) address: String,
    pub(crate) copy: String,
    pub(crate) copied: String,
    pub(crate) not_copied: String,
    pub(crate) sgf: String,
}

impl AnalysisTexts {
    /// The texts in a language. For pages.
    pub(crate) fn new(language: Language) -> Self {
        Self {
            invalid: t!(language, analysis.invalid).into(),
            unread_move: t!(
                language,
                analysis.unread_move,
                number = "{number}",
                mv = "{mv}"
            ),
            unread: t!(language, analysis.unread, part = "{part}"),
            not_kept: t!(language, analysis.not_kept).into(),
            without_comments: t!(language, analysis.without_comments).into(),
            without_variations: t!(language, analysis.without_variations).into(),
            no_game: t!(language, analysis.no_game).into(),
            new: t!(language, analysis.new).into(),
            table: t!(language, analysis.table).into(),
            computer: t!(language, analysis.computer).into(),
            search: t!(language, analysis.search).into(),
            searching: t!(language, analysis.searching).into(),
            found: t!(language, analysis.found).into(),
            positions: t!(language, analysis.positions, nodes = "{nodes}"),
            depth: t!(language, analysis.depth, depth = "{depth}"),
            tries: t!(language, analysis.tries, tries = "{tries}"),
            exact: t!(language, analysis.exact).into(),
            then: t!(language, analysis.then, moves = "{moves}"),
            gains: t!(language, analysis.gains, gains = "{gains}"),
            chains: t!(language, analysis.chains, lengths = "{lengths}"),
            loops: t!(language, analysis.loops, lengths = "{lengths}"),
            best: t!(language, analysis.best).into(),
            next_move: t!(language, analysis.next_move).into(),
            next_about: t!(language, analysis.next_about).into(),
            in_turn: t!(language, analysis.in_turn).into(),
            over: t!(language, analysis.over).into(),
            running: t!(language, analysis.running).into(),
            failed: t!(language, analysis.failed).into(),
            retry: t!(language, analysis.retry).into(),
            whole: t!(language, analysis.whole).into(),
            review: t!(language, analysis.review).into(),
            review_about: t!(language, analysis.review_about).into(),
            cancel: t!(language, analysis.cancel).into(),
            progress: t!(language, analysis.progress, at = "{at}", count = "{count}"),
            chances: t!(
                language,
                analysis.chances,
                owner = "{owner}",
                chance = "{chance}"
            ),
            inaccuracy: t!(language, analysis.inaccuracy).into(),
            mistake: t!(language, analysis.mistake).into(),
            blunder: t!(language, analysis.blunder).into(),
            moments: t!(language, analysis.moments).into(),
            no_moments: t!(language, analysis.no_moments).into(),
            moment: t!(
                language,
                analysis.moment,
                number = "{number}",
                side = "{side}",
                mv = "{mv}",
                owner = "{owner}",
                before = "{before}",
                after = "{after}"
            ),
            better: t!(language, analysis.better, mv = "{mv}"),
            cost: t!(language, analysis.cost, points = "{points}"),
            red: t!(language, analysis.red).into(),
            blue: t!(language, analysis.blue).into(),
            black: t!(language, analysis.black).into(),
            white: t!(language, analysis.white).into(),
            go: t!(language, analysis.go).into(),
            show_better: t!(language, analysis.show_better).into(),
            make_main: t!(language, analysis.make_main).into(),
            delete: t!(language, analysis.delete).into(),
            comment: t!(language, analysis.comment).into(),
            tried: t!(language, analysis.tried).into(),
            variation: t!(language, analysis.variation).into(),
            share: t!(language, analysis.share).into(),
            address: t!(language, analysis.address).into(),
            copy: t!(language, analysis.copy).into(),
            copied: t!(language, analysis.copied).into(),
            not_copied: t!(language, analysis.not_copied).into(),
            sgf: t!(language, analysis.sgf).into(),
        }
    }

    /// The name of a verdict.
    pub(crate) fn verdict(&self, verdict: Verdict) -> &str {
        match verdict {
            Verdict::Inaccuracy => &self.inaccuracy,
            Verdict::Mistake => &self.mistake,
            Verdict::Blunder => &self.blunder,
        }
    }

    /// A side as an owner of something.
    pub(crate) fn owner(&self, game: GameKind, seat: Seat) -> &str {
        match (side::is_black_and_white(game), seat) {
            (false, Seat::First) => &self.red,
            (false, Seat::Second) => &self.blue,
            (true, Seat::First) => &self.black,
            (true, Seat::Second) => &self.white,
        }
    }
}

/// A text with its values in place of the words in braces.
pub(crate) fn filled(text: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{name}}}"), value)
    })
}
