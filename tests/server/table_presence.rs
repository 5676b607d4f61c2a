//! Tables as others see them: the list in the lobby, the stream of a table, and the seats of absent players.

use super::app::{TestApp, wait_until};
use super::tables::{get_table, is_listed, seats};
use serde_json::json;

#[tokio::test]
async fn lobby_lists_tables_with_a_free_seat() {
    let app = TestApp::init().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await.at_instance(there.address);
    let mut room = cid.join_lobby().await;
    let mut elsewhere = cid.join_lobby_of("gomoku").await;
    let table = ann.open_table(&[]).await.assert_ok();
    assert_eq!(
        room.next_named("table").await,
        table,
        "also at another instance"
    );
    assert!(is_listed(&cid, &table).await);
    let full = bob.sit(&table).await.assert_ok();
    assert_eq!(
        room.next_named("table").await,
        full,
        "until the match begins"
    );
    assert!(is_listed(&cid, &table).await);
    bob.stand_up(&table).await.assert_ok();
    assert_eq!(room.next_named("table").await, table);
    let late = ann
        .at_instance(there.address)
        .stream("/events/lobby?game=dots")
        .await;
    let mut late = late;
    assert_eq!(late.expect("snapshot").await["tables"], json!([table]));
    ann.stand_up(&table).await.assert_ok();
    assert_eq!(
        room.next_named("table_closed").await,
        json!({"id": table["id"]})
    );

    // The lobby of another game does not list it.
    let gomoku = [("game", "gomoku")];
    let other = ann.post("/api/open_table", &gomoku).await.assert_ok();
    let told = elsewhere.next_named("table").await;
    assert_eq!(told["id"], other["id"]);
}

#[tokio::test]
async fn table_stream_sends_changes() {
    let app = TestApp::init().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let table = ann.open_table(&[]).await.assert_ok();
    let path = format!("/events/table/{}", table["link"].as_str().unwrap());
    let mut anns = ann.stream(&path).await;
    // A visitor without an account, at another instance.
    let mut watching = app.visitor().at_instance(there.address).stream(&path).await;
    for stream in [&mut anns, &mut watching] {
        assert_eq!(stream.expect("table").await, table);
    }
    bob.sit(&table).await.assert_ok();
    for stream in [&mut anns, &mut watching] {
        let told = stream.expect("table").await;
        assert_eq!(seats(&told), [Some(("ann", false)), Some(("bob", false))]);
    }
    ann.set_ready(&table, true).await.assert_ok();
    for stream in [&mut anns, &mut watching] {
        let told = stream.expect("table").await;
        assert_eq!(seats(&told)[0], Some(("ann", true)));
    }
    let id = bob.set_ready(&table, true).await.id("match");
    for stream in [&mut anns, &mut watching] {
        let called = stream.expect("match_started").await;
        assert_eq!(
            (&called["match"], &called["game"]),
            (&json!(id), &json!("dots"))
        );
        let mut players: Vec<_> = [0, 1]
            .map(|seat| called["players"][seat]["id"].as_i64())
            .into();
        players.sort_unstable();
        assert_eq!(players, [Some(ann.id), Some(bob.id)]);
    }
    // A new stream is told at once.
    let mut late = bob.stream(&path).await;
    assert_eq!(late.expect("table").await["closed"], true);
    assert_eq!(late.expect("match_started").await["match"], id);
}

#[tokio::test]
async fn table_stream_sends_closing() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let table = ann.open_table(&[]).await.assert_ok();
    let path = format!("/events/table/{}", table["link"].as_str().unwrap());
    let mut bobs = bob.stream(&path).await;
    bobs.expect("table").await;
    ann.stand_up(&table).await.assert_ok();
    assert_eq!(
        bobs.expect("table_closed").await,
        json!({"id": table["id"]})
    );
    for path in ["/events/table/0123456789", "/events/table/x%2F"] {
        bob.get(path).await.assert_error(404, "no_such_table");
    }
}

/// Moves the last presence at all tables into the past.
async fn age_presence(app: &TestApp, seconds: i64) {
    for statement in [
        "update open_tables set seen_at = seen_at - $1 * interval '1 second'",
        "update table_seats set seen_at = seen_at - $1 * interval '1 second'",
    ] {
        sqlx::query(statement)
            .bind(seconds)
            .execute(&app.db)
            .await
            .expect("time passes");
    }
}

#[tokio::test]
async fn table_is_listed_while_its_creator_is_present() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let table = ann.open_table(&[]).await.assert_ok();
    let mut room = bob.join_lobby().await;
    assert!(is_listed(&bob, &table).await);
    age_presence(&app, 31).await;
    room.next_named("table_closed").await;
    assert!(!is_listed(&bob, &table).await);
    // The creator may be away for up to 30 minutes, for instance to send the link.
    bob.sit(&table).await.assert_ok();
    bob.stand_up(&table).await.assert_ok();
    // Opening the table's page or a lobby counts as presence.
    let path = format!("/events/table/{}", table["link"].as_str().unwrap());
    let back = ann.stream(&path).await;
    assert_eq!(room.next_named("table").await["id"], table["id"]);
    drop(back);
    // Until the server has noticed it, and for a moment longer, the stream still counts.
    wait_until("the end of the stream", async || {
        let gone: bool = sqlx::query_scalar(
            "select not exists (
                select from presence where player_id = $1 and is_alive(beat_at, gone_at)
            )",
        )
        .bind(ann.id)
        .fetch_one(&app.db)
        .await
        .expect("a presence");
        gone.then_some(())
    })
    .await;
    age_presence(&app, 31 * 60).await;
    wait_until("the end of the table", async || {
        let closed = get_table(&bob, &table).await["closed"] == true;
        closed.then_some(())
    })
    .await;
}

#[tokio::test]
async fn absent_player_loses_the_seat() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let table = ann.open_table(&[]).await.assert_ok();
    let path = format!("/events/table/{}", table["link"].as_str().unwrap());
    let mut anns = ann.stream(&path).await;
    anns.expect("table").await;
    bob.sit(&table).await.assert_ok();
    anns.expect("table").await;
    bob.set_ready(&table, true).await.assert_ok();
    anns.expect("table").await;
    age_presence(&app, 31).await;
    let told = anns.expect("table").await;
    assert_eq!(
        seats(&told)[1],
        Some(("bob", false)),
        "an absent player is not ready"
    );
    age_presence(&app, 30).await;
    assert_eq!(
        seats(&anns.expect("table").await),
        [Some(("ann", false)), None]
    );
}

#[tokio::test]
async fn page_load_without_scripts_counts_as_presence() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let table = ann.open_table(&[]).await.assert_ok();
    bob.sit(&table).await.assert_ok();
    age_presence(&app, 50).await;
    let page = format!("/t/{}", table["link"].as_str().unwrap());
    let loaded = bob.get(&page).await;
    assert_eq!(loaded.status, 200);
    assert!(loaded.text.contains(r#"http-equiv="refresh""#));
    wait_until("presence at the table", async || {
        let here: bool = sqlx::query_scalar(
            "select seen_at > now() - interval '20 seconds' from table_seats where player_id = $1",
        )
        .bind(bob.id)
        .fetch_one(&app.db)
        .await
        .expect("a seat");
        here.then_some(())
    })
    .await;
}
