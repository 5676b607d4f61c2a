//! How islands get their data, load their code and call the server.

pub(crate) mod data;
pub(crate) mod effect;
pub(crate) mod form_action;
pub(crate) mod hydrated;
pub(crate) mod preload;
