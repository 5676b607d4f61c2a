//! The frame of every page: document, routes, header, footer, and the settings panel.

pub(crate) mod app;
pub(crate) mod document;
pub(crate) mod error_page;
pub(crate) mod footer;
pub(crate) mod header;
mod language_links;
pub(crate) mod new_release;
pub(crate) mod offline;
pub(crate) mod settings_panel;
pub(crate) mod start;
pub(crate) mod style_sheets;

/// Returns whether the page at this path and query follows an event stream.
fn has_event_stream(url: &str) -> bool {
    let path = url.split('?').next().unwrap_or_default();
    let is_match = |rest: &str| !rest.contains('/');
    path == "/play"
        || path == "/games"
        || path.starts_with("/t/")
        || path.starts_with("/tournament/")
        || path.strip_prefix("/match/").is_some_and(is_match)
}
