//! The database goes away and comes back.

use super::app::{SMALL, TestApp, start_match, until};
use super::cluster::Database;
use super::line::Line;
use super::player::PASSWORD;
use serde_json::json;
use tochki_server::settings::Settings;

/// An arena whose line to the database can be cut.
async fn on_a_line() -> (TestApp, Line) {
    let database = Database::fresh().await;
    let line = Line::to(&database).await;
    let mut app = TestApp::on(database.through(line.address()), Settings::default()).await;
    // The test's own look does not go over that line.
    app.db = database.pool();
    (app, line)
}

#[tokio::test]
async fn while_the_database_is_away_the_arena_says_so() {
    let (app, line) = on_a_line().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    ann.moves(id, "1,1", &[]).await.given();
    line.cut();
    let form = [("name", "eve"), ("password", PASSWORD)];
    app.visitor()
        .post("/api/register", &form)
        .await
        .refused(503, "unavailable");
    bob.moves(id, "2,2", &[("client_id", "b")])
        .await
        .refused(503, "unavailable");
    ann.get("/api/waiting_room?game=dots")
        .await
        .refused(503, "unavailable");
    ann.get(&format!("/events/match/{id}"))
        .await
        .refused(503, "unavailable");
    app.visitor()
        .get("/readyz")
        .await
        .refused(503, "unavailable");
    assert_eq!(app.visitor().get("/healthz").await.status, 200);

    line.mend();
    until("an arena that can serve", async || {
        (app.visitor().get("/readyz").await.status == 200).then_some(())
    })
    .await;
    let answer = bob.moves(id, "2,2", &[("client_id", "b")]).await;
    assert_eq!(answer.version(), 2);
    assert_eq!(ann.snapshot(id).await["moves"], json!(["1,1", "2,2"]));
}

#[tokio::test]
async fn a_commit_whose_answer_is_lost_is_found_again() {
    let (app, line) = on_a_line().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let mut stream = app.visitor().stream(&format!("/events/match/{id}")).await;
    line.cut_after_next_commit();
    ann.moves(id, "1,1", &[("client_id", "a")])
        .await
        .refused(503, "unavailable");
    until("the row", async || {
        let rows: i64 = sqlx::query_scalar("select count(*) from match_events")
            .fetch_one(&app.db)
            .await
            .unwrap();
        (rows == 1).then_some(())
    })
    .await;
    assert_eq!(
        ann.moves(id, "1,1", &[("client_id", "a")]).await.version(),
        1
    );
    assert_eq!(stream.next().await.id, Some(1), "told once it is known");
    bob.moves(id, "2,2", &[("version", "1")]).await.given();
    assert_eq!(stream.next().await.id, Some(2), "and told once");
}

#[tokio::test]
async fn streams_come_through_a_short_outage() {
    let (app, line) = on_a_line().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let mut stream = bob.stream(&path).await;
    ann.moves(id, "1,1", &[]).await.given();
    assert_eq!(stream.next().await.id, Some(1));
    line.cut();
    line.mend();
    let answer = until("a move", async || {
        let answer = bob.moves(id, "2,2", &[("client_id", "b")]).await;
        (answer.status != 503).then_some(answer)
    })
    .await;
    assert_eq!(answer.version(), 2);
    let next = match stream.event().await {
        Some(event) => event,
        // It was ended: the browser comes back with what it has.
        None => bob.resume(&path, 1).await.next().await,
    };
    assert_eq!(next.id, Some(2));
}
