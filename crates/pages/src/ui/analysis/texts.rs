//! The texts of the analysis, in the language of the page.

use crate::ui::analysis::Verdict;
use crate::ui::text::{Language, say};
use serde::{Deserialize, Serialize};
use tochki_rules::Seat;

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
    pub(crate) failed: String,
    pub(crate) retry: String,
    pub(crate) whole: String,
    pub(crate) review: String,
    pub(crate) review_about: String,
    pub(crate) cancel: String,
    /// `{at}`, `{count}`
    pub(crate) progress: String,
    /// `{chance}`
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
    pub(crate) red: String,
    pub(crate) blue: String,
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
            invalid: say!(language, analysis.invalid).into(),
            unread_move: say!(
                language,
                analysis.unread_move,
                number = "{number}",
                mv = "{mv}"
            ),
            unread: say!(language, analysis.unread, part = "{part}"),
            not_kept: say!(language, analysis.not_kept).into(),
            without_comments: say!(language, analysis.without_comments).into(),
            without_variations: say!(language, analysis.without_variations).into(),
            no_game: say!(language, analysis.no_game).into(),
            new: say!(language, analysis.new).into(),
            table: say!(language, analysis.table).into(),
            computer: say!(language, analysis.computer).into(),
            search: say!(language, analysis.search).into(),
            searching: say!(language, analysis.searching).into(),
            found: say!(language, analysis.found).into(),
            positions: say!(language, analysis.positions, nodes = "{nodes}"),
            depth: say!(language, analysis.depth, depth = "{depth}"),
            tries: say!(language, analysis.tries, tries = "{tries}"),
            exact: say!(language, analysis.exact).into(),
            then: say!(language, analysis.then, moves = "{moves}"),
            gains: say!(language, analysis.gains, gains = "{gains}"),
            chains: say!(language, analysis.chains, lengths = "{lengths}"),
            loops: say!(language, analysis.loops, lengths = "{lengths}"),
            best: say!(language, analysis.best).into(),
            next_move: say!(language, analysis.next_move).into(),
            next_about: say!(language, analysis.next_about).into(),
            in_turn: say!(language, analysis.in_turn).into(),
            over: say!(language, analysis.over).into(),
            failed: say!(language, analysis.failed).into(),
            retry: say!(language, analysis.retry).into(),
            whole: say!(language, analysis.whole).into(),
            review: say!(language, analysis.review).into(),
            review_about: say!(language, analysis.review_about).into(),
            cancel: say!(language, analysis.cancel).into(),
            progress: say!(language, analysis.progress, at = "{at}", count = "{count}"),
            chances: say!(language, analysis.chances, chance = "{chance}"),
            inaccuracy: say!(language, analysis.inaccuracy).into(),
            mistake: say!(language, analysis.mistake).into(),
            blunder: say!(language, analysis.blunder).into(),
            moments: say!(language, analysis.moments).into(),
            no_moments: say!(language, analysis.no_moments).into(),
            moment: say!(
                language,
                analysis.moment,
                number = "{number}",
                side = "{side}",
                mv = "{mv}",
                owner = "{owner}",
                before = "{before}",
                after = "{after}"
            ),
            better: say!(language, analysis.better, mv = "{mv}"),
            cost: say!(language, analysis.cost, points = "{points}"),
            red: say!(language, analysis.red).into(),
            blue: say!(language, analysis.blue).into(),
            go: say!(language, analysis.go).into(),
            show_better: say!(language, analysis.show_better).into(),
            make_main: say!(language, analysis.make_main).into(),
            delete: say!(language, analysis.delete).into(),
            comment: say!(language, analysis.comment).into(),
            tried: say!(language, analysis.tried).into(),
            variation: say!(language, analysis.variation).into(),
            share: say!(language, analysis.share).into(),
            address: say!(language, analysis.address).into(),
            copy: say!(language, analysis.copy).into(),
            copied: say!(language, analysis.copied).into(),
            not_copied: say!(language, analysis.not_copied).into(),
            sgf: say!(language, analysis.sgf).into(),
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
    pub(crate) fn owner(&self, seat: Seat) -> &str {
        match seat {
            Seat::First => &self.red,
            Seat::Second => &self.blue,
        }
    }
}

/// A text with its values in place of the words in braces.
pub(crate) fn filled(text: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{name}}}"), value)
    })
}
