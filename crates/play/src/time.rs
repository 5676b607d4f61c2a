//! Points in time and durations, in milliseconds. Time is always an argument here; nothing reads a clock.

use serde::{Deserialize, Serialize};
use std::ops::{Add, Mul, Sub};

/// A point in time: milliseconds since 1970-01-01T00:00:00 UTC. In JSON it is that number.
///
/// ```
/// use tochki_play::{Millis, Timestamp};
///
/// let start = Timestamp(1_795_305_600_000);
/// let flag = start + Millis::from_secs(300);
/// assert_eq!(flag - start, Millis(300_000));
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Timestamp(pub i64);

/// A signed duration in milliseconds. In JSON it is that number.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Millis(pub i64);

impl Millis {
    /// A duration of zero.
    pub const ZERO: Self = Self(0);

    /// A day of 24 hours. Days in UTC begin at multiples of it: a [`Timestamp`] has no leap seconds.
    pub const DAY: Self = Self(86_400_000);

    /// A duration in seconds.
    #[must_use]
    pub const fn from_secs(seconds: u32) -> Self {
        Self(seconds as i64 * 1000)
    }

    /// A duration in hours.
    #[must_use]
    pub const fn from_hours(hours: u32) -> Self {
        Self(hours as i64 * 3_600_000)
    }
}

impl Sub for Timestamp {
    type Output = Millis;

    fn sub(self, other: Self) -> Millis {
        Millis(self.0 - other.0)
    }
}

impl Add<Millis> for Timestamp {
    type Output = Self;

    fn add(self, by: Millis) -> Self {
        Self(self.0 + by.0)
    }
}

impl Sub<Millis> for Timestamp {
    type Output = Self;

    fn sub(self, by: Millis) -> Self {
        Self(self.0 - by.0)
    }
}

impl Add for Millis {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Millis {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<u32> for Millis {
    type Output = Self;

    fn mul(self, times: u32) -> Self {
        Self(self.0 * i64::from(times))
    }
}
