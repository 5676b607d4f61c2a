//! Games against the computer that a player keeps: replayed by the rules, seen by nobody else, and of no account.

use super::app::TestApp;
use super::player::{Player, Response};
use serde_json::{Value, json};

/// The moves of a game of Gomoku in which seat 1 has five in a row at the end.
const WON: &str = "5,5 5,6 6,5 6,6 7,5 7,6 8,5 8,6 9,5";

/// Name and value of an argument.
type Field = (&'static str, &'static str);

/// Keeps a game of Gomoku of the player in seat 1.
pub(crate) async fn keep(player: &Player, changed: &[Field]) -> Response {
    let mut form = vec![
        ("key", "a1"),
        ("game", "gomoku"),
        ("setup", r#"{"size":15}"#),
        ("level", "3"),
        ("seat", "1"),
        ("moves", WON),
        ("started_at", "1000"),
        ("finished_at", "2000"),
    ];
    for &(name, value) in changed {
        form.retain(|(known, _)| *known != name);
        form.push((name, value));
    }
    player.post("/api/keep_computer_game", &form).await
}

async fn kept(player: &Player) -> Value {
    player.get("/api/computer_games").await.assert_ok()
}

#[tokio::test]
async fn a_player_keeps_a_game_and_deletes_it() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let id = keep(&ann, &[]).await.assert_ok();
    let page = kept(&ann).await;
    assert_eq!(
        page,
        json!({
            "games": [{
                "id": id,
                "game": "gomoku",
                "setup": {"size": 15, "rule": "freestyle"},
                "level": 3,
                "seat": 1,
                "result": {"winner": 1, "reason": "five_in_row", "ratings": null},
                "score": [1, 0],
                "started_at": 1000,
                "finished_at": 2000,
            }],
            "page": 1,
            "pages": 1,
            "total": 1,
        })
    );
    let game = ann.get(&format!("/api/computer_game?id={id}")).await;
    let game = game.assert_ok();
    assert_eq!(game["game"], page["games"][0]);
    assert_eq!(game["moves"][8], "9,5");
    assert_eq!(game["seats"][8], 1);
    // The page shows the game also without scripts.
    let page = ann.get(&format!("/history/computer/{id}")).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("Computer · Amateur"), "{}", page.text);

    let form = [("id", &*id.to_string())];
    let deleted = ann.post("/api/delete_computer_game", &form).await;
    deleted.assert_ok();
    assert_eq!(kept(&ann).await["total"], 0);
    let again = ann.post("/api/delete_computer_game", &form).await;
    again.assert_error(404, "not_found");
}

#[tokio::test]
async fn a_game_is_kept_once_and_seen_by_nobody_else() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let bob = app.with_user("bob").await;
    let id = keep(&ann, &[]).await.assert_ok();
    // The answer was lost on the way: the browser sends it again.
    assert_eq!(keep(&ann, &[]).await.assert_ok(), id);
    assert_eq!(kept(&ann).await["total"], 1);
    assert_eq!(kept(&bob).await["total"], 0);
    let address = format!("/api/computer_game?id={id}");
    bob.get(&address).await.assert_error(404, "not_found");
    let form = [("id", &*id.to_string())];
    let deleted = bob.post("/api/delete_computer_game", &form).await;
    deleted.assert_error(404, "not_found");
    assert_eq!(kept(&ann).await["total"], 1);
    // Of another player the same key is another game.
    assert_ne!(keep(&bob, &[]).await.assert_ok(), id);
}

#[tokio::test]
async fn a_kept_game_counts_for_nothing() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    keep(&ann, &[]).await.assert_ok();
    let profile = ann.get("/api/profile?name=ann").await.assert_ok();
    assert_eq!(profile["past"]["total"], 0);
    let gomoku = profile["games"].as_array().unwrap().iter();
    let gomoku = gomoku
        .filter(|game| game["game"] == "gomoku")
        .collect::<Vec<_>>();
    assert_eq!(gomoku[0]["rated"], 0);
    assert_eq!(gomoku[0]["rating"], 1600.0);
    assert_eq!(
        gomoku[0]["seats"][0],
        json!({"won": 0, "drawn": 0, "lost": 0})
    );
}

#[tokio::test]
async fn the_rules_say_who_has_won() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    // A reason beside an end by the rules is ignored.
    let result = keep(&ann, &[("key", "b1"), ("reason", "resigned")]).await;
    let id = result.assert_ok();
    let game = ann.get(&format!("/api/computer_game?id={id}")).await;
    assert_eq!(game.assert_ok()["game"]["result"]["reason"], "five_in_row");
    // Only the player can have resigned.
    let result = keep(
        &ann,
        &[("key", "b2"), ("moves", "5,5 6,6"), ("reason", "resigned")],
    )
    .await;
    let id = result.assert_ok();
    let game = ann.get(&format!("/api/computer_game?id={id}")).await;
    assert_eq!(game.assert_ok()["game"]["result"]["winner"], 2);
    let dots = [
        ("key", "b3"),
        ("game", "dots"),
        ("setup", r#"{"width":20,"height":20}"#),
        ("moves", "5,4 5,5 4,5 10,10 6,5 11,11 5,6"),
        ("reason", "agreed_finish"),
    ];
    let id = keep(&ann, &dots).await.assert_ok();
    let game = ann.get(&format!("/api/computer_game?id={id}")).await;
    let game = game.assert_ok()["game"].clone();
    assert_eq!(
        (&game["score"], &game["result"]["winner"]),
        (&json!([1, 0]), &json!(1))
    );
}

#[tokio::test]
async fn what_is_no_finished_game_is_refused() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let long = "5,5 ".repeat(9_000);
    let long: &'static str = long.leak();
    #[rustfmt::skip]
    let cases: &[(&[Field], u16, &str)] = &[
        (&[("moves", "5,5 6,6")], 409, "not_finished"),
        (&[("moves", "5,5 6,6"), ("reason", "time")], 409, "not_finished"),
        (&[("moves", "5,5 5,5")], 422, "illegal"),
        (&[("moves", "5,5 here")], 400, "malformed_move"),
        (&[("moves", "5,5 5,6 6,5 6,6 7,5 7,6 8,5 8,6 9,5 1,1")], 409, "finished"),
        (&[("moves", long)], 413, "too_large"),
        (&[("game", "chess")], 400, "unknown_game"),
        (&[("setup", r#"{"size":99}"#)], 400, "invalid_setup"),
        (&[("level", "9")], 400, "bad_request"),
        (&[("seat", "3")], 400, "bad_request"),
        (&[("key", "")], 400, "bad_request"),
        (&[("key", "<b>")], 400, "bad_request"),
        (&[("started_at", "3000")], 400, "bad_request"),
        (&[("started_at", "-3")], 400, "bad_request"),
    ];
    for (changed, status, code) in cases {
        keep(&ann, changed).await.assert_error(*status, code);
    }
    assert_eq!(kept(&ann).await["total"], 0);
    // A browser whose clock is ahead.
    let id = keep(&ann, &[("finished_at", "9000000000000000")])
        .await
        .assert_ok();
    assert!(
        kept(&ann).await["games"][0]["finished_at"].as_i64() < Some(9_000_000_000_000_000),
        "{id}"
    );
}

#[tokio::test]
async fn a_player_keeps_a_thousand_games_at_most() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    keep(&ann, &[]).await.assert_ok();
    sqlx::query(
        "insert into computer_games (player_id, key, game, setup, level, seat, moves, result, score1, score2, started_at,
             finished_at)
         select player_id, 'n' || n, game, setup, level, seat, moves, result, score1, score2, started_at, finished_at
         from computer_games, generate_series(2, 1000) n",
    )
    .execute(&app.db)
    .await
    .unwrap();
    let more = keep(&ann, &[("key", "more")]).await;
    more.assert_error(409, "too_many_games");
    // One of them is still there.
    keep(&ann, &[]).await.assert_ok();
    let last = ann.get("/api/computer_games?page=34").await.assert_ok();
    assert_eq!((&last["pages"], &last["total"]), (&json!(34), &json!(1000)));
    assert_eq!(last["games"].as_array().unwrap().len(), 10);
}
