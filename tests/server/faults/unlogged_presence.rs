//! Presence is not in the log of Postgres: a crash of a backend empties it, and open streams fill it again.

use super::{PACE, database_of};
use crate::app::{SMALL, TestApp, begin, start_match, wait_until};
use crate::fault_table::print_row;
use crate::live_matches::LiveMatches;
use crate::player::try_open;
use crate::process::Process;
use rustix::process::{Pid, Signal, kill_process};
use std::time::Duration;
use tokio::time::{Instant, sleep};

#[tokio::test(flavor = "multi_thread")]
async fn presence_that_a_crash_has_emptied_is_filled_again() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Process::start_with_own_postgres(data.path()).await;
    let db = database_of(data.path()).await;
    let live = LiveMatches::start(&server.visitor(), 2, &[("clock", "300+0")], PACE).await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let path = format!("/events/match/{id}");
    // She stays, whatever becomes of this stream.
    let staying = tokio::spawn({
        let (ann, path) = (ann.clone(), path.clone());
        async move {
            loop {
                let asked = ann.request(reqwest::Method::GET, &path);
                if let Ok(mut stream) = try_open(asked).await {
                    while stream.frame().await.is_some() {}
                }
                sleep(Duration::from_millis(500)).await;
            }
        }
    });
    let mut bobs = bob.stream(&path).await;
    bobs.frame().await.expect("he is there");
    sqlx::raw_sql("create unlogged table emptied as select 1 as row")
        .execute(&db)
        .await
        .unwrap();
    let backend: i32 = sqlx::query_scalar(
        "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1",
    )
    .fetch_one(&db)
    .await
    .unwrap();

    // That he has left is written to a row that is lost.
    drop(bobs);
    let begun = Instant::now();
    let backend = Pid::from_raw(backend).expect("a process");
    kill_process(backend, Signal::KILL).expect("it is killed");
    let emptied = wait_until("Postgres after the crash", async || {
        let left = sqlx::query_scalar::<_, i64>("select count(*) from emptied");
        left.fetch_one(&db).await.ok().filter(|left| *left == 0)
    })
    .await;
    assert_eq!(emptied, 0, "what is not in the log is gone");
    let present: Vec<i64> = live.player_ids().into_iter().chain([ann.id]).collect();
    wait_until("those who are there", async || {
        let filled: i64 = sqlx::query_scalar(
            "select count(distinct player_id) from presence
             where player_id = any($1) and instance <> 'crash' and gone_at is null",
        )
        .bind(&present)
        .fetch_one(&db)
        .await
        .ok()?;
        (filled == present.len() as i64).then_some(())
    })
    .await;
    let filled = begun.elapsed();
    server.wait_until_ready().await;
    live.wait_until_whole().await;
    let whole = begun.elapsed();
    // He is found to be absent all the same.
    let told = wait_until("an absence that is told", async || {
        let snapshot = ann.get(&format!("/api/match?id={id}")).await;
        assert!(matches!(snapshot.status, 200 | 503), "{snapshot:?}");
        (snapshot.status == 200 && snapshot.json()["gone_at"][1].is_number())
            .then(|| snapshot.json())
    })
    .await;
    println!(
        "filled again after {filled:.1?}, the absence told after {:.1?}",
        begun.elapsed()
    );
    assert!(told["gone_at"][0].is_null(), "{told}");
    let absences: Vec<i64> = sqlx::query_scalar("select player_id from absences")
        .fetch_all(&db)
        .await
        .unwrap();
    let cost = live.finish(&db).await;
    print_row("a backend of Postgres killed", cost, whole);
    assert_eq!(absences, [bob.id], "nobody else is absent");
    assert_eq!((cost.lost, cost.wrongly_lost), (0, 0));
    staying.abort();
    db.close().await;
    server.terminate();
    assert!(server.wait_for_exit().await.success());
}

#[tokio::test]
async fn beats_of_presence_stay_within_their_pages() {
    let app = TestApp::init().await;
    let mut streams = Vec::new();
    for number in 0..10 {
        let player = app.with_user(&format!("eve-{number}")).await;
        for game in ["dots", "gomoku", "boxes", "reversi"] {
            streams.push(player.join_lobby_of(game).await);
        }
    }
    let beats = 3 * streams.len() as i64;
    let (mut updated_before, mut hot_before) = (0, 0);
    // A beat leaves its page where a snapshot in use still needs the row before it, so some beats may be beside others that
    // keep such a snapshot for long.
    wait_until("nine of ten beats within their pages", async || {
        let (updated, hot): (i64, i64) = sqlx::query_as(
            "select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where relname = 'presence'",
        )
        .fetch_one(&app.db)
        .await
        .unwrap();
        let (new, new_hot) = (updated - updated_before, hot - hot_before);
        if new < beats {
            return None;
        }
        println!("{new_hot} of {new}");
        (updated_before, hot_before) = (updated, hot);
        (new_hot * 10 >= new * 9).then_some(())
    })
    .await;
    drop(streams);
}
