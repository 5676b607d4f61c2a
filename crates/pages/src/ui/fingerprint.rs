//! Addresses of files that change whenever the files do, so that no browser shows a new page with an old one.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The address of the file of `public/` at this path.
pub(crate) fn versioned_url(path: &str, content: &str) -> String {
    format!("{path}?v={}", fingerprint(content))
}

/// A word that is another one for another content.
pub(crate) fn fingerprint(content: &str) -> String {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    format!("{:x}", hasher.finish())
}
