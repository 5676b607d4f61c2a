//! Fatal errors of the program.

/// Any error that does.
pub(crate) type Error = Box<dyn std::error::Error + Send + Sync>;
