//! The frame of every page: the document, the routes, header and footer, the session and the settings.

pub(crate) mod app;
pub(crate) mod document;
pub(crate) mod error_page;
pub(crate) mod fingerprint;
pub(crate) mod footer;
pub(crate) mod header;
pub(crate) mod not_found;
pub(crate) mod page;
pub(crate) mod session;
pub(crate) mod settings;
