//! Giving up, with a second press.

use crate::api;
use crate::ui::islands::form_action::FormAction;
use crate::ui::match_page::MatchController;
use crate::ui::text::words;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;

/// The first press opens it, with scripts or without; the second resigns.
#[component]
pub(crate) fn ResignButton(follow: MatchController) -> impl IntoView {
    let language = language();
    let resign = FormAction::new(None);
    let submit = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        // The stream brings the end.
        resign.run(api::resign(follow.id), |_| {});
    };
    let refusal = move || {
        resign
            .refused
            .with(|error| error.as_ref().map(|error| words::error(language, error)))
    };
    view! {
        <details class="resign">
            <summary class="button quiet">{say!(language, table.resign)}</summary>
            <form action=api::Resign::url() method="post" on:submit=submit>
                <input type="hidden" name="match_id" value=follow.id.0 />
                <p>{say!(language, table.resign_sure)}</p>
                <button type="submit" disabled=resign.under_way>
                    {say!(language, table.resign_yes)}
                </button>
            </form>
        </details>
        <p role="alert" class="refusal">{refusal}</p>
    }
}
