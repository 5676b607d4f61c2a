//! Another match of the same kind: it begins when both want it.

use super::app::{SMALL, TestApp, start_match, start_match_with};
use super::player::Player;
use serde_json::{Value, json};

/// Ann and Bob, and their match of 5 × 5 points, which Bob has given up.
async fn played() -> (TestApp, Player, Player, i64) {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let form = [("setup", SMALL), ("clock", "60+5"), ("rated", "false")];
    let id = start_match_with(&ann, &bob, &form).await;
    bob.resigns(id).await.given();
    (app, ann, bob, id)
}

#[tokio::test]
async fn both_want_another_and_play_it_with_the_seats_swapped() {
    let (app, ann, bob, id) = played().await;
    let path = format!("/events/match/{id}?after=1");
    let mut anns = ann.stream(&path).await;
    let mut bobs = bob.stream(&path).await;
    let asked = ann.wants_another(id).await.given();
    assert_eq!(asked, json!({"match": null}));
    for stream in [&mut anns, &mut bobs] {
        assert_eq!(stream.notices("rematch").await, json!({"seat": 1}));
    }
    assert_eq!(
        ann.wants_another(id).await.given(),
        json!({"match": null}),
        "twice is once"
    );
    assert_eq!(
        app.visitor().snapshot(id).await["rematch"],
        json!([true, false])
    );
    // Who comes later is told at once.
    let mut watching = app.visitor().stream(&path).await;
    assert_eq!(watching.notices("rematch").await, json!({"seat": 1}));

    let next = bob.wants_another(id).await.id("match");
    assert_ne!(next, id);
    for stream in [&mut anns, &mut bobs] {
        loop {
            let (name, told) = stream.notice().await;
            if name == "next_match" {
                assert_eq!(told, json!({"match": next}));
                break;
            }
        }
    }
    for player in [&ann, &bob] {
        assert_eq!(
            player.wants_another(id).await.id("match"),
            next,
            "the same for both"
        );
    }
    let (before, after) = (ann.snapshot(id).await, ann.snapshot(next).await);
    assert_eq!(before["next_match"], next);
    assert_eq!(after["players"][0], before["players"][1]);
    assert_eq!(after["players"][1], before["players"][0]);
    for same in ["game", "setup", "time_control", "rated"] {
        assert_eq!(after[same], before[same], "{same}");
    }
    assert_eq!(after["status"], "running");
    bob.moves(next, "1,1", &[]).await.given();
}

#[tokio::test]
async fn of_two_who_ask_at_once_the_second_starts_the_match() {
    let (app, ann, bob, id) = played().await;
    let there = app.another().await;
    let path = format!("/events/match/{id}");
    let bob_there = bob.moved_to(there.address);
    let (_anns, mut bobs) = (ann.stream(&path).await, bob_there.stream(&path).await);
    let (one, other) = tokio::join!(ann.wants_another(id), bob_there.wants_another(id));
    let mut answers = [one.given()["match"].clone(), other.given()["match"].clone()];
    answers.sort_by_key(Value::is_null);
    assert!(answers[0].is_i64() && answers[1].is_null(), "{answers:?}");
    // The other instance hears of it, too.
    loop {
        let (name, told) = bobs.notice().await;
        if name == "next_match" {
            assert_eq!(told["match"], answers[0]);
            break;
        }
    }
    let running: i64 = sqlx::query_scalar("select count(*) from matches where finished_at is null")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(running, 1);
}

#[tokio::test]
async fn an_opponent_who_has_left_is_not_asked() {
    let (_app, ann, bob, id) = played().await;
    ann.wants_another(id).await.refused(404, "opponent_left");
    // With scripts off, the page counts.
    assert_eq!(bob.get(&format!("/match/{id}")).await.status, 200);
    assert_eq!(ann.wants_another(id).await.given(), json!({"match": null}));
    // Whoever wanted another and has gone is not called back to it.
    bob.wants_another(id).await.refused(404, "opponent_left");
    let _anns = ann.stream(&format!("/events/match/{id}")).await;
    bob.wants_another(id).await.id("match");
}

#[tokio::test]
async fn another_is_refused_for_a_reason() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let (_anns, _bobs) = (ann.stream(&path).await, bob.stream(&path).await);
    ann.wants_another(id).await.refused(409, "not_finished");
    eve.wants_another(id).await.refused(403, "not_a_player");
    ann.wants_another(id + 1)
        .await
        .refused(404, "no_such_match");
    app.visitor()
        .post("/api/rematch", &[("match_id", &id.to_string())])
        .await
        .refused(401, "signed_out");
    ann.resigns(id).await.given();

    ann.wants_another(id).await.given();
    let elsewhere = start_match(&eve, &bob, SMALL).await;
    bob.wants_another(id).await.refused(409, "already_playing");
    ann.wants_another(id).await.refused(409, "already_playing");
    eve.resigns(elsewhere).await.given();
    bob.wants_another(id).await.id("match");
}

#[tokio::test]
async fn it_closes_the_challenges_of_both() {
    let (app, ann, bob, id) = played().await;
    let eve = app.with_user("eve").await;
    let (mut anns, _eves) = (ann.waits().await, eve.waits().await);
    let challenge = ann.challenges(&eve, &[]).await.id("id");
    let path = format!("/events/match/{id}");
    let (_ann_there, _bob_there) = (ann.stream(&path).await, bob.stream(&path).await);
    ann.wants_another(id).await.given();
    bob.wants_another(id).await.id("match");
    let closed = anns.next_named("challenge_closed").await;
    assert_eq!(closed, json!({"id": challenge, "why": "busy"}));
}

#[tokio::test]
async fn a_form_leads_to_the_next_match() {
    let (_app, ann, bob, id) = played().await;
    for player in [&ann, &bob] {
        player.get(&format!("/match/{id}")).await;
    }
    ann.wants_another(id).await.given();
    let form = [("match_id", id.to_string())];
    let asks = bob
        .posts("/api/rematch")
        .header("accept", "text/html")
        .form(&form);
    let answer = super::player::send(asks).await;
    assert_eq!(answer.status, 302);
    let next = ann.snapshot(id).await["next_match"].clone();
    let place = format!("/match/{next}");
    assert_eq!(answer.header("location"), Some(place.as_str()));
}
