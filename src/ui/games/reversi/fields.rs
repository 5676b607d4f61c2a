//! What is chosen for a game of Reversi: nothing, for there is one board.

use crate::ui::forms::fields::{FieldValues, InvalidFields};
use crate::ui::games::Chosen;
use crate::ui::text::words;
use crate::ui::text::{Language, language, say};
use leptos::prelude::*;
use tochki_rules::reversi::Setup;

impl Chosen for Setup {
    fn fields() -> &'static [&'static str] {
        &[]
    }

    fn read(_: FieldValues, _: &mut InvalidFields) -> Option<Self> {
        Some(Self::DEFAULT)
    }

    fn query(&self) -> String {
        String::new()
    }

    fn text(&self) -> String {
        "{}".to_owned()
    }

    fn words(&self, _: Language) -> String {
        words::board(8, 8)
    }
}

/// Where other games have their fields.
#[component]
pub(crate) fn ReversiFields() -> impl IntoView {
    let language = language();
    view! {
        <fieldset>
            <legend>{say!(language, choice.board)}</legend>
            {Setup::DEFAULT.words(language)}
            <span class="note">{say!(language, choice.nothing)}</span>
        </fieldset>
    }
}
