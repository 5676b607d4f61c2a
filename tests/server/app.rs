//! A server in this process, with a database of its own, for one test.

use super::cluster::Database;
use super::player::{Player, Visitor};
use leptos::config::LeptosOptions;
use sqlx::PgPool;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;
use tochki_server::settings::{HashingCost, Settings};
use tochki_server::{AppState, Clock, db, moderation};
use tochki_web::http;
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep};
use tokio_util::sync::{CancellationToken, DropGuard};

/// The longest wait of a test for something that must happen, on the slowest machine.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// A running instance and its database.
pub(crate) struct TestApp {
    pub(crate) address: SocketAddr,
    pub(crate) state: AppState,
    /// The address of the line protocol, where the settings ask for it.
    pub(crate) line: Option<SocketAddr>,
    pub(crate) database: Database,
    /// The test's own connections to the database.
    pub(crate) db: PgPool,
    /// Shuts the server down when the test ends.
    _open: DropGuard,
}

impl TestApp {
    pub(crate) async fn init() -> Self {
        Self::with_settings(|_| ()).await
    }

    /// Starts a server with other settings.
    pub(crate) async fn with_settings(choose: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Self::settings();
        choose(&mut settings);
        Self::on(Database::fresh().await, settings).await
    }

    /// Starts one more instance on the same database.
    pub(crate) async fn another_instance(&self) -> Self {
        Self::on(self.database.clone(), Self::settings()).await
    }

    /// Returns the default settings, but that all players of a test come from one address, and the same few challenge each other
    /// as often as a test needs, and their passwords are hashed at the least cost.
    pub(crate) fn settings() -> Settings {
        Settings {
            hashing_cost: HashingCost::Least,
            registrations_by_address: NonZeroU32::MAX,
            messages_by_address: NonZeroU32::MAX,
            moves_per_second: NonZeroU32::new(100_000).expect("not zero"),
            challenge_pause: 0,
            challenges_per_minute: NonZeroU32::MAX,
            challenges_from_one: NonZeroU32::MAX,
            connections_by_address: NonZeroU32::MAX,
            streams_by_session: NonZeroU32::MAX,
            streams_by_address: NonZeroU32::MAX,
            requests_at_once_by_address: NonZeroU32::MAX,
            ..Settings::default()
        }
    }

    pub(crate) async fn on(database: Database, settings: Settings) -> Self {
        // Tests hold locks, and a machine that is busy with something else must not end what waits for them.
        let patient = db::Timeouts {
            statement: 2 * TIMEOUT,
            lock: 2 * TIMEOUT,
            idle_transaction: 2 * TIMEOUT,
        };
        Self::with_timeouts(database, settings, patient).await
    }

    /// Starts a server whose matches run by another clock.
    pub(crate) async fn with_clock(clock: Clock) -> Self {
        let patient = db::Timeouts {
            statement: 2 * TIMEOUT,
            lock: 2 * TIMEOUT,
            idle_transaction: 2 * TIMEOUT,
        };
        Self::open(Database::fresh().await, Self::settings(), patient, clock).await
    }

    /// Starts a server whose database gives up after other times.
    pub(crate) async fn with_timeouts(
        database: Database,
        settings: Settings,
        timeouts: db::Timeouts,
    ) -> Self {
        Self::open(database, settings, timeouts, Clock::system()).await
    }

    async fn open(
        database: Database,
        settings: Settings,
        timeouts: db::Timeouts,
        clock: Clock,
    ) -> Self {
        let opened = db::open(database.options(), 6, timeouts);
        let opened = opened.await.expect("a database");
        let closing = CancellationToken::new();
        let state = AppState::open_with_clock(opened, settings.clone(), closing.clone(), clock)
            .await
            .expect("a state");
        tochki_house_bots::start(&state);
        tochki_web::push::start(&state).expect("pushes");
        let site = LeptosOptions::builder()
            .output_name("tochki")
            .site_root(concat!(env!("CARGO_TARGET_TMPDIR"), "/no-site"))
            .build();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let connections = http::Connections::of(&settings);
        let mut line = None;
        if let Some(address) = settings.line_listen {
            let listener = TcpListener::bind(address).await.expect("a free port");
            line = Some(listener.local_addr().expect("an address"));
            let (state, shutdown) = (state.clone(), closing.clone());
            tokio::spawn(tochki_web::line::serve(
                listener,
                state,
                connections.clone(),
                shutdown,
            ));
        }
        let (shutdown, router) = (closing.clone(), http::router(state.clone(), site));
        tokio::spawn(async move {
            http::serve(listener, router, connections, shutdown).await;
        });
        Self {
            address,
            state,
            line,
            db: database.pool(),
            database,
            _open: closing.drop_guard(),
        }
    }

    /// Returns a client without an account.
    pub(crate) fn visitor(&self) -> Visitor {
        Visitor::at(self.address)
    }

    /// Returns a client with a new account, signed in.
    pub(crate) async fn with_user(&self, name: &str) -> Player {
        self.visitor().register(name).await
    }

    /// Returns an operator.
    pub(crate) async fn with_operator(&self, name: &str) -> Player {
        let player = self.with_user(name).await;
        moderation::appoint(&self.db, name)
            .await
            .expect("an account");
        player
    }

    /// Returns two players, `ann` and `bob`.
    pub(crate) async fn with_two_users(&self) -> (Player, Player) {
        (self.with_user("ann").await, self.with_user("bob").await)
    }
}

/// Starts a rated match of Dots; `first` has the first move.
pub(crate) async fn start_match(first: &Player, second: &Player, setup: &str) -> i64 {
    start_match_with(first, second, &[("setup", setup)]).await
}

/// Starts a match of Dots with more fields of the challenge.
pub(crate) async fn start_match_with(
    first: &Player,
    second: &Player,
    more: &[(&str, &str)],
) -> i64 {
    let _waiting = (first.join_lobby().await, second.join_lobby().await);
    let challenge = first.challenge(second, more).await.id("id");
    second.answer_challenge(challenge, true).await.id("match")
}

/// Makes the first move of both players of a match that has just started, so that it has *begun*: until then it can only be
/// aborted, and is neither resigned, drawn nor lost.
///
/// The player in the first seat moves first, in whichever order the players are given. The match then has version [`BEGUN`] and
/// it is the first seat's turn. The moves are far from those that tests make: in Dots `0,4` and `4,0`.
pub(crate) async fn begin(one: &Player, other: &Player, id: i64) {
    let snapshot = one.snapshot(id).await;
    let moves = match snapshot["game"].as_str() {
        Some("dots" | "gomoku") => ["0,4", "4,0"],
        Some("boxes") => ["h:0,0", "h:0,1"],
        Some("reversi") => ["e6", "f6"],
        _ => panic!("no such game: {snapshot}"),
    };
    let is_first = |player: &Player| snapshot["players"][0]["id"] == player.id;
    assert!(is_first(one) != is_first(other), "their match: {snapshot}");
    let (first, second) = if is_first(one) {
        (one, other)
    } else {
        (other, one)
    };
    first.make_move(id, moves[0], &[]).await.assert_ok();
    let begun = second.make_move(id, moves[1], &[]).await;
    assert_eq!(begun.version(), BEGUN);
}

/// The version of a match after [`begin`].
pub(crate) const BEGUN: u32 = 2;

/// Moves everything that is stored of a match into the past, instead of waiting: deadlines in this time are overdue.
///
/// An instance that has the match in memory keeps the old times, so an instance that is opened afterwards has to find the
/// deadline.
pub(crate) async fn backdate_match(db: &PgPool, id: i64, seconds: i32) {
    let mut tx = db.begin().await.expect("a transaction");
    for statement in [
        "update matches set started_at = started_at - $2 * interval '1 s', deadline_at = deadline_at - $2 * interval '1 s'
         where id = $1",
        "update match_events set at = at - $2 * interval '1 s' where match_id = $1",
        "update match_events set body = jsonb_set(body::jsonb, '{clock,at}',
             to_jsonb((body::jsonb -> 'clock' ->> 'at')::bigint - $2 * 1000))::text
         where match_id = $1 and body::jsonb -> 'clock' ? 'at'",
        "update match_events set body = jsonb_set(body::jsonb, '{move_by}',
             to_jsonb((body::jsonb ->> 'move_by')::bigint - $2 * 1000))::text
         where match_id = $1 and body::jsonb ->> 'move_by' is not null",
        "update match_events set body = jsonb_set(jsonb_set(body::jsonb,
             '{at}', to_jsonb((body::jsonb ->> 'at')::bigint - $2 * 1000)),
             '{until}', coalesce(to_jsonb((body::jsonb ->> 'until')::bigint - $2 * 1000), 'null'))::text
         where match_id = $1 and kind = 'vacation_changed'",
        "update match_events set body = jsonb_set(body::jsonb, '{expires_at}',
             to_jsonb((body::jsonb ->> 'expires_at')::bigint - $2 * 1000))::text
         where match_id = $1 and body::jsonb ->> 'expires_at' is not null",
    ] {
        sqlx::query(statement)
            .bind(id)
            .bind(seconds)
            .execute(&mut *tx)
            .await
            .expect("time passes");
    }
    tx.commit().await.expect("a commit");
}

/// A board of 5 × 5 points.
pub(crate) const SMALL: &str = r#"{"width":5,"height":5}"#;

/// Waits until at least `count` statements in this database wait for a lock.
pub(crate) async fn wait_until_blocked(db: &PgPool, count: i64) {
    wait_until("statements that wait for a lock", async || {
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

/// Polls until `look` returns something. Panics after [`TIMEOUT`].
pub(crate) async fn wait_until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        if let Some(seen) = look().await {
            return seen;
        }
        assert!(Instant::now() < deadline, "timed out waiting for {what}");
        sleep(Duration::from_millis(20)).await;
    }
}
