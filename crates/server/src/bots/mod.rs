//! Bots: accounts that become one for good, and the house bots.

mod conversion;
pub(crate) mod db;
mod house_bots;
pub(crate) mod ratings;

pub use house_bots::HouseBotAccount;
