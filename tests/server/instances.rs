//! Several instances on one database, with nothing between them but the database: no match belongs to any of them.

use super::app::{SMALL, TestApp, start_match, until_waiting};
use super::player::Player;
use serde_json::json;

/// Ann at one instance, Bob at another, and their match, which both instances hold in memory as it was at its start.
async fn apart() -> (TestApp, TestApp, Player, Player, i64) {
    let here = TestApp::init().await;
    let there = here.another().await;
    let (ann, bob) = here.with_two().await;
    let bob = bob.moved_to(there.address);
    let id = start_match(&ann, &bob, SMALL).await;
    assert_eq!(ann.snapshot(id).await["version"], 0);
    assert_eq!(bob.snapshot(id).await["version"], 0);
    (here, there, ann, bob, id)
}

#[tokio::test]
async fn a_move_made_here_is_answered_there() {
    let (_here, _there, ann, bob, id) = apart().await;
    for n in 0..12 {
        let (mv, version) = (format!("{},{}", n % 5, n / 5), n.to_string());
        // Each instance remembers the match as it was before the other's move.
        let form = [("version", version.as_str())];
        let form = if n < 6 { &form[..] } else { &[] };
        let mover = [&ann, &bob][n % 2];
        assert_eq!(mover.moves(id, &mv, form).await.version() as usize, n + 1);
    }
    assert_eq!(ann.snapshot(id).await, bob.snapshot(id).await);
    assert_eq!(ann.snapshot(id).await["version"], 12);
}

#[tokio::test]
async fn a_refusal_stands_on_what_is_true_everywhere() {
    let (_here, there, ann, bob, id) = apart().await;
    let ann_there = ann.moved_to(there.address);
    ann.moves(id, "2,2", &[("client_id", "a")]).await.given();
    ann_there
        .moves(id, "3,3", &[("version", "0")])
        .await
        .refused(409, "stale");
    ann_there
        .moves(id, "3,3", &[])
        .await
        .refused(409, "not_your_turn");
    let taken = bob.moves(id, "2,2", &[]).await.refused(422, "illegal");
    assert_eq!(taken["reason"], "occupied");
    assert_eq!(
        ann_there
            .moves(id, "2,2", &[("client_id", "a")])
            .await
            .version(),
        1
    );
    ann.resigns(id).await.given();
    bob.moves(id, "3,3", &[]).await.refused(409, "finished");
    bob.resigns(id).await.refused(409, "finished");
}

#[tokio::test]
async fn a_name_is_known_at_the_other_instance_at_once() {
    let (_here, there, ann, _bob, id) = apart().await;
    let ann_there = ann.moved_to(there.address);
    ann.moves(id, "2,2", &[("client_id", "a")]).await.given();
    // To that instance the match has not begun: only the database knows better.
    let form = [("client_id", "a"), ("version", "0")];
    assert_eq!(ann_there.moves(id, "2,2", &form).await.version(), 1);
    ann_there
        .moves(id, "3,3", &[("client_id", "a")])
        .await
        .refused(409, "client_id_reused");
}

#[tokio::test]
async fn a_stream_here_shows_what_happens_there() {
    let (_here, there, ann, bob, id) = apart().await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.stream(&path).await;
    let mut watching = there.visitor().stream(&path).await;
    ann.moves(id, "1,1", &[]).await.given();
    assert_eq!(watching.next().await.id, Some(1));
    bob.moves(id, "2,2", &[]).await.given();
    ann.moves(id, "3,3", &[]).await.given();
    bob.resigns(id).await.given();
    let seen_here = anns.take(4).await;
    let versions: Vec<_> = seen_here.iter().filter_map(|event| event.id).collect();
    assert_eq!(versions, [1, 2, 3, 4]);
    assert_eq!(watching.take(3).await, seen_here[1..]);
    assert_eq!(seen_here[3].data["result"]["winner"], 1);
}

#[tokio::test]
async fn of_two_moves_at_once_at_two_instances_one_is_made() {
    let (here, there, ann, _bob, id) = apart().await;
    let ann_there = ann.moved_to(there.address);
    // Both have decided that the move is good, and wait to write it down.
    let mut held = here.db.begin().await.unwrap();
    sqlx::query("select from matches for update")
        .execute(&mut *held)
        .await
        .unwrap();
    let one = tokio::spawn(async move { ann.moves(id, "1,1", &[("version", "0")]).await });
    let other = tokio::spawn(async move { ann_there.moves(id, "2,2", &[("version", "0")]).await });
    until_waiting(&here.db, 2).await;
    held.rollback().await.unwrap();

    let (one, other) = (one.await.unwrap(), other.await.unwrap());
    let (won, lost, mv) = if one.status == 200 {
        (one, other, "1,1")
    } else {
        (other, one, "2,2")
    };
    assert_eq!(won.version(), 1);
    lost.refused(409, "stale");
    for instance in [&here, &there] {
        assert_eq!(instance.visitor().snapshot(id).await["moves"], json!([mv]));
    }
}

#[tokio::test]
async fn of_one_move_sent_to_two_instances_at_once_both_get_the_answer() {
    let (here, there, ann, _bob, id) = apart().await;
    let ann_there = ann.moved_to(there.address);
    let mut held = here.db.begin().await.unwrap();
    sqlx::query("select from matches for update")
        .execute(&mut *held)
        .await
        .unwrap();
    let send = |player: Player| {
        tokio::spawn(async move {
            let form = [("version", "0"), ("client_id", "a")];
            player.moves(id, "1,1", &form).await
        })
    };
    let (one, other) = (send(ann), send(ann_there));
    until_waiting(&here.db, 2).await;
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
async fn a_match_given_up_at_two_instances_at_once_is_rated_once() {
    let (here, _there, ann, bob, id) = apart().await;
    let mut held = here.db.begin().await.unwrap();
    sqlx::query("select from matches for update")
        .execute(&mut *held)
        .await
        .unwrap();
    let resign = |player: Player| tokio::spawn(async move { player.resigns(id).await });
    let (one, other) = (resign(ann.clone()), resign(bob));
    until_waiting(&here.db, 2).await;
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
async fn the_sweepers_of_two_instances_tell_a_challenge_off_once() {
    let (here, there, ann, bob, id) = apart().await;
    ann.resigns(id).await.given();
    let eve = there.with_user("eve").await;
    let (mut anns, mut bobs, _eves) = (ann.waits().await, bob.waits().await, eve.waits().await);
    let challenge = ann.challenges(&bob, &[]).await.id("id");
    sqlx::query("update challenges set expires_at = now() where id = $1")
        .bind(challenge)
        .execute(&here.db)
        .await
        .unwrap();
    for stream in [&mut anns, &mut bobs] {
        let closed = stream.next_named("challenge_closed").await;
        assert_eq!(closed, json!({"id": challenge, "why": "expired"}));
    }
    // The next thing that is told is the next thing that happens.
    let next = ann.challenges(&bob, &[]).await.id("id");
    for stream in [&mut anns, &mut bobs] {
        let told = stream.all_until("challenged").await;
        assert_eq!(told.last().unwrap().data["id"], next);
        assert!(told.iter().all(|event| event.name != "challenge_closed"));
    }
}
