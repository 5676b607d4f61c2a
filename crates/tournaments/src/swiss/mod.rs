//! Swiss tournaments: standings.

mod standings;

pub use standings::{standings, tie_breaks};
