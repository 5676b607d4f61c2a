//! The pages: rendered by the server, taken over by the browser. Nothing here knows of SQL.

use leptos::config::LeptosOptions;
use leptos::prelude::*;

/// The document around the application.
pub fn shell(_options: LeptosOptions) -> impl IntoView {}

/// The whole application.
#[component]
pub fn App() -> impl IntoView {}
