//! Statements that hold every connection of the pool.

use super::PACE;
use crate::app::wait_until;
use crate::cluster::Database;
use crate::fault_table::print_row;
use crate::live_matches::LiveMatches;
use crate::player::Player;
use crate::process::Server;
use sqlx::PgPool;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

/// Returns the outages that were counted, the matches that were given time, and the absences of these players.
async fn outages_and_absences(db: &PgPool, players: &[i64]) -> (i32, i64, i64) {
    sqlx::query_as(
        "select outages, (select count(*) from outages), (select count(*) from absences where player_id = any($1)) from heartbeat",
    )
    .bind(players)
    .fetch_one(db)
    .await
    .expect("an answer")
}

/// Sends messages again and again. Each holds a connection until the statement is given up. Returns the number of 503s.
async fn speak_until(player: Player, until: Instant) -> usize {
    let mut refused = 0;
    while Instant::now() < until {
        let answer = player.say("lobby", "hello").await;
        answer.assert_error(503, "unavailable");
        refused += 1;
    }
    refused
}

/// Holds all connections of the pool for this time beside a match of two players with open streams. Nobody is absent, and
/// everything works afterwards. Returns the counts of the database before and afterwards.
async fn hold_the_pool(hold: Duration) -> [(i32, i64, i64); 2] {
    let settings = vec![("DATABASE_CONNECTIONS", "2".to_owned())];
    let server = Server::start_with_settings(Database::fresh().await, settings).await;
    let db = &server.db;
    let mut speakers = Vec::new();
    for number in 0..4 {
        speakers.push(server.with_user(&format!("eve-{number}")).await);
    }
    let dan = server.with_user("dan").await;
    let live = LiveMatches::start(&server.visitor(), 1, &[("clock", "300+0")], PACE).await;
    let players = live.player_ids();
    let before = outages_and_absences(db, &players).await;
    sqlx::raw_sql(
        "create function sleep() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return new; end $$;
         create trigger sleep before insert on messages execute function sleep();",
    )
    .execute(db)
    .await
    .expect("a trigger");

    let until = Instant::now() + hold;
    let mut speaking = JoinSet::new();
    for speaker in &speakers {
        speaking.spawn(speak_until(speaker.clone(), until));
    }
    wait_until("a pool that is held", async || {
        let held: i64 = sqlx::query_scalar(
            "select count(*) from pg_stat_activity
             where datname = current_database() and (wait_event = 'PgSleep' or wait_event_type = 'Lock')",
        )
        .fetch_one(db)
        .await
        .expect("an answer");
        (held == 2).then_some(())
    })
    .await;
    let (mut answered, mut refused) = (0, 0);
    while Instant::now() < until {
        let answer = dan.get("/api/waiting_room?game=dots").await;
        match answer.status {
            200 => answered += 1,
            _ => {
                answer.assert_error(503, "unavailable");
                refused += 1;
            }
        }
        assert_eq!(server.visitor().get("/healthz").await.status, 200);
        sleep(Duration::from_millis(50)).await;
    }
    let spoken: usize = speaking.join_all().await.into_iter().sum();
    sqlx::raw_sql("drop function sleep() cascade")
        .execute(db)
        .await
        .expect("no trigger");
    let whole = live.wait_until_whole().await;
    speakers[0].say("lobby", "hello").await.assert_ok();
    let asked = dan.get("/api/waiting_room?game=dots").await;
    asked.assert_ok();
    let moves = live.refusals();
    let after = outages_and_absences(db, &players).await;
    let cost = live.finish(db).await;
    println!(
        "{spoken} messages and {refused} requests were refused, {answered} answered; of moves: {moves:?}"
    );
    print_row(
        &format!("all connections of the pool held for {} s", hold.as_secs()),
        cost,
        whole,
    );
    assert_eq!((cost.lost, cost.wrongly_lost), (0, 0));
    assert_eq!(after.2, 0, "nobody is absent");
    [before, after]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_busy_pool_makes_nobody_absent() {
    hold_the_pool(Duration::from_secs(7)).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes a while: `cargo make faults`"]
async fn a_busy_pool_is_no_outage() {
    let [before, after] = hold_the_pool(Duration::from_secs(12)).await;
    assert_eq!(
        before, after,
        "no outage is counted, and nobody is given time"
    );
}
