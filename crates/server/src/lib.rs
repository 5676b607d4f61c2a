//! The arena behind the doorway: accounts, presence, waiting rooms, tables, event streams, the database.
//!
//! Nothing here knows of views or of server functions. Only `db` writes SQL.

pub mod accounts;
mod archive;
mod bells;
pub mod chat;
pub mod club;
pub mod db;
mod error;
pub mod guests;
pub mod lobby;
mod membership;
mod names;
pub mod open_tables;
pub mod operator;
pub mod presence;
pub mod secrets;
pub mod sessions;
pub mod settings;
pub mod streams;
mod sweeper;
pub mod tables;
pub mod timekeeper;

pub use error::{About, Error, Failure, LogFailure, Subject};

use bells::Bells;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio_util::sync::CancellationToken;

use tochki_play::Millis;

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
    pub open_tables: open_tables::OpenTables,
    /// The matches in memory.
    pub tables: tables::Tables,
    /// What people say to each other.
    pub chats: chat::Chats,
    /// What only an operator can do.
    pub operators: operator::Operators,
    /// Profiles, standings, histories.
    pub club: club::Club,
    /// Says that this instance runs.
    pub time: timekeeper::Timekeeper,
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
        let time = timekeeper::Timekeeper::begin(db.clone()).await?;
        let settings = Arc::new(settings);
        let bells = Bells::default();
        let presence = presence::Presence::open(db.clone(), bells.clone(), closing.clone());
        let accounts = accounts::Accounts::open(db.clone(), &settings, closing.clone());
        let sessions = accounts.sessions.clone();
        let tables = tables::Tables::open(db.clone(), time.clone(), bells.clone(), closing.clone());
        let arena = Self {
            accounts,
            lobbies: lobby::Lobbies::open(db.clone(), bells.clone(), closing.clone()),
            open_tables: open_tables::OpenTables::open(
                db.clone(),
                &settings,
                bells.clone(),
                closing.clone(),
            ),
            chats: chat::Chats::open(db.clone(), tables.clone(), closing.clone()),
            operators: operator::Operators::open(db.clone(), sessions, tables.clone(), &settings),
            tables,
            club: club::Club::open(db.clone()),
            time,
            presence,
            db,
            settings,
            closing,
        };
        sweeper::start(arena.clone(), bells);
        Ok(arena)
    }
}

/// This instance's clock. It times the clocks of matches; instances of one arena must keep the same time, as machines
/// with NTP do. Sessions, challenges and presence are timed by the database.
pub fn now() -> Millis {
    let since_1970 = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Millis(i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX))
}
