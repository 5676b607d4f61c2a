//! Timeouts of the database: for statements, waits for locks (also in `locked_row`) and transactions in which nothing is asked.
//! The request is 503 `unavailable`, and everybody else plays on.

use super::{PACE, end};
use crate::app::TestApp;
use crate::cluster::Database;
use crate::database_proxy::DatabaseProxy;
use crate::live_matches::LiveMatches;
use futures::future::try_join_all;
use sqlx::PgPool;
use std::time::Duration;
use tochki_server::db;
use tokio::time::Instant;

/// Returns the settings of this connection.
async fn timeouts_of(connection: &mut sqlx::PgConnection) -> (String, String, String) {
    sqlx::query_as(
        "select current_setting('statement_timeout'), current_setting('lock_timeout'),
                current_setting('idle_in_transaction_session_timeout')",
    )
    .fetch_one(connection)
    .await
    .expect("an answer")
}

#[tokio::test]
async fn every_connection_has_the_timeouts() {
    let database = Database::fresh().await;
    let opened = db::open(database.options(), 6, db::Timeouts::default()).await;
    let opened = opened.expect("a database");
    let separate = db::separate_connections(&opened);
    for (pool, connections) in [(&opened, 6), (&separate, 3)] {
        let all = try_join_all((0..connections).map(|_| pool.acquire())).await;
        for mut connection in all.expect("connections") {
            let [statement, lock, idle] = ["5s", "2s", "30s"].map(String::from);
            assert_eq!(timeouts_of(&mut connection).await, (statement, lock, idle));
        }
    }
}

/// Sends messages while a trigger does this to each, beside a match. All are 503, and everything works once the trigger is
/// gone.
async fn fail_messages(app: &TestApp, db: &PgPool, body: &str, what: &str) {
    let eve = app.with_user("eve").await;
    let live = LiveMatches::start(&app.visitor(), 1, &[("clock", "300+0")], PACE).await;
    let function = format!(
        "create function fail() returns trigger language plpgsql as $$ begin {body}; return new; end $$;
         create trigger fail before insert on messages for each row execute function fail()"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(function))
        .execute(db)
        .await
        .expect("a trigger");
    // More than there are connections in the pool.
    for _ in 0..8 {
        let refused = eve.say("lobby", "hello").await;
        refused.assert_error(503, "unavailable");
        eve.get("/api/waiting_room?game=dots").await.assert_ok();
    }
    sqlx::raw_sql("drop function fail() cascade")
        .execute(db)
        .await
        .expect("no trigger");
    let begun = Instant::now();
    eve.say("lobby", "hello").await.assert_ok();
    live.wait_until_whole().await;
    assert!(live.refusals().is_empty(), "{:?}", live.refusals());
    end(live, db, what, begun.elapsed()).await;
}

#[tokio::test]
async fn a_statement_that_takes_too_long_is_unavailable() {
    let timeouts = db::Timeouts {
        statement: Duration::from_millis(500),
        ..db::Timeouts::default()
    };
    let app = TestApp::with_timeouts(Database::fresh().await, TestApp::settings(), timeouts).await;
    let what = "statements that take too long";
    fail_messages(&app, &app.db, "perform pg_sleep(60)", what).await;
}

#[tokio::test]
async fn a_transaction_that_is_idle_for_too_long_is_unavailable() {
    let database = Database::fresh().await;
    // So far away that each transaction is idle for longer between its statements than the trigger allows.
    let proxy = DatabaseProxy::with_delay(&database, Duration::from_millis(20)).await;
    let far = database.through(proxy.address());
    let app = TestApp::on(far, TestApp::settings()).await;
    let body = "set local idle_in_transaction_session_timeout = '1ms'";
    let what = "transactions that Postgres ends because they are idle";
    fail_messages(&app, &database.pool(), body, what).await;
}
