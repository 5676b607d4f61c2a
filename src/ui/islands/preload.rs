//! What a page names in its head so that a browser fetches it beside the rest, and not when the rest asks for it.

use leptos::WasmSplitManifest;
use leptos::prelude::*;
use leptos_meta::Link;

/// The code of a lazy island, which travels in files of its own.
#[component]
pub(crate) fn CodeAhead(
    /// The island, in small letters: `room` for `Room`.
    of: &'static str,
) -> impl IntoView {
    files_of(of)
        .into_iter()
        .map(|file| {
            view! { <Link rel="preload" as_="fetch" type_="application/wasm" crossorigin="" href=file /> }
        })
        .collect_view()
}

/// The script that fetches the code of lazy islands. The client's own script begins with asking for it.
#[component]
pub(crate) fn LoaderAhead() -> impl IntoView {
    with_manifest(|(folder, _, loader)| format!("{folder}/{loader}"))
        .map(|file| view! { <link rel="modulepreload" crossorigin="" href=file /> })
}

fn files_of(island: &str) -> Vec<String> {
    let loader = format!("{island}_loader_");
    let files = with_manifest(|(folder, files, _)| {
        let (_, names) = files.iter().find(|(split, _)| split.starts_with(&loader))?;
        Some(
            names
                .iter()
                .map(|name| format!("{folder}/{name}.wasm"))
                .collect(),
        )
    });
    files.flatten().unwrap_or_default()
}

type Manifest = (
    String,
    std::collections::HashMap<String, Vec<String>>,
    String,
);

/// Looks at what `cargo leptos --split` has written down and `HydrationScripts` has read; nothing where nothing is split.
fn with_manifest<T>(look: impl FnOnce(&Manifest) -> T) -> Option<T> {
    let manifest = use_context::<WasmSplitManifest>()?.0;
    manifest.try_read_value().map(|manifest| look(&manifest))
}
