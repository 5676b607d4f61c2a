//! An example of a rule on a small board: before a move, its preview, after it.

use crate::ui::board::{DiagramPosition, Shown};
use crate::ui::games;
use crate::ui::rulebook::Example;
use crate::ui::text::words;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;

/// A state of the three of an example.
struct Sheet {
    /// The name in `id`s and classes.
    state: &'static str,
    name: &'static str,
    /// The board as SVG markup.
    markup: String,
    /// The board in words.
    text: String,
    /// The line below the board.
    below: String,
}

/// The example with its board. Three radio buttons choose the state, and a click on the board selects the next one; no
/// script is needed.
#[component]
pub(crate) fn ExampleCard(example: Example) -> impl IntoView {
    let states = sheets(&example, language());
    let id = |state: &str| format!("{}-{state}", example.id);
    let text_id = |state: &str| format!("{}-{state}-board", example.id);
    let radios = states.each_ref().map(|Sheet { state, name, .. }| {
        view! {
            <label class="option">
                <input
                    type="radio"
                    id=id(state)
                    name=example.id
                    checked=*state == "before"
                    aria-describedby=text_id(state)
                />
                {*name}
            </label>
        }
    });
    let order = ["move", "after", "before"];
    let sheets = states.into_iter().zip(order);
    let sheets = sheets.map(|(sheet, next)| {
        let Sheet {
            state,
            markup,
            text,
            below,
            ..
        } = sheet;
        view! {
            <div class=format!("sheet {state}")>
                // The label belongs to the next radio button. The board has no text, which would become that button's
                // name.
                <label for=id(next) inner_html=markup></label>
                <p id=text_id(state) class="hidden">
                    {text}
                </p>
                <p class="score">{below}</p>
            </div>
        }
    });
    view! {
        <section class="example" aria-labelledby=example.id>
            <div class="explained">
                <h3 id=example.id>{example.title}</h3>
                <p>{example.text}</p>
            </div>
            <div class="shown">
                {sheets.collect_view()} <fieldset>
                    <legend class="hidden">{example.title}</legend>
                    {radios}
                </fieldset>
            </div>
        </section>
    }
}

/// Returns the three states of an example.
fn sheets(example: &Example, language: Language) -> [Sheet; 3] {
    let Example {
        diagram,
        demonstration,
        ..
    } = example;
    let (before, after, last) = (
        &demonstration.before,
        demonstration.after(),
        demonstration.last,
    );
    let position = games::board_position(&before.position);
    let preview = position.preview(language, last.seat, position.target_of(last.mv));
    let (preview_markup, words) = match preview {
        Ok(preview) => (preview.markup, preview.words),
        Err(illegal) => (
            String::new(),
            Some(words::illegal(language, illegal).to_owned()),
        ),
    };
    [
        Sheet {
            state: "before",
            name: t!(language, rules.before),
            markup: diagram.before(diagram_position(language, before)),
            text: games::describe_board(language, &before.position),
            below: score(language, before),
        },
        Sheet {
            state: "move",
            name: t!(language, rules.the_move),
            markup: diagram.with_preview(diagram_position(language, before), &preview_markup),
            text: games::describe_move(language, last),
            below: words.unwrap_or_else(|| score(language, before)),
        },
        Sheet {
            state: "after",
            name: t!(language, rules.after),
            markup: diagram.after(diagram_position(language, &after)),
            text: games::describe_board(language, &after.position),
            below: score(language, &after),
        },
    ]
}

/// Returns the position to draw. The initial of a colour takes the place of a player's.
pub(crate) fn diagram_position(language: Language, shown: &Shown) -> DiagramPosition<'_> {
    DiagramPosition {
        position: games::board_position(&shown.position),
        plies: &shown.plies,
        initials: words::initials(language, [""; 2]),
    }
}

/// Returns the score in words; nothing in a game without one.
fn score(language: Language, shown: &Shown) -> String {
    words::score(shown.position.kind(), shown.position.score())
        .map(|score| t!(language, rules.score, score = score))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::text::side;
    use std::collections::BTreeSet;
    use tochki_rules::GameKind;

    #[test]
    fn every_example_of_every_game_is_drawn_and_described() {
        for &game in GameKind::ALL {
            let chapters = games::rules(Language::default(), game).chapters;
            let cases: Vec<_> = chapters.iter().flat_map(|it| &it.examples).collect();
            assert!(cases.len() >= 3, "{game}");
            let ids: BTreeSet<_> = cases.iter().map(|case| case.id).collect();
            assert_eq!(ids.len(), cases.len(), "{game}");
            for case in cases {
                let [before, preview, after] = sheets(case, Language::default());
                assert_ne!(before.markup, preview.markup, "{}", case.id);
                assert_ne!(before.text, after.text, "{}", case.id);
                let scored = [before.below, after.below].map(|below| !below.is_empty());
                assert_eq!(scored, [side::has_score(game); 2], "{}", case.id);
            }
        }
    }
}
