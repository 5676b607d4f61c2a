//! Addresses of files in `public/` that change whenever the files do, so that no browser shows a new page with an old one.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The address of the file at this path.
pub(crate) fn addressed(path: &str, content: &str) -> String {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    format!("{path}?v={:x}", hasher.finish())
}
