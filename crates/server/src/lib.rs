//! The arena behind the doorway: accounts, presence, waiting rooms, tables, event streams, the database.
//!
//! Nothing here knows of views or of server functions. Only `db` writes SQL.

pub mod accounts;
mod archive;
pub mod chat;
pub mod db;
mod error;
pub mod guests;
pub mod lobby;
pub mod matches;
mod membership;
mod names;
mod notifier;
pub mod operator;
pub mod outage_clock;
pub mod presence;
pub mod secrets;
pub mod sessions;
pub mod settings;
pub mod stats;
pub mod streams;
mod sweeper;
pub mod tables;

pub use error::{About, Error, Failure, LogFailure, Subject};

use notifier::Notifier;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio_util::sync::CancellationToken;

use tochki_play::Timestamp;

/// Everything one instance works with. Cloning it is cheap: all parts are shared.
#[derive(Clone)]
pub struct Arena {
    /// The truth.
    pub db: db::Db,
    /// Registration, sign-in, sessions.
    pub accounts: accounts::Accounts,
    /// Who has a stream open where.
    pub presence: presence::Presence,
    /// The waiting room of each game.
    pub lobbies: lobby::Lobbies,
    /// The open tables, at which matches begin.
    pub tables: tables::Tables,
    /// The matches in memory.
    pub matches: matches::Matches,
    /// What people say to each other.
    pub chats: chat::Chats,
    /// What only an operator can do.
    pub operators: operator::Operators,
    /// Profiles, standings, histories.
    pub stats: stats::Stats,
    /// Says that this instance runs.
    pub time: outage_clock::OutageClock,
    /// What the operator chose.
    pub settings: Arc<settings::Settings>,
    /// Ends streams and background work when the process is asked to end.
    pub closing: CancellationToken,
}

impl Arena {
    /// Sets the arena up on a migrated database and starts its background work, which ends with `closing`.
    pub async fn open(
        db: db::Db,
        settings: settings::Settings,
        closing: CancellationToken,
    ) -> Result<Self, Error> {
        // Before anything looks at a clock.
        let time = outage_clock::OutageClock::begin(db.clone()).await?;
        let settings = Arc::new(settings);
        let notifier = Notifier::default();
        let presence = presence::Presence::open(db.clone(), notifier.clone(), closing.clone());
        let accounts = accounts::Accounts::open(db.clone(), &settings, closing.clone());
        let sessions = accounts.sessions.clone();
        let matches =
            matches::Matches::open(db.clone(), time.clone(), notifier.clone(), closing.clone());
        let arena = Self {
            accounts,
            lobbies: lobby::Lobbies::open(db.clone(), notifier.clone(), closing.clone()),
            tables: tables::Tables::open(db.clone(), &settings, notifier.clone(), closing.clone()),
            chats: chat::Chats::open(db.clone(), matches.clone(), closing.clone()),
            operators: operator::Operators::open(db.clone(), sessions, matches.clone(), &settings),
            matches,
            stats: stats::Stats::open(db.clone()),
            time,
            presence,
            db,
            settings,
            closing,
        };
        sweeper::start(arena.clone(), notifier);
        Ok(arena)
    }
}

/// This instance's clock. It times the clocks of matches; instances of one arena must keep the same time, as machines
/// with NTP do. Sessions, challenges and presence are timed by the database.
pub fn now() -> Timestamp {
    let since_1970 = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX))
}
