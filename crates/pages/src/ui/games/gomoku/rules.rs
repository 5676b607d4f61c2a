//! The rules of Gomoku.

use crate::ui::board::DiagramCrop;
use crate::ui::games::drawing;
use crate::ui::games::drawing::Drawing;
use crate::ui::games::points;
use crate::ui::rulebook::{Chapter, Example, ExampleMove, GameRules};
use crate::ui::text::{Language, t};
use tochki_rules::gomoku::{Gomoku, Rule, Setup};
use tochki_rules::{self, Game, GameKind, Move, Seat};

/// Returns the rules: the rows that win, and the rows that threaten to.
pub(crate) fn rules(language: Language) -> GameRules {
    let [across, down, diagonal, gap, free, standard, open, blocked] = cases(language);
    GameRules {
        heading: t!(language, gomoku_rules.heading),
        lead: vec![
            t!(language, gomoku_rules.turns),
            t!(language, gomoku_rules.aim),
        ],
        exercises: Vec::new(),
        chapters: vec![
            Chapter {
                title: t!(language, gomoku_rules.five),
                text: Vec::new(),
                examples: vec![across, down, diagonal, gap],
            },
            Chapter {
                title: t!(language, gomoku_rules.more),
                text: vec![t!(language, gomoku_rules.more_text)],
                examples: vec![free, standard],
            },
            Chapter {
                title: t!(language, gomoku_rules.threats),
                text: Vec::new(),
                examples: vec![open, blocked],
            },
            Chapter {
                title: t!(language, gomoku_rules.end),
                text: vec![
                    t!(language, gomoku_rules.end_text),
                    t!(language, gomoku_rules.start_text),
                ],
                examples: Vec::new(),
            },
        ],
    }
}

/// Returns the examples, in the order in which they are told.
fn cases(language: Language) -> [Example; 8] {
    let (red, blue) = (Seat::First, Seat::Second);
    let by = |rule, id, title, text, mover, drawing| Example {
        id,
        title,
        text,
        diagram: DiagramCrop::Middle,
        demonstration: tried(rule, mover, drawing),
    };
    let case =
        |id, title, text, mover, drawing| by(Rule::Freestyle, id, title, text, mover, drawing);
    let six: Drawing = &[". . B . B .", "R R * R R R", ". B . B . ."];
    [
        case(
            "across",
            t!(language, gomoku_rules.across),
            t!(language, gomoku_rules.across_text),
            red,
            &[". . B . . .", ". R R R R *", ". B . B B ."],
        ),
        case(
            "down",
            t!(language, gomoku_rules.down),
            t!(language, gomoku_rules.down_text),
            red,
            &[". R . .", ". R B .", ". * . B", ". R B .", ". R B ."],
        ),
        case(
            "diagonal",
            t!(language, gomoku_rules.diagonal),
            t!(language, gomoku_rules.diagonal_text),
            red,
            &[
                "R . . . .",
                "B R . . .",
                ". B R B .",
                ". . . R .",
                ". . . B *",
            ],
        ),
        case(
            "gap",
            t!(language, gomoku_rules.gap),
            t!(language, gomoku_rules.gap_text),
            red,
            &[". B . B . .", "R R . R R *", ". . B . B ."],
        ),
        case(
            "free",
            t!(language, gomoku_rules.free),
            t!(language, gomoku_rules.free_text),
            red,
            six,
        ),
        by(
            Rule::Standard,
            "standard",
            t!(language, gomoku_rules.standard),
            t!(language, gomoku_rules.standard_text),
            red,
            six,
        ),
        case(
            "open",
            t!(language, gomoku_rules.open),
            t!(language, gomoku_rules.open_text),
            red,
            &[". . B . . .", ". R R R * .", ". B . B . ."],
        ),
        case(
            "blocked",
            t!(language, gomoku_rules.blocked),
            t!(language, gomoku_rules.blocked_text),
            blue,
            &[". . . B . .", "B R R R R *", ". . B . . ."],
        ),
    ]
}

/// Places a drawing in the middle of a board with a little room round it.
fn tried(rule: Rule, mover: Seat, drawing: Drawing) -> ExampleMove {
    let (width, height) = drawing::size(drawing);
    let side = width.max(height) + 2;
    let setup = Setup::new(side, rule).expect("a drawing is smaller than the largest board");
    let corner = ((side - width) / 2, (side - height) / 2);
    let plies = drawing::plies(drawing, corner, mover, Move::Gomoku);
    ExampleMove::set_up(tochki_rules::Setup::Gomoku(setup), plies)
}

/// Describes the board in words.
pub(crate) fn describe_board(language: Language, gomoku: &Gomoku) -> String {
    let side = gomoku.setup().size();
    points::rows(language, (side, side), |point| {
        points::owner(language, GameKind::Gomoku, gomoku.stone(point))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(id: &str, wins: bool) {
        let cases = cases(Language::default());
        let case = cases.iter().find(|case| case.id == id);
        let Example {
            demonstration: tried,
            ..
        } = case.expect("a case of that name");
        assert_eq!(tried.before.position.outcome(), None, "{id}");
        let outcome = tried.after().position.outcome();
        assert_eq!(outcome.is_some(), wins, "{id}");
    }

    #[test]
    fn every_case_is_what_the_rules_make_of_it() {
        for won in ["across", "down", "diagonal", "free"] {
            check(won, true);
        }
        for goes_on in ["gap", "standard", "open", "blocked"] {
            check(goes_on, false);
        }
    }
}
