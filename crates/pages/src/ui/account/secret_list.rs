//! Secrets that a page shows once: recovery codes, or a token.

use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;

/// Secrets that are shown once, with buttons that copy, save and print them.
#[component]
pub(super) fn SecretList(
    items: Vec<String>,
    /// The first line of the text that is copied or saved.
    title: String,
    /// The name of the saved file.
    file: &'static str,
) -> impl IntoView {
    let language = language();
    let single = items.len() == 1;
    let items = items
        .into_iter()
        .map(|item| view! { <li><code>{item}</code></li> });
    view! {
        <ol id="recovery-codes" class="codes" class:single=single data-title=title data-file=file>
            {items.collect_view()}
        </ol>
        <p class="button-row">
            <button
                type="button"
                id="copy-codes"
                hidden
                data-done=t!(language, recovery.copied)
                data-else=t!(language, recovery.selected)
            >
                {t!(language, recovery.copy)}
            </button>
            <button type="button" id="download-codes" class="quiet" hidden>
                {t!(language, recovery.download)}
            </button>
            <button type="button" id="print-codes" class="quiet" hidden>
                {t!(language, recovery.print)}
            </button>
        </p>
        <p role="status" id="codes-done" class="note"></p>
        <script type="module" src="/recovery_codes.js"></script>
    }
}
