//! How Reversi is played.

use crate::ui::rules::{Chapter, Explained};
use crate::ui::texts::{Language, say};

/// What a disc turns over, and when there is nothing to be turned over.
pub(crate) fn rules(language: Language) -> Explained {
    Explained {
        heading: say!(language, reversi_rules.heading),
        lead: vec![
            say!(language, reversi_rules.turns),
            say!(language, reversi_rules.aim),
        ],
        chapters: vec![
            Chapter {
                title: say!(language, reversi_rules.flipping),
                text: vec![say!(language, reversi_rules.run_text)],
                cases: Vec::new(),
            },
            Chapter {
                title: say!(language, reversi_rules.passing),
                text: vec![say!(language, reversi_rules.passing_text)],
                cases: Vec::new(),
            },
            Chapter {
                title: say!(language, reversi_rules.end),
                text: vec![
                    say!(language, reversi_rules.end_text),
                    say!(language, reversi_rules.start_text),
                ],
                cases: Vec::new(),
            },
        ],
    }
}
