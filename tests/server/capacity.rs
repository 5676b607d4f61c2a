//! Capacity: the seats that a player may take, and the limits on tables, players and matches.

use super::app::{SMALL, TestApp};
use super::player::{Player, Response, Visitor, send};
use serde_json::Value;
use std::num::NonZeroU32;

impl Player {
    async fn sit_with(&self, table: &Value, link: Option<&str>) -> Response {
        let id = table["id"].to_string();
        let mut form = vec![("table", id.as_str())];
        form.extend(link.map(|link| ("link", link)));
        self.post("/api/sit", &form).await
    }
}

/// Moves the last presence of all tables' creators this far into the past.
async fn leave(app: &TestApp, seconds: f64) {
    sqlx::query("update open_tables set seen_at = now() - make_interval(secs => $1)")
        .bind(seconds)
        .execute(&app.db)
        .await
        .unwrap();
}

async fn open_from(visitor: &Visitor, address: &str) -> Response {
    let request = visitor.post_request("/api/open_table");
    let request = request.form(&[("game", "dots")]);
    send(request.header("x-forwarded-for", address)).await
}

#[tokio::test]
async fn a_table_that_is_not_listed_needs_its_link() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let table = ann.open_table(&[]).await.assert_ok();
    let link = table["link"].as_str().unwrap();
    leave(&app, 31.0).await;
    for wrong in [None, Some(""), Some("0123456789")] {
        bob.sit_with(&table, wrong)
            .await
            .assert_error(404, "no_such_table");
    }
    let id = table["id"].to_string();
    let guest = app.visitor();
    let form = [("name", "Guest-1"), ("table", id.as_str())];
    guest
        .post("/api/be_guest", &form)
        .await
        .assert_error(404, "no_such_table");
    // The forms of the table's page have it.
    let page = bob.get(&format!("/t/{link}")).await.text;
    let field = format!(r#"<input type="hidden" name="link" value="{link}""#);
    assert!(page.contains(&field), "{page}");
    let page = app.visitor().get(&format!("/t/{link}")).await.text;
    assert!(page.contains(&field), "{page}");
    bob.sit_with(&table, Some(link)).await.assert_ok();
    // A player who sits there, or has opened it, asks for nothing new.
    bob.sit_with(&table, None).await.assert_ok();
    ann.sit_with(&table, None).await.assert_ok();
}

#[tokio::test]
async fn who_was_removed_stays_away_from_that_table() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let table = ann.open_table(&[]).await.assert_ok();
    let link = table["link"].as_str();
    bob.sit_with(&table, link).await.assert_ok();
    ann.remove_player(&table, &bob).await.assert_ok();
    for link in [None, link] {
        bob.sit_with(&table, link)
            .await
            .assert_error(403, "removed");
    }
    let other = eve.open_table(&[]).await.assert_ok();
    bob.sit_with(&other, None).await.assert_ok();
    // Another table of the same player is another table.
    ann.stand_up(&table).await.assert_ok();
    let next = ann.open_table(&[]).await.assert_ok();
    bob.sit_with(&next, None).await.assert_ok();
}

#[tokio::test]
async fn only_tables_whose_creator_is_there_count() {
    let app = TestApp::with_settings(|settings| {
        settings.tables_in_all = NonZeroU32::new(2).unwrap();
    })
    .await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    ann.open_table(&[]).await.assert_ok();
    bob.open_table(&[]).await.assert_ok();
    eve.open_table(&[]).await.assert_error(409, "tables_full");
    leave(&app, 31.0).await;
    eve.open_table(&[]).await.assert_ok();
    // The player's own table counts as long as it is open.
    ann.open_table(&[])
        .await
        .assert_error(409, "too_many_tables");
}

#[tokio::test]
async fn one_address_cannot_fill_the_tables() {
    let app = TestApp::with_settings(|settings| {
        settings.trust_proxy = 1;
        settings.tables_by_address = NonZeroU32::new(2).unwrap();
    })
    .await;
    let mut players = Vec::new();
    for n in 0..4 {
        players.push(app.with_user(&format!("player{n}")).await);
    }
    let here = "10.1.1.1";
    open_from(&players[0], here).await.assert_ok();
    open_from(&players[1], here).await.assert_ok();
    open_from(&players[2], here)
        .await
        .assert_error(409, "tables_full");
    open_from(&players[2], "10.2.2.2").await.assert_ok();
    leave(&app, 31.0).await;
    open_from(&players[3], here).await.assert_ok();
}

#[tokio::test]
async fn players_are_limited() {
    let app = TestApp::with_settings(|settings| {
        settings.players_in_all = NonZeroU32::new(2);
    })
    .await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let anns = ann.join_lobby().await;
    let _bobs = bob.join_lobby().await;
    // Players who are here may open more, and come back.
    let tab = ann.join_lobby_of("gomoku").await;
    ann.get("/api/waiting_room?game=dots").await.assert_ok();
    let refused = eve.get("/events/lobby?game=dots").await;
    refused.assert_error(409, "players_full");
    eve.get("/api/waiting_room?game=dots")
        .await
        .assert_error(409, "players_full");
    let page = eve.get("/play").await;
    assert_eq!(page.status, 409);
    assert!(page.text.contains("The site is full."), "{}", page.text);
    let form = [("name", "dan"), ("password", super::player::PASSWORD)];
    let visitor = app.visitor();
    visitor
        .post("/api/register", &form)
        .await
        .assert_error(409, "players_full");
    visitor
        .post("/api/be_guest", &[("name", "dan")])
        .await
        .assert_error(409, "players_full");
    drop((anns, tab));
    super::app::wait_until("a free place", async || {
        let room = eve.get("/api/waiting_room?game=dots").await;
        (room.status == 200).then_some(())
    })
    .await;
    let _eves = eve.join_lobby().await;
}

#[tokio::test]
async fn running_matches_are_limited() {
    let app = TestApp::with_settings(|settings| {
        settings.matches_in_all = NonZeroU32::new(1);
    })
    .await;
    let mut players = Vec::new();
    let mut streams = Vec::new();
    for n in 0..6 {
        let player = app.with_user(&format!("player{n}")).await;
        streams.push(player.join_lobby().await);
        players.push(player);
    }
    let mut asked = Vec::new();
    for pair in players.chunks(2) {
        asked.push(
            pair[0]
                .challenge(&pair[1], &[("setup", SMALL)])
                .await
                .id("id"),
        );
    }
    let accept = |n: usize| players[2 * n + 1].answer_challenge(asked[n], true);
    let answers = tokio::join!(accept(0), accept(1), accept(2));
    let answers = [answers.0, answers.1, answers.2];
    let started: Vec<i64> = answers
        .iter()
        .filter(|answer| answer.status == 200)
        .map(|answer| answer.id("match"))
        .collect();
    assert_eq!(started.len(), 1, "{answers:?}");
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        refused.assert_error(409, "matches_full");
    }
    let place = answers
        .iter()
        .position(|answer| answer.status == 200)
        .unwrap();
    let (first, second) = (&players[2 * place], &players[2 * place + 1]);
    let other = &players[(2 * place + 2) % 6];
    let neighbour = &players[(2 * place + 3) % 6];
    // A crossing challenge and a table are refused alike.
    neighbour
        .challenge(other, &[("setup", SMALL)])
        .await
        .assert_error(409, "matches_full");
    let table = other.open_table(&[]).await.assert_ok();
    neighbour.sit_with(&table, None).await.assert_ok();
    other.set_ready(&table, true).await.assert_ok();
    neighbour
        .set_ready(&table, true)
        .await
        .assert_error(409, "matches_full");
    first.make_move(started[0], "0,0", &[]).await.assert_ok();
    second.make_move(started[0], "1,1", &[]).await.assert_ok();
    first.resign(started[0]).await.assert_ok();
    let table = neighbour.set_ready(&table, true).await.assert_ok();
    assert!(table["match"].is_number(), "{table}");
}
