//! The settings of the visit that a page is rendered for.

use leptos::prelude::use_context;
use tochki_protocol::Settings;

/// The settings of this visit. In a browser they are attributes of `<html>`, and read from there when needed.
pub(crate) fn current_settings() -> Settings {
    use_context().unwrap_or_default()
}
