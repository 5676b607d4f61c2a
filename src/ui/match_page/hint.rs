//! What there is to say about the move at hand: what it would do, or why it was refused.

use crate::ui::islands::effect::effect;
use crate::ui::match_page::MatchController;
use leptos::prelude::*;

/// Beside whose move it is, in sight of the board. A refusal is read out; what lies under the hand is only shown.
#[component]
pub(crate) fn Hint(follow: MatchController, hint: RwSignal<Option<String>>) -> impl IntoView {
    let refused = move || follow.refusal.with(Option::is_some);
    // Whoever points at something else is done with the refusal.
    effect(move || {
        if hint.with(Option::is_some) {
            follow.refusal.set(None);
        }
    });
    view! {
        <p id="hint" class="hint">
            <span role="alert" class="refusal">
                {move || follow.refusal.get()}
            </span>
            <span>{move || if refused() { None } else { hint.get() }}</span>
        </p>
    }
}
