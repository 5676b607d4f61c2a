//! The hatchings of captured areas, for readers who cannot tell the colours apart.

use crate::ui::view::view;
use leptos::prelude::*;

/// Strokes that rise to the right for one side, and fall for the other. The short strokes are the corners that belong to
/// the neighbouring tiles.
const PATTERNS: &str = concat!(
    r#"<pattern id="hatch-red" width="5" height="5" patternUnits="userSpaceOnUse"><path class="hatch red" d="M-1 1L1 -1M0 5L5 0M4 6L6 4"/></pattern>"#,
    r#"<pattern id="hatch-blue" width="5" height="5" patternUnits="userSpaceOnUse"><path class="hatch blue" d="M-1 4L1 6M0 0L5 5M4 -1L6 1"/></pattern>"#,
);

/// The patterns, once a document and outside its islands: every board on it finds them by their names.
#[component]
pub(crate) fn Hatchings() -> impl IntoView {
    view! { <svg class="hatchings" aria-hidden="true" inner_html=PATTERNS></svg> }
}
