//! Tochki's web application: pages, server functions and HTTP. This page is the map of the crate.
//!
//! | module | what it is | imports |
//! |---|---|---|
//! | `http` | routes, guards, streams, connections | `api`, `ui`, `context` |
//! | [`ui`] | pages, components, board, live streams | [`api`] |
//! | [`api`] | server functions | `context` |
//! | `context` | the context of a request: who asks, cookies, redirects | [`error`] |
//! | [`error`], [`codec`] | how server functions answer | |
//! | `local_path` | which paths a redirect may lead to | |
//!
//! The feature gates stand here and nowhere else.

// The waiting room's page is one type, and a deep one.
#![recursion_limit = "256"]

pub mod api;
pub mod codec;
#[cfg(feature = "ssr")]
pub mod context;
pub mod error;
#[cfg(feature = "ssr")]
pub mod http;
mod local_path;
pub mod ui;

#[cfg(feature = "hydrate")]
mod wake;
