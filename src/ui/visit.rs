//! What the server knows of a request before a page is drawn, and what a page tells it back.

use leptos::prelude::*;

/// The visit a page is rendered for. The server provides it as a context; in a browser there is none.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The cookie `theme`, if the request carries one: `day` or `night`.
    pub theme: Option<String>,
    /// Gives the response its status, where the page is not a plain 200.
    pub answer_with: fn(u16),
}

/// Answers this visit with a status. In a browser there is nothing to answer any more.
pub(super) fn answer_with(status: u16) {
    if let Some(visit) = use_context::<Visit>() {
        (visit.answer_with)(status);
    }
}
