//! An example of a rule on a small board: before a move, its preview, after it.

use crate::ui::board::{Shown, Standing};
use crate::ui::games;
use crate::ui::rulebook::Example;
use crate::ui::text::side;
use crate::ui::text::words;
use crate::ui::text::{Language, language, say};
use leptos::prelude::*;
use tochki_rules::Seat;

/// One of the three states of an example.
struct Sheet {
    /// Its name in `id`s and classes.
    state: &'static str,
    name: &'static str,
    /// The board as SVG markup.
    drawn: String,
    /// The board in words.
    told: String,
    /// The line below the board.
    below: String,
}

/// The example with its board. Three radio buttons choose the state, and a click on the board selects the next one; no
/// script is needed.
#[component]
pub(crate) fn ExampleCard(example: Example) -> impl IntoView {
    let states = sheets(&example, language());
    let id = |state: &str| format!("{}-{state}", example.id);
    let described = |state: &str| format!("{}-{state}-board", example.id);
    let radios = states.each_ref().map(|Sheet { state, name, .. }| {
        view! {
            <label class="option">
                <input
                    type="radio"
                    id=id(state)
                    name=example.id
                    checked=*state == "before"
                    aria-describedby=described(state)
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
            drawn,
            told,
            below,
            ..
        } = sheet;
        view! {
            <div class=format!("sheet {state}")>
                // The label belongs to the next radio button. The board has no text, which would become that button's
                // name.
                <label for=id(next) inner_html=drawn></label>
                <p id=described(state) class="hidden">
                    {told}
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

/// The three states of an example.
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
    let place = games::place_of(last.mv);
    let preview = games::face(&before.position).preview(language, last.seat, place);
    let (preview_markup, words) = match preview {
        Ok(preview) => (preview.drawn, preview.words),
        Err(illegal) => (
            String::new(),
            Some(words::illegal(language, illegal).to_owned()),
        ),
    };
    [
        Sheet {
            state: "before",
            name: say!(language, rules.before),
            drawn: diagram.standing(standing(language, before)),
            told: games::described(language, &before.position),
            below: score(language, before),
        },
        Sheet {
            state: "move",
            name: say!(language, rules.the_move),
            drawn: diagram.trying(standing(language, before), &preview_markup),
            told: games::made(language, last),
            below: words.unwrap_or_else(|| score(language, before)),
        },
        Sheet {
            state: "after",
            name: say!(language, rules.after),
            drawn: diagram.played(standing(language, &after)),
            told: games::described(language, &after.position),
            below: score(language, &after),
        },
    ]
}

/// The position to draw. Where a player's initial would be, there is that of the colour.
fn standing(language: Language, shown: &Shown) -> Standing<'_> {
    let letter = |seat| side::colour(language, seat).chars().next();
    Standing {
        face: games::face(&shown.position),
        plies: &shown.plies,
        initials: Seat::BOTH.map(|seat| letter(seat).unwrap_or(' ')),
    }
}

fn score(language: Language, shown: &Shown) -> String {
    let score = words::score(shown.position.score());
    say!(language, rules.score, score = score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tochki_rules::GameKind;

    #[test]
    fn every_case_of_every_game_is_played_and_told() {
        for &game in GameKind::ALL {
            let chapters = games::rules(Language::default(), game).chapters;
            let cases: Vec<_> = chapters.iter().flat_map(|it| &it.examples).collect();
            assert!(cases.len() >= 3, "{game}");
            let ids: BTreeSet<_> = cases.iter().map(|case| case.id).collect();
            assert_eq!(ids.len(), cases.len(), "{game}");
            for case in cases {
                let [before, trying, after] = sheets(case, Language::default());
                assert_ne!(before.drawn, trying.drawn, "{}", case.id);
                assert_ne!(before.told, after.told, "{}", case.id);
            }
        }
    }
}
