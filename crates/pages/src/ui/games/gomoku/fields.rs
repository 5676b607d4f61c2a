//! The fields of a game of Gomoku: the board, and the rule of the rows that win.

use crate::ui::forms::fields::{FieldValues, InvalidFields, RadioButton, find_option};
use crate::ui::games::SetupFields;
use crate::ui::text::words;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_router::params::ParamsMap;
use tochki_rules::gomoku::{Rule, Setup};

impl SetupFields for Setup {
    fn names() -> &'static [&'static str] {
        &["size", "rule"]
    }

    fn read(values: FieldValues, _: &mut InvalidFields) -> Option<Self> {
        Self::new(size(values), rule(values)).ok()
    }

    fn offered() -> Vec<Self> {
        let sizes = Self::SIZES_IN_MATCH.into_iter();
        let setups = sizes.flat_map(|size| {
            let of = move |rule| Self::new(size, rule).ok();
            Rule::ALL.into_iter().filter_map(of)
        });
        setups.collect()
    }

    fn query(&self) -> String {
        format!("&size={}&rule={}", self.size(), self.rule().as_str())
    }

    fn json(&self) -> String {
        let (size, rule) = (self.size(), self.rule().as_str());
        format!(r#"{{"size":{size},"rule":"{rule}"}}"#)
    }

    fn describe(&self, language: Language) -> String {
        let board = words::board(self.size(), self.size());
        format!("{board} · {}", name(language, self.rule()))
    }
}

fn size(values: FieldValues) -> u8 {
    let word = |size: u8| size.to_string();
    find_option(&Setup::SIZES_IN_MATCH, word, values("size").as_deref())
}

fn rule(values: FieldValues) -> Rule {
    find_option(&Rule::ALL, Rule::as_str, values("rule").as_deref())
}

/// Returns the name of a rule.
fn name(language: Language, rule: Rule) -> &'static str {
    match rule {
        Rule::Freestyle => t!(language, five.freestyle),
        Rule::Standard => t!(language, five.standard),
    }
}

/// The fields with the given values. There is nothing in them that could be invalid.
#[component]
pub(crate) fn GomokuFields(values: ParamsMap) -> impl IntoView {
    let language = language();
    let values = |field: &str| values.get(field);
    let (size, rule) = (size(&values), rule(&values));
    view! {
        <fieldset>
            <legend>{t!(language, choice.board)}</legend>
            {Setup::SIZES_IN_MATCH
                .map(|each| {
                    let label = words::board(each, each);
                    view! { <RadioButton name="size" value=each.to_string() label checked=each == size /> }
                })
                .collect_view()}
        </fieldset>
        <fieldset role="radiogroup" aria-describedby="rule-note">
            <legend>{t!(language, five.legend)}</legend>
            {Rule::ALL
                .map(|each| {
                    let label = name(language, each);
                    view! { <RadioButton name="rule" value=each.as_str() label checked=each == rule /> }
                })
                .collect_view()}
            <span id="rule-note" class="note">
                {t!(language, five.note)}
            </span>
        </fieldset>
    }
}
