//! The WebAssembly of the pages, for `cargo leptos watch`. `script/build` makes it of `tochki-pages` itself, which is smaller.

#[cfg(feature = "hydrate")]
pub use tochki_pages::hydrate;
