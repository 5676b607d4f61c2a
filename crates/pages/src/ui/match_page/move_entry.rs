//! Typed moves: for keyboards, and for pages without scripts.

use crate::api;
use crate::ui::games;
use crate::ui::match_page::MatchController;
use crate::ui::match_page::optimistic_match::OptimisticMatch;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use tochki_rules::Seat;

/// The field and its button.
#[component]
pub(crate) fn MoveEntry(
    controller: MatchController,
    seat: Seat,
    /// The `client_id` of the move, if it is posted without scripts.
    form_id: String,
) -> impl IntoView {
    let language = language();
    let field = NodeRef::<leptos::html::Input>::new();
    let version = controller.game.with_untracked(OptimisticMatch::version);
    let example = controller
        .game
        .with_untracked(|game| games::example_move(game.confirmed().position()));
    let submit = move |submit: leptos::ev::SubmitEvent| {
        submit.prevent_default();
        let Some(field) = field.get_untracked() else {
            return;
        };
        controller.play_text(seat, field.value().trim());
        if controller.move_error.get_untracked().is_none() {
            field.set_value("");
        }
    };
    view! {
        <form class="entry" action=api::MakeMove::url() method="post" on:submit=submit>
            <input type="hidden" name="match_id" value=controller.id.0 />
            <input type="hidden" name="version" value=version />
            <input type="hidden" name="client_id" value=form_id />
            <label for="mv">{t!(language, table.type_move)}</label>
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
                on:input=move |_| controller.move_error.set(None)
            />
            <button type="submit" disabled=move || !controller.can_move(seat)>
                {t!(language, table.place)}
            </button>
        </form>
    }
}
