//! Moves: the accepted ones, the refused ones and their reasons, repetition and concurrency.

use super::app::{SMALL, TestApp, start_match};
use super::player::{Player, Response};
use futures::future::join_all;
use serde_json::{Value, json};

/// Plays the moves in turn, seat 1 first.
pub(crate) async fn play(players: [&Player; 2], id: i64, moves: &str) {
    for (ply, mv) in moves.split_whitespace().enumerate() {
        players[ply % 2].make_move(id, mv, &[]).await.assert_ok();
    }
}

/// The moves by which the first player captures a dot in the middle of the board, with the last of them.
pub(crate) const CAPTURE: &str = "1,2 2,2 3,2 0,0 2,1 0,1 2,3";

#[tokio::test]
async fn move_is_answered_and_streamed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let fresh = app.visitor().snapshot(id).await;
    let card = |player: &Player| json!({"id": player.id, "name": player.name, "rating": 1600.0, "provisional": true});
    for (field, value) in [
        ("id", json!(id)),
        ("version", json!(0)),
        ("game", json!("dots")),
        ("setup", json!({"width": 5, "height": 5, "start": "empty"})),
        ("rated", json!(true)),
        ("players", json!([card(&ann), card(&bob)])),
        ("moves", json!([])),
        ("seats", json!([])),
        ("to_move", json!(1)),
        ("score", json!([0, 0])),
        ("clock", json!(null)),
        ("offer", json!(null)),
        ("present", json!([false, false])),
        ("status", json!("running")),
        ("result", json!(null)),
        ("begun", json!(false)),
    ] {
        assert_eq!(fresh[field], value, "{field}");
    }

    let mut stream = bob.stream(&format!("/events/match/{id}")).await;
    let answer = ann.make_move(id, " 3, 04", &[("version", "0"), ("client_id", "a-1")]);
    assert_eq!(answer.await.assert_ok(), json!({"version": 1}));
    let told = stream.next().await;
    assert_eq!((told.id, told.name.as_str()), (Some(1), "moved"));
    let snapshot = ann.snapshot(id).await;
    assert_eq!(
        told.data,
        json!({
            "seat": 1, "mv": "3,4", "score": [0, 0], "to_move": 2, "passed": false, "clock": null,
            "client_id": "a-1", "move_by": snapshot["move_by"],
        })
    );
    let now: i64 = sqlx::query_scalar("select ms(now())")
        .fetch_one(&app.db)
        .await
        .unwrap();
    let left = |move_by: &Value| move_by.as_i64().expect("a time") - now;
    let first_move = left(&told.data["move_by"]);
    assert!((50_000..=60_500).contains(&first_move), "{first_move} ms");
    assert_eq!(snapshot["begun"], false);
    bob.make_move(id, "0,0", &[]).await.assert_ok();
    let told = stream.expect("moved").await;
    assert_eq!(told["client_id"], Value::Null);
    let later_move = left(&told["move_by"]);
    assert!((600_000..=610_000).contains(&later_move), "{later_move} ms");

    let snapshot = app.visitor().snapshot(id).await;
    assert_eq!(snapshot["begun"], true);
    assert_eq!(snapshot["move_by"], told["move_by"]);
    assert_eq!(snapshot["version"], 2);
    assert_eq!(snapshot["moves"], json!(["3,4", "0,0"]));
    assert_eq!(snapshot["seats"], json!([1, 2]));
    assert_eq!(snapshot["to_move"], 1);
}

#[tokio::test]
async fn capture_is_scored() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let mut stream = bob.stream(&format!("/events/match/{id}")).await;
    play([&ann, &bob], id, CAPTURE).await;
    let moves = stream.take(7).await;
    assert!(
        moves[..6]
            .iter()
            .all(|event| event.data["score"] == json!([0, 0]))
    );
    assert_eq!(moves[6].data["score"], json!([1, 0]));
    assert_eq!(moves[6].data["to_move"], 2);
    assert_eq!(ann.snapshot(id).await["score"], json!([1, 0]));
}

#[tokio::test]
async fn refused_move_has_a_reason_and_changes_nothing() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    // Red holds a dead dot at 2,2 and the empty point beside it.
    play(
        [&ann, &bob],
        id,
        "1,2 2,2 2,1 0,0 3,1 0,1 4,2 0,2 2,3 0,3 3,3",
    )
    .await;
    let before = ann.snapshot(id).await;
    assert_eq!(
        (&before["score"], &before["to_move"]),
        (&json!([1, 0]), &json!(2))
    );

    for text in [
        "", "zz", "1", "1;2", "1,2,3", "+1,2", "1.5,2", "1,2\0", "١,٢", "a1", "null",
    ] {
        bob.make_move(id, text, &[])
            .await
            .assert_error(400, "malformed_move");
    }
    for (mv, reason) in [
        ("5,0", "off_board"),
        ("0,5", "off_board"),
        ("-1,0", "off_board"),
        ("0,99999999999999999999999", "off_board"),
        ("-99999999999999999999999,0", "off_board"),
        ("1,2", "occupied"),
        ("0,0", "occupied"),
        ("2,2", "occupied"),
        ("3,2", "captured_area"),
    ] {
        let refused = bob.make_move(id, mv, &[]).await;
        assert_eq!(
            refused.assert_error(422, "illegal")["reason"],
            reason,
            "{mv}"
        );
    }
    ann.make_move(id, "4,4", &[])
        .await
        .assert_error(409, "not_your_turn");
    for version in ["0", "10", "12", "4294967295"] {
        bob.make_move(id, "4,4", &[("version", version)])
            .await
            .assert_error(409, "stale");
    }
    eve.make_move(id, "4,4", &[])
        .await
        .assert_error(403, "not_a_player");
    eve.make_move(id, "zz", &[])
        .await
        .assert_error(403, "not_a_player");
    eve.resign(id).await.assert_error(403, "not_a_player");
    for unknown in [id + 1, 0, -1, i64::MAX] {
        bob.make_move(unknown, "4,4", &[])
            .await
            .assert_error(404, "no_such_match");
        bob.resign(unknown).await.assert_error(404, "no_such_match");
        bob.get(&format!("/api/match?id={unknown}"))
            .await
            .assert_error(404, "no_such_match");
    }
    assert_eq!(ann.snapshot(id).await, before);
    bob.make_move(id, "4,4", &[("version", "11")])
        .await
        .assert_ok();
}

#[tokio::test]
async fn repeated_move_is_made_once() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let longest = "Az09_-".repeat(11);
    let named = |name| [("client_id", name), ("version", "0")];
    let name = &longest[..64];
    let first = ann.make_move(id, "1,2", &named(name)).await.version();
    assert_eq!(first, 1);
    let again = async || {
        // With the version it was first sent with, and in another spelling of the same point.
        assert_eq!(ann.make_move(id, "1,2", &named(name)).await.version(), 1);
        assert_eq!(
            ann.make_move(id, "01, 2", &[("client_id", name)])
                .await
                .version(),
            1
        );
        ann.make_move(id, "4,4", &named(name))
            .await
            .assert_error(409, "client_id_reused");
    };
    again().await;
    // A `client_id` is unique per player.
    bob.make_move(id, "2,2", &[("client_id", name)])
        .await
        .assert_ok();
    again().await;
    ann.make_move(id, "3,2", &[("client_id", "2")])
        .await
        .assert_ok();
    bob.resign(id).await.assert_ok();
    again().await;
    ann.make_move(id, "4,4", &[("client_id", "3")])
        .await
        .assert_error(409, "finished");
    ann.make_move(id, "4,4", &[("client_id", &longest[..65])])
        .await
        .assert_error(400, "bad_request");
    assert_eq!(ann.snapshot(id).await["version"], 4);

    // A refused move does not use up its `client_id`, and a `client_id` is per match.
    let next = start_match(&bob, &ann, SMALL).await;
    bob.make_move(next, "5,5", &[("client_id", "x")])
        .await
        .assert_error(422, "illegal");
    bob.make_move(next, "4,4", &[("client_id", "x")])
        .await
        .assert_ok();
    ann.make_move(next, "3,3", &[("client_id", name)])
        .await
        .assert_ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_repeats_of_a_move_make_one() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    for (player, mv) in [(&ann, "0,0"), (&bob, "1,1"), (&ann, "2,2")] {
        let form = [("client_id", mv.split_once(',').unwrap().0)];
        let answers = join_all((0..5).map(|_| player.make_move(id, mv, &form))).await;
        let versions: Vec<_> = answers.iter().map(Response::version).collect();
        assert!(
            versions.iter().all(|version| *version == versions[0]),
            "{versions:?}"
        );
    }
    let events: i64 = sqlx::query_scalar("select count(*) from match_events")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(events, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_moves_make_one() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, "{}").await;
    let mut made = Vec::new();
    for x in 0..10 {
        let mover = [&ann, &bob][x % 2];
        let (here, there) = (format!("{x},0"), format!("{x},1"));
        let version = x.to_string();
        let form = [("version", version.as_str())];
        let form = if x % 3 == 0 { &[][..] } else { &form };
        let answers = tokio::join!(
            mover.make_move(id, &here, form),
            mover.make_move(id, &there, form)
        );
        let (one, other, mv) = if answers.0.status == 200 {
            (answers.0, answers.1, here)
        } else {
            (answers.1, answers.0, there)
        };
        assert_eq!(one.version() as usize, x + 1);
        assert_eq!(other.status, 409, "{other:?}");
        made.push(mv);
    }
    assert_eq!(ann.snapshot(id).await["moves"], json!(made));
}
