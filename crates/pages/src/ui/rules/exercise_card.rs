//! An exercise of the rules: a small board on which the reader finds a move, without a script.

use crate::ui::board::{BoardPosition, DiagramCrop};
use crate::ui::games;
use crate::ui::rulebook::{Exercise, Goal};
use crate::ui::rules::example_card::diagram_position;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_rules::{Move, Point, Seat};

/// The exercise. Each free point is a radio button, with the picture that follows where the move is right; the style sheet shows the
/// one that is chosen.
#[component]
pub(crate) fn ExerciseCard(exercise: Exercise) -> impl IntoView {
    let language = language();
    let Exercise { id, task, goal, .. } = exercise;
    let places = places(&exercise);
    let width = places.width;
    let wrong = match goal {
        Goal::Gain(_) => t!(language, exercises.no_capture),
        Goal::Defence => t!(language, exercises.no_defence),
    };
    let right = right_words(language, &exercise, &places);
    let points = places.points.into_iter().map(|place| {
        let Place { point, mv, solves } = place;
        let Some(mv) = mv else {
            return view! { <span></span> }.into_any();
        };
        let after = solves
            .then(|| exercise.after(mv))
            .flatten()
            .map(|after| DiagramCrop::Middle.after(diagram_position(language, &after)))
            .map(|markup| view! { <span class="after" inner_html=markup></span> });
        let class = if solves { "right" } else { "wrong" };
        view! {
            <label>
                <input type="radio" name=id class=class value=point.to_string() autocomplete="off" />
                <span class="hidden">{point.to_string()}</span>
                {after}
            </label>
        }
        .into_any()
    });
    let markup = DiagramCrop::Middle.before(diagram_position(language, &exercise.before));
    let described = format!("{id}-board");
    let board = games::describe_board(language, &exercise.before.position);
    view! {
        <form class="example exercise">
            <fieldset aria-describedby=described>
                <legend>{task}</legend>
                <p id=format!("{id}-board") class="hidden">
                    {board}
                </p>
                <div class=format!("exercise-board across-{width}")>
                    <div inner_html=markup></div>
                    <div class="places">{points.collect_view()}</div>
                </div>
            </fieldset>
            <p role="status" class="exercise-said">
                <span class="solved">{right}</span>
                <span class="missed">{wrong}</span>
            </p>
            <button type="reset" class="quiet">
                {t!(language, exercises.again)}
            </button>
        </form>
    }
}

/// The points of a board, row by row.
struct Places {
    /// The number of columns.
    width: u8,
    points: Vec<Place>,
}

struct Place {
    point: Point,
    /// The move to it; `None` where a dot stands.
    mv: Option<Move>,
    solves: bool,
}

fn places(exercise: &Exercise) -> Places {
    let moves = exercise.before.position.legal_moves();
    let board: &dyn BoardPosition = games::board_position(&exercise.before.position);
    let grid = board.geometry().grid();
    let (width, height) = (grid.columns, grid.rows);
    let points = (0..height).flat_map(|y| (0..width).map(move |x| Point::new(x, y)));
    let points = points.map(|point| {
        let mv = Move::Dots(point);
        let mv = moves.contains(&mv).then_some(mv);
        let solves = mv.is_some_and(|mv| exercise.is_solved_by(mv));
        Place { point, mv, solves }
    });
    Places {
        width,
        points: points.collect(),
    }
}

/// Returns the praise, with what the move does.
fn right_words(language: Language, exercise: &Exercise, places: &Places) -> String {
    let right = t!(language, exercises.right);
    let solution = places.points.iter().find(|place| place.solves);
    let position = games::board_position(&exercise.before.position);
    let gain = solution.and_then(|place| {
        let target = position.target_of(place.mv?);
        let preview = position.preview(language, Seat::First, target).ok()?;
        preview.words
    });
    [Some(right.to_owned()), gain]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
}
