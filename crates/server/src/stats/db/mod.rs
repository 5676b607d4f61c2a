//! The SQL of profiles and standings.

pub mod profiles;
pub mod standings;
