//! The rules of Reversi.

use crate::ui::board::DiagramCrop;
use crate::ui::games::points;
use crate::ui::rulebook::{Chapter, Example, ExampleMove, GameRules};
use crate::ui::text::{Language, t};
use tochki_rules::reversi::{Reversi, Setup};
use tochki_rules::{self, GameKind};

/// Returns the rules: the discs that a move turns over, and the pass when no move turns any.
pub(crate) fn rules(language: Language) -> GameRules {
    let [run, several, chain, pass, early] = cases(language);
    GameRules {
        heading: t!(language, reversi_rules.heading),
        lead: vec![
            t!(language, reversi_rules.turns),
            t!(language, reversi_rules.aim),
        ],
        exercises: Vec::new(),
        chapters: vec![
            Chapter {
                title: t!(language, reversi_rules.flipping),
                text: vec![t!(language, reversi_rules.refused_text)],
                examples: vec![run, several, chain],
            },
            Chapter {
                title: t!(language, reversi_rules.passing),
                text: vec![t!(language, reversi_rules.passing_text)],
                examples: vec![pass, early],
            },
            Chapter {
                title: t!(language, reversi_rules.end),
                text: vec![
                    t!(language, reversi_rules.end_text),
                    t!(language, reversi_rules.start_text),
                ],
                examples: Vec::new(),
            },
        ],
    }
}

/// Returns the examples, in the order in which they are told. Each is reached from the start, as in a game.
fn cases(language: Language) -> [Example; 5] {
    let case = |id, title, text, moves| Example {
        id,
        title,
        text,
        diagram: DiagramCrop::Whole,
        demonstration: ExampleMove::in_turn(tochki_rules::Setup::Reversi(Setup::DEFAULT), moves),
    };
    [
        case(
            "run",
            t!(language, reversi_rules.run),
            t!(language, reversi_rules.run_text),
            "f5 f4 g3 f6 c4",
        ),
        case(
            "several",
            t!(language, reversi_rules.several),
            t!(language, reversi_rules.several_text),
            "d3 c3 b3 f4 f3 e3 f5",
        ),
        case(
            "chain",
            t!(language, reversi_rules.chain),
            t!(language, reversi_rules.chain_text),
            "c4 c3 c2 e3 f3",
        ),
        case(
            "pass",
            t!(language, reversi_rules.pass),
            t!(language, reversi_rules.pass_text),
            "d3 e3 f5 c5 c4 g5 g6 c3 h5 h7 f7",
        ),
        case(
            "early",
            t!(language, reversi_rules.early),
            t!(language, reversi_rules.early_text),
            "e6 f6 c4 c5 b6 d6 e7 f5 g5",
        ),
    ]
}

/// Describes the board in words.
pub(crate) fn describe_board(language: Language, reversi: &Reversi) -> String {
    points::rows(language, (8, 8), |point| {
        points::owner(language, GameKind::Reversi, reversi.disc(point))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::Seat;

    #[track_caller]
    fn check(id: &str, score: [u32; 2], to_move: Option<Seat>) {
        let cases = cases(Language::default());
        let case = cases.iter().find(|case| case.id == id);
        let Example {
            demonstration: tried,
            ..
        } = case.expect("a case of that name");
        assert_eq!(tried.last.seat, Seat::First, "{id}");
        let after = tried.after().position;
        assert_eq!((after.score(), after.to_move()), (score, to_move), "{id}");
        assert_eq!(after.passed(), id == "pass");
    }

    #[test]
    fn every_case_is_what_the_rules_make_of_it() {
        check("run", [7, 2], Some(Seat::Second));
        check("several", [9, 2], Some(Seat::Second));
        check("chain", [6, 3], Some(Seat::Second));
        check("pass", [4, 11], Some(Seat::First));
        check("early", [13, 0], None);
    }
}
