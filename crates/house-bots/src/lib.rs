//! House bots: our own engines wait in the waiting rooms, one for each game and level, and play every challenger.
//!
//! Nothing is decided here: a bot is a player like any other, with the presence, challenges and matches of
//! `tochki_server`.
//!
//! 1. One instance runs all of them. It holds a lease in the database (`runner`); another takes over when the lease expires.
//! 2. `bot` is the task of a bot: it waits, accepts a challenge, plays (`game`), and stays a while for a rematch. Its current
//!    match is in the database, so it continues after a restart.
//! 3. `search_pool` has the threads that search, with the lowest priority. `move_time` is the time management, `judgement`
//!    decides about offers and resignation.

mod bot;
mod game;
mod judgement;
mod load;
mod move_time;
mod runner;
mod search_pool;

pub use runner::start;
