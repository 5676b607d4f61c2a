//! How Dots is played.

use crate::rules::Seat;
use crate::ui::board::Piece;
use crate::ui::rules::{Case, Chapter, Explained};
use crate::ui::texts::{Language, say};

/// The rule in a few sentences, then what follows from it, case by case.
pub(crate) fn rules(language: Language) -> Explained {
    let mut cases = cases(language).into_iter();
    let mut chapter = |title, count: usize| Chapter {
        title,
        text: Vec::new(),
        cases: cases.by_ref().take(count).collect(),
    };
    Explained {
        heading: say!(language, rules.heading),
        lead: vec![say!(language, rules.turns), say!(language, rules.aim)],
        chapters: vec![
            chapter(say!(language, rules.capturing), 4),
            chapter(say!(language, rules.houses), 6),
            chapter(say!(language, rules.nested), 3),
            Chapter {
                title: say!(language, rules.end),
                text: vec![
                    say!(language, rules.end_text),
                    say!(language, rules.start_text),
                ],
                cases: Vec::new(),
            },
        ],
    }
}

/// All cases, in the order in which they are told.
fn cases(language: Language) -> [Case; 13] {
    let case = |id, title, text, mover, drawing| Case {
        id,
        title,
        text,
        mover,
        piece: Piece::Middle,
        drawing,
    };
    let (red, blue) = (Seat::First, Seat::Second);
    [
        case(
            "capture",
            say!(language, rules.capture),
            say!(language, rules.capture_text),
            red,
            &[". R .", "R B R", ". * ."],
        ),
        case(
            "diagonals",
            say!(language, rules.diagonals),
            say!(language, rules.diagonals_text),
            red,
            &[". R R .", "R B . R", ". R * ."],
        ),
        case(
            "two",
            say!(language, rules.two),
            say!(language, rules.two_text),
            red,
            &[". R . R .", "R B * B R", ". R . R ."],
        ),
        Case {
            piece: Piece::Corner,
            ..case(
                "edge",
                say!(language, rules.edge),
                say!(language, rules.edge_text),
                red,
                &["B R .", "* . ."],
            )
        },
        case(
            "house",
            say!(language, rules.house),
            say!(language, rules.house_text),
            red,
            &[". R .", "R . R", ". * ."],
        ),
        case(
            "stepping-in",
            say!(language, rules.stepping_in),
            say!(language, rules.stepping_in_text),
            blue,
            &[". R .", "R * R", ". R ."],
        ),
        case(
            "breaking-in",
            say!(language, rules.breaking_in),
            say!(language, rules.breaking_in_text),
            blue,
            &[". R B .", "R * R B", ". R B ."],
        ),
        case(
            "filling",
            say!(language, rules.filling),
            say!(language, rules.filling_text),
            red,
            &[". R .", "R * R", ". R ."],
        ),
        case(
            "beside",
            say!(language, rules.beside),
            say!(language, rules.beside_text),
            red,
            &[". R . R .", "R B R . R", ". * . R ."],
        ),
        case(
            "inside",
            say!(language, rules.inside),
            say!(language, rules.inside_text),
            red,
            &[
                ". R R R R R R .",
                "R . . R . . . R",
                "R . R . R . . R",
                "R . . R . . . R",
                "R B . . . . . R",
                ". R R * R R R .",
            ],
        ),
        case(
            "recapture",
            say!(language, rules.recapture),
            say!(language, rules.recapture_text),
            blue,
            &[
                ". . B . .",
                ". B R B .",
                "B R b R B",
                ". B R B .",
                ". . * . .",
            ],
        ),
        case(
            "dead",
            say!(language, rules.dead),
            say!(language, rules.dead_text),
            blue,
            &[". R . B .", "R b R . B", ". R * B ."],
        ),
        case(
            "again",
            say!(language, rules.again),
            say!(language, rules.again_text),
            red,
            &[
                ". . R . .",
                ". R R R .",
                "R R b R R",
                ". R R R .",
                ". . * . .",
            ],
        ),
    ]
}
