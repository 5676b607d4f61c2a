//! Faults beneath a server or inside it: of the process, its own Postgres, a background task, a match, the disk, the clock. Each
//! test prints a row of the table of faults.

mod busy_pool;
mod correspondence;
mod full_disk;
mod locked_row;
mod stalled_database;
mod stream_churn;
mod timeouts;
mod unlogged_presence;

use super::app::{SMALL, TestApp, begin, start_match, start_match_with, wait_until};
use super::fault_table::print_row;
use super::live_matches::LiveMatches;
use super::player::{Response, try_send};
use super::process::{Process, Server};
use own_postgres::OwnPostgres;
use reqwest::Method;
use rustix::process::{Pid, Signal, kill_process};
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;
use tochki_play::Timestamp;
use tochki_server::{Clock, ClockReader};
use tokio::time::Instant;

/// The time that the players of these tests wait after a move.
const PACE: Duration = Duration::from_millis(300);

/// Returns the postmaster of a server's own Postgres.
fn postmaster(data: &Path) -> Option<Pid> {
    let file = data.join("postgres/cluster/postmaster.pid");
    let words = std::fs::read_to_string(file).ok()?;
    Pid::from_raw(words.lines().next()?.parse().ok()?)
}

/// Opens the test's own connections to the Postgres of a server that has its data there.
async fn database_of(data: &Path) -> PgPool {
    let options = OwnPostgres::of_running_server(data).await;
    let options = options.expect("it can be asked").expect("it runs");
    PgPoolOptions::new()
        .max_connections(2)
        .connect_lazy_with(options)
}

/// Ends the matches beside a fault, and prints its row: no acknowledged move and no match is lost.
async fn end(live: LiveMatches, db: &PgPool, fault: &str, whole: Duration) {
    let cost = live.finish(db).await;
    print_row(fault, cost, whole);
    assert_eq!((cost.lost, cost.wrongly_lost), (0, 0));
}

/// Starts a server where reading the clock panics whenever this is true.
async fn with_panic_when(is_hit: impl Fn(ClockReader) -> bool + Send + Sync + 'static) -> TestApp {
    TestApp::with_clock(Clock::new(move |reader| {
        assert!(!is_hit(reader), "as a test wants it");
        tochki_server::now()
    }))
    .await
}

/// Starts a server whose clock differs by so many milliseconds, and matches on it with this clock.
async fn with_clock_off(count: usize, clock: &str) -> (TestApp, Arc<AtomicI64>, LiveMatches) {
    let off = Arc::new(AtomicI64::new(0));
    let app = TestApp::with_clock(Clock::new({
        let off = off.clone();
        move |_| Timestamp(tochki_server::now().0 + off.load(Ordering::SeqCst))
    }))
    .await;
    let live = LiveMatches::start(&app.visitor(), count, &[("clock", clock)], PACE).await;
    (app, off, live)
}

/// Waits until the server is ready, or is not. Returns its answer.
async fn wait_until_ready(app: &TestApp, ready: bool) -> Response {
    let expected = if ready { 200 } else { 503 };
    wait_until("its readiness", async || {
        let told = app.visitor().get("/readyz").await;
        (told.status == expected).then_some(told)
    })
    .await
}

#[tokio::test]
async fn a_killed_own_postgres_is_started_again() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Process::start_with_own_postgres(data.path()).await;
    let live = LiveMatches::start(&server.visitor(), 2, &[], PACE).await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    let before = postmaster(data.path()).expect("it runs");
    kill_process(before, Signal::KILL).expect("it is killed");
    let killed = Instant::now();
    wait_until("another Postgres", async || {
        postmaster(data.path()).filter(|now| *now != before)
    })
    .await;
    server.wait_until_ready().await;
    let moved = wait_until("a move", async || {
        let answer = bob.make_move(id, "2,2", &[("client_id", "b")]).await;
        (answer.status != 503).then_some(answer)
    })
    .await;
    assert_eq!(moved.version(), 4, "the acknowledged move is there");
    live.wait_until_whole().await;
    let whole = killed.elapsed();
    let db = database_of(data.path()).await;
    end(live, &db, "its own Postgres killed (SIGKILL)", whole).await;
    db.close().await;
    server.terminate();
    assert!(server.wait_for_exit().await.success());
}

#[tokio::test]
async fn a_server_that_cannot_have_its_postgres_again_ends_with_an_error() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Process::start_with_own_postgres(data.path()).await;
    std::fs::remove_file(data.path().join("postgres/cluster/PG_VERSION")).unwrap();
    let postmaster = postmaster(data.path()).expect("it runs");
    kill_process(postmaster, Signal::KILL).expect("it is killed");
    assert_eq!(server.wait_for_exit().await.code(), Some(1));
}

#[tokio::test]
async fn a_background_task_that_panics_is_started_again() {
    let armed = Arc::new(AtomicBool::new(false));
    let app = with_panic_when({
        let armed = armed.clone();
        move |reader| reader == ClockReader::Heartbeat && armed.swap(false, Ordering::SeqCst)
    })
    .await;
    let visitor = app.visitor();
    let live = LiveMatches::start(&visitor, 1, &[("clock", "300+0")], PACE).await;
    assert_eq!(visitor.get("/healthz").await.text, "ok\n");
    armed.store(true, Ordering::SeqCst);
    let begun = Instant::now();
    let told = wait_until("a new start", async || {
        let told = visitor.get("/healthz").await;
        told.text.contains("heartbeat: runs").then_some(told)
    })
    .await;
    assert_eq!(told.status, 200);
    assert_eq!(told.text, "ok\nheartbeat: runs, started again 1 times\n");
    let beat = async || -> f64 {
        sqlx::query_scalar("select extract(epoch from beat_at)::float8 from heartbeat")
            .fetch_one(&app.db)
            .await
            .unwrap()
    };
    let before = beat().await;
    wait_until("another beat", async || {
        (beat().await > before).then_some(())
    })
    .await;
    let whole = begun.elapsed();
    end(live, &app.db, "a panic in a background task", whole).await;
}

#[tokio::test]
async fn a_panic_in_a_match_suspends_it_and_nobody_loses_time() {
    let broken = Arc::new(AtomicI64::new(0));
    let app = with_panic_when({
        let broken = broken.clone();
        move |reader| {
            matches!(reader, ClockReader::Match(id) if id.0 == broken.load(Ordering::SeqCst))
        }
    })
    .await;
    let (ann, bob) = app.with_two_users().await;
    let (eve, dan) = (app.with_user("eve").await, app.with_user("dan").await);
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let other = start_match(&eve, &dan, SMALL).await;
    begin(&eve, &dan, other).await;
    let live = LiveMatches::start(&app.visitor(), 1, &[("clock", "300+0")], PACE).await;
    let stream = bob.stream(&format!("/events/match/{id}?after=2")).await;

    broken.store(id, Ordering::SeqCst);
    let begun = Instant::now();
    let form = [("client_id", "a")];
    let refused = ann.make_move(id, "1,1", &form).await;
    refused.assert_error(503, "set_aside");
    assert_eq!(refused.header("retry-after"), Some("5"));
    let path = format!("/api/match?id={id}");
    ann.get(&path).await.assert_error(503, "set_aside");
    stream.collect_rest().await;
    eve.make_move(other, "1,1", &[]).await.assert_ok();
    assert_eq!(app.visitor().get("/healthz").await.text, "ok\n");

    broken.store(0, Ordering::SeqCst);
    // The time is given back once that succeeds, however often it fails.
    sqlx::raw_sql(
        "create function fail() returns trigger language plpgsql as $$ begin raise 'as a test wants it'; end $$;
         create trigger fail before insert on outages for each statement execute function fail()",
    )
    .execute(&app.db)
    .await
    .expect("a trigger");
    wait_until("an attempt that fails", async || {
        let answer = ann.make_move(id, "1,1", &form).await;
        (answer.status == 500).then_some(())
    })
    .await;
    sqlx::raw_sql("drop function fail() cascade")
        .execute(&app.db)
        .await
        .expect("no trigger");
    let moved = wait_until("the match to go on", async || {
        let answer = ann.make_move(id, "1,1", &form).await;
        (answer.status != 503).then_some(answer)
    })
    .await;
    assert_eq!(moved.version(), 3);
    let whole = begun.elapsed();
    let (version, lost): (i32, i64) =
        sqlx::query_as("select version, lost_ms from outages where match_id = $1")
            .bind(id)
            .fetch_one(&app.db)
            .await
            .expect("time was given back");
    assert_eq!(version, 2);
    assert!(lost >= 5000, "{lost}");
    assert!(live.refusals().is_empty(), "all others play on");
    end(live, &app.db, "a panic in a match", whole).await;
}

#[tokio::test]
async fn an_instance_whose_clock_is_off_is_not_ready() {
    let (app, off, live) = with_clock_off(1, "300+0").await;
    let mut whole = Duration::ZERO;
    for by in [0, 1000, 0, -60_000, 0] {
        off.store(by, Ordering::SeqCst);
        let begun = Instant::now();
        let told = wait_until_ready(&app, by == 0).await;
        if by == 0 {
            whole = begun.elapsed();
        } else {
            assert!(told.text.contains("The clock is"), "{}", told.text);
        }
    }
    let what = "an instance's clock a minute behind";
    end(live, &app.db, what, whole).await;
}

#[tokio::test]
async fn an_instance_whose_clock_is_ahead_ends_no_match() {
    let (app, off, live) = with_clock_off(2, "40+0").await;
    off.store(60_000, Ordering::SeqCst);
    wait_until_ready(&app, false).await;
    // A move in each match, with less on its clock than the clock is off.
    live.wait_until_whole().await;
    off.store(0, Ordering::SeqCst);
    let begun = Instant::now();
    wait_until_ready(&app, true).await;
    let whole = begun.elapsed();
    let what = "an instance's clock a minute ahead";
    end(live, &app.db, what, whole).await;
}

#[tokio::test]
#[ignore = "it takes a minute: `cargo make faults`"]
async fn a_minute_in_which_the_machine_sleeps_is_on_nobodys_clock() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let form = [("setup", SMALL), ("clock", "30+0")];
    let id = start_match_with(&ann, &bob, &form).await;
    begin(&ann, &bob, id).await;
    let live = LiveMatches::start(&server.visitor(), 2, &[("clock", "30+0")], PACE).await;
    server.signal(Signal::STOP);
    tokio::time::sleep(Duration::from_mins(1)).await;
    server.signal(Signal::CONT);
    let whole = live.wait_until_whole().await;
    server.wait_until_ready().await;
    let asked = ann.request(Method::GET, &format!("/api/match?id={id}"));
    let snapshot = try_send(asked).await.expect("an answer").assert_ok();
    assert!(snapshot["result"].is_null(), "{snapshot}");
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    end(live, &server.db, "the machine asleep for 60 s", whole).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes a while: `cargo make faults`"]
async fn a_server_that_is_killed_three_times_loses_no_move() {
    let mut server = Server::start().await;
    let live = LiveMatches::start(&server.visitor(), 10, &[("clock", "300+0")], PACE).await;
    let mut whole = Duration::ZERO;
    for _ in 0..3 {
        server.kill().await;
        let killed = Instant::now();
        server.restart().await;
        live.wait_until_whole().await;
        whole = whole.max(killed.elapsed());
    }
    end(
        live,
        &server.db,
        "the server killed (SIGKILL) and started again",
        whole,
    )
    .await;
}
