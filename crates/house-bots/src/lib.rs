//! House bots: our own engines wait in the waiting rooms, one for each game and level, and play whoever challenges
//! them.
//!
//! Nothing is decided here: a bot is a player like any other, with the presence, challenges and matches of
//! `tochki_server`.
//!
//! 1. One instance plays for all of them. It holds a lease in the database (`runner`); another takes over when it ends.
//! 2. `bot` is the task of a bot: it waits, accepts a challenge, plays (`game`), and stays a while for a rematch. Which
//!    match it is in stands in the database, so after a restart it goes on.
//! 3. `search_pool` has the threads that search, with the lowest priority. `move_time` says how long a move may take,
//!    `judgement` which offers are accepted.

mod bot;
mod game;
mod judgement;
mod load;
mod move_time;
mod runner;
mod search_pool;

pub use runner::start;
