//! Offers at the table: made, answered, cancelled, run out, and told to both.

use super::app::{SMALL, TestApp, start_match, start_match_with};
use super::player::Player;
use super::stream::Stream;
use serde_json::{Value, json};

/// Ann, who moves first, and Bob at a table, and what each of them hears there.
struct Table {
    app: TestApp,
    ann: Player,
    bob: Player,
    id: i64,
    streams: [Stream; 2],
}

impl Table {
    async fn laid() -> Self {
        Self::laid_with(&[("setup", SMALL)]).await
    }

    async fn laid_with(form: &[(&str, &str)]) -> Self {
        let app = TestApp::init().await;
        let (ann, bob) = app.with_two().await;
        let id = start_match_with(&ann, &bob, form).await;
        let path = format!("/events/match/{id}");
        let streams = [ann.stream(&path).await, bob.stream(&path).await];
        Self {
            app,
            ann,
            bob,
            id,
            streams,
        }
    }

    /// The next event, which both hear alike.
    async fn hears(&mut self, version: u32, name: &str) -> Value {
        let [anns, bobs] = &mut self.streams;
        let event = anns.next().await;
        assert_eq!((event.id, event.name.as_str()), (Some(version), name));
        assert_eq!(bobs.next().await, event);
        event.data
    }
}

#[tokio::test]
async fn an_offer_is_told_to_both_and_stands_in_the_snapshot() {
    let mut table = Table::laid().await;
    let offered = table.bob.offers(table.id, "draw").await.given();
    assert_eq!(offered["version"], 1);
    let told = table.hears(1, "offered").await;
    let expected = json!({"seat": 2, "kind": "draw", "expires_at": offered["expires_at"]});
    assert_eq!(told, expected);
    let now: i64 = sqlx::query_scalar("select ms(now())")
        .fetch_one(&table.app.db)
        .await
        .unwrap();
    let left = offered["expires_at"].as_i64().unwrap() - now;
    assert!((10_000..=15_500).contains(&left), "15 s, not {left} ms");
    let snapshot = table.app.visitor().snapshot(table.id).await;
    assert_eq!(snapshot["offer"], expected);

    let answered = table.ann.answers_offer(table.id, false).await;
    assert_eq!(answered.given(), json!({"version": 2}));
    let told = table.hears(2, "offer_closed").await;
    assert_eq!(told, json!({"why": "declined"}));
    let snapshot = table.app.visitor().snapshot(table.id).await;
    assert_eq!(snapshot["offer"], Value::Null);
}

#[tokio::test]
async fn a_draw_is_agreed() {
    let mut table = Table::laid().await;
    table.ann.offers(table.id, "draw").await.given();
    table.hears(1, "offered").await;
    assert_eq!(table.bob.answers_offer(table.id, true).await.version(), 3);
    let told = table.hears(2, "offer_closed").await;
    assert_eq!(told, json!({"why": "accepted"}));
    let result = table.hears(3, "finished").await["result"].clone();
    assert_eq!(
        (&result["winner"], &result["reason"]),
        (&json!(0), &json!("agreed_draw"))
    );
    assert_eq!(
        result["ratings"][0],
        json!({"before": 1600.0, "after": 1600.0})
    );
}

#[tokio::test]
async fn an_agreed_finish_goes_by_points() {
    let mut table = Table::laid().await;
    for (n, mv) in ["1,2", "2,2", "3,2", "0,0", "2,1", "0,1", "2,3"]
        .iter()
        .enumerate()
    {
        let mover = [&table.ann, &table.bob][n % 2];
        mover.moves(table.id, mv, &[]).await.given();
        table.hears(n as u32 + 1, "moved").await;
    }
    table.bob.offers(table.id, "finish").await.given();
    table.hears(8, "offered").await;
    table.ann.answers_offer(table.id, true).await.given();
    table.hears(9, "offer_closed").await;
    let result = table.hears(10, "finished").await["result"].clone();
    assert_eq!(
        (&result["winner"], &result["reason"]),
        (&json!(1), &json!("agreed_finish"))
    );
    assert_eq!(result["ratings"][0]["after"], 1612.5);
}

#[tokio::test]
async fn a_move_is_taken_back() {
    let mut table = Table::laid_with(&[("setup", SMALL), ("clock", "100+5")]).await;
    let name = [("client_id", "a")];
    table.ann.moves(table.id, "1,1", &name).await.given();
    table.hears(1, "moved").await;
    table.ann.offers(table.id, "takeback").await.given();
    table.hears(2, "offered").await;
    assert_eq!(table.bob.answers_offer(table.id, true).await.version(), 4);
    table.hears(3, "offer_closed").await;
    let told = table.hears(4, "taken_back").await;
    assert_eq!(told["count"], 1);
    let clock = &told["clock"];
    assert_eq!(clock["running"], 1);
    let left = clock["left_ms"][0].as_i64().unwrap();
    assert!(left <= 100_000, "the increment is lost: {clock}");

    let snapshot = table.app.visitor().snapshot(table.id).await;
    assert_eq!(
        (
            &snapshot["version"],
            &snapshot["moves"],
            &snapshot["to_move"]
        ),
        (&json!(4), &json!([]), &json!(1))
    );
    assert_eq!(snapshot["clock"], *clock);
    let deadline: i64 = sqlx::query_scalar("select ms(deadline_at) from matches")
        .fetch_one(&table.app.db)
        .await
        .unwrap();
    assert_eq!(deadline, clock["at"].as_i64().unwrap() + left);

    // Another instance reads the same, and the name of the move is known everywhere.
    let there = table.app.another().await;
    assert_eq!(there.visitor().snapshot(table.id).await["moves"], json!([]));
    let ann_there = table.ann.moved_to(there.address);
    assert_eq!(ann_there.moves(table.id, "1,1", &name).await.version(), 1);
    assert_eq!(ann_there.moves(table.id, "1,1", &[]).await.version(), 5);
}

#[tokio::test]
async fn who_has_not_moved_has_nothing_to_take_back() {
    let table = Table::laid().await;
    table.ann.moves(table.id, "1,1", &[]).await.given();
    table
        .bob
        .offers(table.id, "takeback")
        .await
        .refused(409, "nothing_to_take_back");
}

#[tokio::test]
async fn a_move_of_the_offered_player_closes_the_offer_and_is_the_last_event() {
    let mut table = Table::laid().await;
    table.bob.offers(table.id, "draw").await.given();
    table.hears(1, "offered").await;
    assert_eq!(table.ann.moves(table.id, "1,1", &[]).await.version(), 3);
    let told = table.hears(2, "offer_closed").await;
    assert_eq!(told, json!({"why": "moved"}));
    table.hears(3, "moved").await;
    table
        .ann
        .answers_offer(table.id, true)
        .await
        .refused(404, "offer_closed");
}

#[tokio::test]
async fn offers_are_refused_for_a_reason() {
    let table = Table::laid().await;
    let (ann, bob, id) = (&table.ann, &table.bob, table.id);
    bob.answers_offer(id, true)
        .await
        .refused(404, "offer_closed");
    bob.cancels_offer(id).await.refused(404, "offer_closed");
    ann.offers(id, "draw").await.given();
    ann.offers(id, "draw").await.refused(409, "offer_open");
    bob.offers(id, "finish").await.refused(409, "offer_open");
    ann.answers_offer(id, true).await.refused(403, "not_yours");
    bob.cancels_offer(id).await.refused(403, "not_yours");
    assert_eq!(ann.cancels_offer(id).await.version(), 2);

    ann.offers(id, "peace").await.refused(400, "bad_request");
    ann.post("/api/offer", &[("match_id", &id.to_string())])
        .await
        .refused(400, "bad_request");
    ann.post(
        "/api/answer_offer",
        &[("match_id", &id.to_string()), ("accept", "perhaps")],
    )
    .await
    .refused(400, "bad_request");

    let eve = table.app.with_user("eve").await;
    let nobody = table.app.visitor();
    let mine = id.to_string();
    for (path, field) in [
        ("/api/offer", ("kind", "draw")),
        ("/api/answer_offer", ("accept", "true")),
        ("/api/cancel_offer", ("x", "")),
    ] {
        let form = [("match_id", mine.as_str()), field];
        eve.post(path, &form).await.refused(403, "not_a_player");
        nobody.post(path, &form).await.refused(401, "signed_out");
        let form = [("match_id", "999999"), field];
        ann.post(path, &form).await.refused(404, "no_such_match");
    }

    bob.resigns(id).await.given();
    ann.offers(id, "draw").await.refused(409, "finished");
    bob.answers_offer(id, true)
        .await
        .refused(404, "offer_closed");
    ann.cancels_offer(id).await.refused(404, "offer_closed");
}

#[tokio::test]
async fn the_end_of_the_match_closes_an_offer_first() {
    let mut table = Table::laid().await;
    table.ann.offers(table.id, "draw").await.given();
    table.hears(1, "offered").await;
    assert_eq!(table.ann.resigns(table.id).await.version(), 3);
    let told = table.hears(2, "offer_closed").await;
    assert_eq!(told, json!({"why": "finished"}));
    table.hears(3, "finished").await;
}

#[tokio::test]
async fn an_offer_runs_out_by_itself() {
    let table = Table::laid().await;
    let (ann, bob, id) = (&table.ann, &table.bob, table.id);
    ann.offers(id, "draw").await.given();
    // It was made 15 s ago, which we do not wait for; an instance that has not seen it yet reads it like that.
    for statement in [
        "update match_events set body = jsonb_set(body::jsonb, '{expires_at}', to_jsonb(ms(now())))::text",
        "update matches set deadline_at = now()",
    ] {
        sqlx::query(statement).execute(&table.app.db).await.unwrap();
    }
    let there = table.app.another().await;
    let mut stream = there
        .visitor()
        .stream(&format!("/events/match/{id}?after=1"))
        .await;
    let told = stream.next_named("offer_closed").await;
    assert_eq!(told, json!({"why": "expired"}));
    let bob_there = bob.moved_to(there.address);
    bob_there
        .answers_offer(id, true)
        .await
        .refused(404, "offer_closed");
    let deadline: Option<i64> = sqlx::query_scalar("select ms(deadline_at) from matches")
        .fetch_one(&table.app.db)
        .await
        .unwrap();
    assert_eq!(deadline, None, "nothing more is due");
    assert_eq!(ann.offers(id, "draw").await.version(), 3);
}

#[tokio::test]
async fn of_two_answers_at_two_instances_one_counts() {
    let table = Table::laid().await;
    let there = table.app.another().await;
    let bob_there = table.bob.moved_to(there.address);
    table.ann.offers(table.id, "draw").await.given();
    let (yes, no) = tokio::join!(
        table.bob.answers_offer(table.id, true),
        bob_there.answers_offer(table.id, false)
    );
    let mut codes = [yes.code(), no.code()];
    codes.sort();
    assert_eq!(codes, [None, Some("offer_closed".to_owned())]);
    let snapshot = table.app.visitor().snapshot(table.id).await;
    assert_eq!(
        snapshot["status"],
        if yes.status == 200 {
            "finished"
        } else {
            "running"
        }
    );
}

#[tokio::test]
async fn a_database_of_before_goes_on() {
    // Its events know nothing of offers, and what they are called has not changed.
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let body = r#"{"seat":1,"mv":"1,1","score":[0,0],"to_move":2,"passed":false,"clock":null,"client_id":null}"#;
    sqlx::query("insert into match_events (match_id, version, kind, body, seat) values ($1, 1, 'moved', $2, 1)")
        .bind(id)
        .bind(body)
        .execute(&app.db)
        .await
        .unwrap();
    sqlx::query("update matches set version = 1")
        .execute(&app.db)
        .await
        .unwrap();
    let there = app.another().await;
    let bob = bob.moved_to(there.address);
    assert_eq!(bob.moves(id, "2,2", &[("version", "1")]).await.version(), 2);
}
