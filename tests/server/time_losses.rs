//! Mass time-out: of the games that a player loses on time by correspondence while away, the first one is rated.

use super::app::{SMALL, TestApp, backdate_match, begin, wait_until};
use super::player::Player;
use serde_json::Value;

/// Starts rated matches by correspondence in which both have moved and Ann is on turn. Opponents are others, since two players are rated
/// five times a day.
async fn begun(app: &TestApp, ann: &Player, count: usize) -> Vec<i64> {
    let mut ids = Vec::new();
    for number in 0..count {
        let other = app.with_user(&format!("other{number}")).await;
        let form = [("setup", SMALL), ("clock", "1d")];
        let challenge = ann.challenge(&other, &form).await.id("id");
        let id = other.answer_challenge(challenge, true).await.id("match");
        begin(ann, &other, id).await;
        if ann.snapshot(id).await["players"][0]["id"] != ann.id {
            other.make_move(id, "2,2", &[]).await.assert_ok();
        }
        ids.push(id);
    }
    ids
}

/// Lets a player have been here last so many days ago.
async fn visited(app: &TestApp, player: &Player, days: f64) {
    sqlx::query("update players set visited_at = now() - $2 * interval '1 day' where id = $1")
        .bind(player.id)
        .bind(days)
        .execute(&app.db)
        .await
        .expect("updated");
}

/// Lets the flags of these matches fall so many hours ago, and returns who of them is rated once all have ended.
async fn rated_after(app: &TestApp, ids: &[i64], hours_ago: &[i32]) -> Vec<bool> {
    for (id, hours) in ids.iter().zip(hours_ago) {
        backdate_match(&app.db, *id, 86_400 + hours * 3600).await;
    }
    // Both sweep at once.
    let (one, other) = tokio::join!(
        Box::pin(app.another_instance()),
        Box::pin(app.another_instance())
    );
    let mut rated = Vec::new();
    for (place, id) in ids.iter().enumerate() {
        let visitor = if place % 2 == 0 {
            one.visitor()
        } else {
            other.visitor()
        };
        let result = wait_until("the end of the match", async || {
            let snapshot = visitor.snapshot(*id).await;
            (snapshot["status"] == "finished").then(|| snapshot["result"].clone())
        })
        .await;
        assert_eq!(result["reason"], "time");
        rated.push(result["ratings"].is_array());
    }
    rated
}

async fn spared(app: &TestApp) -> Value {
    let profile = app.visitor().get("/api/profile?name=ann").await.assert_ok();
    profile["spared"].clone()
}

#[tokio::test]
async fn only_the_first_is_rated_for_who_is_away() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let ids = begun(&app, &ann, 5).await;
    assert_eq!(spared(&app).await, Value::Null);
    visited(&app, &ann, 20.0).await;
    let rated = rated_after(&app, &ids, &[3, 5, 1, 4, 2]).await;
    assert_eq!(
        rated,
        [false, true, false, false, false],
        "in the order of the flags"
    );
    assert_eq!(spared(&app).await, 4);
    let games: i32 = sqlx::query_scalar("select games from ratings where player_id = $1")
        .bind(ann.id)
        .fetch_one(&app.db)
        .await
        .expect("a rating");
    assert_eq!(games, 1);
    let page = ann
        .request(reqwest::Method::GET, "/@ann")
        .header("accept", "text/html");
    let page = super::player::send(page).await.text;
    assert!(
        page.contains("lost on time while away, last 30 days: 4"),
        "{page}"
    );
}

#[tokio::test]
async fn who_was_here_since_the_first_flag_loses_rated() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let ids = begun(&app, &ann, 4).await;
    // She was here between the second and the third flag.
    visited(&app, &ann, 2.5 / 24.0).await;
    let rated = rated_after(&app, &ids, &[4, 3, 2, 1]).await;
    assert_eq!(rated, [true, true, true, false]);
}

#[tokio::test]
async fn a_week_after_the_first_flag_games_are_rated_again() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let ids = begun(&app, &ann, 3).await;
    visited(&app, &ann, 20.0).await;
    let rated = rated_after(&app, &ids, &[8 * 24, 25, 23]).await;
    assert_eq!(rated, [true, false, true]);
}

#[tokio::test]
async fn losses_at_the_same_time_are_in_the_order_of_their_ids() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let ids = begun(&app, &ann, 3).await;
    visited(&app, &ann, 20.0).await;
    sqlx::query("update matches set deadline_at = date_trunc('day', now()) where id = any($1)")
        .bind(&ids)
        .execute(&app.db)
        .await
        .expect("updated");
    for id in &ids {
        backdate_match(&app.db, *id, 3 * 86_400).await;
    }
    assert_eq!(
        rated_after(&app, &ids, &[0, 0, 0]).await,
        [true, false, false]
    );
}
