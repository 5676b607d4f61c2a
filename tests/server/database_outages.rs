//! Database outages: the connection to the database is lost and comes back.

use super::app::{SMALL, TestApp, begin, start_match, wait_until};
use super::cluster::Database;
use super::database_proxy::DatabaseProxy;
use super::player::PASSWORD;
use serde_json::json;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use tochki_server::db;

/// Starts a server whose connection to the database goes through a proxy.
async fn with_database_proxy() -> (TestApp, DatabaseProxy) {
    let database = Database::fresh().await;
    let proxy = DatabaseProxy::to(&database).await;
    let mut app = TestApp::on(database.through(proxy.address()), TestApp::settings()).await;
    // The test's own connections bypass the proxy.
    app.db = database.pool();
    (app, proxy)
}

#[tokio::test]
async fn unreachable_database_is_503() {
    let (app, proxy) = with_database_proxy().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    proxy.disconnect();
    let form = [("name", "eve"), ("password", PASSWORD)];
    app.visitor()
        .post("/api/register", &form)
        .await
        .assert_error(503, "unavailable");
    bob.make_move(id, "2,2", &[("client_id", "b")])
        .await
        .assert_error(503, "unavailable");
    ann.get("/api/waiting_room?game=dots")
        .await
        .assert_error(503, "unavailable");
    ann.get(&format!("/events/match/{id}"))
        .await
        .assert_error(503, "unavailable");
    app.visitor()
        .get("/readyz")
        .await
        .assert_error(503, "unavailable");
    assert_eq!(app.visitor().get("/healthz").await.status, 200);

    proxy.reconnect();
    wait_until("a server that is ready", async || {
        (app.visitor().get("/readyz").await.status == 200).then_some(())
    })
    .await;
    let answer = bob.make_move(id, "2,2", &[("client_id", "b")]).await;
    assert_eq!(answer.version(), 2);
    assert_eq!(ann.snapshot(id).await["moves"], json!(["1,1", "2,2"]));
}

#[tokio::test]
async fn lost_response_of_an_append_is_recovered() {
    let (app, proxy) = with_database_proxy().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let mut stream = app.visitor().stream(&format!("/events/match/{id}")).await;
    proxy.disconnect_after_next_append();
    let form = [("client_id", "a")];
    // Asked on another connection, the database knows whether the move is there.
    assert_eq!(ann.make_move(id, "1,1", &form).await.version(), 1);
    let rows: i64 = sqlx::query_scalar("select count(*) from match_events")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(rows, 1);
    assert_eq!(ann.make_move(id, "1,1", &form).await.version(), 1);
    assert_eq!(stream.next().await.id, Some(1), "sent once it is known");
    bob.make_move(id, "2,2", &[("version", "1")])
        .await
        .assert_ok();
    assert_eq!(stream.next().await.id, Some(2), "and sent once");
}

#[tokio::test]
async fn lost_commit_response_is_recovered() {
    let (app, proxy) = with_database_proxy().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let mut stream = app
        .visitor()
        .stream(&format!("/events/match/{id}?after=2"))
        .await;
    // The end of a match is a transaction of its own.
    proxy.disconnect_after_next_commit();
    ann.resign(id).await.assert_error(503, "unavailable");
    wait_until("the end", async || {
        let ended: i64 = sqlx::query_scalar(
            "select count(*) from match_events e join matches m on m.id = e.match_id
             where e.kind = 'finished' and m.finished_at is not null",
        )
        .fetch_one(&app.db)
        .await
        .unwrap();
        (ended == 1).then_some(())
    })
    .await;
    ann.resign(id).await.assert_error(409, "finished");
    assert_eq!(stream.next().await.id, Some(3), "sent once it is known");
    let ratings: i64 = sqlx::query_scalar("select count(*) from rating_history")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(ratings, 2, "rated once");
}

#[tokio::test]
async fn streams_survive_a_short_outage() {
    let (app, proxy) = with_database_proxy().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let mut stream = bob.stream(&path).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    assert_eq!(stream.next().await.id, Some(1));
    proxy.disconnect();
    proxy.reconnect();
    let answer = wait_until("a move", async || {
        let answer = bob.make_move(id, "2,2", &[("client_id", "b")]).await;
        (answer.status != 503).then_some(answer)
    })
    .await;
    assert_eq!(answer.version(), 2);
    let next = match stream.event().await {
        Some(event) => event,
        // It was closed: the client resumes from its last version.
        None => bob.resume(&path, 1).await.next().await,
    };
    assert_eq!(next.id, Some(2));
}

/// A transaction whose future is dropped while it waits for `BEGIN`: sqlx 0.9.0 gives its connection back to the pool within the
/// transaction.
#[tokio::test]
async fn a_transaction_that_nobody_waits_for_is_not_left_open() {
    let database = Database::fresh().await;
    let db = db::open(database.options(), 1, db::Timeouts::default());
    let db = db.await.expect("a pool");
    let other = database.pool();
    for polls in 1..=10 {
        let mut beginning = Box::pin(db::begin(&db));
        for _ in 0..polls {
            if futures::poll!(&mut beginning).is_ready() {
                break;
            }
            tokio::task::yield_now().await;
        }
        drop(beginning);
        // There is one connection, so this waits until it is free.
        sqlx::query("select 1")
            .execute(&db)
            .await
            .expect("a connection");
        let open: i64 = sqlx::query_scalar(
            "select count(*) from pg_stat_activity
             where datname = current_database() and state like 'idle in transaction%'",
        )
        .fetch_one(&other)
        .await
        .expect("a count");
        assert_eq!(open, 0, "given up after {polls} polls");
    }
}

/// A commit whose future is dropped: sqlx then asks to roll back the committed transaction, and Postgres warns of that.
#[tokio::test]
async fn a_commit_that_nobody_waits_for_is_complete() {
    let database = Database::fresh().await;
    let db = db::open(database.options(), 1, db::Timeouts::default());
    let db = db.await.expect("a pool");
    let log = Arc::new(Mutex::new(Vec::new()));
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(tracing::Level::WARN)
        .with_writer({
            let log = log.clone();
            move || LogWriter(log.clone())
        })
        .finish();
    // All of this test is on one thread.
    let _logged = tracing::subscriber::set_default(subscriber);
    sqlx::raw_sql("create table commits (polls integer)")
        .execute(&db)
        .await
        .expect("a table");
    for polls in 1..=10 {
        let mut tx = db::begin(&db).await.expect("a transaction");
        sqlx::query("insert into commits values ($1)")
            .bind(polls)
            .execute(&mut *tx)
            .await
            .expect("a row");
        let mut committing = Box::pin(tx.commit());
        for _ in 0..polls {
            if futures::poll!(&mut committing).is_ready() {
                break;
            }
            tokio::task::yield_now().await;
        }
        drop(committing);
        let committed: i64 = sqlx::query_scalar("select count(*) from commits")
            .fetch_one(&db)
            .await
            .expect("a count");
        assert_eq!(committed, i64::from(polls), "given up after {polls} polls");
    }
    let log = String::from_utf8(log.lock().expect("no panic").clone()).expect("text");
    assert_eq!(log, "");
}

/// The bytes that are written to the log.
struct LogWriter(Arc<Mutex<Vec<u8>>>);

impl Write for LogWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
