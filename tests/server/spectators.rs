//! The number of spectators of a match: streamed to everybody there, and summed over all instances.

use super::app::{SMALL, TestApp, start_match, wait_until};
use super::sse_client::Stream;
use serde_json::json;

/// Waits for this number. Others may come before it: some, but not all of the changes until then are told.
async fn wait_for_count(stream: &mut Stream, count: u32) {
    while stream.expect_status("watching").await["count"] != count {}
}

#[tokio::test]
async fn spectators_are_counted_and_players_are_not() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.stream(&path).await;
    let _bobs = bob.stream(&path).await;
    let eve = app.with_user("eve").await;
    let mut eves = eve.stream(&path).await;
    assert_eq!(anns.expect_status("watching").await, json!({"count": 1}));
    assert_eq!(eves.expect_status("watching").await, json!({"count": 1}));
    // A signed-in player counts once, with any number of tabs.
    let second_tab = eve.stream(&path).await;
    let visitors = [
        app.visitor().stream(&path).await,
        app.visitor().stream(&path).await,
    ];
    wait_for_count(&mut anns, 3).await;
    assert_eq!(app.visitor().snapshot(id).await["watching"], 3);
    drop((visitors, second_tab));
    wait_for_count(&mut anns, 1).await;
    drop(eves);
    assert_eq!(anns.expect_status("watching").await["count"], 0);
    // A stream starts with what differs from the default status: here nothing.
    let mut again = ann.stream(&path).await;
    let _eves = eve.stream(&path).await;
    assert_eq!(again.expect_status("watching").await["count"], 1);
}

#[tokio::test]
async fn spectators_of_all_instances_are_summed() {
    let app = TestApp::init().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.stream(&path).await;
    let _bobs = bob.stream(&path).await;
    let mut watching = there.visitor().stream(&path).await;
    wait_for_count(&mut watching, 1).await;
    wait_for_count(&mut anns, 1).await;
    let mut here = app.visitor().stream(&path).await;
    wait_for_count(&mut here, 2).await;
    wait_for_count(&mut anns, 2).await;
    wait_for_count(&mut watching, 2).await;
    // The row of an instance that then dies.
    sqlx::query("insert into audiences (match_id, instance, count) values ($1, 'dying', 5)")
        .bind(id)
        .execute(&app.db)
        .await
        .unwrap();
    wait_for_count(&mut anns, 7).await;
    sqlx::query("update audiences set beat_at = now() - interval '11 s' where instance = 'dying'")
        .execute(&app.db)
        .await
        .unwrap();
    wait_for_count(&mut anns, 2).await;
}

/// Lets Postgres crash and forget the spectators.
#[tokio::test]
async fn forgotten_spectators_are_written_again() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let _visitors = [
        app.visitor().stream(&path).await,
        app.visitor().stream(&path).await,
    ];
    let forgotten = sqlx::query("delete from audiences")
        .execute(&app.db)
        .await
        .unwrap();
    assert_eq!(forgotten.rows_affected(), 1);
    let count = wait_until("the row", async || {
        sqlx::query_scalar::<_, i32>("select count from audiences where match_id = $1")
            .bind(id)
            .fetch_optional(&app.db)
            .await
            .unwrap()
    })
    .await;
    assert_eq!(count, 2);
}

#[tokio::test]
async fn signed_in_spectators_are_named_to_the_players() {
    let app = TestApp::init().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let (eve, dan) = (app.with_user("eve").await, app.with_user("dan").await);
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.stream(&path).await;
    let mut eves = eve.stream(&path).await;
    let named = |player: &super::player::Player| json!({"id": player.id, "name": player.name});
    assert_eq!(
        anns.next_named("watchers").await,
        json!({"players": [named(&eve)]})
    );
    let dans = dan.at_instance(there.address).stream(&path).await;
    let anonymous = app.visitor().stream(&path).await;
    wait_until("both names", async || {
        let names = anns.next_named("watchers").await;
        (names["players"].as_array().map(Vec::len) == Some(2)).then_some(())
    })
    .await;
    drop((dans, anonymous));
    assert_eq!(
        anns.next_named("watchers").await,
        json!({"players": [named(&eve)]})
    );
    // Spectators are told how many they are, and no names.
    eve.say(id, "hello").await.assert_ok();
    let events = eves.collect_until("said").await;
    assert!(
        events.iter().all(|event| event.name != "watchers"),
        "{events:?}"
    );
    // A player who comes back is told again.
    let mut again = ann.stream(&path).await;
    assert_eq!(
        again.next_named("watchers").await,
        json!({"players": [named(&eve)]})
    );
}
