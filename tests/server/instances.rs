//! Several instances on one database, which share nothing else. No match belongs to any of them.

use super::app::{SMALL, TestApp, begin, start_match, wait_until_blocked};
use super::player::Player;
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};

/// Starts two instances, with Ann at one, Bob at the other, and their match, which both instances have cached at version 0.
async fn two_instances() -> (TestApp, TestApp, Player, Player, i64) {
    let here = TestApp::init().await;
    let there = here.another_instance().await;
    let (ann, bob) = here.with_two_users().await;
    let bob = bob.at_instance(there.address);
    let id = start_match(&ann, &bob, SMALL).await;
    assert_eq!(ann.snapshot(id).await["version"], 0);
    assert_eq!(bob.snapshot(id).await["version"], 0);
    (here, there, ann, bob, id)
}

#[tokio::test]
async fn moves_alternate_between_instances() {
    let (_here, _there, ann, bob, id) = two_instances().await;
    for n in 0..12 {
        let (mv, version) = (format!("{},{}", n % 5, n / 5), n.to_string());
        // Each instance has the match cached without the other's move.
        let form = [("version", version.as_str())];
        let form = if n < 6 { &form[..] } else { &[] };
        let mover = [&ann, &bob][n % 2];
        assert_eq!(
            mover.make_move(id, &mv, form).await.version() as usize,
            n + 1
        );
    }
    assert_eq!(ann.snapshot(id).await, bob.snapshot(id).await);
    assert_eq!(ann.snapshot(id).await["version"], 12);
}

#[tokio::test]
async fn refusals_use_the_shared_state() {
    let (_here, there, ann, bob, id) = two_instances().await;
    let ann_there = ann.at_instance(there.address);
    ann.make_move(id, "2,2", &[("client_id", "a")])
        .await
        .assert_ok();
    ann_there
        .make_move(id, "3,3", &[("version", "0")])
        .await
        .assert_error(409, "stale");
    ann_there
        .make_move(id, "3,3", &[])
        .await
        .assert_error(409, "not_your_turn");
    let taken = bob
        .make_move(id, "2,2", &[])
        .await
        .assert_error(422, "illegal");
    assert_eq!(taken["reason"], "occupied");
    assert_eq!(
        ann_there
            .make_move(id, "2,2", &[("client_id", "a")])
            .await
            .version(),
        1
    );
    bob.make_move(id, "1,1", &[]).await.assert_ok();
    ann.resign(id).await.assert_ok();
    bob.make_move(id, "3,3", &[])
        .await
        .assert_error(409, "finished");
    bob.resign(id).await.assert_error(409, "finished");
}

#[tokio::test]
async fn new_account_is_visible_to_other_instances() {
    let (_here, there, ann, _bob, id) = two_instances().await;
    let ann_there = ann.at_instance(there.address);
    ann.make_move(id, "2,2", &[("client_id", "a")])
        .await
        .assert_ok();
    // That instance has cached the match without moves; the database has one.
    let form = [("client_id", "a"), ("version", "0")];
    assert_eq!(ann_there.make_move(id, "2,2", &form).await.version(), 1);
    ann_there
        .make_move(id, "3,3", &[("client_id", "a")])
        .await
        .assert_error(409, "client_id_reused");
}

#[tokio::test]
async fn streams_show_events_of_other_instances() {
    let (_here, there, ann, bob, id) = two_instances().await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.stream(&path).await;
    let mut watching = there.visitor().stream(&path).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    assert_eq!(watching.next().await.id, Some(1));
    bob.make_move(id, "2,2", &[]).await.assert_ok();
    ann.make_move(id, "3,3", &[]).await.assert_ok();
    bob.resign(id).await.assert_ok();
    let seen_here = anns.take(4).await;
    let versions: Vec<_> = seen_here.iter().filter_map(|event| event.id).collect();
    assert_eq!(versions, [1, 2, 3, 4]);
    assert_eq!(watching.take(3).await, seen_here[1..]);
    assert_eq!(seen_here[3].data["result"]["winner"], 1);
}

#[tokio::test]
async fn concurrent_moves_at_two_instances_make_one() {
    let (here, there, ann, _bob, id) = two_instances().await;
    let ann_there = ann.at_instance(there.address);
    // Both have accepted the move and wait to store it.
    let mut held = here.db.begin().await.unwrap();
    sqlx::query("select from matches for update")
        .execute(&mut *held)
        .await
        .unwrap();
    let one = tokio::spawn(async move { ann.make_move(id, "1,1", &[("version", "0")]).await });
    let other =
        tokio::spawn(async move { ann_there.make_move(id, "2,2", &[("version", "0")]).await });
    wait_until_blocked(&here.db, 2).await;
    held.rollback().await.unwrap();

    let (one, other) = (one.await.unwrap(), other.await.unwrap());
    let (won, lost, mv) = if one.status == 200 {
        (one, other, "1,1")
    } else {
        (other, one, "2,2")
    };
    assert_eq!(won.version(), 1);
    lost.assert_error(409, "stale");
    for instance in [&here, &there] {
        assert_eq!(instance.visitor().snapshot(id).await["moves"], json!([mv]));
    }
}

#[tokio::test]
async fn same_client_id_at_two_instances_gets_the_same_answer() {
    let (here, there, ann, _bob, id) = two_instances().await;
    let ann_there = ann.at_instance(there.address);
    let mut held = here.db.begin().await.unwrap();
    sqlx::query("select from matches for update")
        .execute(&mut *held)
        .await
        .unwrap();
    let send = |player: Player| {
        tokio::spawn(async move {
            let form = [("version", "0"), ("client_id", "a")];
            player.make_move(id, "1,1", &form).await
        })
    };
    let (one, other) = (send(ann), send(ann_there));
    wait_until_blocked(&here.db, 2).await;
    held.rollback().await.unwrap();
    assert_eq!(one.await.unwrap().version(), 1);
    assert_eq!(other.await.unwrap().version(), 1);
    let events: i64 = sqlx::query_scalar("select count(*) from match_events")
        .fetch_one(&here.db)
        .await
        .unwrap();
    assert_eq!(events, 1);
}

#[tokio::test]
async fn concurrent_resignations_are_rated_once() {
    let (here, _there, ann, bob, id) = two_instances().await;
    begin(&ann, &bob, id).await;
    let mut held = here.db.begin().await.unwrap();
    sqlx::query("select from matches for update")
        .execute(&mut *held)
        .await
        .unwrap();
    let resign = |player: Player| tokio::spawn(async move { player.resign(id).await });
    let (one, other) = (resign(ann.clone()), resign(bob));
    wait_until_blocked(&here.db, 2).await;
    held.rollback().await.unwrap();
    let mut codes = [one.await.unwrap().code(), other.await.unwrap().code()];
    codes.sort();
    assert_eq!(codes, [None, Some("finished".to_owned())]);
    let mut ratings: Vec<f64> = sqlx::query_scalar("select rating from ratings")
        .fetch_all(&here.db)
        .await
        .unwrap();
    ratings.sort_by(f64::total_cmp);
    assert_eq!(ratings, [1587.5, 1612.5]);
}

#[tokio::test]
async fn challenge_expires_once_with_two_instances() {
    let (here, there, ann, bob, id) = two_instances().await;
    begin(&ann, &bob, id).await;
    ann.resign(id).await.assert_ok();
    let eve = there.with_user("eve").await;
    let (mut anns, mut bobs, _eves) = (
        ann.join_lobby().await,
        bob.join_lobby().await,
        eve.join_lobby().await,
    );
    let challenge = ann.challenge(&bob, &[]).await.id("id");
    sqlx::query("update challenges set expires_at = now() where id = $1")
        .bind(challenge)
        .execute(&here.db)
        .await
        .unwrap();
    for stream in [&mut anns, &mut bobs] {
        let closed = stream.next_named("challenge_closed").await;
        assert_eq!(closed, json!({"id": challenge, "why": "expired"}));
    }
    // The next event is a new one: the closing was sent once.
    let next = ann.challenge(&bob, &[]).await.id("id");
    for stream in [&mut anns, &mut bobs] {
        let events = stream.collect_until("challenged").await;
        assert_eq!(events.last().unwrap().data["id"], next);
        assert!(events.iter().all(|event| event.name != "challenge_closed"));
    }
}

#[tokio::test]
async fn readers_who_share_a_read_miss_nothing_that_was_acknowledged() {
    let (here, there, ann, bob, id) = two_instances().await;
    let reader = there.visitor();
    let done = AtomicBool::new(false);
    // Reads are on their way at every moment.
    let reading = async || {
        while !done.load(Ordering::SeqCst) {
            reader.snapshot(id).await;
        }
    };
    let playing = async {
        let bob_here = bob.at_instance(here.address);
        for n in 0..20 {
            let mv = format!("{},{}", n % 5, n / 5);
            let mover = [&ann, &bob_here][n % 2];
            let version = mover.make_move(id, &mv, &[]).await.version();
            assert_eq!(reader.snapshot(id).await["version"], version);
        }
        done.store(true, Ordering::SeqCst);
    };
    tokio::join!(playing, reading(), reading(), reading());
}
