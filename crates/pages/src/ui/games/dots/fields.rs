//! The fields of a game of Dots: the board and the opening.

use crate::ui::forms::fields::{FieldValues, InvalidFields, RadioButton, find_option};
use crate::ui::games::SetupFields;
use crate::ui::games::size;
use crate::ui::games::size::{SizeFields, Sizes};
use crate::ui::text::words;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::params::ParamsMap;
use tochki_rules::dots::{Opening, Setup};

/// The boards, in points.
const SIZES: Sizes = Sizes {
    offered: &[(39, 32), (20, 20), (13, 13)],
    shortest: Setup::SHORTEST_IN_MATCH,
    longest: Setup::LONGEST,
};

impl SetupFields for Setup {
    fn names() -> &'static [&'static str] {
        &["board", "width", "height", "start"]
    }

    fn read(values: FieldValues, invalid: &mut InvalidFields) -> Option<Self> {
        let (width, height) = SIZES.read(values, invalid)?;
        let setup = Self::new(width, height, opening(values));
        if setup.is_err() {
            invalid.push("opening");
        }
        setup.ok()
    }

    fn offered() -> Vec<Self> {
        let sizes = SIZES.offered.iter();
        let setups = sizes.flat_map(|&(width, height)| {
            let of = move |opening| Self::new(width, height, opening).ok();
            Opening::ALL.into_iter().filter_map(of)
        });
        setups.collect()
    }

    fn query(&self) -> String {
        let board = size::word(self.width(), self.height());
        format!("&board={board}&start={}", self.start().id())
    }

    fn json(&self) -> String {
        let (width, height, start) = (self.width(), self.height(), self.start().id());
        format!(r#"{{"width":{width},"height":{height},"start":"{start}"}}"#)
    }

    fn describe(&self, language: Language) -> String {
        let board = words::board(self.width(), self.height());
        format!("{board} · {}", name(language, self.start()))
    }
}

fn opening(values: FieldValues) -> Opening {
    find_option(&Opening::ALL, Opening::id, values("start").as_deref())
}

/// Returns the name of an opening.
fn name(language: Language, opening: Opening) -> &'static str {
    match opening {
        Opening::Empty => t!(language, openings.empty),
        Opening::Cross => t!(language, openings.cross),
        Opening::FourCrosses => t!(language, openings.four_crosses),
    }
}

/// The fields with the given values.
#[component]
pub(crate) fn DotsFields(values: ParamsMap, invalid: InvalidFields) -> impl IntoView {
    let language = language();
    let start = opening(&|field| values.get(field));
    let crossed = invalid.contains(&"opening").then_some("true");
    let note = t!(
        language,
        choice.size_note,
        shortest = SIZES.shortest,
        longest = SIZES.longest
    );
    view! {
        <SizeFields sizes=SIZES values invalid note />
        <fieldset
            id="opening"
            role="radiogroup"
            aria-describedby="opening-note"
            aria-invalid=crossed
        >
            <legend>{t!(language, choice.start)}</legend>
            {Opening::ALL
                .map(|opening| {
                    view! {
                        <RadioButton
                            name="start"
                            value=opening.id()
                            label=name(language, opening)
                            checked=opening == start
                        />
                    }
                })
                .collect_view()}
            <span id="opening-note" class="note only-invalid">
                {t!(language, choice.opening_note, points = Opening::FourCrosses.room())}
            </span>
        </fieldset>
    }
}
