//! `GET /events/me`: challenges, matches and turns of one player, in all games.

use super::app::{SMALL, TestApp, begin, start_match};
use super::player::{Player, send};
use super::sse_client::Stream;
use reqwest::Method;
use serde_json::{Value, json};

async fn open(player: &Player, query: &str) -> (Stream, Value) {
    let mut stream = player.stream(&format!("/events/me{query}")).await;
    let snapshot = stream.expect("snapshot").await;
    (stream, snapshot)
}

#[tokio::test]
async fn a_program_is_challenged_and_plays_by_its_own_stream() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let program = bob.as_program("play").await;
    let (mut events, snapshot) = open(&program, "?available=dots,boxes").await;
    assert_eq!(snapshot, json!({"challenges": [], "matches": []}));
    let room = ann.get("/api/waiting_room?game=boxes").await.assert_ok();
    assert_eq!(room["players"][0]["name"], "bob", "{room}");
    let room = ann.get("/api/waiting_room?game=gomoku").await.assert_ok();
    assert_eq!(room["players"], json!([]));

    let _waiting = ann.join_lobby().await;
    let challenge = ann.challenge(&program, &[("setup", SMALL)]).await.id("id");
    let challenged = events.expect("challenged").await;
    assert_eq!(challenged["id"], challenge);
    assert_eq!(challenged["from"]["name"], "ann");
    let id = program.answer_challenge(challenge, true).await.id("match");
    let closed = events.expect("challenge_closed").await;
    assert_eq!(closed, json!({"id": challenge, "why": "accepted"}));
    let started = events.expect("match_started").await;
    assert_eq!(started["match"], id);
    assert_eq!(started["players"][1]["id"], bob.id);

    // Ann has the first move.
    ann.make_move(id, "0,4", &[]).await.assert_ok();
    assert_eq!(events.expect("your_move").await, json!({"match": id}));
    program.make_move(id, "4,0", &[]).await.assert_ok();
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    assert_eq!(events.expect("your_move").await, json!({"match": id}));
    // Once for the position, whatever else happens.
    ann.offer(id, "draw").await.assert_ok();
    ann.resign(id).await.assert_ok();
    assert_eq!(events.expect("match_finished").await, json!({"match": id}));

    let path = format!("/events/match/{id}");
    let _there = (ann.stream(&path).await, program.stream(&path).await);
    for player in [&ann, &program] {
        let asked = player.request_rematch(id).await;
        asked.assert_ok();
    }
    let started = events.next_named("match_started").await;
    let next = started["match"].as_i64().unwrap();
    assert_ne!(next, id);
    assert_eq!(events.expect("your_move").await, json!({"match": next}));
}

#[tokio::test]
async fn the_snapshot_has_what_is_open_and_whose_move_it_is() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let carl = app.with_user("carl").await;
    let id = start_match(&ann, &bob, SMALL).await;
    let (mut of_bob, snapshot) = open(&bob, "").await;
    assert_eq!(snapshot["matches"][0]["id"], id);
    let (mut of_ann, snapshot) = open(&ann, "").await;
    assert_eq!(snapshot["matches"].as_array().unwrap().len(), 1);
    assert_eq!(of_ann.expect("your_move").await, json!({"match": id}));
    let (_of_carl, snapshot) = open(&carl, "").await;
    assert_eq!(snapshot["matches"], json!([]));

    begin(&ann, &bob, id).await;
    // A move taken back gives the turn back, and is asked for anew.
    of_bob.expect("your_move").await;
    of_ann.expect("your_move").await;
    bob.offer(id, "takeback").await.assert_ok();
    ann.answer_offer(id, true).await.assert_ok();
    of_bob.expect("your_move").await;
    ann.abort(id).await.assert_error(409, "begun");
    bob.resign(id).await.assert_ok();
    assert_eq!(of_bob.expect("match_finished").await, json!({"match": id}));
    assert_eq!(of_ann.expect("match_finished").await, json!({"match": id}));

    let _waiting = (
        ann.join_lobby_of("boxes").await,
        carl.join_lobby_of("boxes").await,
    );
    let challenge = ann.challenge_to("boxes", &carl, &[]).await.id("id");
    let (mut again, snapshot) = open(&carl, "").await;
    assert_eq!(snapshot["challenges"][0]["id"], challenge);
    ann.cancel_challenge(challenge).await.assert_ok();
    let closed = again.expect("challenge_closed").await;
    assert_eq!(closed, json!({"id": challenge, "why": "cancelled"}));
    of_ann.expect("challenged").await;
    of_ann.expect("challenge_closed").await;
}

#[tokio::test]
async fn turns_of_an_extra_move_are_told_and_other_instances_too() {
    let app = TestApp::init().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let (mut events, _) = open(&ann.at_instance(there.address), "").await;
    let _waiting = (
        ann.join_lobby_of("boxes").await,
        bob.join_lobby_of("boxes").await,
    );
    let setup = [("setup", r#"{"cols":2,"rows":2}"#)];
    let challenge = ann.challenge_to("boxes", &bob, &setup).await;
    if challenge.status != 200 {
        // The smallest board is larger.
        ann.challenge_to("boxes", &bob, &[]).await.assert_ok();
    }
    let asked = events.next_named("challenged").await["id"]
        .as_i64()
        .unwrap();
    let id = bob.answer_challenge(asked, true).await.id("match");
    assert_eq!(events.next_named("match_started").await["match"], id);
    events.expect("your_move").await;
    ann.make_move(id, "h:0,0", &[]).await.assert_ok();
    bob.make_move(id, "v:0,0", &[]).await.assert_ok();
    events.expect("your_move").await;
    ann.make_move(id, "h:0,1", &[]).await.assert_ok();
    // Bob closes the first box and moves again; then it is Ann's turn.
    bob.make_move(id, "v:1,0", &[]).await.assert_ok();
    assert_eq!(bob.snapshot(id).await["to_move"], 2);
    bob.make_move(id, "h:1,0", &[]).await.assert_ok();
    events.expect("your_move").await;
    bob.resign(id).await.assert_ok();
    events.expect("match_finished").await;
}

#[tokio::test]
async fn invalid_stream_requests_are_refused() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    app.visitor()
        .get("/events/me")
        .await
        .assert_error(401, "signed_out");
    ann.get("/events/me?available=chess")
        .await
        .assert_error(400, "unknown_game");
    let program = ann.as_program("read").await;
    program
        .get("/events/me?available=dots")
        .await
        .assert_error(403, "out_of_scope");
    let (_reading, _) = open(&program, "?available=").await;
    let room = ann.get("/api/waiting_room?game=dots").await.assert_ok();
    assert_eq!(room["players"], json!([]));
}

#[tokio::test]
async fn whoever_leaves_the_stream_leaves_the_rooms() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let mut room = ann.join_lobby().await;
    let (events, _) = open(&bob, "?available=dots").await;
    assert_eq!(room.next_named("joined").await["name"], "bob");
    drop(events);
    assert_eq!(room.next_named("left").await["id"], bob.id);
    let ended = bob.request(Method::GET, "/events/me?available=dots");
    drop(ended.send().await.unwrap());
    send(bob.post_request("/api/logout")).await.assert_ok();
}
