//! Rematches: a match with the same terms starts when both players ask.

use super::app::{SMALL, TestApp, begin, start_match, start_match_with};
use super::player::Player;
use serde_json::{Value, json};

/// Starts the match of Ann and Bob on 5 × 5 points, which Bob has resigned.
async fn finished_match() -> (TestApp, Player, Player, i64) {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let form = [("setup", SMALL), ("clock", "60+5"), ("rated", "false")];
    let id = start_match_with(&ann, &bob, &form).await;
    begin(&ann, &bob, id).await;
    bob.resign(id).await.assert_ok();
    (app, ann, bob, id)
}

#[tokio::test]
async fn rematch_starts_with_swapped_seats() {
    let (app, ann, bob, id) = finished_match().await;
    let path = format!("/events/match/{id}?after=3");
    let mut anns = ann.stream(&path).await;
    let mut bobs = bob.stream(&path).await;
    let asked = ann.request_rematch(id).await.assert_ok();
    assert_eq!(asked, json!({"match": null}));
    for stream in [&mut anns, &mut bobs] {
        assert_eq!(stream.expect_status("rematch").await, json!({"seat": 1}));
    }
    assert_eq!(
        ann.request_rematch(id).await.assert_ok(),
        json!({"match": null}),
        "twice is once"
    );
    assert_eq!(
        app.visitor().snapshot(id).await["rematch"],
        json!([true, false])
    );
    // A new stream is told at once.
    let mut watching = app.visitor().stream(&path).await;
    assert_eq!(watching.expect_status("rematch").await, json!({"seat": 1}));

    let next = bob.request_rematch(id).await.id("match");
    assert_ne!(next, id);
    for stream in [&mut anns, &mut bobs] {
        loop {
            let (name, told) = stream.status_event().await;
            if name == "next_match" {
                assert_eq!(told, json!({"match": next}));
                break;
            }
        }
    }
    for player in [&ann, &bob] {
        assert_eq!(
            player.request_rematch(id).await.id("match"),
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
    bob.make_move(next, "1,1", &[]).await.assert_ok();
}

#[tokio::test]
async fn concurrent_rematch_requests_start_one_match() {
    let (app, ann, bob, id) = finished_match().await;
    let there = app.another_instance().await;
    let path = format!("/events/match/{id}");
    let bob_there = bob.at_instance(there.address);
    let (_anns, mut bobs) = (ann.stream(&path).await, bob_there.stream(&path).await);
    let (one, other) = tokio::join!(ann.request_rematch(id), bob_there.request_rematch(id));
    let mut answers = [
        one.assert_ok()["match"].clone(),
        other.assert_ok()["match"].clone(),
    ];
    answers.sort_by_key(Value::is_null);
    assert!(answers[0].is_i64() && answers[1].is_null(), "{answers:?}");
    // The other instance sends it, too.
    loop {
        let (name, told) = bobs.status_event().await;
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
async fn rematch_needs_the_opponent_to_be_present() {
    let (_app, ann, bob, id) = finished_match().await;
    ann.request_rematch(id)
        .await
        .assert_error(404, "opponent_left");
    // Without scripts, the page load counts as presence.
    assert_eq!(bob.get(&format!("/match/{id}")).await.status, 200);
    assert_eq!(
        ann.request_rematch(id).await.assert_ok(),
        json!({"match": null})
    );
    // A player who asked and left is not put into a rematch.
    bob.request_rematch(id)
        .await
        .assert_error(404, "opponent_left");
    let _anns = ann.stream(&format!("/events/match/{id}")).await;
    bob.request_rematch(id).await.id("match");
}

#[tokio::test]
async fn invalid_rematch_requests_are_refused() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let (_anns, _bobs) = (ann.stream(&path).await, bob.stream(&path).await);
    ann.request_rematch(id)
        .await
        .assert_error(409, "not_finished");
    eve.request_rematch(id)
        .await
        .assert_error(403, "not_a_player");
    ann.request_rematch(id + 1)
        .await
        .assert_error(404, "no_such_match");
    app.visitor()
        .post("/api/rematch", &[("match_id", &id.to_string())])
        .await
        .assert_error(401, "signed_out");
    begin(&ann, &bob, id).await;
    ann.resign(id).await.assert_ok();

    ann.request_rematch(id).await.assert_ok();
    let elsewhere = start_match(&eve, &bob, SMALL).await;
    bob.request_rematch(id)
        .await
        .assert_error(409, "already_playing");
    ann.request_rematch(id)
        .await
        .assert_error(409, "already_playing");
    begin(&eve, &bob, elsewhere).await;
    eve.resign(elsewhere).await.assert_ok();
    bob.request_rematch(id).await.id("match");
}

#[tokio::test]
async fn rematch_closes_challenges_of_both() {
    let (app, ann, bob, id) = finished_match().await;
    let eve = app.with_user("eve").await;
    let (mut anns, _eves) = (ann.join_lobby().await, eve.join_lobby().await);
    let challenge = ann.challenge(&eve, &[]).await.id("id");
    let path = format!("/events/match/{id}");
    let (_ann_there, _bob_there) = (ann.stream(&path).await, bob.stream(&path).await);
    ann.request_rematch(id).await.assert_ok();
    bob.request_rematch(id).await.id("match");
    let closed = anns.next_named("challenge_closed").await;
    assert_eq!(closed, json!({"id": challenge, "why": "busy"}));
}

#[tokio::test]
async fn rematch_form_leads_to_the_next_match() {
    let (_app, ann, bob, id) = finished_match().await;
    for player in [&ann, &bob] {
        player.get(&format!("/match/{id}")).await;
    }
    ann.request_rematch(id).await.assert_ok();
    let form = [("match_id", id.to_string())];
    let asks = bob
        .post_request("/api/rematch")
        .header("accept", "text/html")
        .form(&form);
    let answer = super::player::send(asks).await;
    assert_eq!(answer.status, 302);
    let next = ann.snapshot(id).await["next_match"].clone();
    let place = format!("/match/{next}");
    assert_eq!(answer.header("location"), Some(place.as_str()));
}
