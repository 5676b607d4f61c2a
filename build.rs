//! Turns the texts of `locales/` into Rust, so that a missing or misspelt text does not compile, and tells the crate
//! whether its client is going to be split.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(split)");
    if is_split() {
        println!("cargo::rustc-cfg=split");
    }
    texts()
}

/// Whether lazy islands travel apart from the rest of the client. The mark is what `cargo leptos --split` cannot do
/// without, and nobody else asks for: what is compiled without it stays in one piece.
fn is_split() -> bool {
    std::env::var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.contains("--emit-relocs"))
}

#[cfg(feature = "ui")]
fn texts() -> Result<(), Box<dyn std::error::Error>> {
    use leptos_i18n_codegen::gen_code;
    use leptos_i18n_parser::parse_locales::{cfg_file::ConfigFile, options::Config, parse_locales};
    use std::path::PathBuf;

    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    // Which languages there are stands in Cargo.toml, where the library looks for it.
    let mut config: Config = ConfigFile::new(&mut root.clone())?.into();
    config.options.interpolate_display = true;
    let texts = parse_locales(Some(root), config)?;

    println!("cargo::rerun-if-changed=Cargo.toml");
    for path in texts.tracked_files.iter().flatten() {
        println!("cargo::rerun-if-changed={path}");
    }
    for warning in texts.diag.warnings().iter() {
        println!("cargo::warning={warning}");
    }
    for error in texts.diag.errors().iter() {
        println!("cargo::error={error}");
    }
    let code = gen_code(&texts, None, false, None, false)?;
    let path = PathBuf::from(std::env::var("OUT_DIR")?).join("texts.rs");
    std::fs::write(path, code.to_string())?;
    Ok(())
}

#[cfg(not(feature = "ui"))]
#[allow(clippy::unnecessary_wraps)]
fn texts() -> Result<(), Box<dyn std::error::Error>> {
    Ok(())
}
