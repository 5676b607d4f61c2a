//! Mutes at tables: the name of a table is said to everybody, and sitting down addresses the player who sits there.

use super::app::{TestApp, wait_until};
use super::player::Player;
use super::tables::{get_table, is_listed, seats};
use serde_json::Value;

const NAMED: [(&str, &str); 1] = [("name", "look at this")];

#[tokio::test]
async fn tables_of_a_muted_player_are_not_shown_to_who_muted_them() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (mut anns, mut bobs) = (ann.join_lobby().await, bob.join_lobby().await);
    let eve = app.with_user("eve").await;
    let _eves = eve.join_lobby().await;
    ann.mute(&eve, true).await.assert_ok();
    let table = eve.open_table(&NAMED).await.assert_ok();
    // Bob is told, and Ann is not: the next table that she is told of is one of Bob's.
    assert_eq!(bobs.next_named("table").await["id"], table["id"]);
    let of_bob = bob.open_table(&[("name", "hello")]).await.assert_ok();
    assert_eq!(anns.next_named("table").await["id"], of_bob["id"]);
    assert!(!is_listed(&ann, &table).await && is_listed(&bob, &table).await);
    let mut again = ann.stream("/events/lobby?game=dots").await;
    let room = again.expect("snapshot").await;
    let shown = room["tables"].as_array().unwrap().iter();
    assert!(shown.map(|table| &table["id"]).all(|id| *id != table["id"]));
    // With the link she sees the table, and not what it is called.
    assert_eq!(get_table(&ann, &table).await["name"], "eve");
    assert_eq!(get_table(&bob, &table).await["name"], "look at this");
    let page = ann
        .get(&format!("/t/{}", table["link"].as_str().unwrap()))
        .await;
    assert!(!page.text.contains("look at this"), "{}", page.text);
    let link = table["link"].as_str().unwrap();
    for (path, reader, name) in [
        (format!("/events/table/{link}"), &ann, "eve"),
        (format!("/events?topics=table:{link}"), &ann, "eve"),
        (format!("/events/table/{link}"), &bob, "look at this"),
    ] {
        let mut stream = reader.stream(&path).await;
        assert_eq!(stream.next_named("table").await["name"], name, "{path}");
    }

    // When she no longer mutes Eve, the table is there; and when she does, it is gone.
    ann.mute(&eve, false).await.assert_ok();
    assert_eq!(anns.next_named("table").await["id"], table["id"]);
    ann.mute(&eve, true).await.assert_ok();
    assert_eq!(anns.next_named("table_closed").await["id"], table["id"]);
}

#[tokio::test]
async fn whoever_is_muted_does_not_sit_down_there() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    ann.mute(&eve, true).await.assert_ok();
    let _waiting = (ann.join_lobby().await, bob.join_lobby().await);
    let of_ann = ann.open_table(&[]).await.assert_ok();
    // Neither as somebody from the waiting room, nor with the link, which is told like a table that is not there.
    eve.sit(&of_ann).await.assert_error(404, "no_such_table");
    let id = of_ann["id"].to_string();
    eve.post("/api/sit", &[("table", &id)])
        .await
        .assert_error(404, "no_such_table");
    assert!(seats(&get_table(&bob, &of_ann).await)[1].is_none());
    // Nor beside Ann at the table of somebody else.
    let of_bob = bob.open_table(&[]).await.assert_ok();
    bob.stand_up(&of_bob).await.assert_ok();
    let of_bob = bob.open_table(&[]).await.assert_ok();
    ann.sit(&of_bob).await.assert_ok();
    eve.sit(&of_bob).await.assert_error(404, "no_such_table");
    ann.stand_up(&of_bob).await.assert_ok();
    eve.sit(&of_bob).await.assert_ok();
}

async fn operator_mute(boss: &Player, player: &Player, length: &str) {
    let form = [("player", &*player.id.to_string()), ("length", length)];
    boss.post("/api/operator_mute", &form).await.assert_ok();
}

#[tokio::test]
async fn who_is_muted_by_an_operator_names_no_table() {
    let app = TestApp::init().await;
    let (boss, ann) = (app.with_operator("boss").await, app.with_user("ann").await);
    let mut room = boss.join_lobby().await;
    let _here = ann.join_lobby().await;
    let table = ann.open_table(&NAMED).await.assert_ok();
    assert_eq!(room.next_named("table").await["name"], "look at this");
    operator_mute(&boss, &ann, "day").await;
    // The name of the table is taken back, for everybody at once.
    let renamed = wait_until("another name", async || {
        let told = room.next_named("table").await;
        (told["name"] == "ann").then_some(told)
    })
    .await;
    assert_eq!(renamed["id"], table["id"]);
    ann.stand_up(&table).await.assert_ok();
    ann.open_table(&NAMED).await.assert_error(403, "muted");
    // A table without a name says nothing.
    let plain = ann.open_table(&[]).await.assert_ok();
    ann.stand_up(&plain).await.assert_ok();
    operator_mute(&boss, &ann, "none").await;
    let named: Value = ann.open_table(&NAMED).await.assert_ok();
    assert_eq!(named["name"], "look at this");
}
