//! What is chosen for a game of Dots: the board and the opening.

use crate::ui::forms::fields::{FieldValues, InvalidFields, RadioButton, find_option};
use crate::ui::games::Chosen;
use crate::ui::games::size;
use crate::ui::games::size::{SizeFields, Sizes};
use crate::ui::text::words;
use crate::ui::text::{Language, language, say};
use leptos::prelude::*;
use leptos_router::params::ParamsMap;
use tochki_rules::dots::{Opening, Setup};

/// The boards, in points.
const SIZES: Sizes = Sizes {
    offered: &[(39, 32), (20, 20), (13, 13)],
    shortest: Setup::SHORTEST_IN_MATCH,
    longest: Setup::LONGEST,
};

impl Chosen for Setup {
    fn fields() -> &'static [&'static str] {
        &["board", "width", "height", "start"]
    }

    fn read(said: FieldValues, wrong: &mut InvalidFields) -> Option<Self> {
        let (width, height) = SIZES.read(said, wrong)?;
        let setup = Self::new(width, height, opening(said));
        if setup.is_err() {
            wrong.push("opening");
        }
        setup.ok()
    }

    fn query(&self) -> String {
        let board = size::word(self.width(), self.height());
        format!("&board={board}&start={}", self.start().id())
    }

    fn text(&self) -> String {
        let (width, height, start) = (self.width(), self.height(), self.start().id());
        format!(r#"{{"width":{width},"height":{height},"start":"{start}"}}"#)
    }

    fn words(&self, language: Language) -> String {
        let board = words::board(self.width(), self.height());
        format!("{board} · {}", name(language, self.start()))
    }
}

fn opening(said: FieldValues) -> Opening {
    find_option(&Opening::ALL, Opening::id, said("start").as_deref())
}

/// The name of an opening.
fn name(language: Language, opening: Opening) -> &'static str {
    match opening {
        Opening::Empty => say!(language, openings.empty),
        Opening::Cross => say!(language, openings.cross),
        Opening::FourCrosses => say!(language, openings.four_crosses),
    }
}

/// The fields, as somebody has filled them in.
#[component]
pub(crate) fn DotsFields(said: ParamsMap, wrong: InvalidFields) -> impl IntoView {
    let language = language();
    let start = opening(&|field| said.get(field));
    let crossed = wrong.contains(&"opening").then_some("true");
    let note = say!(
        language,
        choice.size_note,
        shortest = SIZES.shortest,
        longest = SIZES.longest
    );
    view! {
        <SizeFields sizes=SIZES said wrong note />
        <fieldset
            id="opening"
            role="radiogroup"
            aria-describedby="opening-note"
            aria-invalid=crossed
        >
            <legend>{say!(language, choice.start)}</legend>
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
            <span id="opening-note" class="note only-wrong">
                {say!(language, choice.opening_note, points = Opening::FourCrosses.room())}
            </span>
        </fieldset>
    }
}
