//! The rules of Dots.

use crate::ui::board::DiagramCrop;
use crate::ui::games::drawing;
use crate::ui::games::drawing::Drawing;
use crate::ui::games::points;
use crate::ui::rulebook::{Chapter, Example, ExampleMove, Exercise, GameRules, Goal};
use crate::ui::text::side;
use crate::ui::text::{Language, t};
use tochki_rules::dots::{Dot, Dots, Opening, PointState, Setup};
use tochki_rules::{self, Game, GameKind, Move, Seat};

/// Returns the rule in a few sentences, then its consequences, case by case.
pub(crate) fn rules(language: Language) -> GameRules {
    let mut cases = cases(language).into_iter();
    let mut chapter = |title, count: usize| Chapter {
        title,
        text: Vec::new(),
        examples: cases.by_ref().take(count).collect(),
    };
    GameRules {
        heading: t!(language, rules.heading),
        lead: vec![t!(language, rules.turns), t!(language, rules.aim)],
        exercises: exercises(language).into(),
        chapters: vec![
            chapter(t!(language, rules.capturing), 4),
            chapter(t!(language, rules.houses), 6),
            chapter(t!(language, rules.nested), 3),
            Chapter {
                title: t!(language, rules.end),
                text: vec![t!(language, rules.end_text), t!(language, rules.start_text)],
                examples: Vec::new(),
            },
        ],
    }
}

/// Returns five positions, from the simplest capture to a house that is broken into.
fn exercises(language: Language) -> [Exercise; 5] {
    let exercise = |id, task, goal, drawing| {
        let near = near(DiagramCrop::Middle);
        let plies = drawing::plies(drawing, (near, near), Seat::First, Move::Dots);
        Exercise::set_up(id, task, goal, setup(DiagramCrop::Middle, drawing), plies)
    };
    [
        exercise(
            "try-capture",
            t!(language, exercises.capture),
            Goal::Gain(1),
            &[". R .", "R B R", ". . ."],
        ),
        exercise(
            "try-diagonal",
            t!(language, exercises.diagonal),
            Goal::Gain(2),
            &[". R R .", "R B B R", ". R . ."],
        ),
        exercise(
            "try-two",
            t!(language, exercises.two),
            Goal::Gain(2),
            &[". R . R .", "R B . B R", ". R . R ."],
        ),
        exercise(
            "try-defence",
            t!(language, exercises.defence),
            Goal::Defence,
            &[". B .", "B R B", ". . ."],
        ),
        exercise(
            "try-house",
            t!(language, exercises.house),
            Goal::Gain(1),
            &[". B R .", "B . B R", ". B R ."],
        ),
    ]
}

/// Returns the examples, in the order in which they are told.
fn cases(language: Language) -> [Example; 13] {
    let cut = |piece, id, title, text, mover, drawing| Example {
        id,
        title,
        text,
        diagram: piece,
        demonstration: tried(piece, mover, drawing),
    };
    let case =
        |id, title, text, mover, drawing| cut(DiagramCrop::Middle, id, title, text, mover, drawing);
    let (red, blue) = (Seat::First, Seat::Second);
    [
        case(
            "capture",
            t!(language, rules.capture),
            t!(language, rules.capture_text),
            red,
            &[". R .", "R B R", ". * ."],
        ),
        case(
            "diagonals",
            t!(language, rules.diagonals),
            t!(language, rules.diagonals_text),
            red,
            &[". R R .", "R B . R", ". R * ."],
        ),
        case(
            "two",
            t!(language, rules.two),
            t!(language, rules.two_text),
            red,
            &[". R . R .", "R B * B R", ". R . R ."],
        ),
        cut(
            DiagramCrop::Corner,
            "edge",
            t!(language, rules.edge),
            t!(language, rules.edge_text),
            red,
            &["B R .", "* . ."],
        ),
        case(
            "house",
            t!(language, rules.house),
            t!(language, rules.house_text),
            red,
            &[". R .", "R . R", ". * ."],
        ),
        case(
            "stepping-in",
            t!(language, rules.stepping_in),
            t!(language, rules.stepping_in_text),
            blue,
            &[". R .", "R * R", ". R ."],
        ),
        case(
            "breaking-in",
            t!(language, rules.breaking_in),
            t!(language, rules.breaking_in_text),
            blue,
            &[". R B .", "R * R B", ". R B ."],
        ),
        case(
            "filling",
            t!(language, rules.filling),
            t!(language, rules.filling_text),
            red,
            &[". R .", "R * R", ". R ."],
        ),
        case(
            "beside",
            t!(language, rules.beside),
            t!(language, rules.beside_text),
            red,
            &[". R . R .", "R B R . R", ". * . R ."],
        ),
        case(
            "inside",
            t!(language, rules.inside),
            t!(language, rules.inside_text),
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
            t!(language, rules.recapture),
            t!(language, rules.recapture_text),
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
            t!(language, rules.dead),
            t!(language, rules.dead_text),
            blue,
            &[". R . B .", "R b R . B", ". R * B ."],
        ),
        case(
            "again",
            t!(language, rules.again),
            t!(language, rules.again_text),
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

/// Places a drawing on a sheet with room round it; at a corner there is none above and at the left.
fn tried(piece: DiagramCrop, mover: Seat, drawing: Drawing) -> ExampleMove {
    let near = near(piece);
    let plies = drawing::plies(drawing, (near, near), mover, Move::Dots);
    ExampleMove::set_up(setup(piece, drawing), plies)
}

/// Returns the sheet of a drawing, with room round it.
fn setup(piece: DiagramCrop, drawing: Drawing) -> tochki_rules::Setup {
    let near = near(piece);
    let (width, height) = drawing::size(drawing);
    let setup = Setup::new(near + width + 1, near + height + 1, Opening::Empty);
    tochki_rules::Setup::Dots(setup.expect("a drawing is smaller than the largest board"))
}

/// Returns the room above a drawing and at its left.
fn near(piece: DiagramCrop) -> u8 {
    u8::from(piece != DiagramCrop::Corner)
}

/// Describes the board in words.
pub(crate) fn describe_board(language: Language, dots: &Dots) -> String {
    let setup = dots.setup();
    points::rows(language, (setup.width(), setup.height()), |point| {
        describe_point(language, dots.at(point))
    })
}

fn describe_point(language: Language, state: PointState) -> String {
    match state {
        PointState {
            dot: Some(Dot { seat, alive: false }),
            ..
        } => {
            let side = side::colour(language, GameKind::Dots, seat).to_lowercase();
            t!(language, rules.captured, side = side)
        }
        PointState {
            dot: None,
            area: Some(_),
        } => t!(language, rules.closed).to_owned(),
        PointState { dot, .. } => points::owner(language, GameKind::Dots, dot.map(|dot| dot.seat)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::board::Shown;
    use tochki_rules::{Point, Position};

    /// Draws the board without the room round it.
    fn draw(piece: DiagramCrop, (width, height): (u8, u8), shown: &Shown) -> Vec<String> {
        let Position::Dots(dots) = &shown.position else {
            panic!("a position of another game");
        };
        let near = near(piece);
        let mark = |point| match dots.at(point) {
            PointState {
                dot: Some(Dot { seat, alive }),
                ..
            } => match (seat, alive) {
                (Seat::First, true) => "R",
                (Seat::First, false) => "r",
                (Seat::Second, true) => "B",
                (Seat::Second, false) => "b",
            },
            PointState { area: Some(_), .. } => "x",
            PointState { .. } => ".",
        };
        let row = |y| {
            let points = (0..width).map(|x| mark(Point::new(x + near, y + near)));
            points.collect::<Vec<_>>().join(" ")
        };
        (0..height).map(row).collect()
    }

    #[track_caller]
    fn check(id: &str, score: [u32; 2], after: Drawing) {
        let cases = cases(Language::default());
        let case = cases.iter().find(|case| case.id == id);
        let Example {
            diagram: piece,
            demonstration: tried,
            ..
        } = case.expect("a case of that name");
        let shown = tried.after();
        assert_eq!(draw(*piece, drawing::size(after), &shown), after);
        assert_eq!(shown.position.score(), score);
    }

    #[test]
    fn every_exercise_has_one_solution() {
        let solutions = exercises(Language::default()).map(|exercise| {
            let moves = exercise.before.position.legal_moves().into_iter();
            let right = moves.filter(|mv| exercise.is_solved_by(*mv));
            right.map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
        });
        // The points of a drawing, which begins one line from the edge.
        assert_eq!(solutions, ["2,3", "3,3", "3,2", "2,3", "2,2"]);
    }

    #[test]
    fn every_case_is_what_the_rules_make_of_it() {
        check("capture", [1, 0], &[". R .", "R b R", ". R ."]);
        check("diagonals", [1, 0], &[". R R .", "R b x R", ". R R ."]);
        check("edge", [0, 0], &["B R .", "R . ."]);
        check("house", [0, 0], &[". R .", "R . R", ". R ."]);
        check("stepping-in", [1, 0], &[". R .", "R b R", ". R ."]);
        check("breaking-in", [0, 1], &[". R B .", "R B r B", ". R B ."]);
        check("filling", [0, 0], &[". R .", "R R R", ". R ."]);
        check("two", [2, 0], &[". R . R .", "R b R b R", ". R . R ."]);
        check("beside", [1, 0], &[". R . R .", "R b R . R", ". R . R ."]);
        check(
            "inside",
            [1, 0],
            &[
                ". R R R R R R .",
                "R x x R x x x R",
                "R x R x R x x R",
                "R x x R x x x R",
                "R b x x x x x R",
                ". R R R R R R .",
            ],
        );
        check(
            "again",
            [1, 0],
            &[
                ". . R . .",
                ". R R R .",
                "R R b R R",
                ". R R R .",
                ". . R . .",
            ],
        );
        check(
            "recapture",
            [0, 4],
            &[
                ". . B . .",
                ". B r B .",
                "B r B r B",
                ". B r B .",
                ". . B . .",
            ],
        );
        check("dead", [1, 0], &[". R . B .", "R b R . B", ". R B B ."]);
    }
}
