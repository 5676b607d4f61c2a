//! Arenas: a score folded over one's results, and pairings in waves of those who wait.

mod pairing;
mod score;
mod timing;

pub use pairing::{Pairing, Waiting, is_wave_due, pair};
pub use score::{Credit, Outcome, Performance, Played, Rules, Sheet, rank};
pub use timing::{
    FIRST_MOVE_TIMEOUT, FIRST_MOVE_TIMEOUT_ON_LARGE_BOARDS, estimated_duration, first_move_timeout,
    last_games_end, pairing_closes, return_delay, wave_wait,
};
