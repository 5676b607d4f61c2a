//! The SQL of bots.

pub(crate) mod conversion;
pub(crate) mod house_bots;
pub(crate) mod ratings;
