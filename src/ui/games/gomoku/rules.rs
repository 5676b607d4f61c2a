//! How Gomoku is played.

use crate::ui::rules::{Chapter, Explained};
use crate::ui::texts::{Language, say};

/// Which rows win, and which threaten to.
pub(crate) fn rules(language: Language) -> Explained {
    Explained {
        heading: say!(language, gomoku_rules.heading),
        lead: vec![
            say!(language, gomoku_rules.turns),
            say!(language, gomoku_rules.aim),
        ],
        chapters: vec![
            Chapter {
                title: say!(language, gomoku_rules.five),
                text: vec![say!(language, gomoku_rules.across_text)],
                cases: Vec::new(),
            },
            Chapter {
                title: say!(language, gomoku_rules.more),
                text: vec![say!(language, gomoku_rules.more_text)],
                cases: Vec::new(),
            },
            Chapter {
                title: say!(language, gomoku_rules.threats),
                text: vec![say!(language, gomoku_rules.open_text)],
                cases: Vec::new(),
            },
            Chapter {
                title: say!(language, gomoku_rules.end),
                text: vec![
                    say!(language, gomoku_rules.end_text),
                    say!(language, gomoku_rules.start_text),
                ],
                cases: Vec::new(),
            },
        ],
    }
}
