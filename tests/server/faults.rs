//! What breaks beneath a server or inside it: its own Postgres, a background task, a match, the disk, the clock.

use super::app::{SMALL, TestApp, begin, start_match, start_match_with, wait_until};
use super::player::try_send;
use super::process::{Process, Server};
use reqwest::Method;
use rustix::process::{Pid, Signal, kill_process};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;
use tochki_play::Timestamp;
use tochki_server::{Clock, ClockReader};

/// The postmaster of a server's own Postgres.
fn postmaster(data: &Path) -> Option<Pid> {
    let file = data.join("postgres/cluster/postmaster.pid");
    let words = std::fs::read_to_string(file).ok()?;
    Pid::from_raw(words.lines().next()?.parse().ok()?)
}

#[tokio::test]
async fn a_killed_own_postgres_is_started_again() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Process::start_with_own_postgres(data.path()).await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    let before = postmaster(data.path()).expect("it runs");
    kill_process(before, Signal::KILL).expect("it is killed");
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
async fn a_sweeper_that_panics_is_started_again() {
    let armed = Arc::new(AtomicBool::new(false));
    let app = TestApp::with_clock(Clock::new({
        let armed = armed.clone();
        move |reader| {
            let hit = reader == ClockReader::Heartbeat && armed.swap(false, Ordering::SeqCst);
            assert!(!hit, "as a test wants it");
            tochki_server::now()
        }
    }))
    .await;
    let visitor = app.visitor();
    assert_eq!(visitor.get("/healthz").await.text, "ok\n");
    armed.store(true, Ordering::SeqCst);
    let told = wait_until("a new start", async || {
        let told = visitor.get("/healthz").await;
        told.text.contains("sweeper: runs").then_some(told)
    })
    .await;
    assert_eq!(told.status, 200);
    assert_eq!(told.text, "ok\nsweeper: runs, started again 1 times\n");
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
}

#[tokio::test]
async fn a_panic_in_a_match_sets_it_aside_and_nobody_loses_time() {
    let broken = Arc::new(AtomicI64::new(0));
    let app = TestApp::with_clock(Clock::new({
        let broken = broken.clone();
        move |reader| {
            let hit =
                matches!(reader, ClockReader::Match(id) if id.0 == broken.load(Ordering::SeqCst));
            assert!(!hit, "as a test wants it");
            tochki_server::now()
        }
    }))
    .await;
    let (ann, bob) = app.with_two_users().await;
    let (eve, dan) = (app.with_user("eve").await, app.with_user("dan").await);
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let other = start_match(&eve, &dan, SMALL).await;
    begin(&eve, &dan, other).await;
    let stream = bob.stream(&format!("/events/match/{id}?after=2")).await;

    broken.store(id, Ordering::SeqCst);
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
    let moved = wait_until("the match to go on", async || {
        let answer = ann.make_move(id, "1,1", &form).await;
        (answer.status != 503).then_some(answer)
    })
    .await;
    assert_eq!(moved.version(), 3);
    let (version, lost): (i32, i64) =
        sqlx::query_as("select version, lost_ms from outages where match_id = $1")
            .bind(id)
            .fetch_one(&app.db)
            .await
            .expect("time was given back");
    assert_eq!(version, 2);
    assert!(lost >= 5000, "{lost}");
}

#[tokio::test]
async fn a_full_disk_is_unavailable_and_not_ready_and_whole_again_afterwards() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    // What Postgres says when a table cannot grow.
    sqlx::raw_sql(
        "create function full_disk() returns trigger language plpgsql as $$ begin
             raise exception 'could not extend file' using errcode = '53100'; end $$;
         create trigger full_disk before insert or update on match_events execute function full_disk();
         create trigger full_disk before insert or update on readiness execute function full_disk();",
    )
    .execute(&app.db)
    .await
    .unwrap();
    let form = [("client_id", "a")];
    ann.make_move(id, "1,1", &form)
        .await
        .assert_error(503, "unavailable");
    let visitor = app.visitor();
    wait_until("a server that is not ready", async || {
        (visitor.get("/readyz").await.status == 503).then_some(())
    })
    .await;
    assert_eq!(visitor.get("/healthz").await.status, 200);
    assert_eq!(ann.snapshot(id).await["version"], 2, "it still answers");
    sqlx::raw_sql("drop function full_disk() cascade")
        .execute(&app.db)
        .await
        .unwrap();
    assert_eq!(ann.make_move(id, "1,1", &form).await.version(), 3);
    wait_until("a server that is ready", async || {
        (visitor.get("/readyz").await.status == 200).then_some(())
    })
    .await;
}

#[tokio::test]
async fn an_instance_whose_clock_is_off_is_not_ready() {
    let off = Arc::new(AtomicI64::new(0));
    let app = TestApp::with_clock(Clock::new({
        let off = off.clone();
        move |_| Timestamp(tochki_server::now().0 + off.load(Ordering::SeqCst))
    }))
    .await;
    let visitor = app.visitor();
    for by in [0, 1000, 0, -60_000, 0] {
        off.store(by, Ordering::SeqCst);
        let expected = if by == 0 { 200 } else { 503 };
        let told = wait_until("the clock to be noticed", async || {
            let told = visitor.get("/readyz").await;
            (told.status == expected).then_some(told)
        })
        .await;
        if by != 0 {
            assert!(told.text.contains("The clock is"), "{}", told.text);
        }
    }
}

#[tokio::test]
#[ignore = "it takes a minute: `cargo make faults`"]
async fn a_minute_in_which_the_machine_sleeps_is_on_nobodys_clock() {
    let mut server = Server::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let form = [("setup", SMALL), ("clock", "30+0")];
    let id = start_match_with(&ann, &bob, &form).await;
    begin(&ann, &bob, id).await;
    server.signal(Signal::STOP);
    tokio::time::sleep(Duration::from_mins(1)).await;
    server.signal(Signal::CONT);
    server.wait_until_ready().await;
    let asked = ann.request(Method::GET, &format!("/api/match?id={id}"));
    let snapshot = try_send(asked).await.expect("an answer").assert_ok();
    assert!(snapshot["result"].is_null(), "{snapshot}");
    ann.make_move(id, "1,1", &[]).await.assert_ok();
}
