//! The style sheet of pages that are not about a match: a separate file, so that match pages do not load it.

use crate::ui::fingerprint::addressed;
use leptos::prelude::*;
use leptos_meta::Stylesheet;

/// The file. Its content is part of its URL, so that browsers fetch a new version.
const SHEET: &str = include_str!("../../../public/info_pages.css");

/// The address of the file.
pub(crate) fn path() -> String {
    addressed("/info_pages.css", SHEET)
}

/// Adds the style sheet to the head of the page.
#[component]
pub(crate) fn InfoStylesheet() -> impl IntoView {
    view! { <Stylesheet href=path() /> }
}
