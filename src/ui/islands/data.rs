//! What a page hands to an island in it.

use leptos::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;
use tochki_protocol::json;

/// A value that lies in the page beside an island, as JSON text in an element of this name.
///
/// The properties of an island would be read by `serde_json`, which weighs more than everything else that a browser has
/// to fetch for reading. So islands have none.
#[derive(Debug)]
pub(crate) struct IslandData<T> {
    name: &'static str,
    value: PhantomData<fn() -> T>,
}

/// The text on the server, where there is no document yet.
#[derive(Clone)]
struct Text(String);

impl<T> IslandData<T> {
    /// What lies under this name. A page and its island share it.
    pub(crate) const fn named(name: &'static str) -> Self {
        Self {
            name,
            value: PhantomData,
        }
    }
}

impl<T: Serialize> IslandData<T> {
    /// Hands a value to an island. For pages.
    pub(crate) fn to<V: IntoView>(&self, value: T, island: impl FnOnce() -> V) -> impl IntoView {
        // What is handed over are wire types, all of which can be written as JSON. In it `<` stands in texts alone.
        let json = serde_json::to_string(&value).unwrap_or_default();
        let json = json.replace('<', "\\u003c");
        provide_context(Text(json.clone()));
        let island = island();
        view! {
            <script type="application/json" id=self.name inner_html=json></script>
            {island}
        }
    }
}

impl<T: DeserializeOwned> IslandData<T> {
    /// Takes it. For islands.
    ///
    /// # Panics
    ///
    /// If the page comes from another version of this program than its script; it is then shown as it came.
    pub(crate) fn take(&self) -> T {
        let text = use_context().map(|Text(text)| text);
        let text = text.or_else(|| document().get_element_by_id(self.name)?.text_content());
        json::read(&text.unwrap_or_default()).expect("page and script are of one version")
    }
}
