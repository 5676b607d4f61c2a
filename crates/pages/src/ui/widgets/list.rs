//! Keyed lists.
//!
//! All lists of the pages share one type, because each type would add its own diffing code to the WebAssembly.

use crate::ui::view::view;
use leptos::prelude::*;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

/// An entry. Its view stays while its key stays.
pub(crate) struct Entry {
    key: u64,
    draw: Box<dyn FnOnce() -> AnyView + Send>,
}

impl Entry {
    /// Creates an entry whose view is created again when something in `key` changes.
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

/// Renders new entries, and removes old ones.
#[component]
pub(crate) fn List(
    /// All entries, recomputed when a signal they read changes.
    entries: Box<dyn Fn() -> Vec<Entry> + Send>,
) -> impl IntoView {
    view! { <For each=entries key=|entry| entry.key children=|entry| (entry.draw)() /> }
}
