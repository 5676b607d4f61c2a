//! The tools to zoom a board: the script, and the buttons that it puts beside the boards of a page.

use crate::ui::fingerprint::versioned_url;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;

/// The script. Its address changes with its content.
const SCRIPT: &str = include_str!("../../../../../public/board.js");

/// The scripts that it loads when they are needed, which know its members.
const HINT: &str = include_str!("../../../../../public/tap_hint.js");
const OVERVIEW: &str = include_str!("../../../../../public/board_overview.js");

/// The address of the script.
pub(crate) fn script_path() -> String {
    versioned_url("/board.js", SCRIPT)
}

/// The addresses of the scripts that it loads: the hint at a tap, and the overview.
pub(crate) fn later_script_paths() -> [String; 2] {
    [
        versioned_url("/tap_hint.js", HINT),
        versioned_url("/board_overview.js", OVERVIEW),
    ]
}

/// Adds the tools to a page, beside its islands: nothing of them is part of the client. Without scripts they are invisible.
#[component]
pub(crate) fn BoardTools() -> impl IntoView {
    let language = language();
    let [hint, overview] = later_script_paths();
    view! {
        <template
            id="board-tools"
            data-again=t!(language, touch.again)
            data-close=t!(language, offline.close)
            data-hint=hint
            data-overview=overview
        >
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
