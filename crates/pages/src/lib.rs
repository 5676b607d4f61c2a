//! The pages of Tochki, and the server functions that they and programs call.
//!
//! | module | what it is | imports |
//! |---|---|---|
//! | [`ui`] | pages, components, board, live streams | [`api`] |
//! | [`api`] | server functions | `context` |
//! | `context` | the context of a request: the caller, cookies, redirects | [`error`] |
//! | `endpoint` | the list of the endpoints of the API | |
//! | [`error`], [`codec`] | errors and encodings of server functions | |
//! | [`translations`] | the texts of all languages, as the server has them | [`language`] |
//! | [`language`] | the languages of the pages | |
//! | `mail` | the words of mails | [`ui`] |
//! | `local_path` | which paths a redirect may lead to | |
//! | `hydrate` | the entry point in a browser | [`ui`] |
//!
//! Features are checked only in this file, in `ui/view.rs`, which erases the types of views on the server, and by `#[endpoint]`,
//! which registers endpoints there.

// The type of the lobby's page is deeply nested.
#![recursion_limit = "256"]

pub mod api;
pub mod codec;
#[cfg(feature = "ssr")]
pub mod context;
#[cfg(feature = "ssr")]
pub mod endpoint;
pub mod error;
#[cfg(feature = "hydrate")]
mod hydrate;
pub mod language;
mod local_path;
#[cfg(feature = "ssr")]
pub mod mail;
#[cfg(feature = "ssr")]
pub mod translations;
pub mod ui;

#[cfg(feature = "hydrate")]
pub use hydrate::hydrate;
