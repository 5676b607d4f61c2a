//! The banner over a page whose line to the server is lost.

use crate::ui::text::{language, say};
use leptos::prelude::*;

/// Stays until the state has been checked again.
#[component]
pub(crate) fn LostLine(lost: RwSignal<bool>) -> impl IntoView {
    let language = language();
    view! {
        <div role="status" class="line">
            {move || lost.get().then(|| view! { <p class="lost">{say!(language, site.line_lost)}</p> })}
        </div>
    }
}
