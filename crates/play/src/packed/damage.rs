//! The error of a pack that cannot be read.

use std::fmt;

/// Bytes that are no pack of these terms.
#[derive(Debug)]
pub struct DamagedPack(pub(super) String);

impl fmt::Display for DamagedPack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "damaged pack of events: {}", self.0)
    }
}

impl std::error::Error for DamagedPack {}
