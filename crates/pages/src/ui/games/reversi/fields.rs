//! The fields of a game of Reversi: none, for there is one board.

use crate::ui::forms::fields::{FieldValues, InvalidFields};
use crate::ui::games::SetupFields;
use crate::ui::text::words;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use tochki_rules::reversi::Setup;

impl SetupFields for Setup {
    fn names() -> &'static [&'static str] {
        &[]
    }

    fn read(_: FieldValues, _: &mut InvalidFields) -> Option<Self> {
        Some(Self::DEFAULT)
    }

    fn offered() -> Vec<Self> {
        vec![Self::DEFAULT]
    }

    fn query(&self) -> String {
        String::new()
    }

    fn json(&self) -> String {
        "{}".to_owned()
    }

    fn describe(&self, _: Language) -> String {
        words::board(8, 8)
    }
}

/// A note in the place of other games' fields.
#[component]
pub(crate) fn ReversiFields() -> impl IntoView {
    let language = language();
    view! {
        <fieldset>
            <legend>{t!(language, choice.board)}</legend>
            {Setup::DEFAULT.describe(language)}
            <span class="note">{t!(language, choice.nothing)}</span>
        </fieldset>
    }
}
