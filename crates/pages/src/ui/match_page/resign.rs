//! Resigning, or aborting a match that has not begun, with a confirmation.

use crate::api;
use crate::ui::islands::form_action::FormAction;
use crate::ui::match_page::{MatchController, behind_a_press};
use crate::ui::text::words;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;

/// The first press opens the confirmation, with scripts or without, and becomes its *Cancel*; the second resigns, or aborts
/// while not both have moved.
#[component]
pub(crate) fn ResignButton(controller: MatchController) -> impl IntoView {
    let language = language();
    let form_action = FormAction::new(None);
    let begun = Memo::new(move |_| controller.has_begun());
    let refusal = move || {
        form_action.error.with(|error| {
            error
                .as_ref()
                .map(|error| words::match_error(language, error))
        })
    };
    // The end comes by the event stream.
    let form = move || {
        let (url, [button, sure, yes]) = if begun.get() {
            let words = [
                t!(language, table.resign),
                t!(language, table.resign_sure),
                t!(language, table.resign_yes),
            ];
            (api::Resign::url(), words)
        } else {
            let words = [
                t!(language, table.abort),
                t!(language, table.abort_sure),
                t!(language, table.abort_yes),
            ];
            (api::Abort::url(), words)
        };
        let submit = move |submit: leptos::ev::SubmitEvent| {
            submit.prevent_default();
            form_action.post(url, format!("match_id={}", controller.id));
        };
        let form = view! {
            <form action=url method="post" on:submit=submit>
                <input type="hidden" name="match_id" value=controller.id.0 />
                <p>{sure}</p>
                <button type="submit" disabled=form_action.pending>
                    {yes}
                </button>
            </form>
        };
        behind_a_press(language, button, form)
    };
    view! {
        {form}
        <p role="alert" class="refusal">
            {refusal}
        </p>
    }
}
