//! Offers in a match: made, answered, cancelled, expired, and streamed to both players.

use super::app::{BEGUN, SMALL, TestApp, backdate_match, begin, start_match, start_match_with};
use super::player::Player;
use super::sse_client::Stream;
use serde_json::{Value, json};

/// A match of Ann, who moves first, and Bob, with a stream of each.
struct OfferTest {
    app: TestApp,
    ann: Player,
    bob: Player,
    id: i64,
    streams: [Stream; 2],
}

impl OfferTest {
    async fn start() -> Self {
        Self::start_with(&[("setup", SMALL)]).await
    }

    /// Starts a match in which both have made their first move; the streams are after these.
    async fn begun() -> Self {
        Self::begun_with(&[("setup", SMALL)]).await
    }

    async fn begun_with(form: &[(&str, &str)]) -> Self {
        let mut test = Self::start_with(form).await;
        begin(&test.ann, &test.bob, test.id).await;
        for version in 1..=BEGUN {
            test.expect_both(version, "moved").await;
        }
        test
    }

    async fn start_with(form: &[(&str, &str)]) -> Self {
        let app = TestApp::init().await;
        let (ann, bob) = app.with_two_users().await;
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

    /// Returns the body of the next event, which is the same on both streams.
    async fn expect_both(&mut self, version: u32, name: &str) -> Value {
        let [anns, bobs] = &mut self.streams;
        let event = anns.next().await;
        assert_eq!((event.id, event.name.as_str()), (Some(version), name));
        assert_eq!(bobs.next().await, event);
        event.data
    }
}

#[tokio::test]
async fn offer_is_streamed_and_in_the_snapshot() {
    let mut test = OfferTest::begun().await;
    let offered = test.bob.offer(test.id, "draw").await.assert_ok();
    assert_eq!(offered["version"], 3);
    let told = test.expect_both(3, "offered").await;
    let expected = json!({"seat": 2, "kind": "draw", "expires_at": offered["expires_at"]});
    assert_eq!(told, expected);
    let now: i64 = sqlx::query_scalar("select ms(now())")
        .fetch_one(&test.app.db)
        .await
        .unwrap();
    let left = offered["expires_at"].as_i64().unwrap() - now;
    assert!((10_000..=15_500).contains(&left), "15 s, not {left} ms");
    let snapshot = test.app.visitor().snapshot(test.id).await;
    let expected =
        json!({"seat": 2, "kind": "draw", "expires_at": offered["expires_at"], "version": 3});
    assert_eq!(snapshot["offer"], expected);

    let answered = test.ann.answer_offer(test.id, false).await;
    assert_eq!(answered.assert_ok(), json!({"version": 4}));
    let told = test.expect_both(4, "offer_closed").await;
    assert_eq!(told, json!({"why": "declined"}));
    let snapshot = test.app.visitor().snapshot(test.id).await;
    assert_eq!(snapshot["offer"], Value::Null);
}

#[tokio::test]
async fn draw_is_agreed() {
    let mut test = OfferTest::begun().await;
    test.ann.offer(test.id, "draw").await.assert_ok();
    test.expect_both(3, "offered").await;
    assert_eq!(test.bob.answer_offer(test.id, true).await.version(), 5);
    let told = test.expect_both(4, "offer_closed").await;
    assert_eq!(told, json!({"why": "accepted"}));
    let result = test.expect_both(5, "finished").await["result"].clone();
    assert_eq!(
        (&result["winner"], &result["reason"]),
        (&json!(0), &json!("agreed_draw"))
    );
    assert_eq!(
        result["ratings"][0],
        json!({"before": 1600.0, "after": 1600.0, "provisional": true})
    );
}

#[tokio::test]
async fn agreed_finish_is_decided_by_points() {
    let mut test = OfferTest::start().await;
    for (n, mv) in ["1,2", "2,2", "3,2", "0,0", "2,1", "0,1", "2,3"]
        .iter()
        .enumerate()
    {
        let mover = [&test.ann, &test.bob][n % 2];
        mover.make_move(test.id, mv, &[]).await.assert_ok();
        test.expect_both(n as u32 + 1, "moved").await;
    }
    test.bob.offer(test.id, "finish").await.assert_ok();
    test.expect_both(8, "offered").await;
    test.ann.answer_offer(test.id, true).await.assert_ok();
    test.expect_both(9, "offer_closed").await;
    let result = test.expect_both(10, "finished").await["result"].clone();
    assert_eq!(
        (&result["winner"], &result["reason"]),
        (&json!(1), &json!("agreed_finish"))
    );
    assert_eq!(result["ratings"][0]["after"], 1612.5);
}

#[tokio::test]
async fn takeback_undoes_moves() {
    let mut test = OfferTest::begun_with(&[("setup", SMALL), ("clock", "100+5")]).await;
    let name = [("client_id", "a")];
    test.ann.make_move(test.id, "1,1", &name).await.assert_ok();
    test.expect_both(3, "moved").await;
    test.ann.offer(test.id, "takeback").await.assert_ok();
    test.expect_both(4, "offered").await;
    assert_eq!(test.bob.answer_offer(test.id, true).await.version(), 6);
    test.expect_both(5, "offer_closed").await;
    let told = test.expect_both(6, "taken_back").await;
    assert_eq!(told["count"], 1);
    let clock = &told["clock"];
    assert_eq!(clock["running"], 1);
    let left = clock["left_ms"][0].as_i64().unwrap();
    // Her first move has given her five seconds.
    assert!(left <= 105_000, "the increment is lost: {clock}");

    let snapshot = test.app.visitor().snapshot(test.id).await;
    assert_eq!(
        (
            &snapshot["version"],
            &snapshot["moves"],
            &snapshot["to_move"]
        ),
        (&json!(6), &json!(["0,4", "4,0"]), &json!(1))
    );
    assert_eq!(snapshot["clock"], *clock);
    let deadline: i64 = sqlx::query_scalar("select ms(deadline_at) from matches")
        .fetch_one(&test.app.db)
        .await
        .unwrap();
    assert_eq!(deadline, clock["at"].as_i64().unwrap() + left);

    // Another instance reads the same, and knows the `client_id`.
    let there = test.app.another_instance().await;
    let snapshot = there.visitor().snapshot(test.id).await;
    assert_eq!(snapshot["moves"], json!(["0,4", "4,0"]));
    let ann_there = test.ann.at_instance(there.address);
    assert_eq!(
        ann_there.make_move(test.id, "1,1", &name).await.version(),
        3
    );
    assert_eq!(ann_there.make_move(test.id, "1,1", &[]).await.version(), 7);
}

#[tokio::test]
async fn takeback_returns_neither_bank_nor_periods() {
    // What is used of a bank, and of time and periods: seconds, what is left of both, and what shows it.
    for (clock, used, name, left) in [
        ("25/300", 125, "bank_ms", [200_000, 300_000]),
        ("60~30x3", 100, "periods", [2, 3]),
    ] {
        let app = TestApp::init().await;
        let (ann, bob) = app.with_two_users().await;
        let id = start_match_with(&ann, &bob, &[("setup", SMALL), ("clock", clock)]).await;
        begin(&ann, &bob, id).await;
        backdate_match(&app.db, id, used).await;
        let there = app.another_instance().await;
        let (ann, bob) = (
            ann.at_instance(there.address),
            bob.at_instance(there.address),
        );
        let shown = async || {
            let shown = ann.snapshot(id).await["clock"][name].clone();
            [0, 1].map(|seat| shown[seat].as_i64().expect("a number"))
        };
        ann.make_move(id, "1,1", &[]).await.assert_ok();
        let moved = shown().await;
        // Some moments passed beside those of the test.
        assert!(
            moved[0] <= left[0] && moved[0] > left[0] - 20_000,
            "{clock}: {moved:?}"
        );
        assert_eq!(moved[1], left[1], "{clock}");
        ann.offer(id, "takeback").await.assert_ok();
        bob.answer_offer(id, true).await.assert_ok();
        assert_eq!(shown().await, moved, "{clock}");
        let snapshot = there.visitor().snapshot(id).await;
        assert_eq!(snapshot["moves"], json!(["0,4", "4,0"]));
        assert_eq!(snapshot["clock"]["running"], 1);
    }
}

#[tokio::test]
async fn takeback_needs_an_own_move() {
    let test = OfferTest::start().await;
    test.ann.make_move(test.id, "1,1", &[]).await.assert_ok();
    test.bob
        .offer(test.id, "takeback")
        .await
        .assert_error(409, "nothing_to_take_back");
}

#[tokio::test]
async fn move_of_the_other_player_closes_the_offer_first() {
    let mut test = OfferTest::begun().await;
    test.bob.offer(test.id, "draw").await.assert_ok();
    test.expect_both(3, "offered").await;
    assert_eq!(test.ann.make_move(test.id, "1,1", &[]).await.version(), 5);
    let told = test.expect_both(4, "offer_closed").await;
    assert_eq!(told, json!({"why": "moved"}));
    test.expect_both(5, "moved").await;
    test.ann
        .answer_offer(test.id, true)
        .await
        .assert_error(404, "offer_closed");
}

#[tokio::test]
async fn invalid_offers_are_refused() {
    let test = OfferTest::begun().await;
    let (ann, bob, id) = (&test.ann, &test.bob, test.id);
    bob.answer_offer(id, true)
        .await
        .assert_error(404, "offer_closed");
    bob.cancel_offer(id).await.assert_error(404, "offer_closed");
    ann.offer(id, "draw").await.assert_ok();
    ann.offer(id, "draw").await.assert_error(409, "offer_open");
    bob.offer(id, "finish")
        .await
        .assert_error(409, "offer_open");
    ann.answer_offer(id, true)
        .await
        .assert_error(403, "not_yours");
    bob.cancel_offer(id).await.assert_error(403, "not_yours");
    assert_eq!(ann.cancel_offer(id).await.version(), 4);

    ann.offer(id, "peace")
        .await
        .assert_error(400, "bad_request");
    ann.post("/api/offer", &[("match_id", &id.to_string())])
        .await
        .assert_error(400, "bad_request");
    ann.post(
        "/api/answer_offer",
        &[("match_id", &id.to_string()), ("accept", "perhaps")],
    )
    .await
    .assert_error(400, "bad_request");

    let eve = test.app.with_user("eve").await;
    let nobody = test.app.visitor();
    let mine = id.to_string();
    for (path, field) in [
        ("/api/offer", ("kind", "draw")),
        ("/api/answer_offer", ("accept", "true")),
        ("/api/cancel_offer", ("x", "")),
    ] {
        let form = [("match_id", mine.as_str()), field];
        eve.post(path, &form)
            .await
            .assert_error(403, "not_a_player");
        nobody
            .post(path, &form)
            .await
            .assert_error(401, "signed_out");
        let form = [("match_id", "999999"), field];
        ann.post(path, &form)
            .await
            .assert_error(404, "no_such_match");
    }

    bob.resign(id).await.assert_ok();
    ann.offer(id, "draw").await.assert_error(409, "finished");
    bob.answer_offer(id, true)
        .await
        .assert_error(404, "offer_closed");
    ann.cancel_offer(id).await.assert_error(404, "offer_closed");
}

#[tokio::test]
async fn end_of_the_match_closes_the_offer_first() {
    let mut test = OfferTest::begun().await;
    test.ann.offer(test.id, "draw").await.assert_ok();
    test.expect_both(3, "offered").await;
    assert_eq!(test.ann.resign(test.id).await.version(), 5);
    let told = test.expect_both(4, "offer_closed").await;
    assert_eq!(told, json!({"why": "finished"}));
    test.expect_both(5, "finished").await;
}

#[tokio::test]
async fn offer_expires() {
    let test = OfferTest::begun().await;
    let (ann, bob, id) = (&test.ann, &test.bob, test.id);
    ann.offer(id, "draw").await.assert_ok();
    // Moved into the past by 15 s instead of waiting; a new instance has not cached it.
    for statement in [
        "update match_events set body = jsonb_set(body::jsonb, '{expires_at}', to_jsonb(ms(now())))::text where kind = 'offered'",
        "update matches set deadline_at = now()",
    ] {
        sqlx::query(statement).execute(&test.app.db).await.unwrap();
    }
    let there = test.app.another_instance().await;
    let mut stream = there
        .visitor()
        .stream(&format!("/events/match/{id}?after=3"))
        .await;
    let told = stream.next_named("offer_closed").await;
    assert_eq!(told, json!({"why": "expired"}));
    let bob_there = bob.at_instance(there.address);
    bob_there
        .answer_offer(id, true)
        .await
        .assert_error(404, "offer_closed");
    let deadline: Option<i64> = sqlx::query_scalar("select ms(deadline_at) from matches")
        .fetch_one(&test.app.db)
        .await
        .unwrap();
    let move_by = there.visitor().snapshot(id).await["move_by"].as_i64();
    assert!(move_by.is_some());
    assert_eq!(deadline, move_by, "nothing but the next move is due");
    ann.offer(id, "draw")
        .await
        .assert_error(409, "offered_lately");
    assert_eq!(ann.offer(id, "finish").await.version(), 5);
}

#[tokio::test]
async fn concurrent_answers_at_two_instances_count_once() {
    let test = OfferTest::begun().await;
    let there = test.app.another_instance().await;
    let bob_there = test.bob.at_instance(there.address);
    test.ann.offer(test.id, "draw").await.assert_ok();
    let (yes, no) = tokio::join!(
        test.bob.answer_offer(test.id, true),
        bob_there.answer_offer(test.id, false)
    );
    let mut codes = [yes.code(), no.code()];
    codes.sort();
    assert_eq!(codes, [None, Some("offer_closed".to_owned())]);
    let snapshot = test.app.visitor().snapshot(test.id).await;
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
async fn database_of_an_older_version_is_readable() {
    // Its events are from before offers existed; their names have not changed.
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
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
    let there = app.another_instance().await;
    let bob = bob.at_instance(there.address);
    assert_eq!(
        bob.make_move(id, "2,2", &[("version", "1")])
            .await
            .version(),
        2
    );
}
