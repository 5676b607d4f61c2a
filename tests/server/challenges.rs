//! Challenges: accepted, declined, cancelled, expired.

use super::app::{SMALL, TestApp};
use super::sse_client::Stream;
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};
use tochki_protocol::limits;

/// The field for a small board.
pub(crate) const ON_SMALL: &[(&str, &str)] = &[("setup", SMALL)];

#[track_caller]
fn assert_closed(event: &Value, id: i64, why: &str) {
    assert_eq!(*event, json!({"id": id, "why": why}));
}

/// Expects this to be the next `challenge_closed` on the stream.
pub(crate) async fn expect_closed(stream: &mut Stream, id: i64, why: &str) {
    assert_closed(&stream.next_named("challenge_closed").await, id, why);
}

fn now_ms() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.expect("it is later than 1970").as_millis() as i64
}

pub(crate) async fn running_matches(app: &TestApp) -> i64 {
    sqlx::query_scalar("select count(*) from matches where finished_at is null")
        .fetch_one(&app.db)
        .await
        .unwrap()
}

#[tokio::test]
async fn challenge_is_accepted() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let (mut anns, mut bobs, mut eves) = (
        ann.join_lobby().await,
        bob.join_lobby().await,
        eve.join_lobby().await,
    );

    let form = [("setup", SMALL), ("clock", "300+5"), ("rated", "false")];
    let before = now_ms();
    let asked = ann.challenge(&bob, &form).await.assert_ok();
    assert_eq!(asked["match"], Value::Null);
    let asked_at = asked["expires_at"].as_i64().unwrap() - 15_000;
    // The time is that of the database, whose clock may be off.
    let tolerance = limits::CLOCK_TOLERANCE.as_millis() as i64;
    assert!(
        (before - tolerance..=now_ms() + tolerance).contains(&asked_at),
        "{asked}"
    );

    let challenge = json!({
        "id": asked["id"],
        "from": {"id": ann.id, "name": "ann", "rating": 1600.0, "provisional": true},
        "to": {"id": bob.id, "name": "bob", "rating": 1600.0, "provisional": true},
        "game": "dots",
        "setup": {"width": 5, "height": 5, "start": "empty"},
        "clock": "300+5",
        "rated": false,
        "expires_at": asked["expires_at"],
    });
    assert_eq!(bobs.next_named("challenged").await, challenge);
    assert_eq!(anns.next_named("challenged").await, challenge);
    let room = bob.get("/api/waiting_room?game=dots").await.assert_ok();
    assert_eq!(room["challenges"], json!([challenge]));
    let mut reloaded = bob.stream("/events/lobby?game=dots").await;
    assert_eq!(
        reloaded.expect("snapshot").await["challenges"],
        json!([challenge])
    );
    let hers = eve.get("/api/waiting_room?game=dots").await.assert_ok();
    assert_eq!(hers["challenges"], json!([]), "challenges are private");

    let id = asked["id"].as_i64().unwrap();
    let started = bob.answer_challenge(id, true).await.id("match");
    for stream in [&mut anns, &mut bobs] {
        expect_closed(stream, id, "accepted").await;
        assert_eq!(stream.next_named("match_started").await["match"], started);
    }
    let events = eves.collect_until("match_started").await;
    assert!(
        events
            .iter()
            .all(|event| !event.name.starts_with("challenge")),
        "{events:?}"
    );

    let snapshot = eve.snapshot(started).await;
    assert_eq!(
        snapshot["players"][0]["id"], ann.id,
        "the challenger is first"
    );
    assert_eq!(snapshot["players"][1]["id"], bob.id);
    assert_eq!(snapshot["rated"], false);
    assert_eq!(snapshot["clock"]["left_ms"], json!([300_000, 300_000]));
    assert_eq!(snapshot["clock"]["running"], 1);
}

#[tokio::test]
async fn challenge_is_declined_cancelled_or_expires() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (mut anns, mut bobs) = (ann.join_lobby().await, bob.join_lobby().await);

    let declined = ann.challenge(&bob, &[]).await.id("id");
    assert_eq!(
        bob.answer_challenge(declined, false).await.assert_ok(),
        json!({"match": null})
    );
    expect_closed(&mut anns, declined, "declined").await;
    expect_closed(&mut bobs, declined, "declined").await;

    let cancelled = ann.challenge(&bob, &[]).await.id("id");
    assert_eq!(
        ann.cancel_challenge(cancelled).await.assert_ok(),
        Value::Null
    );
    expect_closed(&mut anns, cancelled, "cancelled").await;
    expect_closed(&mut bobs, cancelled, "cancelled").await;

    let expired = ann.challenge(&bob, &[]).await.id("id");
    sqlx::query("update challenges set expires_at = now() where id = $1")
        .bind(expired)
        .execute(&app.db)
        .await
        .unwrap();
    bob.answer_challenge(expired, true)
        .await
        .assert_error(404, "challenge_closed");
    expect_closed(&mut anns, expired, "expired").await;
    expect_closed(&mut bobs, expired, "expired").await;

    for id in [declined, cancelled, expired] {
        for accept in [true, false] {
            bob.answer_challenge(id, accept)
                .await
                .assert_error(404, "challenge_closed");
        }
        ann.cancel_challenge(id)
            .await
            .assert_error(404, "challenge_closed");
    }
    assert_eq!(running_matches(&app).await, 0);
}

#[tokio::test]
async fn expired_challenge_does_not_block_a_new_one() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let _bobs = bob.join_lobby().await;
    for _ in 0..10 {
        ann.challenge(&bob, &[]).await.assert_ok();
        sqlx::query("update challenges set expires_at = now()")
            .execute(&app.db)
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn invalid_challenges_are_refused() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let _bobs = bob.join_lobby().await;
    let to_bob = bob.id.to_string();

    ann.challenge(&ann, &[])
        .await
        .assert_error(400, "self_challenge");
    for game in ["chess", "DOTS", ""] {
        ann.post("/api/challenge", &[("opponent", &to_bob), ("game", game)])
            .await
            .assert_error(400, "unknown_game");
    }
    for setup in [
        r#"{"width":4}"#,
        r#"{"width":51}"#,
        r#"{"width":-5}"#,
        r#"{"width":5.5}"#,
        r#"{"width":1e300}"#,
        r#"{"width":99999999999999999999}"#,
        r#"{"width":"20"}"#,
        r#"{"height":4}"#,
        r#"{"depth":3}"#,
        r#"{"start":"square"}"#,
        r#"{"start":"four_crosses","width":9}"#,
        r#"{"start":"\u0000"}"#,
        "[]",
        "7",
        "no JSON",
        "{",
    ] {
        ann.challenge(&bob, &[("setup", setup)])
            .await
            .assert_error(400, "invalid_setup");
    }
    ann.challenge(&bob, &[("setup[width]", "4")])
        .await
        .assert_error(400, "invalid_setup");
    for clock in [
        "5", "9+0", "300+61", "10801+0", "+5", "300+", "-300+5", "blitz", "300+5+5",
    ] {
        ann.challenge(&bob, &[("clock", clock)])
            .await
            .assert_error(400, "invalid_clock");
    }
    let nobody = (i64::MAX).to_string();
    for opponent in [nobody.as_str(), "0", "-1"] {
        ann.post(
            "/api/challenge",
            &[("opponent", opponent), ("game", "dots")],
        )
        .await
        .assert_error(404, "not_waiting");
    }
    bob.challenge(&ann, &[])
        .await
        .assert_error(404, "not_waiting");
    let open: i64 = sqlx::query_scalar("select count(*) from challenges")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(open, 0);
}

#[tokio::test]
async fn setup_is_json_or_one_field_per_part() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let mut bobs = bob.join_lobby().await;
    for (form, setup, clock) in [
        (&[][..], json!([39, 32, "empty"]), "none"),
        (
            &[("setup", "{}"), ("clock", "none")],
            json!([39, 32, "empty"]),
            "none",
        ),
        (
            &[
                ("setup", r#"{"height":50,"start":"cross"}"#),
                ("clock", "10+0"),
            ],
            json!([39, 50, "cross"]),
            "10+0",
        ),
        (
            &[
                ("setup[width]", "12"),
                ("setup[start]", "four_crosses"),
                ("clock", "10800+60"),
            ],
            json!([12, 32, "four_crosses"]),
            "10800+60",
        ),
    ] {
        let id = ann.challenge(&bob, form).await.id("id");
        let event = bobs.next_named("challenged").await;
        let actual = &event["setup"];
        assert_eq!(
            json!([actual["width"], actual["height"], actual["start"]]),
            setup
        );
        assert_eq!(event["clock"], clock);
        assert_eq!(event["rated"], true);
        ann.cancel_challenge(id).await.assert_ok();
    }
}

#[tokio::test]
async fn one_open_challenge_per_challenger_and_many_per_opponent() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let carol = app.with_user("carol").await;
    let (_anns, mut bobs, _carols) = (
        ann.join_lobby().await,
        bob.join_lobby().await,
        carol.join_lobby().await,
    );
    let asked = ann.challenge(&bob, &[]).await.id("id");
    ann.challenge(&bob, &[])
        .await
        .assert_error(409, "already_challenging");
    ann.challenge(&carol, ON_SMALL)
        .await
        .assert_error(409, "already_challenging");
    let also = carol.challenge(&bob, &[]).await.id("id");
    for id in [asked, also] {
        assert_eq!(bobs.next_named("challenged").await["id"], id);
    }
    let room = bob.get("/api/waiting_room?game=dots").await.assert_ok();
    assert_eq!(room["challenges"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn challenges_are_private_to_both_players() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let _bobs = bob.join_lobby().await;
    let id = ann.challenge(&bob, &[]).await.id("id");
    for accept in [true, false] {
        eve.answer_challenge(id, accept)
            .await
            .assert_error(403, "not_yours");
        ann.answer_challenge(id, accept)
            .await
            .assert_error(403, "not_yours");
    }
    for player in [&eve, &bob] {
        player
            .cancel_challenge(id)
            .await
            .assert_error(403, "not_yours");
    }
    for id in [id + 1, 0, -1, i64::MAX] {
        bob.answer_challenge(id, true)
            .await
            .assert_error(404, "challenge_closed");
        ann.cancel_challenge(id)
            .await
            .assert_error(404, "challenge_closed");
    }
    bob.answer_challenge(id, true).await.id("match");
}

#[tokio::test]
async fn accepting_closes_other_challenges_of_both() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (carol, dave) = (app.with_user("carol").await, app.with_user("dave").await);
    let mut streams = Vec::new();
    for player in [&ann, &bob, &carol, &dave] {
        streams.push(player.join_lobby().await);
    }
    let accepted = ann.challenge(&bob, &[]).await.id("id");
    let out = bob.challenge(&carol, &[]).await.id("id");
    let into_ann = carol.challenge(&ann, ON_SMALL).await.id("id");
    let into_bob = dave.challenge(&bob, &[]).await.id("id");
    bob.answer_challenge(accepted, true).await.id("match");

    let mut ends_of = async |seen_by: usize, count: usize| {
        let mut ends = Vec::new();
        for _ in 0..count {
            let end = streams[seen_by].next_named("challenge_closed").await;
            ends.push((
                end["id"].as_i64().unwrap(),
                end["why"].as_str().unwrap().to_owned(),
            ));
        }
        ends
    };
    let busy = |id| (id, "busy".to_owned());
    assert_eq!(
        ends_of(0, 2).await,
        [(accepted, "accepted".to_owned()), busy(into_ann)]
    );
    assert_eq!(
        ends_of(1, 3).await,
        [(accepted, "accepted".to_owned()), busy(out), busy(into_bob)]
    );
    assert_eq!(ends_of(2, 2).await, [busy(out), busy(into_ann)]);
    assert_eq!(ends_of(3, 1).await, [busy(into_bob)]);
    for (player, id) in [(&carol, out), (&ann, into_ann), (&bob, into_bob)] {
        player
            .answer_challenge(id, true)
            .await
            .assert_error(404, "challenge_closed");
    }
    assert_eq!(running_matches(&app).await, 1);
}

#[tokio::test]
async fn leaving_the_lobby_closes_challenges() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let carol = app.with_user("carol").await;
    let (mut anns, bobs, mut carols) = (
        ann.join_lobby().await,
        bob.join_lobby().await,
        carol.join_lobby().await,
    );
    let to_bob = ann.challenge(&bob, &[]).await.id("id");
    let from_bob = bob.challenge(&carol, &[]).await.id("id");
    drop(bobs);
    expect_closed(&mut anns, to_bob, "left").await;
    expect_closed(&mut carols, from_bob, "left").await;
    assert_eq!(anns.next_named("left").await["id"], bob.id);
    bob.answer_challenge(to_bob, true)
        .await
        .assert_error(404, "challenge_closed");
    ann.challenge(&bob, &[])
        .await
        .assert_error(404, "not_waiting");
}
