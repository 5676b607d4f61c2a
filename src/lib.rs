//! The WebAssembly of the pages. The arena's program is `main.rs`.

#[cfg(feature = "hydrate")]
mod hydrate;
