//! The row of a match that a transaction has locked. That match waits; all others play on, and nobody else is absent.

use super::PACE;
use crate::absences::{backdate_absence, wait_until_absent};
use crate::app::{BEGUN, SMALL, begin, start_match, start_match_with, wait_until};
use crate::fault_table::print_row;
use crate::live_matches::LiveMatches;
use crate::player::{Player, try_open};
use crate::process::Server;
use reqwest::Method;
use serde_json::json;
use sqlx::PgPool;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// A time away that is shorter than an absence may be.
const AWAY: Duration = Duration::from_secs(25);

/// The outcome of the streams that a player has opened one after the other.
#[derive(Clone, Copy, Debug, Default)]
struct Reopened {
    opened: usize,
    refused: usize,
    slowest: Duration,
}

/// Opens the stream of a match, closes it, and opens it again at once, as a page that is loaded again and again.
async fn reopen_until(player: Player, id: i64, until: Instant) -> Reopened {
    let mut reopened = Reopened::default();
    while Instant::now() < until {
        let begun = Instant::now();
        let asked = player.request(Method::GET, &format!("/events/match/{id}"));
        match try_open(asked).await {
            Ok(mut stream) => {
                stream
                    .frame()
                    .await
                    .expect("a stream begins with something");
                reopened.opened += 1;
            }
            Err(_) => reopened.refused += 1,
        }
        reopened.slowest = reopened.slowest.max(begun.elapsed());
        sleep(Duration::from_millis(100)).await;
    }
    reopened
}

async fn has_ended(db: &PgPool, id: i64) -> bool {
    sqlx::query_scalar("select finished_at is not null from matches where id = $1")
        .bind(id)
        .fetch_one(db)
        .await
        .unwrap()
}

/// Locks a match for this time. One of its players is absent and wants to come back; nobody at another match may notice. With
/// `clock`, the other player leaves for [`AWAY`], and another match has this clock, which runs out in that time.
async fn lock_a_match(hold: Duration, clock: Option<&str>) {
    let server = Server::start().await;
    let db = &server.db;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let (eve, dan) = (server.with_user("eve").await, server.with_user("dan").await);
    let live = LiveMatches::start(&server.visitor(), 1, &[("clock", "300+0")], PACE).await;
    let other = start_match(&eve, &dan, SMALL).await;
    begin(&eve, &dan, other).await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let path = format!("/events/match/{id}");
    let mut anns = Some(ann.stream(&path).await);
    drop(bob.stream(&path).await);
    wait_until_absent(db, &bob).await;
    backdate_absence(db, &bob, 5).await;
    let timed = match clock {
        Some(clock) => {
            let (gil, hal) = (server.with_user("gil").await, server.with_user("hal").await);
            let form = [("setup", SMALL), ("clock", clock)];
            let timed = start_match_with(&gil, &hal, &form).await;
            begin(&gil, &hal, timed).await;
            Some(timed)
        }
        None => None,
    };

    let mut held = db.begin().await.unwrap();
    sqlx::query("select from matches where id = $1 for update")
        .bind(id)
        .execute(&mut *held)
        .await
        .unwrap();
    let locked = Instant::now();
    let until = locked + hold;
    let [eves, dans, bobs] = [(&eve, other), (&dan, other), (&bob, id)]
        .map(|(player, id)| tokio::spawn(reopen_until(player.clone(), id, until)));
    let form = [("client_id", "a")];
    let others: Vec<i64> = live
        .player_ids()
        .into_iter()
        .chain([eve.id, dan.id])
        .collect();
    let mut out_of_time_after = None;
    if timed.is_some() {
        anns = None;
    }
    while Instant::now() < until {
        let refused = ann.make_move(id, "1,1", &form).await;
        refused.assert_error(503, "unavailable");
        let away: i64 =
            sqlx::query_scalar("select count(*) from reported_absences where player_id = any($1)")
                .bind(&others)
                .fetch_one(db)
                .await
                .unwrap();
        assert_eq!(away, 0, "nobody else is absent");
        if anns.is_none() && locked.elapsed() > AWAY {
            anns = try_open(ann.request(Method::GET, &path)).await.ok();
        }
        if let Some(timed) = timed
            && out_of_time_after.is_none()
            && has_ended(db, timed).await
        {
            out_of_time_after = Some(locked.elapsed());
        }
    }
    let (eves, dans, bobs) = (
        eves.await.unwrap(),
        dans.await.unwrap(),
        bobs.await.unwrap(),
    );
    held.rollback().await.unwrap();

    let begun = Instant::now();
    let moved = wait_until("a move", async || {
        let answer = ann.make_move(id, "1,1", &form).await;
        (answer.status != 503).then_some(answer)
    })
    .await;
    let whole = live.wait_until_whole().await.max(begun.elapsed());
    let mut cost = live.finish(db).await;
    println!("eve {eves:?}, dan {dans:?}; of the locked match: bob {bobs:?}; {moved:?}");
    cost.wrongly_lost += usize::from(has_ended(db, id).await);
    print_row(
        &format!("the row of a match locked for {} s", hold.as_secs()),
        cost,
        whole,
    );
    assert_eq!((eves.refused, dans.refused), (0, 0), "they join as always");
    assert!(eves.opened > 0 && dans.opened > 0);
    if timed.is_some() {
        let after = out_of_time_after.expect("the clock of another match ran out meanwhile");
        assert!(after < AWAY, "it ran out after {after:?}");
    }
    assert_eq!((cost.lost, cost.wrongly_lost), (0, 0));
    assert_eq!(moved.version(), BEGUN + 1);
    let _bobs = bob.stream(&path).await;
    assert_eq!(ann.snapshot(id).await["present"], json!([true, true]));
    let stored: i64 = sqlx::query_scalar("select count(*) from match_events where match_id = $1")
        .bind(id)
        .fetch_one(db)
        .await
        .unwrap();
    assert_eq!(stored, i64::from(BEGUN) + 1);
    drop(anns);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_match_keeps_nobody_from_another() {
    lock_a_match(Duration::from_secs(4), None).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes a minute: `cargo make faults`"]
async fn a_match_locked_for_a_minute_keeps_nobody_from_another() {
    lock_a_match(Duration::from_mins(1), Some("10+0")).await;
}
