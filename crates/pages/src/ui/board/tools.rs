//! What a page brings along so that its boards can be zoomed: the script, and the buttons that it puts beside them.

use crate::ui::fingerprint::versioned_url;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;

/// The script, by which its address changes whenever it does.
const SCRIPT: &str = include_str!("../../../../../public/board.js");

/// The address of the script.
pub(crate) fn script_path() -> String {
    versioned_url("/board.js", SCRIPT)
}

/// For pages, beside their islands: nothing of it is part of the client. Without scripts there is nothing to see of it.
#[component]
pub(crate) fn BoardTools() -> impl IntoView {
    let language = language();
    view! {
        <template id="board-tools">
            <button type="button" name="out" class="quiet" aria-label=t!(language, board.zoom_out)>
                "−"
            </button>
            <button type="button" name="in" class="quiet" aria-label=t!(language, board.zoom_in)>
                "+"
            </button>
            <button type="button" name="whole" class="quiet">
                {t!(language, board.whole)}
            </button>
            <button type="button" name="last" class="quiet">
                {t!(language, board.to_last)}
            </button>
        </template>
        <script type="module" src=script_path()></script>
    }
}
