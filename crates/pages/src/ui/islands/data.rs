//! Data that a page passes to its islands.

use crate::ui::view::view;
use leptos::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;
use tochki_protocol::json;
use web_sys::Event;

/// A value passed to an island as JSON in a `<script>` element with this `id`.
///
/// Properties of an island would be read by `serde_json`, which is larger than our own JSON reader. So islands have
/// none.
#[derive(Debug)]
pub(crate) struct IslandData<T> {
    id: &'static str,
    value: PhantomData<fn() -> T>,
}

/// The JSON, as a context: on the server there is no document to read it from.
#[derive(Clone)]
struct Text(String);

impl<T> IslandData<T> {
    /// Creates the data under this element `id`. A page and its island share them.
    pub(crate) const fn new(id: &'static str) -> Self {
        Self {
            id,
            value: PhantomData,
        }
    }
}

impl<T: Serialize> IslandData<T> {
    /// Renders the element with the value, and then the island. For pages.
    pub(crate) fn embed<V: IntoView>(&self, value: T, island: impl FnOnce() -> V) -> impl IntoView {
        // Protocol types always serialize. In JSON, `<` occurs in strings only, where it can be escaped.
        let json = serde_json::to_string(&value).unwrap_or_default();
        let json = json.replace('<', "\\u003c");
        provide_context(Text(json.clone()));
        let island = island();
        view! {
            <script type="application/json" id=self.id inner_html=json></script>
            {island}
        }
    }
}

impl<T: DeserializeOwned> IslandData<T> {
    /// Reads the value. For islands.
    ///
    /// # Panics
    ///
    /// If page and WebAssembly are of different versions; the page then becomes one without scripts.
    pub(crate) fn read(&self) -> T {
        let text = use_context().map(|Text(text)| text);
        let text = text.or_else(|| {
            announce_hydration();
            document().get_element_by_id(self.id)?.text_content()
        });
        json::read(&text.unwrap_or_default()).expect("page and script are of one version")
    }
}

/// Tells `public/start.js` that the island which is reading its data is hydrated next. While its code was loading, scripts of
/// others may have changed the page, so that script restores it once more.
fn announce_hydration() {
    // An event that cannot be made restores nothing, and then the page may break, which it says.
    let _ = Event::new("hydrate").map(|event| document().dispatch_event(&event));
}
