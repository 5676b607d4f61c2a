//! The start of a page's code, and the fallback to a page without scripts when it fails.

use crate::ui::fingerprint::versioned_url;
use crate::ui::islands::preload::{FetchedAfterPaint, PreloadLoader, preload_media};
use crate::ui::page::page_address::PageAddress;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::WasmSplitManifest;
use leptos::nonce::use_nonce;
use leptos::prelude::*;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::LazyLock;

/// The scripts of this module. Their addresses change with their content.
const START: &str = include_str!("../../../../../public/start.js");
const REPAIR: &str = include_str!("../../../../../public/repair.js");
const FALLBACK: &str = include_str!("../../../../../public/fallback.js");

/// The script that loads [`START`] later. Its address changes with its content.
const LATE_START: &str = include_str!("../../../../../public/late_start.js");

/// Returns the addresses of these scripts: the one that starts the code, and those that it loads where a page was changed or has
/// failed.
pub(crate) fn script_paths() -> [String; 3] {
    [
        versioned_url("/start.js", START),
        versioned_url("/repair.js", REPAIR),
        versioned_url("/fallback.js", FALLBACK),
    ]
}

/// The script that loads [`FALLBACK`] when the code does not start.
static START_CHECK: LazyLock<String> =
    LazyLock::new(|| compact(include_str!("../../../../../public/start_check.js")));

/// Puts the script `START_CHECK` into the head: it is not a file, because files may be blocked. It comes before everything that
/// may fail.
#[component]
pub(crate) fn StartCheck() -> impl IntoView {
    let [_, _, fallback] = script_paths();
    view! { <script nonce=use_nonce() data-fallback=fallback inner_html=START_CHECK.as_str()></script> }
}

/// The line with the reason why the page is without scripts. `public/fallback.js` puts the sentence in and shows the line.
#[component]
pub(crate) fn FallbackLine() -> impl IntoView {
    let language = language();
    view! {
        <p
            id="fallback"
            class="notice fallback"
            role="alert"
            hidden
            data-panic=t!(language, site.broken)
            data-not_started=t!(language, site.not_started)
        >
            <span></span>
            <a class="button" href="">
                {t!(language, site.reload)}
            </a>
        </p>
    }
}

/// Loads the code and starts it, in place of `HydrationScripts` of Leptos, whose script takes the page as it finds it.
#[component]
pub(crate) fn StartScript(options: LeptosOptions) -> impl IntoView {
    // Nothing outside of islands is hydrated, so the page needs no data for that.
    if let Some(context) = Owner::current_shared_context() {
        context.set_is_hydrating(false);
    }
    let hashes = hashes(&options);
    let folder = format!("/{}", options.site_pkg_dir);
    if let Some(manifest) = manifest(&options, &folder, &hashes) {
        provide_context(manifest);
    }
    let name = &options.output_name;
    // As `cargo leptos` names the files: with hashes in a release.
    let (code, wasm) = match (hashes.get("js"), hashes.get("wasm")) {
        (Some(js), Some(wasm)) => (
            format!("{folder}/{name}.{js}.js"),
            format!("{folder}/{name}.{wasm}.wasm"),
        ),
        _ if option_env!("LEPTOS_OUTPUT_NAME").is_none() => (
            format!("{folder}/{name}.js"),
            format!("{folder}/{name}_bg.wasm"),
        ),
        _ => (
            format!("{folder}/{name}.js"),
            format!("{folder}/{name}.wasm"),
        ),
    };
    let [start, repair, _] = script_paths();
    // The front page is the first that a stranger sees. Its code is ten times its stylesheet, and would share the line with it.
    if use_context::<PageAddress>().is_some_and(|address| address.path == "/") {
        provide_context(FetchedAfterPaint);
    }
    let media = preload_media();
    let (first, late) = match media {
        Some(_) => (versioned_url("/late_start.js", LATE_START), Some(start)),
        None => (start, None),
    };
    view! {
        <link rel="modulepreload" href=code.clone() crossorigin="" media=media />
        <link rel="preload" href=wasm.clone() r#as="fetch" r#type="application/wasm" crossorigin="" media=media />
        <script type="module" id="start" src=first data-start=late data-code=code data-wasm=wasm data-repair=repair></script>
        <PreloadLoader />
    }
}

/// Returns the hash of each file of the code; empty where their names have none.
fn hashes(options: &LeptosOptions) -> HashMap<String, String> {
    if !options.hash_files {
        return HashMap::new();
    }
    let program = std::env::current_exe().unwrap_or_default();
    let list = program.with_file_name(options.hash_file.as_ref());
    let list = std::fs::read_to_string(list).unwrap_or_default();
    let pairs = list.lines().filter_map(|line| line.split_once(':'));
    pairs
        .map(|(file, hash)| (file.trim().to_owned(), hash.trim().to_owned()))
        .collect()
}

/// Reads the list of the files that lazy islands are in; `None` if the build is not split.
fn manifest(
    options: &LeptosOptions,
    folder: &str,
    hashes: &HashMap<String, String>,
) -> Option<WasmSplitManifest> {
    let named = |name: &str, key: &str, kind: &str, unhashed: &str| match hashes.get(key) {
        Some(hash) => format!("{name}.{hash}.{kind}"),
        None => format!("{name}{unhashed}.{kind}"),
    };
    let list = named("__wasm_split_manifest", "manifest", "json", "");
    let loader = named("__wasm_split", "split", "js", ".______________________");
    let path = PathBuf::from(&*options.site_root)
        .join(&*options.site_pkg_dir)
        .join(list);
    let files = serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()?;
    let manifest = (folder.to_owned(), files, loader);
    Some(WasmSplitManifest(ArcStoredValue::new(manifest)))
}

/// Returns a script without its comments and indentation.
fn compact(script: &str) -> String {
    let mut code = String::with_capacity(script.len());
    let mut rest = script;
    while let Some((before, comment)) = rest.split_once("/*") {
        code.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    code.push_str(rest);
    let lines = code.lines().map(|line| {
        let end = if line.trim_start().starts_with("//") {
            0
        } else {
            line.find(" // ").unwrap_or(line.len())
        };
        line[..end].trim()
    });
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compact_script_has_its_code_alone() {
        let script = "// @ts-check\n/**\n * Says it.\n */\nvar a = /** @type {any} */ (1);\n\n  b(a); // Because.\n";
        assert_eq!(compact(script), "var a =  (1);\nb(a);");
    }

    #[test]
    fn nothing_in_the_script_of_the_head_ends_it() {
        assert!(START_CHECK.contains("START_TIMEOUT_MS"));
        for end in ["</script", "<!--", "/*", "//"] {
            assert!(!START_CHECK.contains(end), "{end}");
        }
    }
}
