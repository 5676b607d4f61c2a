//! What a page hands to an island in it.

use crate::wire::json;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

/// A value as JSON text, which is opened inside the island.
///
/// The macro of islands also makes a browser write every property out again, for nothing; as text it costs next to
/// nothing there, where the code to write the value would travel to every visitor.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Handed<T> {
    json: String,
    #[serde(skip)]
    value: PhantomData<fn() -> T>,
}

impl<T: Serialize> Handed<T> {
    /// Hands a value over. For pages.
    pub(super) fn new(value: &T) -> Self {
        // What is handed over are wire types, all of which can be written as JSON.
        let json = serde_json::to_string(value).unwrap_or_default();
        Self {
            json,
            value: PhantomData,
        }
    }
}

impl<T: DeserializeOwned> Handed<T> {
    /// Takes it. For islands.
    ///
    /// # Panics
    ///
    /// If the page comes from another version of this program than its script; it is then shown as it came.
    pub(super) fn open(self) -> T {
        json::read(&self.json).expect("page and script are of one version")
    }
}
