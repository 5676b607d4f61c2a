//! Boxes, Gomoku and Reversi through the API: setups, moves, refusals, endings.

use super::app::TestApp;
use super::player::{Player, Response};
use serde_json::{Value, json};

/// Starts a rated match of a game; `first` has seat 1.
async fn start(game: &str, first: &Player, second: &Player, setup: &str) -> i64 {
    let _waiting = (
        first.join_lobby_of(game).await,
        second.join_lobby_of(game).await,
    );
    let asked = first.challenge_to(game, second, &[("setup", setup)]).await;
    second
        .answer_challenge(asked.id("id"), true)
        .await
        .id("match")
}

/// Plays moves, each by the side to move. Returns the response to the last one.
async fn play(players: [&Player; 2], id: i64, moves: &str) -> Response {
    let mut last = None;
    for mv in moves.split_whitespace() {
        let to_move = players[0].snapshot(id).await["to_move"].as_u64();
        let player = players[usize::from(to_move == Some(2))];
        let answer = player.make_move(id, mv, &[]).await;
        answer.assert_ok();
        last = Some(answer);
    }
    last.expect("a move")
}

/// Checks that these moves are refused and that the match does not change.
async fn assert_refused(player: &Player, id: i64, malformed: &[&str], illegal: &[(&str, &str)]) {
    let before = player.snapshot(id).await;
    for mv in malformed {
        let answer = player.make_move(id, mv, &[]).await;
        answer.assert_error(400, "malformed_move");
    }
    for (mv, reason) in illegal {
        let refused = player
            .make_move(id, mv, &[])
            .await
            .assert_error(422, "illegal");
        assert_eq!(refused["reason"], *reason, "{mv}");
    }
    assert_eq!(player.snapshot(id).await, before);
}

/// Checks how the match ended, and that only this game was rated.
async fn assert_finished(
    app: &TestApp,
    game: &str,
    id: i64,
    winner: u8,
    reason: &str,
    score: [u32; 2],
) {
    let over = app.visitor().snapshot(id).await;
    assert_eq!(over["status"], "finished");
    let result = &over["result"];
    assert_eq!(
        (&result["winner"], &result["reason"], &over["score"]),
        (&json!(winner), &json!(reason), &json!(score))
    );
    let rated: Vec<String> = sqlx::query_scalar("select distinct game from ratings")
        .fetch_all(&app.db)
        .await
        .expect("an answer");
    assert_eq!(rated, [game], "ratings are by game");
}

#[tokio::test]
async fn setups_of_each_game_are_checked() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let all = [
        (
            "boxes",
            json!({"cols": 3, "rows": 3}),
            vec![
                (r#"{"cols":5}"#, json!({"cols": 5, "rows": 3})),
                (r#"{"cols":2,"rows":10}"#, json!({"cols": 2, "rows": 10})),
            ],
            vec![
                r#"{"cols":1}"#,
                r#"{"rows":11}"#,
                r#"{"cols":-3}"#,
                r#"{"cols":99999999999}"#,
                r#"{"width":3}"#,
                r#"{"cols":"3"}"#,
            ],
        ),
        (
            "gomoku",
            json!({"size": 19, "rule": "freestyle"}),
            vec![
                (
                    r#"{"rule":"standard"}"#,
                    json!({"size": 19, "rule": "standard"}),
                ),
                (r#"{"size":15}"#, json!({"size": 15, "rule": "freestyle"})),
            ],
            vec![
                r#"{"size":17}"#,
                r#"{"size":0}"#,
                r#"{"size":256}"#,
                r#"{"rule":"renju"}"#,
                r#"{"cols":3}"#,
                r#"{"start":"cross"}"#,
            ],
        ),
        (
            "reversi",
            json!({}),
            vec![("{}", json!({}))],
            vec![r#"{"size":8}"#, r#"{"width":8}"#, "[]", "8"],
        ),
    ];
    for (game, usual, good, bad) in all {
        let _rooms = (ann.join_lobby_of(game).await, bob.join_lobby_of(game).await);
        for setup in bad {
            let answer = ann.challenge_to(game, &bob, &[("setup", setup)]).await;
            answer.assert_error(400, "invalid_setup");
        }
        for (setup, read) in [vec![("", usual)], good].concat() {
            let asked = ann.challenge_to(game, &bob, &[("setup", setup)]).await;
            let room = format!("/api/waiting_room?game={game}");
            let seen = bob.get(&room).await.assert_ok();
            let challenge = &seen["challenges"][0];
            assert_eq!(
                (&challenge["game"], &challenge["setup"]),
                (&json!(game), &read),
                "{setup}"
            );
            ann.cancel_challenge(asked.id("id")).await.assert_ok();
        }
    }
}

#[tokio::test]
async fn boxes_match() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start("boxes", &ann, &bob, r#"{"cols":2,"rows":2}"#).await;
    play([&ann, &bob], id, "h:0,0").await;
    let malformed = ["0,0", "d3", "h:0", "x:0,0", "h:a,b", "h0,0", ""];
    let illegal = [
        ("h:0,0", "already_drawn"),
        ("h:2,0", "off_board"),
        ("v:0,2", "off_board"),
        ("h:-1,0", "off_board"),
        ("v:0,99999999999999999999", "off_board"),
    ];
    assert_refused(&bob, id, &malformed, &illegal).await;

    let mut stream = bob.stream(&format!("/events/match/{id}")).await;
    stream.expect("moved").await;
    play([&ann, &bob], id, "v:0,0 h:0,1 v:1,0").await;
    stream.take(2).await;
    let taken = stream.expect("moved").await;
    assert_eq!(
        (
            &taken["seat"],
            &taken["score"],
            &taken["to_move"],
            &taken["passed"]
        ),
        (&json!(2), &json!([0, 1]), &json!(2), &json!(false)),
        "who takes a box moves again"
    );
    ann.make_move(id, "h:1,0", &[])
        .await
        .assert_error(409, "not_your_turn");

    play(
        [&ann, &bob],
        id,
        "h:1,0 v:2,0 h:1,1 v:0,1 v:2,1 h:0,2 v:1,1 h:1,2",
    )
    .await;
    let snapshot = ann.snapshot(id).await;
    assert_eq!(snapshot["moves"].as_array().map(Vec::len), Some(12));
    let score: [u32; 2] = serde_json::from_value(snapshot["score"].clone()).expect("a score");
    assert_eq!(score[0] + score[1], 4);
    let winner = match score[0].cmp(&score[1]) {
        std::cmp::Ordering::Greater => 1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Less => 2,
    };
    assert_finished(&app, "boxes", id, winner, "all_boxes", score).await;
    bob.make_move(id, "h:0,0", &[])
        .await
        .assert_error(409, "finished");
}

#[tokio::test]
async fn gomoku_match() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start("gomoku", &ann, &bob, r#"{"size":15}"#).await;
    play([&ann, &bob], id, "7,7").await;
    let illegal = [
        ("7,7", "occupied"),
        ("H8", "occupied"),
        ("p1", "off_board"),
        ("a16", "off_board"),
        ("15,0", "off_board"),
        ("0,-1", "off_board"),
        ("99999999999999999999,3", "off_board"),
    ];
    assert_refused(&bob, id, &["h:0,0", "d", "7", "7;7"], &illegal).await;
    play([&ann, &bob], id, "0,0 I7 b15 9,9 2,0 10,10 3,0").await;
    assert_eq!(ann.snapshot(id).await["score"], json!([0, 0]));
    play([&ann, &bob], id, "11,11").await;
    assert_finished(&app, "gomoku", id, 1, "five_in_row", [1, 0]).await;
    let result = ann.snapshot(id).await["result"]["ratings"].clone();
    assert_eq!(
        result,
        json!([{"before": 1600.0, "after": 1612.5, "provisional": true}, {"before": 1600.0, "after": 1587.5, "provisional": true}])
    );
}

#[tokio::test]
async fn overline_wins_in_freestyle_only() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    for (rule, to_move) in [("freestyle", Value::Null), ("standard", json!(2))] {
        let id = start("gomoku", &ann, &bob, &format!(r#"{{"rule":"{rule}"}}"#)).await;
        let moves = "0,0 0,9 1,0 2,9 2,0 4,9 4,0 6,9 5,0 8,9 3,0";
        play([&ann, &bob], id, moves).await;
        assert_eq!(ann.snapshot(id).await["to_move"], to_move, "{rule}");
        if !to_move.is_null() {
            ann.resign(id).await.assert_ok();
        }
    }
}

#[tokio::test]
async fn reversi_match() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start("reversi", &ann, &bob, "{}").await;
    assert_eq!(ann.snapshot(id).await["score"], json!([2, 2]));
    play([&ann, &bob], id, "e6").await;
    let snapshot = bob.snapshot(id).await;
    assert_eq!(snapshot["moves"], json!(["4,5"]));
    assert_eq!(snapshot["score"], json!([4, 1]));
    let illegal = [
        ("4,5", "occupied"),
        ("0,0", "flips_nothing"),
        ("8,0", "off_board"),
        ("-1,-1", "off_board"),
        ("99999999999999999999,3", "off_board"),
    ];
    assert_refused(&bob, id, &["h:0,0", "e", "e66e", "44"], &illegal).await;
    // Both notations of a square are read. The last move leaves no blue disc.
    play([&ann, &bob], id, "f6 2,3 c5 b6 3,5 e7 f5 6,4").await;
    assert_finished(&app, "reversi", id, 1, "no_moves", [13, 0]).await;
}

#[tokio::test]
async fn reversi_player_without_a_move_is_passed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start("reversi", &ann, &bob, "").await;
    let mut stream = bob.stream(&format!("/events/match/{id}")).await;
    play([&ann, &bob], id, "d3 e3 f5 c5 c4 g5 g6 c3 h5 h7 f7").await;
    let events = stream.take(11).await;
    let (last, others) = events.split_last().expect("eleven moves");
    assert!(
        others
            .iter()
            .all(|event| event.data["passed"] == json!(false))
    );
    assert_eq!(
        (
            &last.data["seat"],
            &last.data["to_move"],
            &last.data["passed"]
        ),
        (&json!(1), &json!(1), &json!(true))
    );
    bob.make_move(id, "a1", &[])
        .await
        .assert_error(409, "not_your_turn");
}

#[tokio::test]
async fn takeback_includes_extra_moves() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start("boxes", &ann, &bob, r#"{"cols":2,"rows":2}"#).await;
    // Bob takes a box and moves again: two of his moves follow Ann's last.
    play([&ann, &bob], id, "h:0,0 v:0,0 h:0,1 v:1,0 h:1,2").await;
    ann.offer(id, "takeback").await.assert_ok();
    bob.answer_offer(id, true).await.assert_ok();
    let back = ann.snapshot(id).await;
    assert_eq!(
        (&back["moves"], &back["to_move"], &back["score"]),
        (&json!(["h:0,0", "v:0,0"]), &json!(1), &json!([0, 0]))
    );
    // Only the extra move itself is taken back where the asker has made it.
    play([&ann, &bob], id, "h:0,1 v:1,0 h:1,2").await;
    bob.offer(id, "takeback").await.assert_ok();
    ann.answer_offer(id, true).await.assert_ok();
    let back = ann.snapshot(id).await;
    assert_eq!(back["moves"].as_array().map(Vec::len), Some(4));
    assert_eq!(
        (&back["to_move"], &back["score"]),
        (&json!(2), &json!([0, 1]))
    );
}
