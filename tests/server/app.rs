//! An arena of its own for a test, in this process.

use super::cluster::Database;
use super::player::{Player, Visitor};
use leptos::config::LeptosOptions;
use sqlx::PgPool;
use std::net::SocketAddr;
use std::time::Duration;
use tochki::http;
use tochki_server::settings::Settings;
use tochki_server::{Arena, db};
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep};
use tokio_util::sync::{CancellationToken, DropGuard};

/// How long a test waits for what must come, on the slowest machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A running arena: one instance, and the database behind it.
pub(crate) struct TestApp {
    pub(crate) address: SocketAddr,
    pub(crate) database: Database,
    /// The test's own look into the database.
    pub(crate) db: PgPool,
    /// The arena closes with the test.
    _open: DropGuard,
}

impl TestApp {
    pub(crate) async fn init() -> Self {
        Self::with(|_| ()).await
    }

    /// An arena whose operator has chosen something.
    pub(crate) async fn with(choose: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings::default();
        choose(&mut settings);
        Self::on(Database::fresh().await, settings).await
    }

    /// One more instance on the same database.
    pub(crate) async fn another(&self) -> Self {
        Self::on(self.database.clone(), Settings::default()).await
    }

    pub(crate) async fn on(database: Database, settings: Settings) -> Self {
        let opened = db::open(database.options(), 6).await.expect("a database");
        let closing = CancellationToken::new();
        let arena = Arena::open(opened, settings, closing.clone())
            .await
            .expect("an arena");
        let site = LeptosOptions::builder()
            .output_name("tochki")
            .site_root(concat!(env!("CARGO_TARGET_TMPDIR"), "/no-site"))
            .build();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(http::serve(
            listener,
            http::router(arena, site),
            closing.clone(),
        ));
        Self {
            address,
            db: database.pool(),
            database,
            _open: closing.drop_guard(),
        }
    }

    /// Somebody without an account.
    pub(crate) fn visitor(&self) -> Visitor {
        Visitor::at(self.address)
    }

    /// Somebody with one.
    pub(crate) async fn with_user(&self, name: &str) -> Player {
        self.visitor().register(name).await
    }

    /// Ann and Bob.
    pub(crate) async fn with_two(&self) -> (Player, Player) {
        (self.with_user("ann").await, self.with_user("bob").await)
    }
}

/// A rated match of Dots that has just begun; `first` has the first move.
pub(crate) async fn start_match(first: &Player, second: &Player, setup: &str) -> i64 {
    start_match_with(first, second, &[("setup", setup)]).await
}

/// A match of Dots with more fields of the challenge's form.
pub(crate) async fn start_match_with(
    first: &Player,
    second: &Player,
    more: &[(&str, &str)],
) -> i64 {
    let _waiting = (first.waits().await, second.waits().await);
    let challenge = first.challenges(second, more).await.id("id");
    second.answers(challenge, true).await.id("match")
}

/// A board of 5 × 5 points.
pub(crate) const SMALL: &str = r#"{"width":5,"height":5}"#;

/// Waits until a statement of somebody waits for a lock in this database, and then so many of them.
pub(crate) async fn until_waiting(db: &PgPool, count: i64) {
    until("somebody who waits for a lock", async || {
        let waiting: i64 = sqlx::query_scalar(
            "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
        .fetch_one(db)
        .await
        .expect("an answer");
        (waiting >= count).then_some(())
    })
    .await;
}

/// Looks again and again until there is something to see.
pub(crate) async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(seen) = look().await {
            return seen;
        }
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        sleep(Duration::from_millis(20)).await;
    }
}
