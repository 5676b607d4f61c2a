//! The pages: rendered by the server, taken over by the browser. Nothing here knows of SQL.

use leptos::prelude::*;

/// The whole application.
#[component]
pub fn App() -> impl IntoView {}
