//! Resigning, with a confirmation.

use crate::api;
use crate::ui::islands::form_action::FormAction;
use crate::ui::match_page::MatchController;
use crate::ui::text::words;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;

/// The first press opens the confirmation, with scripts or without; the second resigns.
#[component]
pub(crate) fn ResignButton(controller: MatchController) -> impl IntoView {
    let language = language();
    let form_action = FormAction::new(None);
    let submit = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        // The end comes by the event stream.
        form_action.dispatch(api::resign(controller.id), |_| {});
    };
    let refusal = move || {
        form_action.error.with(|error| {
            error
                .as_ref()
                .map(|error| words::match_error(language, error))
        })
    };
    view! {
        <details class="resign">
            <summary class="button quiet">{say!(language, table.resign)}</summary>
            <form action=api::Resign::url() method="post" on:submit=submit>
                <input type="hidden" name="match_id" value=controller.id.0 />
                <p>{say!(language, table.resign_sure)}</p>
                <button type="submit" disabled=form_action.pending>
                    {say!(language, table.resign_yes)}
                </button>
            </form>
        </details>
        <p role="alert" class="refusal">{refusal}</p>
    }
}
