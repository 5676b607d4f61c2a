//! Challenges that cross, and concurrent challenges and answers: nobody gets into two matches.

use super::app::{SMALL, TestApp, begin, wait_until};
use super::challenges::{ON_SMALL, expect_closed, running_matches};
use super::player::{Player, Response};
use futures::future::join_all;
use serde_json::Value;

#[tokio::test]
async fn crossing_challenges_with_equal_terms_start_one_match() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (mut anns, mut bobs) = (ann.join_lobby().await, bob.join_lobby().await);
    let id = ann
        .challenge(&bob, &[("setup", r#"{"width":39}"#), ("clock", "60+1")])
        .await
        .id("id");
    // The same terms: Ann's are the defaults.
    let crossing = bob
        .challenge(&ann, &[("clock", "60+1"), ("rated", "true")])
        .await;
    let started = crossing.id("match");
    assert_eq!(crossing.id("id"), id);
    for stream in [&mut anns, &mut bobs] {
        expect_closed(stream, id, "accepted").await;
        assert_eq!(stream.next_named("match_started").await["match"], started);
    }
    let snapshot = ann.snapshot(started).await;
    assert_eq!(
        snapshot["players"][0]["id"], ann.id,
        "the earlier challenger has the first seat"
    );
}

#[tokio::test]
async fn crossing_challenges_with_different_terms_stay_open() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (_anns, _bobs) = (ann.join_lobby().await, bob.join_lobby().await);
    for other in [("setup", SMALL), ("clock", "60+1"), ("rated", "false")] {
        let hers = ann.challenge(&bob, &[]).await.id("id");
        let crossing = bob.challenge(&ann, &[other]).await.assert_ok();
        assert_eq!(crossing["match"], Value::Null, "{other:?}");
        let room = ann.get("/api/waiting_room?game=dots").await.assert_ok();
        assert_eq!(room["challenges"].as_array().unwrap().len(), 2);
        ann.cancel_challenge(hers).await.assert_ok();
        bob.cancel_challenge(crossing["id"].as_i64().unwrap())
            .await
            .assert_ok();
    }
    let hers = ann.challenge(&bob, &[]).await.id("id");
    let his = bob.challenge(&ann, ON_SMALL).await.id("id");
    let started = ann.answer_challenge(his, true).await.id("match");
    let snapshot = ann.snapshot(started).await;
    assert_eq!(snapshot["setup"]["width"], 5);
    assert_eq!(snapshot["players"][0]["id"], bob.id);
    bob.answer_challenge(hers, true)
        .await
        .assert_error(404, "challenge_closed");
}

#[tokio::test]
async fn player_has_at_most_one_running_match() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let carol = app.with_user("carol").await;
    let (_anns, _bobs, _carols) = (
        ann.join_lobby().await,
        bob.join_lobby().await,
        carol.join_lobby().await,
    );
    let id = ann.challenge(&bob, ON_SMALL).await.id("id");
    let started = bob.answer_challenge(id, true).await.id("match");
    // Bob is still in the lobby with another stream.
    carol
        .challenge(&bob, &[])
        .await
        .assert_error(409, "already_playing");
    ann.challenge(&carol, &[])
        .await
        .assert_error(409, "already_playing");
    ann.challenge(&bob, &[])
        .await
        .assert_error(409, "already_playing");
    begin(&ann, &bob, started).await;
    ann.resign(started).await.assert_ok();
    carol.challenge(&bob, &[]).await.assert_ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_crossing_challenges_start_one_match() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (_anns, _bobs) = (ann.join_lobby().await, bob.join_lobby().await);
    // Unrated: after five rated matches on a day, two that are asked for as rated ones are not the same.
    let unrated = [ON_SMALL, &[("rated", "false")]].concat();
    for _ in 0..8 {
        let (hers, his) =
            tokio::join!(ann.challenge(&bob, &unrated), bob.challenge(&ann, &unrated));
        let both = [
            hers.assert_ok()["match"].clone(),
            his.assert_ok()["match"].clone(),
        ];
        assert_eq!(both.iter().filter(|id| id.is_null()).count(), 1, "{both:?}");
        assert_eq!(running_matches(&app).await, 1);
        let started = both.iter().find_map(Value::as_i64).unwrap();
        let earlier = if both[0].is_null() { &ann } else { &bob };
        let snapshot = ann.snapshot(started).await;
        assert_eq!(snapshot["players"][0]["id"], earlier.id);
        begin(&ann, &bob, started).await;
        ann.resign(started).await.assert_ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_acceptances_start_one_match() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let carol = app.with_user("carol").await;
    let (_anns, _bobs, _carols) = (
        ann.join_lobby().await,
        bob.join_lobby().await,
        carol.join_lobby().await,
    );
    for _ in 0..8 {
        let from_bob = bob.challenge(&ann, ON_SMALL).await.id("id");
        let from_ann = ann.challenge(&carol, ON_SMALL).await.id("id");
        let answers = tokio::join!(
            ann.answer_challenge(from_bob, true),
            carol.answer_challenge(from_ann, true)
        );
        let ((one, other), opponent) = if answers.0.status == 200 {
            (answers, &bob)
        } else {
            ((answers.1, answers.0), &carol)
        };
        let started = one.id("match");
        assert!(
            matches!(
                other.code().as_deref(),
                Some("challenge_closed" | "already_playing")
            ),
            "{other:?}"
        );
        assert_eq!(running_matches(&app).await, 1);
        begin(&ann, opponent, started).await;
        ann.resign(started).await.assert_ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_concurrent_challenges_keep_invariants() {
    let app = TestApp::init().await;
    let other = app.another_instance().await;
    let mut players: Vec<Player> = Vec::new();
    let mut streams = Vec::new();
    for (number, name) in ["ann", "bob", "carol", "dave", "eve", "frank"]
        .iter()
        .enumerate()
    {
        let player = app.with_user(name).await;
        let address = [app.address, other.address][number % 2];
        let player = player.at_instance(address);
        streams.push(player.join_lobby().await);
        players.push(player);
    }
    for round in 1..players.len() {
        let ask = |number: usize| {
            let opponent = &players[(number + round) % players.len()];
            players[number].challenge(opponent, ON_SMALL)
        };
        let asked = join_all((0..players.len()).map(ask)).await;
        asked.iter().for_each(assert_no_server_error);
        let accept = async |number: usize| {
            let me = &players[number];
            let room = me.get("/api/waiting_room?game=dots").await.assert_ok();
            let mine = room["challenges"].as_array().unwrap().iter();
            let to_me = mine.filter(|challenge| challenge["to"]["id"] == me.id);
            let ids: Vec<_> = to_me
                .map(|challenge| challenge["id"].as_i64().unwrap())
                .collect();
            join_all(ids.into_iter().map(|id| me.answer_challenge(id, true))).await
        };
        let answers = join_all((0..players.len()).map(accept)).await.concat();
        answers.iter().for_each(assert_no_server_error);

        let seats: Vec<(i64, i64, i64)> =
            sqlx::query_as("select id, seat1, seat2 from matches where finished_at is null")
                .fetch_all(&app.db)
                .await
                .unwrap();
        let mut seated: Vec<_> = seats
            .iter()
            .flat_map(|(_, one, two)| [*one, *two])
            .collect();
        seated.sort_unstable();
        let count = seated.len();
        seated.dedup();
        assert_eq!(seated.len(), count, "somebody plays twice: {seats:?}");
        assert!(count > 0, "nobody plays: {asked:?} {answers:?}");

        let mut playing: Vec<i64> = sqlx::query_scalar("select player_id from playing")
            .fetch_all(&app.db)
            .await
            .unwrap();
        playing.sort_unstable();
        assert_eq!(playing, seated);
        for (id, first, second) in seats {
            let [first, second] = [first, second].map(|seat| {
                let player = players.iter().find(|player| player.id == seat);
                player.expect("one of the players")
            });
            begin(first, second, id).await;
            first.resign(id).await.assert_ok();
        }
        sqlx::query("update challenges set expires_at = now() where closed_at is null")
            .execute(&app.db)
            .await
            .unwrap();
        wait_until("no open challenges", async || {
            let open: i64 =
                sqlx::query_scalar("select count(*) from challenges where closed_at is null")
                    .fetch_one(&app.db)
                    .await
                    .unwrap();
            (open == 0).then_some(())
        })
        .await;
    }
}

#[track_caller]
fn assert_no_server_error(answer: &Response) {
    assert!(answer.status < 500, "{answer:?}");
}
