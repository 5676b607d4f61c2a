//! The services of one instance, put together.

use crate::error::Error;
use crate::notifier::Notifier;
use crate::sweeper::Sweeper;
use crate::{
    accounts, capacity, chat, db, lobby, matches, name_upkeep, operator, outage_clock, presence,
    puzzles, sanctions, settings, stats, tables,
};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The services of one instance. Cloning it is cheap: all parts are shared.
#[derive(Clone)]
pub struct Arena {
    /// The database, which holds all state that must survive.
    pub db: db::Db,
    /// Registration, sign-in, sessions.
    pub accounts: accounts::Accounts,
    /// Which players have a stream open, and where.
    pub presence: presence::Presence,
    /// The waiting room of each game.
    pub lobbies: lobby::Lobbies,
    /// The open tables, at which matches begin.
    pub tables: tables::Tables,
    /// The cache of matches.
    pub matches: matches::Matches,
    /// The chats.
    pub chats: chat::Chats,
    /// How many players and matches there may be.
    pub capacity: capacity::Capacity,
    /// Moderation.
    pub operators: operator::Operators,
    /// What holds for new names of sanctioned players.
    pub sanctions: sanctions::Sanctions,
    /// Puzzles, tries at them, and their ratings.
    pub puzzles: puzzles::Puzzles,
    /// Profiles, standings, histories.
    pub stats: stats::Stats,
    /// The operator's settings.
    pub settings: Arc<settings::Settings>,
    /// Ends streams and background tasks when the process is asked to shut down.
    pub shutdown: CancellationToken,
}

impl Arena {
    /// Builds the services on a migrated database and starts their background tasks, which end with `shutdown`.
    ///
    /// # Errors
    /// When the heartbeat, the looks of names or the puzzles cannot be written.
    pub async fn open(
        db: db::Db,
        settings: settings::Settings,
        shutdown: CancellationToken,
    ) -> Result<Self, Error> {
        // First of all, because an outage shifts the deadlines that everything else reads.
        let outage_clock = outage_clock::OutageClock::start(db.clone()).await?;
        name_upkeep::compute_looks(&db).await?;
        let settings = Arc::new(settings);
        let notifier = Notifier::default();
        let presence = presence::Presence::open(db.clone(), notifier.clone(), shutdown.clone());
        let accounts = accounts::Accounts::open(db.clone(), &settings, shutdown.clone());
        let sessions = accounts.sessions.clone();
        let capacity = capacity::Capacity::open(db.clone(), &settings);
        let matches = matches::Matches::open(
            db.clone(),
            &settings,
            capacity.clone(),
            outage_clock.clone(),
            notifier.clone(),
            shutdown.clone(),
        );
        let chats = chat::Chats::open(db.clone(), matches.clone(), shutdown.clone());
        let arena = Self {
            accounts,
            lobbies: lobby::Lobbies::open(
                db.clone(),
                &settings,
                capacity.clone(),
                notifier.clone(),
                shutdown.clone(),
            ),
            tables: tables::Tables::open(
                db.clone(),
                &settings,
                capacity.clone(),
                notifier.clone(),
                shutdown.clone(),
            ),
            chats: chats.clone(),
            capacity: capacity.clone(),
            operators: operator::Operators::open(db.clone(), sessions, matches.clone(), chats),
            sanctions: sanctions::Sanctions::open(db.clone(), &settings),
            matches,
            puzzles: puzzles::Puzzles::open(db.clone()).await?,
            stats: stats::Stats::open(db.clone()),
            presence,
            db,
            settings,
            shutdown,
        };
        let sweeper = Sweeper {
            db: arena.db.clone(),
            matches: arena.matches.clone(),
            tables: arena.tables.clone(),
            outage_clock,
            notifier,
        };
        tokio::spawn(sweeper.run(arena.shutdown.clone()));
        Ok(arena)
    }
}
