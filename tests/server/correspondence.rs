//! Matches by correspondence: tables that wait for days, challenges from a profile, days for a move, and a rating of their own.

use super::app::{SMALL, TestApp, backdate_match, begin, start_match, wait_until};
use super::own_games::store_match;
use super::player::Player;
use serde_json::{Value, json};

pub(super) const DAY: i32 = 86_400;

/// Opens a table by correspondence with these fields.
pub(super) async fn seek(player: &Player, more: &[(&str, &str)]) -> Value {
    let form = [&[("game", "dots"), ("setup", SMALL), ("clock", "3d")], more].concat();
    player.post("/api/open_table", &form).await.assert_ok()
}

/// Sits down at a table, and returns the match that starts.
pub(super) async fn accept(player: &Player, table: &Value) -> i64 {
    let id = table["id"].to_string();
    player.post("/api/sit", &[("table", &id)]).await.id("match")
}

/// Starts a match by correspondence between two players who are nowhere.
async fn start(one: &Player, other: &Player, clock: &str) -> i64 {
    let form = [("setup", SMALL), ("clock", clock)];
    let challenge = one.challenge(other, &form).await.id("id");
    other.answer_challenge(challenge, true).await.id("match")
}

/// The players in the order of their seats.
pub(super) async fn by_seat<'a>(one: &'a Player, other: &'a Player, id: i64) -> [&'a Player; 2] {
    let first = one.snapshot(id).await["players"][0]["id"] == one.id;
    if first { [one, other] } else { [other, one] }
}

pub(super) async fn result(player: &Player, id: i64) -> Value {
    wait_until("the end of the match", async || {
        let snapshot = player.snapshot(id).await;
        (snapshot["status"] == "finished").then(|| snapshot["result"].clone())
    })
    .await
}

#[tokio::test]
async fn two_who_are_never_there_together_finish_a_game() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let table = seek(&ann, &[]).await;
    assert_eq!(table["seats"][0]["name"], "ann", "{table}");
    assert_eq!(table["seats"][1], Value::Null);
    // She is not there, and the table stays listed for days.
    let room = bob.get("/api/waiting_room?game=dots").await.assert_ok();
    assert_eq!(room["tables"][0], table);
    let id = accept(&bob, &table).await;
    let snapshot = app.visitor().snapshot(id).await;
    assert_eq!(
        (&snapshot["pace"], &snapshot["time_control"]),
        (&json!("correspondence"), &json!("3d"))
    );
    let clock = &snapshot["clock"];
    let three_days = i64::from(3 * DAY) * 1000;
    assert_eq!(clock["left_ms"], json!([three_days, three_days]));
    assert_eq!(
        (&clock["kind"], &clock["per_move_ms"]),
        (&json!("days_per_move"), &json!(three_days))
    );
    assert_eq!(
        clock["deadline_at"].as_i64(),
        clock["at"].as_i64().map(|at| at + three_days)
    );
    // Nobody is called away, waited for or kept from another match.
    assert_eq!(ann.get("/api/my_match").await.assert_ok(), Value::Null);
    let absent: i64 = sqlx::query_scalar("select count(*) from absences")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(absent, 0);
    let live = start_match(&ann, &bob, SMALL).await;
    ann.abort(live).await.assert_ok();

    let [first, second] = by_seat(&ann, &bob, id).await;
    first.make_move(id, "1,1", &[]).await.assert_ok();
    backdate_match(&app.db, id, 2 * DAY).await;
    let days_later = app.another_instance().await;
    let there = second.at_instance(days_later.address);
    there.make_move(id, "2,2", &[]).await.assert_ok();
    let answer = there.offer(id, "draw").await.assert_ok();
    assert_eq!(answer, json!({"version": 3}), "an offer does not expire");
    backdate_match(&app.db, id, 2 * DAY).await;
    let days_later = app.another_instance().await;
    let there = first.at_instance(days_later.address);
    let offer = there.snapshot(id).await["offer"].clone();
    assert_eq!(offer, json!({"kind": "draw", "seat": 2, "version": 3}));
    there.answer_offer(id, true).await.assert_ok();
    let result = there.snapshot(id).await["result"].clone();
    assert_eq!(
        (&result["reason"], &result["winner"]),
        (&json!("agreed_draw"), &json!(0))
    );

    // The rating is one of its own.
    let kinds: Vec<(String, i32)> =
        sqlx::query_as("select game, games from ratings where player_id = $1 order by game")
            .bind(ann.id)
            .fetch_all(&app.db)
            .await
            .unwrap();
    assert_eq!(kinds, [("dots:correspondence".to_owned(), 1)]);
    let profile = app
        .visitor()
        .get("/api/profile?name=ann&pace=correspondence")
        .await
        .assert_ok();
    let of_dots = &profile["games"][0];
    assert_eq!(
        (&of_dots["rating"], &of_dots["rated"]),
        (&json!(1600.0), &json!(0))
    );
    assert_eq!(
        of_dots["correspondence"],
        json!({"rating": 1600.0, "rated": 1, "provisional": true})
    );
    assert_eq!(profile["graph"].as_array().map(Vec::len), Some(1));
    let live_graph = app
        .visitor()
        .get("/api/profile?name=ann&game=dots")
        .await
        .assert_ok();
    assert_eq!(live_graph["graph"], json!([]));

    // Nobody has to be there for a rematch.
    assert_eq!(
        ann.request_rematch(id).await.assert_ok()["match"],
        Value::Null
    );
    let next = bob.request_rematch(id).await.id("match");
    assert_eq!(ann.snapshot(next).await["pace"], "correspondence");
}

#[tokio::test]
async fn a_first_move_has_three_days_and_a_flag_falls_after_its_own() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let unmoved = start(&ann, &bob, "7d").await;
    let moved = start(&bob, &ann, "5d").await;
    begin(&ann, &bob, moved).await;
    let waiting = start(&ann, &bob, "14d").await;
    begin(&ann, &bob, waiting).await;
    for id in [unmoved, moved, waiting] {
        backdate_match(&app.db, id, 3 * DAY - 60).await;
    }
    let there = app.another_instance().await;
    let (ann, bob) = (
        ann.at_instance(there.address),
        bob.at_instance(there.address),
    );
    for id in [unmoved, moved, waiting] {
        assert_eq!(ann.snapshot(id).await["status"], "running");
    }
    for id in [unmoved, moved, waiting] {
        backdate_match(&app.db, id, 2 * DAY + 120).await;
    }
    let there = app.another_instance().await;
    let (ann, bob) = (
        ann.at_instance(there.address),
        bob.at_instance(there.address),
    );
    let aborted = result(&ann, unmoved).await;
    assert_eq!(
        (&aborted["reason"], &aborted["by"]),
        (&json!("aborted"), &json!(1))
    );
    let lost = result(&bob, moved).await;
    assert_eq!(
        (&lost["reason"], &lost["winner"]),
        (&json!("time"), &json!(2))
    );
    assert!(lost["ratings"].is_array(), "{lost}");
    assert_eq!(ann.snapshot(waiting).await["status"], "running");
}

#[tokio::test]
async fn a_player_is_challenged_who_is_not_there() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let slow = [("setup", SMALL), ("clock", "3d+1d..7d")];
    ann.challenge(&bob, &[("clock", "300+5")])
        .await
        .assert_error(404, "not_waiting");
    let challenge = ann.challenge(&bob, &slow).await;
    let expires_at = challenge.assert_ok()["expires_at"].as_i64().unwrap();
    let now: i64 = sqlx::query_scalar("select ms(now())")
        .fetch_one(&app.db)
        .await
        .unwrap();
    let left = expires_at - now;
    assert!((6 * 86_400_000..=7 * 86_400_000).contains(&left), "{left}");
    for player in [&ann, &bob] {
        let open = player.get("/api/my_challenges").await.assert_ok();
        assert_eq!(open[0]["id"], challenge.id("id"));
        assert_eq!(open[0]["clock"], "3d+1d..7d");
    }
    ann.challenge(&bob, &slow)
        .await
        .assert_error(409, "already_challenging");

    // A live game closes nothing of it, and hinders nobody.
    let live = start_match(&ann, &bob, SMALL).await;
    bob.mute(&ann, true).await.assert_ok();
    // Muted after it was sent: it is not seen any more, and may still be answered by its id.
    assert_eq!(bob.get("/api/my_challenges").await.assert_ok(), json!([]));
    let cid = app.with_user("cid").await;
    cid.mute(&ann, true).await.assert_ok();
    ann.challenge(&cid, &slow)
        .await
        .assert_error(409, "not_accepted");
    let id = bob
        .answer_challenge(challenge.id("id"), true)
        .await
        .id("match");
    assert_eq!(ann.snapshot(id).await["players"][0]["name"], "ann");
    assert_eq!(ann.snapshot(live).await["status"], "running");
    assert_eq!(ann.get("/api/my_challenges").await.assert_ok(), json!([]));

    // Ten at once.
    for number in 0..10 {
        let other = app.with_user(&format!("other{number}")).await;
        ann.challenge(&other, &slow).await.assert_ok();
    }
    let last = app.with_user("last").await;
    ann.challenge(&last, &slow)
        .await
        .assert_error(409, "already_challenging");
}

#[tokio::test]
async fn the_start_of_a_game_by_correspondence_closes_nothing_live() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (cid, dan) = (app.with_user("cid").await, app.with_user("dan").await);
    let _here = [
        ann.join_lobby().await,
        bob.join_lobby().await,
        cid.join_lobby().await,
    ];
    let sent = ann.challenge(&cid, &[]).await.id("id");
    let form = [("game", "dots"), ("setup", SMALL), ("clock", "60+1")];
    let waits = bob.post("/api/quick_game", &form).await.assert_ok();
    assert_eq!(waits, json!({"match": null}));
    dan.open_table(&[]).await.assert_ok();
    start(&ann, &bob, "3d").await;
    start(&dan, &ann, "3d").await;
    let left: (i64, i64, i64) = sqlx::query_as(
        "select (select count(*) from challenges where closed_at is null and not correspondence),
             (select count(*) from quick_games),
             (select count(*) from open_tables where closed_at is null and not correspondence)",
    )
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert_eq!(left, (1, 1, 1));
    cid.answer_challenge(sent, true).await.id("match");
}

#[tokio::test]
async fn a_player_has_fifty_games_and_ten_tables_by_correspondence() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    for _ in 0..9 {
        seek(
            &ann,
            &[
                ("rated", "false"),
                ("min_rating", "1500"),
                ("max_rating", "1700"),
            ],
        )
        .await;
    }
    sqlx::query(
        "insert into open_tables (link, name, creator_id, game, setup, clock, rated, correspondence, seen_at)
         select 'tenthtable', name, creator_id, game, setup, clock, rated, correspondence, seen_at from open_tables limit 1",
    )
    .execute(&app.db)
    .await
    .unwrap();
    ann.post("/api/open_table", &[("game", "dots"), ("clock", "3d")])
        .await
        .assert_error(409, "too_many_tables");
    // A live table is another one.
    ann.post("/api/open_table", &[("game", "dots")])
        .await
        .assert_ok();
    let room = bob.get("/api/waiting_room?game=dots").await.assert_ok();
    let tables = room["tables"].as_array().unwrap();
    let slow: Vec<&Value> = tables
        .iter()
        .filter(|table| table["clock"] == "3d")
        .collect();
    assert_eq!(slow.len(), 10);
    assert_eq!(slow[0]["min_rating"], 1500);
    sqlx::query("insert into ratings (player_id, game, rating, games) values ($1, 'dots:correspondence', 1701, 1)")
        .bind(cid.id)
        .execute(&app.db)
        .await
        .unwrap();
    let first = slow[0]["id"].to_string();
    cid.post("/api/sit", &[("table", &first)])
        .await
        .assert_error(409, "not_accepted");
    ann.post("/api/sit", &[("table", &first)])
        .await
        .assert_error(400, "self_challenge");

    let template = start(&ann, &bob, "1d").await;
    sqlx::query(
        "insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2, rules_version, correspondence)
         select game, setup, clock, false, seat1, seat2, rating1, rating2, rules_version, correspondence
         from matches, generate_series(1, 49) where id = $1",
    )
    .bind(template)
    .execute(&app.db)
    .await
    .unwrap();
    bob.post("/api/sit", &[("table", &first)])
        .await
        .assert_error(409, "too_many_games");
    bob.challenge(&ann, &[("clock", "1d")])
        .await
        .assert_error(409, "too_many_games");
    // One ends, and there is room for another.
    ann.abort(template).await.assert_ok();
    accept(&bob, slow[0]).await;
    // A live one is not one of them.
    start_match(&ann, &bob, SMALL).await;
}

#[tokio::test]
async fn a_match_stored_by_an_older_release_means_what_it_meant() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = store_match(&app, &ann, &bob, "3d").await;
    let now: i64 = sqlx::query_scalar("select ms(now())")
        .fetch_one(&app.db)
        .await
        .unwrap();
    let three_days = i64::from(3 * DAY) * 1000;
    // Without `move_by`, and without the time by which a night moves the end of the turn.
    let body = json!({
        "seat": 1, "mv": "7,7", "score": [0, 0], "to_move": 2, "passed": false,
        "clock": {"left_ms": [three_days, three_days], "running": 2, "at": now}, "client_id": null,
    });
    sqlx::query("insert into match_events (match_id, version, kind, body, seat) values ($1, 1, 'moved', $2, 1)")
        .bind(id)
        .bind(body.to_string())
        .execute(&app.db)
        .await
        .unwrap();
    sqlx::query("update matches set version = 1 where id = $1")
        .bind(id)
        .execute(&app.db)
        .await
        .unwrap();
    let there = app.another_instance().await;
    let bob = bob.at_instance(there.address);
    let snapshot = bob.snapshot(id).await;
    assert_eq!(snapshot["clock"]["deadline_at"], now + three_days);
    assert_eq!(snapshot["move_by"], Value::Null);
    assert!(snapshot.get("vacation_until").is_none(), "{snapshot}");
    assert_eq!(bob.make_move(id, "0,0", &[]).await.version(), 2);
}
