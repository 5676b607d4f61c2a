//! Resigning, or aborting a match that has not begun, with a confirmation.

use crate::api;
use crate::ui::islands::form_action::FormAction;
use crate::ui::match_page::MatchController;
use crate::ui::text::words;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;

/// The first press opens the confirmation, with scripts or without; the second resigns, or aborts while not both have moved.
#[component]
pub(crate) fn ResignButton(controller: MatchController) -> impl IntoView {
    let language = language();
    let form_action = FormAction::new(None);
    let begun = Memo::new(move |_| controller.has_begun());
    let submit = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        // The end comes by the event stream.
        if begun.get_untracked() {
            form_action.dispatch(api::resign(controller.id), |_| {});
        } else {
            form_action.dispatch(api::abort(controller.id), |_| {});
        }
    };
    let refusal = move || {
        form_action.error.with(|error| {
            error
                .as_ref()
                .map(|error| words::match_error(language, error))
        })
    };
    let either = move |begun_text, other_text| {
        move || {
            if begun.get() { begun_text } else { other_text }
        }
    };
    view! {
        <details class="resign">
            <summary class="button quiet">
                {either(say!(language, table.resign), say!(language, table.abort))}
            </summary>
            <form action=either(api::Resign::url(), api::Abort::url()) method="post" on:submit=submit>
                <input type="hidden" name="match_id" value=controller.id.0 />
                <p>{either(say!(language, table.resign_sure), say!(language, table.abort_sure))}</p>
                <button type="submit" disabled=form_action.pending>
                    {either(say!(language, table.resign_yes), say!(language, table.abort_yes))}
                </button>
            </form>
        </details>
        <p role="alert" class="refusal">{refusal}</p>
    }
}
