//! Notifications of what the page of a match shows: turns and ends, told to whoever is not there.

use super::app::{
    SMALL, TestApp, begin, start_match, start_match_with, wait_until, wait_until_blocked,
};
use super::cluster::Database;
use super::notifications::{notifications, page, told};
use super::own_games::store_match;
use super::player::Player;
use serde_json::Value;
use std::time::Duration;
use tochki_server::settings::Settings;
use tokio::time::sleep;

#[tokio::test]
async fn turns_of_a_correspondence_match_are_told_to_who_is_away() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    // Before any instance has read it.
    sqlx::query("update matches set clock = '3d' where id = $1")
        .bind(id)
        .execute(&app.db)
        .await
        .unwrap();
    let kinds = async |player: &Player| -> Vec<Value> {
        told(&app).await;
        let page = page(player).await;
        let list = page["notifications"].as_array().expect("a list");
        list.iter().map(|each| each["kind"].clone()).collect()
    };
    ann.make_move(id, "0,4", &[]).await.assert_ok();
    // What is done is no news.
    assert!(kinds(&ann).await.is_empty());
    assert_eq!(kinds(&bob).await, ["your_turn"]);
    assert_eq!(notifications(&bob, 1).await[0]["match"], id);
    let there = ann.stream(&format!("/events/match/{id}")).await;
    bob.make_move(id, "4,0", &[]).await.assert_ok();
    assert!(kinds(&ann).await.is_empty(), "she sees it");
    drop(there);
    assert!(kinds(&bob).await.is_empty());
    // Neither is left with a turn in a match that has ended.
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    assert_eq!(kinds(&bob).await, ["your_turn"]);
    bob.resign(id).await.assert_ok();
    assert!(kinds(&bob).await.is_empty());
}

/// Inserts a cause of which no instance is notified.
pub(super) async fn insert_cause(app: &TestApp, player: i64, id: i64, kind: Option<&str>) {
    sqlx::query(
        "insert into notification_causes (player_id, subject, kind, match_id)
         values ($1, 'match:' || $2, $3, $2)",
    )
    .bind(player)
    .bind(id)
    .bind(kind)
    .execute(&app.db)
    .await
    .unwrap();
}

/// The notifications of a match that are stored.
pub(super) async fn stored(app: &TestApp, id: i64) -> i64 {
    sqlx::query_scalar("select count(*) from notifications where match_id = $1")
        .bind(id)
        .fetch_one(&app.db)
        .await
        .unwrap()
}

/// Starts a match by correspondence. Returns it, and who is on turn and has read so.
async fn correspond(app: &TestApp) -> (i64, i64) {
    let (ann, bob) = app.with_two_users().await;
    let terms = [("setup", SMALL), ("clock", "3d")];
    let challenge = ann.challenge(&bob, &terms).await.id("id");
    let id = bob.answer_challenge(challenge, true).await.id("match");
    told(app).await;
    let on_turn: i64 = sqlx::query_scalar(
        "with gone as (delete from notifications)
         select case to_move when 1 then seat1 else seat2 end from matches where id = $1",
    )
    .bind(id)
    .fetch_one(&app.db)
    .await
    .unwrap();
    (id, on_turn)
}

/// One instance is telling of a turn, and another one would tell of its end before.
#[tokio::test]
async fn the_end_of_a_turn_is_told_after_its_beginning_by_several_instances_too() {
    let quick = || Settings {
        poll_interval: Duration::from_millis(20),
        ..TestApp::settings()
    };
    let app = TestApp::on(Database::fresh().await, quick()).await;
    let _other = TestApp::on(app.database.clone(), quick()).await;
    let (id, player) = correspond(&app).await;
    // Whoever tells of the turn waits for this row.
    let mut held = app.db.begin().await.unwrap();
    sqlx::query(
        "insert into notifications (player_id, subject, kind, match_id, cause, created_at)
         values ($1, 'match:' || $2, 'your_turn', $2, 0, now())",
    )
    .bind(player)
    .bind(id)
    .execute(&mut *held)
    .await
    .unwrap();
    insert_cause(&app, player, id, Some("your_turn")).await;
    wait_until_blocked(&app.db, 1).await;
    insert_cause(&app, player, id, None).await;
    sleep(Duration::from_millis(200)).await;
    held.rollback().await.unwrap();
    told(&app).await;
    assert_eq!(stored(&app, id).await, 0);
}

#[tokio::test]
async fn a_turn_that_is_over_when_its_cause_is_taken_is_not_told() {
    let app = TestApp::init().await;
    let (id, player) = correspond(&app).await;
    insert_cause(&app, player, id, Some("your_turn")).await;
    told(&app).await;
    assert_eq!(stored(&app, id).await, 1);
    sqlx::query("with gone as (delete from notifications) update matches set to_move = 3 - to_move where id = $1")
        .bind(id)
        .execute(&app.db)
        .await
        .unwrap();
    insert_cause(&app, player, id, Some("your_turn")).await;
    told(&app).await;
    assert_eq!(stored(&app, id).await, 0);
}

/// Starts a match by correspondence in which Ann is on turn, whom nothing is told of it.
pub(super) async fn her_turn(app: &TestApp) -> (Player, Player, i64) {
    let (ann, bob) = app.with_two_users().await;
    let terms = [("setup", SMALL), ("clock", "3d")];
    let challenge = ann.challenge(&bob, &terms).await.id("id");
    let id = bob.answer_challenge(challenge, true).await.id("match");
    begin(&ann, &bob, id).await;
    told(app).await;
    sqlx::query("delete from notifications")
        .execute(&app.db)
        .await
        .unwrap();
    (ann, bob, id)
}

#[tokio::test]
async fn who_has_just_left_is_told_of_the_turn_and_of_the_end() {
    let app = TestApp::init().await;
    let (ann, bob, id) = her_turn(&app).await;
    // A page without scripts counts as presence for a while; it shows what was when it was loaded.
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    let path = format!("/match/{id}");
    ann.get(&path).await;
    bob.make_move(id, "2,2", &[]).await.assert_ok();
    told(&app).await;
    assert_eq!(notifications(&ann, 1).await[0]["kind"], "your_turn");
    // Who loads it again has read it.
    assert_eq!(page(&ann).await["unread"], 1);
    ann.get(&path).await;
    assert_eq!(page(&ann).await["unread"], 0);
    // A page that was loaded since shows it.
    sqlx::query("delete from notifications")
        .execute(&app.db)
        .await
        .unwrap();
    sqlx::query(
        "insert into notification_causes (player_id, subject, kind, match_id, other_id, at)
         values ($1, 'match:' || $2, 'your_turn', $2, $3, now() - interval '1 minute')",
    )
    .bind(ann.id)
    .bind(id)
    .bind(bob.id)
    .execute(&app.db)
    .await
    .unwrap();
    told(&app).await;
    assert_eq!(stored(&app, id).await, 0);
    bob.resign(id).await.assert_ok();
    assert_eq!(notifications(&ann, 1).await[0]["kind"], "game_over");
    // So it is at the end of a live match.
    let live = start_match(&bob, &ann, SMALL).await;
    begin(&ann, &bob, live).await;
    ann.get(&format!("/match/{live}")).await;
    bob.resign(live).await.assert_ok();
    let list = notifications(&ann, 2).await;
    assert_eq!(list[0]["match"], live);
}

/// The causes that are kept.
pub(crate) async fn held(app: &TestApp) -> i64 {
    sqlx::query_scalar("select count(*) from notification_causes where held_until > now()")
        .fetch_one(&app.db)
        .await
        .unwrap()
}

/// Lets the time pass for which causes are kept.
pub(crate) async fn pass_hold(app: &TestApp) {
    sqlx::query("update notification_causes set held_until = now() where held_until is not null")
        .execute(&app.db)
        .await
        .unwrap();
    wait_until("no cause is left", async || {
        let left: i64 = sqlx::query_scalar("select count(*) from notification_causes")
            .fetch_one(&app.db)
            .await
            .unwrap();
        (left == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_turn_is_told_once_the_page_turns_out_to_be_gone() {
    let app = TestApp::init().await;
    let (ann, bob, id) = her_turn(&app).await;
    let path = format!("/events/match/{id}");
    let hers = async || -> i64 {
        sqlx::query_scalar("select count(*) from notifications where player_id = $1")
            .bind(ann.id)
            .fetch_one(&app.db)
            .await
            .unwrap()
    };
    let round = async |moves: [&str; 2]| {
        ann.make_move(id, moves[0], &[]).await.assert_ok();
        let there = ann.stream(&path).await;
        bob.make_move(id, moves[1], &[]).await.assert_ok();
        told(&app).await;
        assert_eq!((held(&app).await, hers().await), (1, 0));
        there
    };
    // She stays.
    let there = round(["1,1", "2,2"]).await;
    pass_hold(&app).await;
    assert_eq!(hers().await, 0);
    drop(there);
    // She moves.
    let there = round(["1,2", "2,3"]).await;
    ann.make_move(id, "3,3", &[]).await.assert_ok();
    told(&app).await;
    drop(there);
    gone(&app).await;
    pass_hold(&app).await;
    assert_eq!(hers().await, 0);
    bob.make_move(id, "3,2", &[]).await.assert_ok();
    notifications(&ann, 1).await;
    // The connection was lost when he moved.
    let there = round(["1,3", "2,4"]).await;
    drop(there);
    gone(&app).await;
    pass_hold(&app).await;
    let list = notifications(&ann, 1).await;
    assert_eq!(list[0]["kind"], "your_turn");
    // Whoever comes back meanwhile has seen it.
    let there = round(["0,1", "0,2"]).await;
    drop(there);
    let back = ann.stream(&path).await;
    assert_eq!(held(&app).await, 0);
    drop(back);
    gone(&app).await;
    pass_hold(&app).await;
    assert_eq!(hers().await, 0);
}

/// A page cannot know whether its connection is lost, and the server whether who leaves has seen the end: so the page says that.
#[tokio::test]
async fn the_end_is_told_to_who_lost_the_connection_and_not_to_who_has_seen_it() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let hers = async || -> i64 {
        sqlx::query_scalar(
            "select count(*) from notifications where player_id = $1 and kind = 'game_over'",
        )
        .bind(ann.id)
        .fetch_one(&app.db)
        .await
        .unwrap()
    };
    let end = async |clock: &str| {
        let id = start_match_with(&ann, &bob, &[("setup", SMALL), ("clock", clock)]).await;
        begin(&ann, &bob, id).await;
        told(&app).await;
        let there = ann.stream(&format!("/events/match/{id}")).await;
        bob.resign(id).await.assert_ok();
        told(&app).await;
        assert_eq!((held(&app).await, hers().await), (1, 0), "{clock}");
        (id, there)
    };
    let seen = async |id: i64| {
        let form = [("match_id", &*id.to_string())];
        ann.post("/api/read_notifications", &form).await.assert_ok();
    };
    for clock in ["3d", "300+5"] {
        // She stays.
        let (_, there) = end(clock).await;
        pass_hold(&app).await;
        assert_eq!(hers().await, 0, "{clock}");
        drop(there);
        gone(&app).await;
        // She leaves once her page has shown the end.
        let (id, there) = end(clock).await;
        seen(id).await;
        assert_eq!(held(&app).await, 0, "{clock}");
        drop(there);
        gone(&app).await;
        pass_hold(&app).await;
        assert_eq!(hers().await, 0, "{clock}");
        // The connection was lost when he resigned.
        let (id, there) = end(clock).await;
        drop(there);
        gone(&app).await;
        pass_hold(&app).await;
        assert_eq!(stored(&app, id).await, 1, "{clock}");
        sqlx::query("delete from notifications")
            .execute(&app.db)
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn the_end_that_a_page_has_shown_before_its_cause_is_taken_is_not_told() {
    let patient = Settings {
        poll_interval: Duration::from_hours(1),
        ..TestApp::settings()
    };
    let app = TestApp::on(Database::fresh().await, patient).await;
    let (ann, bob) = app.with_two_users().await;
    let id = store_match(&app, &ann, &bob, "300+5").await;
    // No instance looks for these.
    insert_cause(&app, ann.id, id, Some("game_over")).await;
    insert_cause(&app, bob.id, id, Some("game_over")).await;
    let form = [("match_id", &*id.to_string())];
    ann.post("/api/read_notifications", &form).await.assert_ok();
    let left: Vec<i64> = sqlx::query_scalar("select player_id from notification_causes")
        .fetch_all(&app.db)
        .await
        .unwrap();
    assert_eq!(left, [bob.id], "none of his");
}

/// Waits until nobody is anywhere.
async fn gone(app: &TestApp) {
    wait_until("nobody is there", async || {
        let there: bool = sqlx::query_scalar(
            "select exists (select from presence where is_alive(beat_at, gone_at))",
        )
        .fetch_one(&app.db)
        .await
        .unwrap();
        (!there).then_some(())
    })
    .await;
}
