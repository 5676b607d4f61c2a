//! Mass time-out: of the games that a player loses on time by correspondence while away, the first one is rated.

use super::app::{SMALL, TestApp, backdate_match, begin, start_match_with, wait_until};
use super::player::{PASSWORD, Player};
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
async fn an_unrated_match_is_not_the_first_one() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let rated = begun(&app, &ann, 3).await;
    let friend = app.with_user("friend").await;
    let form = [("setup", SMALL), ("clock", "1d"), ("rated", "false")];
    let challenge = ann.challenge(&friend, &form).await.id("id");
    let unrated = friend.answer_challenge(challenge, true).await.id("match");
    begin(&ann, &friend, unrated).await;
    if ann.snapshot(unrated).await["players"][0]["id"] != ann.id {
        friend.make_move(unrated, "2,2", &[]).await.assert_ok();
    }
    visited(&app, &ann, 20.0).await;
    assert_eq!(rated_after(&app, &[unrated], &[9]).await, [false]);
    assert_eq!(
        rated_after(&app, &rated, &[7, 5, 3]).await,
        [true, false, false]
    );
    assert_eq!(spared(&app).await, 2);
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

/// Lets the flag of a match fall in two seconds, and returns whether the match is rated once it has ended.
async fn is_rated_soon(app: &TestApp, id: i64) -> bool {
    let left: i32 = sqlx::query_scalar(
        "select extract(epoch from deadline_at - now())::int from matches where id = $1",
    )
    .bind(id)
    .fetch_one(&app.db)
    .await
    .expect("the deadline");
    backdate_match(&app.db, id, left - 2).await;
    let there = app.another_instance().await;
    let visitor = there.visitor();
    let result = wait_until("the end of the match", async || {
        let snapshot = visitor.snapshot(id).await;
        (snapshot["status"] == "finished").then(|| snapshot["result"].clone())
    })
    .await;
    assert_eq!(result["reason"], "time");
    result["ratings"].is_array()
}

#[tokio::test]
async fn a_sign_in_or_a_request_after_a_loss_is_a_visit_and_so_is_a_page() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let ids = begun(&app, &ann, 4).await;
    visited(&app, &ann, 1.0).await;
    assert_eq!(rated_after(&app, &ids[..1], &[3]).await, [true]);
    // From another browser.
    let form = [("name", "ann"), ("password", PASSWORD)];
    app.visitor().post("/api/login", &form).await.assert_ok();
    assert!(is_rated_soon(&app, ids[1]).await);
    // In a session that was renewed a minute ago; another instance has not read it yet.
    let there = app.another_instance().await;
    ann.at_instance(there.address)
        .get("/api/my_games")
        .await
        .assert_ok();
    assert!(is_rated_soon(&app, ids[2]).await);
    // With a stream, which renews no session.
    let there = app.another_instance().await;
    drop(ann.at_instance(there.address).stream("/events/me").await);
    assert!(is_rated_soon(&app, ids[3]).await);
    assert_eq!(spared(&app).await, Value::Null);
}

#[tokio::test]
async fn who_is_in_a_waiting_room_while_flags_fall_loses_rated() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let ids = begun(&app, &ann, 4).await;
    let here = ann.join_lobby().await;
    visited(&app, &ann, 20.0).await;
    let rated = rated_after(&app, &ids[..2], &[3, 2]).await;
    assert_eq!(rated, [true, true]);
    // The first loss after she has left is the first one of an absence.
    drop(here);
    wait_until("her departure", async || {
        let there: bool = sqlx::query_scalar("select exists (select from presence)")
            .fetch_one(&app.db)
            .await
            .expect("the presence");
        (!there).then_some(())
    })
    .await;
    let rated = rated_after(&app, &ids[2..], &[1, 0]).await;
    assert_eq!(rated, [true, false]);
}

#[tokio::test]
async fn an_adjourned_match_to_which_nobody_comes_is_no_loss_on_time() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let ids = begun(&app, &ann, 1).await;
    let bob = app.with_user("bob").await;
    let fields = [("setup", SMALL), ("clock", "300+5")];
    let adjourned = start_match_with(&bob, &ann, &fields).await;
    begin(&bob, &ann, adjourned).await;
    let id = adjourned.to_string();
    let form = |more| [("match_id", &*id), more];
    let agreement = form(("accept", "true"));
    ann.post("/api/adjourn", &form(("resume_in", "0")))
        .await
        .assert_ok();
    bob.post("/api/answer_adjourn", &agreement)
        .await
        .assert_ok();
    bob.post("/api/seal", &form(("mv", "2,3")))
        .await
        .assert_ok();
    visited(&app, &ann, 20.0).await;
    // Overdue for a day, and not ended yet: somebody holds it.
    backdate_match(&app.db, adjourned, 15 * 86_400).await;
    let mut held = app.db.begin().await.expect("a transaction");
    sqlx::query("select from matches where id = $1 for update")
        .bind(adjourned)
        .execute(&mut *held)
        .await
        .expect("a lock");
    assert_eq!(rated_after(&app, &ids, &[1]).await, [true]);
    held.rollback().await.expect("the end of the lock");
}
