//! The choice in one line, and the form behind it. The server draws it; what a browser does with it is in `wishes`.

use crate::api;
use crate::ui::forms::fields::{Mistakes, Pick};
use crate::ui::games::GameFields;
use crate::ui::lobby::choice::Choice;
use crate::ui::lobby::clock::ClockFields;
use crate::ui::text::words;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_router::params::ParamsMap;
use tochki_rules::GameKind;

/// The form. The fields of the filter belong to it, too, so that whichever button sends it, nothing is lost.
///
/// Without scripts the page reloads itself every five seconds, which would disturb the choosing; `open` is a page that
/// stands still, with the form open.
#[component]
pub(crate) fn ChoiceForm(
    game: GameKind,
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
                    <GameFields game said=said.clone() wrong=wrong.clone() />
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
    view! {
        <form id="ask" action=api::IssueChallenge::url() method="post" hidden>
            <ChosenFields choice />
        </form>
    }
}

/// What is chosen, as forms send it.
#[component]
pub(crate) fn ChosenFields(choice: Result<Choice, Mistakes>) -> impl IntoView {
    choice.ok().map(|choice| {
        let terms = choice.terms();
        view! {
            <input type="hidden" name="game" value=terms.setup.kind().id() />
            <input type="hidden" name="setup" value=choice.setup_text() />
            <input type="hidden" name="clock" value=terms.clock.to_string() />
            <input type="hidden" name="rated" value=if terms.rated { "true" } else { "false" } />
        }
    })
}
