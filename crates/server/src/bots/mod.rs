//! Bots: accounts that become one for good, and the house bots.

mod conversion;
pub(crate) mod db;
mod house_bots;

pub use house_bots::HouseBotAccount;
