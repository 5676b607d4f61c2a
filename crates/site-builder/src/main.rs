//! Makes of compiled WebAssembly the modules and scripts that browsers load, with the libraries that `wasm-bindgen` and
//! `cargo leptos` are made of: they are compiled in a tenth of the time of those two. Scripts, styles, optimization and
//! compression are the part of `script/site.mjs`.

use anyhow::{Context, Result, anyhow, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use wasm_bindgen_cli_support::Bindgen;

/// The script that loads the parts of a split module. `script/site.mjs` replaces the 22 underscores by a hash: the modules,
/// too, have this name in them, so its length must not change.
const LOADER: &str = "./__wasm_split.______________________.js";

/// The arguments.
const USAGE: &str = "usage: site-builder (bind | split) MODULE.wasm FOLDER NAME";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["bind", module, folder, name] => bind(Path::new(module), Path::new(folder), name, false),
        ["split", module, folder, name] => split(Path::new(module), Path::new(folder), name),
        _ => bail!(USAGE),
    }
}

/// Writes a module without what only the linker needs, as `NAME_bg.wasm`, and its script, `NAME.js`. A module with parts keeps
/// the exports of the linker, by which the parts find its memory and its table.
fn bind(module: &Path, folder: &Path, name: &str, has_parts: bool) -> Result<()> {
    Bindgen::new()
        .web(true)?
        .typescript(false)
        .keep_lld_exports(has_parts)
        .demangle(!has_parts)
        .input_path(module)
        .out_name(name)
        .generate(folder)
}

/// Takes the code of lazy islands out of a module into parts, each in a file of its own, and binds the rest. The module has to be
/// linked with `--emit-relocs`. Which parts an island needs is in `__wasm_split_manifest.json`.
fn split(module: &Path, folder: &Path, name: &str) -> Result<()> {
    let linked = fs::read(module).with_context(|| module.display().to_string())?;
    let rest = module.with_file_name(format!("{name}_split.wasm"));
    let script = format!("./{name}.js");
    let mut options = wasm_split_cli_support::Options::new(&linked);
    options.output_dir = folder;
    options.main_out_path = &rest;
    options.main_module = &script;
    options.link_name = LOADER;
    let parts = wasm_split_cli_support::transform(options).map_err(|error| anyhow!("{error:#}"))?;
    // In one order, because the addresses of the files are a hash of their contents.
    let manifest: BTreeMap<_, _> = parts.prefetch_map.into_iter().collect();
    let manifest = serde_json::to_string(&manifest)?;
    fs::write(folder.join("__wasm_split_manifest.json"), manifest)?;
    bind(&rest, folder, name, true)
}
