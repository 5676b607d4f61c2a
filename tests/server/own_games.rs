//! *Your games*: the running matches of a player, and the way from one on turn to the next.

use super::app::{SMALL, TestApp, begin, start_match};
use super::player::{Player, Response};
use serde_json::{Value, json};

/// Stores a running match of Gomoku between two players, with no move.
pub(crate) async fn store_match(
    app: &TestApp,
    first: &Player,
    second: &Player,
    clock: &str,
) -> i64 {
    sqlx::query_scalar(
        "insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2)
         values ('gomoku', '{\"size\": 15, \"rule\": \"freestyle\"}', $3, false, $1, $2, 1600, 1600) returning id",
    )
    .bind(first.id)
    .bind(second.id)
    .bind(clock)
    .fetch_one(&app.db)
    .await
    .expect("stored")
}

/// Stores such a match whose time is over in so many hours.
async fn store_due(app: &TestApp, first: &Player, second: &Player, hours: i32) -> i64 {
    let id = store_match(app, first, second, "none").await;
    sqlx::query("update matches set correspondence = true, deadline_at = now() + $2 * interval '1 hour' where id = $1")
        .bind(id)
        .bind(hours)
        .execute(&app.db)
        .await
        .expect("updated");
    id
}

async fn ids(player: &Player) -> Vec<i64> {
    let own = player.get("/api/my_games").await.assert_ok();
    let games = own["games"].as_array().expect("a list");
    let ids = games.iter().filter_map(|game| game["id"].as_i64());
    ids.collect()
}

async fn next(player: &Player, after: Option<i64>) -> Value {
    let after = after.map_or_else(String::new, |id| format!("?after={id}"));
    player
        .get(&format!("/api/next_game{after}"))
        .await
        .assert_ok()
}

#[tokio::test]
async fn games_on_turn_come_first_by_the_time_left() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    assert_eq!(ids(&ann).await, Vec::<i64>::new());
    assert_eq!(next(&ann, None).await, json!(null));
    let played = start_match(&ann, &bob, SMALL).await;
    ann.make_move(played, "3,3", &[]).await.assert_ok();
    let late = store_due(&app, &ann, &bob, 30).await;
    let soon = store_due(&app, &ann, &bob, 20).await;
    let theirs = store_due(&app, &bob, &ann, 10).await;

    assert_eq!(ids(&ann).await, [soon, late, theirs, played]);
    assert_eq!(ids(&bob).await, [played, theirs, soon, late]);
    let own = ann.get("/api/my_games").await.assert_ok();
    let last = &own["games"][3];
    assert_eq!(last["moves"], json!(["3,3"]));
    assert_eq!((&last["seat"], &last["to_move"]), (&json!(1), &json!(2)));
    assert_eq!(last["opponent"]["name"], "bob");

    let counts = ann.get("/api/count_my_games").await.assert_ok();
    assert_eq!(counts, json!({"running": 4, "on_turn": 2}));
    let visitor = app.visitor().get("/api/count_my_games").await.assert_ok();
    assert_eq!(visitor, json!({"running": 0, "on_turn": 0}));

    for (after, expected) in [
        (None, soon),
        (Some(soon), late),
        (Some(late), soon),
        (Some(theirs), soon),
        (Some(i64::MAX), soon),
    ] {
        assert_eq!(next(&ann, after).await, json!(expected), "{after:?}");
    }
    ann.make_move(late, "7,7", &[]).await.assert_ok();
    assert_eq!(next(&ann, Some(soon)).await, json!(null));
    ann.resign(played).await.assert_error(409, "not_begun");
    ann.abort(played).await.assert_ok();
    assert_eq!(ids(&ann).await, [soon, late, theirs]);
}

fn location(answer: &Response) -> Option<&str> {
    answer.header("location")
}

#[tokio::test]
async fn the_pages_work_without_scripts() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let visitor = app.visitor().get("/games").await;
    assert_eq!(location(&visitor), Some("/login?next=%2Fgames"));
    let empty = ann.get("/games/next").await;
    assert_eq!(location(&empty), Some("/games"));
    let first = store_due(&app, &ann, &bob, 20).await;
    let second = store_due(&app, &ann, &bob, 30).await;
    let page = ann.get("/games").await;
    let html = &page.text;
    assert!(html.contains("<title>(2) Your games"), "{html}");
    for id in [first, second] {
        assert!(html.contains(&format!("href=\"/match/{id}\"")), "{html}");
    }
    let next = ann.get(&format!("/games/next?after={first}")).await;
    assert_eq!(location(&next), Some(&*format!("/match/{second}")));
    let page = ann.get(&format!("/match/{first}")).await;
    let way = format!("href=\"/games/next?after={first}\"");
    assert!(page.text.contains(&way), "the way to the next game");
}

#[tokio::test]
async fn an_open_offer_of_the_opponent_is_on_the_card_of_its_game() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let form = [("setup", SMALL), ("clock", "3d")];
    let challenge = ann.challenge(&bob, &form).await.id("id");
    let id = bob.answer_challenge(challenge, true).await.id("match");
    begin(&ann, &bob, id).await;
    bob.offer(id, "draw").await.assert_ok();
    let own = ann.get("/api/my_games").await.assert_ok();
    let offer = &own["games"][0]["offer"];
    assert_eq!(
        (&offer["kind"], &offer["seat"]),
        (&json!("draw"), &json!(2))
    );
    let words = "bob offers a draw.";
    let html = ann.get("/games").await.text;
    assert!(html.contains(words), "{html}");
    let html = bob.get("/games").await.text;
    assert!(!html.contains("offers a draw"), "it is his own: {html}");
    ann.answer_offer(id, false).await.assert_ok();
    let own = ann.get("/api/my_games").await.assert_ok();
    assert!(own["games"][0].get("offer").is_none(), "{own}");
    assert!(!ann.get("/games").await.text.contains(words));
}
