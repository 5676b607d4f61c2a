//! The parts that all ways to a match share: a challenge, a table and a rematch lock both players, ask whether a match of
//! theirs may begin and be rated, end whatever else they wait for, and start it.

pub mod capacity;
pub mod db;
