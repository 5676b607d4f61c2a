//! Fatal errors of the program.

/// A fatal error, whatever its type.
pub(crate) type Error = Box<dyn std::error::Error + Send + Sync>;
