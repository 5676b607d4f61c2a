//! Preload links in the head of a page, so that a browser fetches code before it is asked for.

use crate::ui::text::{language, lazy_script_path};
use crate::ui::view::view;
use leptos::WasmSplitManifest;
use leptos::prelude::*;
use leptos_meta::{Link, Script};

/// The value of `media` of the links on a page that is read before anything is done on it: they match no device until
/// `public/late_start.js` finds the page painted.
const AFTER_PAINT: &str = "not all";

/// In the context of a page whose code is fetched after its first paint.
#[derive(Clone, Copy)]
pub(crate) struct FetchedAfterPaint;

/// Returns the value of `media` for the preload links of this page, if it has one.
pub(crate) fn preload_media() -> Option<&'static str> {
    use_context::<FetchedAfterPaint>().map(|_| AFTER_PAINT)
}

/// Preloads the code of a lazy island, which is in WebAssembly files of its own, and loads the texts of lazy islands.
#[component]
pub(crate) fn PreloadIsland(
    /// The island in snake case: `lobby_island` for `LobbyIsland`.
    island: &'static str,
) -> impl IntoView {
    let texts = lazy_script_path(language());
    view! {
        // What it is called by in `translations::scripts`.
        <Script id="lazy-texts" defer="true" src=texts />
        <PreloadCode island />
    }
}

/// Preloads the code of a lazy island alone, beside another island that brings the texts.
#[component]
pub(crate) fn PreloadCode(
    /// The island in snake case.
    island: &'static str,
) -> impl IntoView {
    let media = preload_media().unwrap_or("all");
    wasm_files(island)
        .into_iter()
        .map(|file| {
            view! { <Link rel="preload" as_="fetch" type_="application/wasm" crossorigin="" media href=file /> }
        })
        .collect_view()
}

/// Fetches the code of a lazy island of the next page while the browser has nothing else to do.
#[component]
pub(crate) fn PrefetchIsland(
    /// The island in snake case.
    island: &'static str,
) -> impl IntoView {
    wasm_files(island)
        .into_iter()
        .map(|file| view! { <Prefetch href=file /> })
        .collect_view()
}

/// Fetches a file of the next page while the browser has nothing else to do.
#[component]
pub(crate) fn Prefetch(href: String) -> impl IntoView {
    view! { <Link rel="prefetch" href=href /> }
}

/// Fetches at once what a Web Worker of this page is going to ask for. The worker finds it in the cache of the browser.
#[component]
pub(crate) fn PreloadForWorker(href: String) -> impl IntoView {
    view! { <Link rel="preload" as_="fetch" crossorigin="" href /> }
}

/// Preloads the script that loads lazy islands, which the main script imports first.
#[component]
pub(crate) fn PreloadLoader() -> impl IntoView {
    with_manifest(|(folder, _, loader)| format!("{folder}/{loader}"))
        .map(|file| view! { <link rel="modulepreload" crossorigin="" media=preload_media() href=file /> })
}

fn wasm_files(island: &str) -> Vec<String> {
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

/// Reads the manifest of `site-builder split`, loaded by `StartScript`; `None` if the build is not split.
fn with_manifest<T>(look: impl FnOnce(&Manifest) -> T) -> Option<T> {
    let manifest = use_context::<WasmSplitManifest>()?.0;
    manifest.try_read_value().map(|manifest| look(&manifest))
}
