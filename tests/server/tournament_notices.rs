//! What was done to a tournament is told to the players whom it concerns, by the list of notifications.

use super::app::{TestApp, wait_until};
use super::player::Player;
use super::tournament_steps::{
    account, address, arena, begin, join, make, players, round_robin, state_of, wait_for_state,
};
use serde_json::{Value, json};
use tochki_protocol::{EntryConditions, TournamentId, TournamentState};
use tochki_server::tournaments::NewTournament;

/// Waits until the latest notification of a player is this one of a tournament, and returns it.
async fn noticed(player: &Player, id: TournamentId, notice: &str) -> Value {
    wait_until(notice, async || {
        let page = player.get("/api/notifications").await.assert_ok();
        let latest = page["notifications"][0].clone();
        let is_it = latest["notice"] == notice && latest["tournament"]["id"] == id.0;
        is_it.then_some(latest)
    })
    .await
}

async fn count(player: &Player) -> usize {
    let page = player.get("/api/notifications").await.assert_ok();
    page["notifications"].as_array().unwrap().len()
}

/// Waits until all causes are told.
async fn all_told(app: &TestApp) {
    wait_until("no cause is left", async || {
        let left: i64 = sqlx::query_scalar("select count(*) from notification_causes")
            .fetch_one(&app.db)
            .await
            .unwrap();
        (left == 0).then_some(())
    })
    .await;
}

/// Makes a tournament as a player does, who has only the rights of its creator.
async fn make_own(app: &TestApp, by: &Player, new: NewTournament) -> TournamentId {
    sqlx::query("update players set created_at = now() - interval '8 days' where id = $1")
        .bind(by.id)
        .execute(&app.db)
        .await
        .unwrap();
    sqlx::query(
        "insert into ratings (player_id, game, games) values ($1, 'dots', 5) on conflict do nothing",
    )
    .bind(by.id)
    .execute(&app.db)
    .await
    .unwrap();
    let (by, from) = (account(by), address(&account(by)));
    let made = app.state.tournaments.create(&by, false, &from, new);
    made.await.unwrap()
}

#[tokio::test]
async fn players_are_told_what_was_done_and_who_has_done_it_is_not() {
    let app = TestApp::init().await;
    let operator = app.with_operator("olga").await;
    let players = players(&app, &["ann", "bob", "cid"]).await;
    let [ann, bob, cid] = (players.values().collect::<Vec<_>>())
        .try_into()
        .ok()
        .unwrap();
    let id = make_own(&app, ann, arena()).await;
    for player in [ann, bob, cid] {
        join(&app, player, id).await.unwrap();
    }
    let (maker, boss) = (account(ann), account(&operator));
    let tournaments = &app.state.tournaments;
    let removed = tournaments.remove(&maker, false, id, account(bob).id).await;
    removed.unwrap();
    let told = noticed(bob, id, "removed").await;
    assert_eq!(told["kind"], "tournament");
    assert_eq!(told["tournament"]["name"], "Evening arena");
    assert_eq!(told["read"], false);
    let page = bob.get("/notifications").await.text;
    assert!(page.contains("You were removed from"), "{page}");
    assert!(page.contains(&format!("/tournament/{}", id.0)), "{page}");

    let closed = tournaments.close_entries(&boss, true, id, true).await;
    closed.unwrap();
    noticed(ann, id, "entries_closed").await;
    let opened = tournaments.close_entries(&boss, true, id, false).await;
    opened.unwrap();
    noticed(ann, id, "entries_opened").await;
    // One tournament is one line.
    assert_eq!(count(ann).await, 1);
    let own = tournaments.close_entries(&maker, false, id, true).await;
    own.unwrap();
    all_told(&app).await;
    noticed(ann, id, "entries_opened").await;
    assert_eq!(count(cid).await, 0);

    tournaments.cancel(&boss, true, id).await.unwrap();
    noticed(ann, id, "cancelled").await;
    noticed(cid, id, "cancelled").await;
    all_told(&app).await;
    noticed(bob, id, "removed").await;
    assert_eq!(count(&operator).await, 0);
    let form = [("kind", "tournament"), ("site", "off")];
    cid.post("/api/change_notifications", &form)
        .await
        .assert_ok();
    let switches = cid.get("/api/notification_settings").await.assert_ok();
    let last = switches.as_array().unwrap().last().unwrap().clone();
    let expected = json!({"kind": "tournament", "site": false, "push": true, "mail": false});
    assert_eq!(last, expected);
}

#[tokio::test]
async fn who_does_not_qualify_any_more_is_told_at_the_start() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob"]).await;
    let [ann, bob] = (players.values().collect::<Vec<_>>())
        .try_into()
        .ok()
        .unwrap();
    let bounds = EntryConditions {
        max_rating: Some(1650),
        ..EntryConditions::default()
    };
    let new = NewTournament {
        entry: bounds,
        ..arena()
    };
    let id = make(&app, ann, new).await;
    for player in [ann, bob] {
        join(&app, player, id).await.unwrap();
    }
    sqlx::query("insert into ratings (player_id, game, rating) values ($1, 'dots', 1700)")
        .bind(bob.id)
        .execute(&app.db)
        .await
        .unwrap();
    begin(&app, id).await;
    noticed(bob, id, "unqualified").await;
    all_told(&app).await;
    assert_eq!(count(ann).await, 0);
}

#[tokio::test]
async fn too_few_players_are_told_that_it_does_not_take_place() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid"]).await;
    let [ann, bob, cid] = (players.values().collect::<Vec<_>>())
        .try_into()
        .ok()
        .unwrap();
    let id = make(&app, ann, round_robin(false)).await;
    join(&app, bob, id).await.unwrap();
    join(&app, cid, id).await.unwrap();
    let left = app.state.tournaments.leave(&account(cid), id).await;
    left.unwrap();
    assert_eq!(state_of(&app, id).await, TournamentState::Open);
    sqlx::query("update tournaments set starts_at = now() where id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .unwrap();
    wait_for_state(&app, id, TournamentState::Cancelled).await;
    noticed(bob, id, "cancelled").await;
    noticed(ann, id, "cancelled").await;
    all_told(&app).await;
    assert_eq!(count(cid).await, 0);
}
