//! A point in time as it is passed in: milliseconds since 1970 (UTC).

use serde::{Deserialize, Serialize};
use std::ops::{Add, Sub};

/// Milliseconds since 1970 (UTC), or a difference of two such times.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// So many whole seconds.
    #[must_use]
    pub const fn seconds(seconds: u32) -> Self {
        Self(seconds as i64 * 1000)
    }
}

impl Add for Timestamp {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Timestamp {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}
