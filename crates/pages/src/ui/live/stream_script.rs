//! The script of event streams, with the key of the session.

use crate::ui::fingerprint::versioned_url;
use crate::ui::view::view;
use leptos::prelude::*;

/// The script. Its content is part of its address, which is that of the shared worker too: pages of two releases have two.
const SCRIPT: &str = include_str!("../../../../../public/event_stream.js");

/// The key by which the pages of a session share a stream; empty without a session. The server provides it as a context.
#[derive(Clone, Debug, Default)]
pub struct PageKey(pub String);

/// Adds the script, which has to run before the scripts and islands that open a stream.
#[component]
pub(crate) fn StreamScript() -> impl IntoView {
    let PageKey(key) = use_context().unwrap_or_default();
    view! { <script src=versioned_url("/event_stream.js", SCRIPT) id="event-stream" data-session=key></script> }
}

/// Adds the script to a page without a stream of its own, for the number of unread notifications alone.
#[component]
pub(crate) fn NotifiedScript() -> impl IntoView {
    let PageKey(key) = use_context().unwrap_or_default();
    view! {
        <script
            async
            src=versioned_url("/event_stream.js", SCRIPT)
            id="event-stream"
            data-session=key
            data-topic="notified"
        ></script>
    }
}
