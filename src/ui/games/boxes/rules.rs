//! How Dots and Boxes is played.

use crate::ui::rules::{Chapter, Explained};
use crate::ui::texts::{Language, say};

/// Lines and boxes, and who moves again.
pub(crate) fn rules(language: Language) -> Explained {
    Explained {
        heading: say!(language, boxes_rules.heading),
        lead: vec![
            say!(language, boxes_rules.turns),
            say!(language, boxes_rules.aim),
        ],
        chapters: vec![
            Chapter {
                title: say!(language, boxes_rules.taking),
                text: vec![
                    say!(language, boxes_rules.line_text),
                    say!(language, boxes_rules.take_text),
                ],
                cases: Vec::new(),
            },
            Chapter {
                title: say!(language, boxes_rules.again),
                text: vec![say!(language, boxes_rules.again_text)],
                cases: Vec::new(),
            },
            Chapter {
                title: say!(language, boxes_rules.end),
                text: vec![
                    say!(language, boxes_rules.end_text),
                    say!(language, boxes_rules.start_text),
                ],
                cases: Vec::new(),
            },
        ],
    }
}
