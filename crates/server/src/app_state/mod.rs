//! The services of one instance, and their start.

mod account_deletion;
mod gauges;
mod tournament_entry;

use crate::bus::notifier::Notifier;
use crate::clock::Clock;
use crate::error::Error;
use crate::supervision::Tasks;
use crate::sweeper::Sweeper;
use crate::{
    accounts, bus, chat, computer_games, db, lobby, mail, matches, moderation, names,
    notifications, outages, pairing, presence, puzzles, readiness, settings, stats, tables,
    time_zones, tournaments,
};
use std::ops::Deref;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The services of one instance, shared: every layer of a request has a clone.
#[derive(Clone)]
pub struct AppState(Arc<Services>);

impl Deref for AppState {
    type Target = Services;

    fn deref(&self) -> &Services {
        &self.0
    }
}

/// The services of one instance.
pub struct Services {
    /// The database, which holds all state that must survive.
    pub db: db::Db,
    /// Registration, sign-in, sessions.
    pub accounts: accounts::Accounts,
    /// Mail.
    pub mails: mail::Mails,
    /// Presence of players by their open streams.
    pub presence: presence::Presence,
    /// The waiting room of each game.
    pub lobbies: lobby::Lobbies,
    /// The open tables, at which matches begin.
    pub tables: tables::Tables,
    /// The tournaments.
    pub tournaments: tournaments::Tournaments,
    /// The cache of matches.
    pub matches: matches::Matches,
    /// The chats.
    pub chats: chat::Chats,
    /// Limits on players and matches.
    pub capacity: pairing::capacity::Capacity,
    /// Notices of annulled matches.
    pub annulments: moderation::annulments::Annulments,
    /// Notifications of what happened while a player was away.
    pub notifications: notifications::Notifications,
    /// Moderation.
    pub operators: moderation::Operators,
    /// Sanctions that carry over to new names.
    pub sanctions: accounts::sanctions::Sanctions,
    /// Puzzles, tries at them, and their ratings.
    pub puzzles: puzzles::Puzzles,
    /// Games against the computer that players keep.
    pub computer_games: computer_games::ComputerGames,
    /// Profiles, standings, histories.
    pub stats: stats::Stats,
    /// The time zones of players.
    pub time_zones: time_zones::TimeZones,
    /// Whether this instance can serve.
    pub readiness: readiness::Readiness,
    /// The background tasks.
    pub tasks: Tasks,
    /// The operator's settings.
    pub settings: Arc<settings::Settings>,
    /// Ends streams and background tasks when the process is asked to shut down.
    pub shutdown: CancellationToken,
}

impl AppState {
    /// Builds the services on a migrated database and starts their background tasks, which end with `shutdown`.
    ///
    /// # Errors
    /// When the heartbeat, the skeletons of names or the puzzles cannot be written.
    pub async fn open(
        db: db::Db,
        settings: settings::Settings,
        shutdown: CancellationToken,
    ) -> Result<Self, Error> {
        Self::open_with_clock(db, settings, shutdown, Clock::system()).await
    }

    /// Builds the services with the given clock, for tests.
    ///
    /// # Errors
    /// When the heartbeat, the skeletons of names or the puzzles cannot be written.
    pub async fn open_with_clock(
        db: db::Db,
        settings: settings::Settings,
        shutdown: CancellationToken,
        clock: Clock,
    ) -> Result<Self, Error> {
        // First of all, because an outage shifts the deadlines that everything else reads.
        let separate = db::separate_connections(&db);
        let outage_clock = outages::OutageClock::start(separate.clone(), clock).await?;
        names::upkeep::compute_skeletons(&db).await?;
        matches::db::recount::recount_capped(&db).await?;
        let settings = Arc::new(settings);
        let tasks = Tasks::new(shutdown.clone());
        let notifier = Notifier::default();
        outage_clock.start_heartbeats(&tasks);
        let presence = presence::Presence::open(db.clone(), separate, notifier.clone(), &tasks);
        let sanctions = accounts::sanctions::Sanctions::open(db.clone(), &settings);
        let mails = mail::Mails::open(db.clone(), &settings)?;
        let accounts = accounts::Accounts::open(
            db.clone(),
            &settings,
            notifier.clone(),
            &tasks,
            sanctions.clone(),
            mails.clone(),
        );
        let sessions = accounts.sessions.clone();
        let capacity = pairing::capacity::Capacity::open(db.clone(), &settings);
        let matches = matches::Matches::open(
            db.clone(),
            &settings,
            capacity.clone(),
            outage_clock.clone(),
            notifier.clone(),
            &tasks,
        );
        let chats = chat::Chats::open(
            db.clone(),
            &settings,
            matches.clone(),
            notifier.clone(),
            &tasks,
        );
        let annulments =
            moderation::annulments::Annulments::open(db.clone(), notifier.clone(), &tasks);
        let notifications =
            notifications::Notifications::open(db.clone(), &settings, notifier.clone(), &tasks)
                .await?;
        let app = Self(Arc::new(Services {
            accounts,
            mails,
            lobbies: lobby::Lobbies::open(
                db.clone(),
                &settings,
                capacity.clone(),
                notifier.clone(),
                &tasks,
            ),
            tables: tables::Tables::open(
                db.clone(),
                &settings,
                capacity.clone(),
                notifier.clone(),
                &tasks,
            ),
            tournaments: tournaments::Tournaments::open(
                db.clone(),
                capacity.clone(),
                notifier.clone(),
                &tasks,
            ),
            chats,
            capacity: capacity.clone(),
            operators: moderation::Operators::open(
                db.clone(),
                sessions,
                matches.clone(),
                notifier.clone(),
            ),
            annulments,
            notifications,
            sanctions,
            matches,
            puzzles: puzzles::Puzzles::open(db.clone()).await?,
            computer_games: computer_games::ComputerGames::open(db.clone()),
            stats: stats::Stats::open(db.clone()),
            time_zones: time_zones::TimeZones::open(db.clone()),
            readiness: readiness::Readiness::open(
                db.clone(),
                outage_clock.clone(),
                shutdown.clone(),
            ),
            tasks: tasks.clone(),
            presence,
            db,
            settings,
            shutdown: shutdown.clone(),
        }));
        bus::start(&app.db, &app.settings, notifier.clone(), &tasks);
        if app.settings.pack_games {
            matches::packing::start(&app.db, &tasks);
        }
        let sweeper = Arc::new(Sweeper {
            db: app.db.clone(),
            lobbies: app.lobbies.clone(),
            matches: app.matches.clone(),
            tables: app.tables.clone(),
            mails: app.mails.clone(),
            outage_clock,
            notifier,
        });
        tasks.spawn("cleanup", {
            let (sweeper, shutdown) = (sweeper.clone(), shutdown.clone());
            move || sweeper.clone().run_cleanup(shutdown.clone())
        });
        tasks.spawn("notices by mail", {
            let (sweeper, shutdown) = (sweeper.clone(), shutdown.clone());
            move || sweeper.clone().run_notices(shutdown.clone())
        });
        tasks.spawn("correspondence", {
            let (sweeper, shutdown) = (sweeper.clone(), shutdown.clone());
            move || sweeper.clone().run_correspondence(shutdown.clone())
        });
        tasks.spawn("sweeper", move || sweeper.clone().run(shutdown.clone()));
        Ok(app)
    }
}
