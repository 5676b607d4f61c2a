//! The choice in one line, and the form behind it. The server draws it; what a browser does with it is in `wishes`.

use super::choice::{Choice, Mistakes};
use super::clock::ClockFields;
use super::dots::DotsFields;
use crate::api;
use crate::rules::Kind;
use crate::ui::texts::{language, say};
use crate::ui::words;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_router::params::ParamsMap;
use std::ops::RangeInclusive;

/// The form. The fields of the filter belong to it, too, so that whichever button sends it, nothing is lost.
///
/// Without scripts the page reloads itself every five seconds, which would disturb the choosing; `open` is a page that
/// stands still, with the form open.
#[component]
pub(crate) fn ChoiceForm(
    game: Kind,
    /// What has been filled in.
    said: ParamsMap,
    /// What that comes to.
    choice: Result<Choice, Mistakes>,
    open: bool,
    /// The address of a page that stands still.
    still: String,
) -> impl IntoView {
    let language = language();
    let wrong = choice.as_ref().err().cloned().unwrap_or_default();
    let rated = said.get_str("rated") != Some("no");
    let to_correct = !wrong.is_empty();
    let chosen = choice.map(|choice| {
        let terms = choice.terms();
        words::terms(language, terms.setup, terms.clock, terms.rated)
    });
    view! {
        <form id="wishes" class="choice card" method="get" action="/play" novalidate autocomplete="off">
            <input type="hidden" name="game" value=game.id() />
            <details open=open || to_correct>
                <summary>
                    <h2>{say!(language, choice.title)}</h2>
                    <span id="chosen" class="chosen" aria-live="polite">
                        {chosen.unwrap_or_else(|_| say!(language, choice.mistaken).to_owned())}
                    </span>
                </summary>
                <div class="fields">
                    {match game {
                        Kind::Dots => view! { <DotsFields said=said.clone() wrong=wrong.clone() /> },
                    }}
                    <ClockFields said wrong />
                    <fieldset>
                        <legend>{say!(language, choice.rating)}</legend>
                        <Pick name="rated" value="yes" label=say!(language, choice.rated) checked=rated />
                        <Pick name="rated" value="no" label=say!(language, choice.unrated) checked=!rated />
                    </fieldset>
                </div>
                // With scripts every change counts at once. It stays the button that Enter presses in a field.
                <button type="submit" class="set without-scripts">
                    {say!(language, choice.set)}
                </button>
            </details>
            <p class="choose without-scripts">
                <a href=still>{say!(language, choice.in_peace)}</a>
            </p>
        </form>
    }
}

/// What every button that asks a player for a game sends where there are no scripts; with a mistake there is nothing to
/// send.
#[component]
pub(crate) fn AskForm(choice: Result<Choice, Mistakes>) -> impl IntoView {
    let fields = choice.ok().map(|choice| {
        let terms = choice.terms();
        view! {
            <input type="hidden" name="game" value=terms.setup.kind().id() />
            <input type="hidden" name="setup" value=choice.setup_text() />
            <input type="hidden" name="clock" value=terms.clock.to_string() />
            <input type="hidden" name="rated" value=if terms.rated { "true" } else { "false" } />
        }
    });
    view! {
        <form id="ask" action=api::IssueChallenge::url() method="post" hidden>
            {fields}
        </form>
    }
}

/// One of several that exclude each other.
#[component]
pub(super) fn Pick(
    name: &'static str,
    #[prop(into)] value: String,
    #[prop(into)] label: String,
    checked: bool,
) -> impl IntoView {
    view! {
        <label class="pick">
            <input type="radio" name=name value=value checked=checked />
            {label}
        </label>
    }
}

/// A number of one's own.
#[component]
pub(super) fn Number(
    /// The name of the field, and its `id`.
    name: &'static str,
    label: &'static str,
    range: RangeInclusive<u32>,
    /// What has been typed, number or not.
    typed: String,
    /// Whether it has to be corrected.
    wrong: bool,
    /// The `id` of the sentence that says what it may be.
    note: &'static str,
) -> impl IntoView {
    view! {
        <label class="length">
            {label}
            <input
                id=name
                type="number"
                name=name
                inputmode="numeric"
                min=*range.start()
                max=*range.end()
                value=typed
                aria-describedby=note
                aria-invalid=wrong.then_some("true")
            />
        </label>
    }
}
