//! The description of all addresses, as a page.

use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;

/// An address with its description in `GET /api/openapi.json`. The texts are those of `docs/api.md`, in English.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The heading of its group.
    pub section: &'static str,
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The path, with its parameters in braces.
    pub path: &'static str,
    /// The callers in words.
    pub who: &'static str,
    /// The scope that a token needs; `None` where no token is taken.
    pub scope: Option<&'static str>,
    /// The names of the arguments, and whether each is required.
    pub arguments: Vec<(String, bool)>,
    /// The purpose or the answer in words, with code in backticks.
    pub text: String,
    /// The codes of its own errors.
    pub errors: Vec<&'static str>,
}

/// The facts about this server for programs, as a context of every page.
#[derive(Clone, Copy, Debug)]
pub struct ProgramsContext {
    /// The addresses, in the order of `docs/api.md`.
    pub operations: &'static [Operation],
    /// The number of moves a second that a match takes.
    pub moves_per_second: u32,
    /// The number of requests a second that are allowed with one token.
    pub requests_by_token: u32,
    /// The port of the line protocol, if it is served.
    pub line_port: Option<u16>,
}

/// The list of all addresses by their groups, each closed at first.
#[component]
pub(super) fn Reference(operations: &'static [Operation]) -> impl IntoView {
    let groups = operations.chunk_by(|one, other| one.section == other.section);
    let groups = groups.map(|group| {
        view! {
            <details class="reference">
                <summary lang="en">{group[0].section}</summary>
                <dl>{group.iter().map(|operation| view! { <Entry operation /> }).collect_view()}</dl>
            </details>
        }
    });
    groups.collect_view()
}

#[component]
fn Entry(operation: &'static Operation) -> impl IntoView {
    let language = language();
    let arguments = operation.arguments.iter().map(|(name, required)| {
        let optional = (!required).then(|| t!(language, programs.optional));
        view! {
            " "
            <code translate="no">{name.clone()}</code>
            {optional.map(|word| format!(" ({word})"))}
        }
    });
    let errors = operation.errors.iter().map(|code| {
        view! {
            " "
            <code translate="no">{*code}</code>
        }
    });
    let arguments = (!operation.arguments.is_empty()).then(|| {
        view! { <dd>{t!(language, programs.arguments)} {arguments.collect_view()}</dd> }
    });
    let errors = (!operation.errors.is_empty())
        .then(|| view! { <dd>{t!(language, programs.errors)} {errors.collect_view()}</dd> });
    let scope = operation.scope.map(|scope| {
        view! {
            " · "
            {t!(language, programs.scope)}
            " "
            <code translate="no">{scope}</code>
        }
    });
    view! {
        <dt>
            <code translate="no">{format!("{} {}", operation.method, operation.path)}</code>
        </dt>
        <dd>
            <span lang="en">{operation.who}</span>
            {scope}
        </dd>
        <dd lang="en">{code_in_backticks(&operation.text)}</dd>
        {arguments}
        {errors}
    }
}

/// A text whose parts in backticks are code.
fn code_in_backticks(text: &str) -> impl IntoView + use<> {
    let parts = text.split('`').enumerate().map(|(number, part)| {
        let part = part.to_owned();
        if number % 2 == 1 {
            view! { <code translate="no">{part}</code> }.into_any()
        } else {
            part.into_any()
        }
    });
    parts.collect_view()
}
