//! Typed coordinates: the way to move without a pointer, and without scripts.

use crate::api;
use crate::ui::games;
use crate::ui::match_page::MatchController;
use crate::ui::match_page::mirror::OptimisticMatch;
use crate::ui::text::{language, say};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_rules::Seat;

/// The field and its button.
#[component]
pub(crate) fn MoveEntry(
    follow: MatchController,
    seat: Seat,
    /// The name of the move, should it be sent without scripts.
    form_id: String,
) -> impl IntoView {
    let language = language();
    let field = NodeRef::<leptos::html::Input>::new();
    let version = follow.mirror.with_untracked(OptimisticMatch::version);
    let example = follow
        .mirror
        .with_untracked(|mirror| games::example(mirror.confirmed().position()));
    let submit = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        let Some(field) = field.get_untracked() else {
            return;
        };
        follow.play(seat, field.value().trim());
        if follow.refusal.get_untracked().is_none() {
            field.set_value("");
        }
    };
    view! {
        <form class="entry" action=api::MakeMove::url() method="post" on:submit=submit>
            <input type="hidden" name="match_id" value=follow.id.0 />
            <input type="hidden" name="version" value=version />
            <input type="hidden" name="client_id" value=form_id />
            <label for="mv">{say!(language, table.type_move)}</label>
            <input
                id="mv"
                name="mv"
                size="7"
                autocomplete="off"
                inputmode="text"
                required
                placeholder=example
                aria-describedby="hint"
                node_ref=field
                on:input=move |_| follow.refusal.set(None)
            />
            <button type="submit" disabled=move || !follow.may_move(seat)>
                {say!(language, table.place)}
            </button>
        </form>
    }
}
