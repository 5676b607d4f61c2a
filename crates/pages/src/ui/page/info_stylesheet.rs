//! The style sheet of pages that are not about a match: a separate file, so that match pages do not load it.

use crate::ui::fingerprint::versioned_url;
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use std::sync::LazyLock;

/// The parts of the style sheet, in the order of the cascade.
const PARTS: [&str; 16] = [
    include_str!("../../../../../style/info_pages/lists.css"),
    include_str!("../../../../../style/info_pages/game_links.css"),
    include_str!("../../../../../style/info_pages/own_games.css"),
    include_str!("../../../../../style/info_pages/plan.css"),
    include_str!("../../../../../style/info_pages/account.css"),
    include_str!("../../../../../style/info_pages/moderation.css"),
    include_str!("../../../../../style/info_pages/computer.css"),
    include_str!("../../../../../style/info_pages/analysis.css"),
    include_str!("../../../../../style/info_pages/puzzles.css"),
    include_str!("../../../../../style/info_pages/tables.css"),
    include_str!("../../../../../style/info_pages/lobby.css"),
    include_str!("../../../../../style/info_pages/rules.css"),
    include_str!("../../../../../style/info_pages/tournaments.css"),
    include_str!("../../../../../style/info_pages/programs.css"),
    include_str!("../../../../../style/info_pages/front.css"),
    include_str!("../../../../../public/stones.css"),
];

static SHEET: LazyLock<String> = LazyLock::new(|| PARTS.concat());

/// The style sheet.
pub fn info_stylesheet() -> &'static str {
    &SHEET
}

/// Returns the address of the style sheet. The content is part of it, so that browsers fetch a new version.
pub(crate) fn path() -> String {
    versioned_url("/info_pages.css", info_stylesheet())
}

/// Adds the style sheet to the head of the page.
#[component]
pub(crate) fn InfoStylesheet() -> impl IntoView {
    view! { <Stylesheet href=path() /> }
}
