//! How Dots is played.

use super::case::{Case, CaseCard};
use crate::rules::Seat;
use crate::ui::board::Piece;
use crate::ui::texts::{Language, language, say};
use leptos::prelude::*;

/// The whole page: the rule in a few sentences, then what follows from it, case by case.
#[component]
pub(crate) fn DotsRules() -> impl IntoView {
    let language = language();
    let mut cases = cases(language).into_iter();
    let mut next = |count: usize| {
        let cards = cases.by_ref().take(count);
        let cards = cards.map(|case| view! { <CaseCard case /> }).collect_view();
        view! { <div class="cases">{cards}</div> }
    };
    view! {
        <article class="rules">
            <h1>{say!(language, rules.heading)}</h1>
            <div class="lead">
                <p>{say!(language, rules.turns)}</p>
                <p>{say!(language, rules.aim)}</p>
                <p class="note">{say!(language, rules.click)}</p>
            </div>
            <h2>{say!(language, rules.capturing)}</h2>
            {next(4)}
            <h2>{say!(language, rules.houses)}</h2>
            {next(6)}
            <h2>{say!(language, rules.nested)}</h2>
            {next(3)}
            <h2>{say!(language, rules.end)}</h2>
            <div class="lead">
                <p>{say!(language, rules.end_text)}</p>
                <p>{say!(language, rules.start_text)}</p>
                <p class="ways">
                    <a class="button" href="/play">
                        {say!(language, header.play)}
                    </a>
                </p>
            </div>
        </article>
    }
}

/// All cases, in the order in which they are told.
pub(super) fn cases(language: Language) -> [Case; 13] {
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
