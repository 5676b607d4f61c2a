//! Tochki: an arena for two-player games drawn on squared paper.

pub mod replay;
pub mod rules;
