//! Tochki: an arena for two-player games drawn on squared paper.

#[cfg(feature = "postgres")]
pub mod postgres;
pub mod rules;
