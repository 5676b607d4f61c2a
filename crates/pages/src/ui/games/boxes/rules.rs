//! The rules of Dots and Boxes.

use crate::ui::board::DiagramCrop;
use crate::ui::rulebook::{Chapter, Example, ExampleMove, GameRules};
use crate::ui::text::side;
use crate::ui::text::{Language, t};
use tochki_rules::boxes::{Boxes, Line, Setup};
use tochki_rules::{self, Game, GameKind};

/// Returns the rules: lines and boxes, and the side that moves again.
pub(crate) fn rules(language: Language) -> GameRules {
    let [line, take, two, third, last] = cases(language);
    GameRules {
        heading: t!(language, boxes_rules.heading),
        lead: vec![
            t!(language, boxes_rules.turns),
            t!(language, boxes_rules.aim),
        ],
        exercises: Vec::new(),
        chapters: vec![
            Chapter {
                title: t!(language, boxes_rules.taking),
                text: Vec::new(),
                examples: vec![line, take, two],
            },
            Chapter {
                title: t!(language, boxes_rules.again),
                text: vec![t!(language, boxes_rules.again_text)],
                examples: vec![third, last],
            },
            Chapter {
                title: t!(language, boxes_rules.end),
                text: vec![
                    t!(language, boxes_rules.end_text),
                    t!(language, boxes_rules.start_text),
                ],
                examples: Vec::new(),
            },
        ],
    }
}

/// Returns the examples, in the order in which they are told.
fn cases(language: Language) -> [Example; 5] {
    let case = |id, title, text, (cols, rows), moves| {
        let setup = Setup::new(cols, rows).expect("a small board");
        Example {
            id,
            title,
            text,
            diagram: DiagramCrop::Whole,
            demonstration: ExampleMove::in_turn(tochki_rules::Setup::Boxes(setup), moves),
        }
    };
    [
        case(
            "line",
            t!(language, boxes_rules.line),
            t!(language, boxes_rules.line_text),
            (2, 2),
            "h:0,0 v:2,1 v:1,0",
        ),
        case(
            "take",
            t!(language, boxes_rules.take),
            t!(language, boxes_rules.take_text),
            (2, 2),
            "h:0,0 h:1,2 v:0,0 h:0,1 v:1,0",
        ),
        case(
            "two",
            t!(language, boxes_rules.two),
            t!(language, boxes_rules.two_text),
            (2, 2),
            "h:0,0 h:1,0 v:0,0 v:2,0 h:0,1 h:1,1 v:1,0",
        ),
        case(
            "third",
            t!(language, boxes_rules.third),
            t!(language, boxes_rules.third_text),
            (2, 2),
            "h:0,0 v:0,0 h:0,1 v:1,0",
        ),
        case(
            "last",
            t!(language, boxes_rules.last),
            t!(language, boxes_rules.last_text),
            (2, 1),
            "h:0,0 h:1,0 v:0,0 v:2,0 h:0,1 v:1,0 h:1,1",
        ),
    ]
}

/// Describes the board in words: of each box its owner, or the number of its drawn sides.
pub(crate) fn describe_board(language: Language, boxes: &Boxes) -> String {
    let setup = boxes.setup();
    let rows = (0..setup.rows()).map(|y| {
        let row: Vec<_> = (0..setup.cols())
            .map(|x| told(language, boxes, x, y))
            .collect();
        t!(language, rules.row, row = y + 1, points = row.join(", "))
    });
    rows.collect::<Vec<_>>().join(" ")
}

fn told(language: Language, boxes: &Boxes, x: u8, y: u8) -> String {
    if let Some(owner) = boxes.owner(x, y) {
        let side = side::colour(language, GameKind::Boxes, owner).to_lowercase();
        return t!(language, boxes_rules.taken, side = side);
    }
    let sides = [
        Line::across(x, y),
        Line::across(x, y + 1),
        Line::down(x, y),
        Line::down(x + 1, y),
    ];
    let drawn = sides.into_iter().filter(|side| boxes.line(*side).is_some());
    t!(language, boxes_rules.sides, count = drawn.count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::Seat::{self, First, Second};

    #[track_caller]
    fn check(id: &str, mover: Seat, score: [u32; 2], to_move: Option<Seat>, told: &str) {
        let cases = cases(Language::default());
        let case = cases.iter().find(|case| case.id == id);
        let Example {
            demonstration: tried,
            ..
        } = case.expect("a case of that name");
        let after = tried.after().position;
        assert_eq!(tried.last.seat, mover);
        assert_eq!((after.score(), after.to_move()), (score, to_move));
        let tochki_rules::Position::Boxes(boxes) = after else {
            panic!("a position of another game");
        };
        assert_eq!(describe_board(Language::default(), &boxes), told);
    }

    #[test]
    fn every_case_is_what_the_rules_make_of_it() {
        let told = "Row 1: 2 sides, 1 side. Row 2: 0 sides, 1 side.";
        check("line", First, [0, 0], Some(Second), told);
        let told = "Row 1: taken by red, 1 side. Row 2: 1 side, 1 side.";
        check("take", First, [1, 0], Some(First), told);
        let told = "Row 1: taken by red, taken by red. Row 2: 1 side, 1 side.";
        check("two", First, [2, 0], Some(First), told);
        let told = "Row 1: taken by blue, 1 side. Row 2: 1 side, 0 sides.";
        check("third", Second, [0, 1], Some(Second), told);
        let told = "Row 1: taken by blue, taken by blue.";
        check("last", Second, [0, 2], None, told);
    }
}
