//! The server without HTTP: accounts, presence, waiting rooms, tables, matches, chat, event streams and the database.
//!
//! Nothing here knows of views or of server functions. A folder is a domain, with its SQL in its module `db` and nowhere
//! else; a file beside this one is a subject that the domains share. The imports between these modules form no circle.

pub mod accounts;
mod app_state;
pub mod attempts;
mod backoff;
mod bots;
mod bus;
pub mod chat;
mod clock;
pub mod computer_games;
pub mod db;
mod detached;
mod error;
mod frame;
pub mod lobby;
pub mod mail;
pub mod matches;
pub mod metrics;
pub mod moderation;
mod names;
mod night;
pub mod notifications;
mod outages;
pub mod pairing;
pub mod partial_file;
pub mod presence;
pub mod puzzles;
pub mod readiness;
pub mod records;
pub mod secrets;
pub mod settings;
mod shared_read;
pub mod stats;
pub mod streams;
pub mod supervision;
mod sweeper;
pub mod tables;
pub mod time_zones;
pub mod tournaments;
pub mod traces;
pub mod vacations;

pub use app_state::AppState;
pub use bots::HouseBotAccount;
pub use clock::{Clock, ClockReader, now};
pub use error::{Error, Failure, LogFailure, Subject, WithSubject};
