//! The fields of a game of Dots and Boxes: the number of boxes.

use crate::ui::forms::fields::{FieldValues, InvalidFields};
use crate::ui::games::SetupFields;
use crate::ui::games::size;
use crate::ui::games::size::{SizeFields, Sizes};
use crate::ui::text::words;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::params::ParamsMap;
use tochki_rules::boxes::Setup;

/// The boards, in boxes.
const SIZES: Sizes = Sizes {
    offered: &[(3, 3), (5, 5)],
    shortest: Setup::SHORTEST_IN_MATCH,
    longest: Setup::LONGEST,
};

impl SetupFields for Setup {
    fn names() -> &'static [&'static str] {
        &["board", "width", "height"]
    }

    fn read(values: FieldValues, invalid: &mut InvalidFields) -> Option<Self> {
        let (cols, rows) = SIZES.read(values, invalid)?;
        Self::new(cols, rows).ok()
    }

    fn offered() -> Vec<Self> {
        let sizes = SIZES.offered.iter();
        sizes
            .filter_map(|&(cols, rows)| Self::new(cols, rows).ok())
            .collect()
    }

    fn query(&self) -> String {
        format!("&board={}", size::word(self.cols(), self.rows()))
    }

    fn json(&self) -> String {
        format!(r#"{{"cols":{},"rows":{}}}"#, self.cols(), self.rows())
    }

    fn describe(&self, _: Language) -> String {
        words::board(self.cols(), self.rows())
    }
}

/// The fields with the given values.
#[component]
pub(crate) fn BoxesFields(values: ParamsMap, invalid: InvalidFields) -> impl IntoView {
    let note = t!(
        language(),
        choice.boxes_note,
        shortest = SIZES.shortest,
        longest = SIZES.longest
    );
    view! { <SizeFields sizes=SIZES values invalid note /> }
}
