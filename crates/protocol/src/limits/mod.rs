//! The durations and limits of the server, the pages, the client and the bots, by subject. `crates/layer-lint` finds durations
//! that are defined elsewhere.
//!
//! Limits of the server alone are here, too: there is one place for all, and pages and programs state many of them. Some are
//! defaults that an operator can change (`tochki_server::settings`), and some repeat those of `tochki_play`. The engines, the
//! load tool and `own-postgres`, which do not depend on this crate, have their own.
//!
//! The server passes limits to the database as parameters. The functions and views of the schema have their own copies, and so
//! have the scripts in `public/`; `tests/server/limits.rs` compares those with these constants, and
//! `tests/server/stated_limits.rs` the limits that pages and documents state.

mod accounts;
mod appointments;
mod chat;
mod computer;
mod database;
mod house_bots;
mod instances;
mod knockouts;
mod leagues;
mod line;
mod lobby;
mod mail;
mod matches;
mod notifications;
mod operator;
mod pages;
mod presence;
mod programs;
mod ratings;
mod records;
mod requests;
mod sign_in;
mod streams;
mod tournament_calendar;
mod tournament_reminders;
mod tournament_rounds;
mod tournament_series;
mod tournaments;

pub use accounts::*;
pub use appointments::*;
pub use chat::*;
pub use computer::*;
pub use database::*;
pub use house_bots::*;
pub use instances::*;
pub use knockouts::*;
pub use leagues::*;
pub use line::*;
pub use lobby::*;
pub use mail::*;
pub use matches::*;
pub use notifications::*;
pub use operator::*;
pub use pages::*;
pub use presence::*;
pub use programs::*;
pub use ratings::*;
pub use records::*;
pub use requests::*;
pub use sign_in::*;
pub use streams::*;
pub use tournament_calendar::*;
pub use tournament_reminders::*;
pub use tournament_rounds::*;
pub use tournament_series::*;
pub use tournaments::*;

use std::time::Duration;
use tochki_play::Millis;

/// A limit as the duration type of matches, rounded down to milliseconds.
pub const fn in_millis(limit: Duration) -> Millis {
    Millis(limit.as_secs() as i64 * 1000 + limit.subsec_millis() as i64)
}

const fn days(count: u64) -> Duration {
    Duration::from_hours(count * 24)
}
