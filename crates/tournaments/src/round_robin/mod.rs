//! Round robins: the table of pairs, and the standings.

mod berger;
mod standings;

pub use berger::{PLAYERS, Round, berger, table};
pub use standings::{TIE_BREAKS, is_void, standings, standings_among};
