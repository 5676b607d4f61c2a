//! A rule shown on a small board: before a move, the move as it is tried, after it.

use crate::ui::board::{Piece, Shown, Standing};
use crate::ui::games;
use crate::ui::rules::Tried;
use crate::ui::text::words;
use crate::ui::text::{Language, language, say};
use leptos::prelude::*;
use tochki_rules::Seat;

/// One rule and its board.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// A word for it in the page.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    pub(crate) piece: Piece,
    pub(crate) tried: Tried,
}

/// One of the three things to be seen.
struct Sheet {
    /// A word for it in the page.
    state: &'static str,
    name: &'static str,
    /// As SVG markup.
    drawn: String,
    /// The same in words.
    told: String,
    /// What stands below it.
    below: String,
}

/// The case with its board. Three radio buttons choose what is seen, and a click on the board goes on to the next;
/// nothing here needs a script.
#[component]
pub(crate) fn CaseCard(case: Case) -> impl IntoView {
    let states = case.sheets(language());
    let id = |state: &str| format!("{}-{state}", case.id);
    let described = |state: &str| format!("{}-{state}-board", case.id);
    let radios = states.each_ref().map(|Sheet { state, name, .. }| {
        view! {
            <label class="pick">
                <input
                    type="radio"
                    id=id(state)
                    name=case.id
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
                // The label is the next radio button's: its board has no words, which would become that button's name.
                <label for=id(next) inner_html=drawn></label>
                <p id=described(state) class="hidden">
                    {told}
                </p>
                <p class="score">{below}</p>
            </div>
        }
    });
    view! {
        <section class="case" aria-labelledby=case.id>
            <div class="explained">
                <h3 id=case.id>{case.title}</h3>
                <p>{case.text}</p>
            </div>
            <div class="shown">
                {sheets.collect_view()} <fieldset>
                    <legend class="hidden">{case.title}</legend>
                    {radios}
                </fieldset>
            </div>
        </section>
    }
}

impl Case {
    /// Before the move, the move as it is tried, after it.
    fn sheets(&self, language: Language) -> [Sheet; 3] {
        let Self { piece, tried, .. } = self;
        let (before, after, last) = (&tried.before, tried.after(), tried.last);
        let place = games::place_of(last.mv);
        let preview = games::face(&before.position).preview(language, last.seat, place);
        let (tried_out, words) = match preview {
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
                drawn: piece.standing(standing(language, before)),
                told: games::described(language, &before.position),
                below: score(language, before),
            },
            Sheet {
                state: "move",
                name: say!(language, rules.the_move),
                drawn: piece.trying(standing(language, before), &tried_out),
                told: games::made(language, last),
                below: words.unwrap_or_else(|| score(language, before)),
            },
            Sheet {
                state: "after",
                name: say!(language, rules.after),
                drawn: piece.played(standing(language, &after)),
                told: games::described(language, &after.position),
                below: score(language, &after),
            },
        ]
    }
}

/// What stands there; where a player's letter would be, there is that of the colour.
fn standing(language: Language, shown: &Shown) -> Standing<'_> {
    let letter = |seat| words::colour(language, seat).chars().next();
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
            let cases: Vec<_> = chapters.iter().flat_map(|it| &it.cases).collect();
            assert!(cases.len() >= 3, "{game}");
            let ids: BTreeSet<_> = cases.iter().map(|case| case.id).collect();
            assert_eq!(ids.len(), cases.len(), "{game}");
            for case in cases {
                let [before, trying, after] = case.sheets(Language::default());
                assert_ne!(before.drawn, trying.drawn, "{}", case.id);
                assert_ne!(before.told, after.told, "{}", case.id);
            }
        }
    }
}
