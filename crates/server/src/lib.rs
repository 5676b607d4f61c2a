//! The server without HTTP: accounts, presence, waiting rooms, tables, matches, chat, event streams and the database.
//!
//! Nothing here knows of views or of server functions. Only `db` contains SQL. The imports between these modules form no
//! circle.

mod account_deletion;
pub mod accounts;
pub mod annulments;
pub mod archive;
mod arena;
pub mod attempts;
mod backoff;
mod bots;
mod bus;
pub mod capacity;
mod channel;
pub mod chat;
mod client_address;
mod clock;
pub mod computer_games;
pub mod db;
mod detached;
mod error;
mod frame;
mod game_records;
mod hashing;
mod house_bots;
pub mod lobby;
pub mod matches;
pub mod metrics;
mod name_upkeep;
mod names;
mod notifier;
mod observe;
pub mod operator;
mod outage_clock;
pub mod place;
pub mod presence;
pub mod puzzles;
pub mod readiness;
pub mod sanctions;
pub mod secrets;
pub mod sessions;
pub mod settings;
mod shared_read;
pub mod stats;
pub mod streams;
pub mod supervision;
mod sweeper;
pub mod tables;
mod topic;
pub mod traces;
pub mod verify;
pub mod webauthn;

pub use arena::Arena;
pub use clock::{Clock, ClockReader, now};
pub use error::{Error, Failure, LogFailure, Subject, WithSubject};
pub use house_bots::HouseBotAccount;
