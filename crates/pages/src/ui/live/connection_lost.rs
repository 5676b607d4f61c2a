//! The banner shown while the connection to the server is lost.

use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;

/// The banner, which stays until the state has been fetched again.
#[component]
pub(crate) fn ConnectionLost(lost: RwSignal<bool>) -> impl IntoView {
    let language = language();
    view! {
        <div role="status" class="line">
            {move || lost.get().then(|| view! { <p class="lost">{t!(language, site.line_lost)}</p> })}
        </div>
    }
}
