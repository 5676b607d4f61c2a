//! Lists that change by their differences.
//!
//! All lists of the pages are of one type, because each type of its own would add its own diffing to what every visitor
//! fetches.

use leptos::prelude::*;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

/// One entry. While its key stays, what is drawn for it stays too.
pub(crate) struct Entry {
    key: u64,
    draw: Box<dyn FnOnce() -> AnyView + Send>,
}

impl Entry {
    /// An entry that is drawn anew whenever something in `key` changes.
    pub(crate) fn new<V: IntoView + 'static>(
        key: impl Hash,
        draw: impl FnOnce() -> V + Send + 'static,
    ) -> Self {
        let key = BuildHasherDefault::<DefaultHasher>::default().hash_one(key);
        Self {
            key,
            draw: Box::new(move || draw().into_any()),
        }
    }
}

/// Draws what is new in a list, and removes what is gone.
#[component]
pub(crate) fn List(
    /// All entries, whenever something they depend on has changed.
    entries: Box<dyn Fn() -> Vec<Entry> + Send>,
) -> impl IntoView {
    view! { <For each=entries key=|entry| entry.key children=|entry| (entry.draw)() /> }
}
