//! What is chosen for a game of Gomoku: the board, and which rows win.

use crate::ui::forms::fields::{FieldValues, InvalidFields, RadioButton, find_option};
use crate::ui::games::Chosen;
use crate::ui::text::words;
use crate::ui::text::{Language, language, say};
use leptos::prelude::*;
use leptos_router::params::ParamsMap;
use tochki_rules::gomoku::{Rule, Setup};

impl Chosen for Setup {
    fn fields() -> &'static [&'static str] {
        &["size", "rule"]
    }

    fn read(said: FieldValues, _: &mut InvalidFields) -> Option<Self> {
        Self::new(size(said), rule(said)).ok()
    }

    fn query(&self) -> String {
        format!("&size={}&rule={}", self.size(), self.rule().as_str())
    }

    fn text(&self) -> String {
        let (size, rule) = (self.size(), self.rule().as_str());
        format!(r#"{{"size":{size},"rule":"{rule}"}}"#)
    }

    fn words(&self, language: Language) -> String {
        let board = words::board(self.size(), self.size());
        format!("{board} · {}", name(language, self.rule()))
    }
}

fn size(said: FieldValues) -> u8 {
    let word = |size: u8| size.to_string();
    find_option(&Setup::SIZES_IN_MATCH, word, said("size").as_deref())
}

fn rule(said: FieldValues) -> Rule {
    find_option(&Rule::ALL, Rule::as_str, said("rule").as_deref())
}

/// The name of a rule.
fn name(language: Language, rule: Rule) -> &'static str {
    match rule {
        Rule::Freestyle => say!(language, five.freestyle),
        Rule::Standard => say!(language, five.standard),
    }
}

/// The fields, as somebody has filled them in. There is nothing in them that could be wrong.
#[component]
pub(crate) fn GomokuFields(said: ParamsMap) -> impl IntoView {
    let language = language();
    let said = |field: &str| said.get(field);
    let (size, rule) = (size(&said), rule(&said));
    view! {
        <fieldset>
            <legend>{say!(language, choice.board)}</legend>
            {Setup::SIZES_IN_MATCH
                .map(|each| {
                    let label = words::board(each, each);
                    view! { <RadioButton name="size" value=each.to_string() label checked=each == size /> }
                })
                .collect_view()}
        </fieldset>
        <fieldset role="radiogroup" aria-describedby="rule-note">
            <legend>{say!(language, five.legend)}</legend>
            {Rule::ALL
                .map(|each| {
                    let label = name(language, each);
                    view! { <RadioButton name="rule" value=each.as_str() label checked=each == rule /> }
                })
                .collect_view()}
            <span id="rule-note" class="note">
                {say!(language, five.note)}
            </span>
        </fieldset>
    }
}
