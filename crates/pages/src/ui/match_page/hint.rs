//! The hint beside the board: a preview of the move, or why it was refused.

use crate::ui::islands::effect::effect;
use crate::ui::match_page::MatchController;
use crate::ui::view::view;
use leptos::prelude::*;

/// A refusal is announced; the preview is only shown.
#[component]
pub(crate) fn Hint(controller: MatchController, hint: RwSignal<Option<String>>) -> impl IntoView {
    let refused = move || controller.move_error.with(Option::is_some);
    // Pointing at another place clears the refusal.
    effect(move || {
        if hint.with(Option::is_some) {
            controller.move_error.set(None);
        }
    });
    view! {
        <p id="hint" class="hint">
            <span role="alert" class="refusal">
                {move || controller.move_error.get()}
            </span>
            <span>{move || if refused() { None } else { hint.get() }}</span>
        </p>
    }
}
