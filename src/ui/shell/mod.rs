//! The frame of every page: document, routes, header, footer, and the settings panel.

pub(crate) mod app;
pub(crate) mod document;
pub(crate) mod error_page;
pub(crate) mod footer;
pub(crate) mod header;
pub(crate) mod offline;
pub(crate) mod settings;
