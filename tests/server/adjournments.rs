//! Adjournments: a live match stops by agreement, its sealed move is seen by nobody, and it goes on later.

use super::app::{
    BEGUN, SMALL, TestApp, backdate_match, begin, start_match, start_match_with, wait_until,
    wait_until_blocked,
};
use super::notifications::told;
use super::own_games::store_match;
use super::player::{Player, Response};
use super::time_zones::asleep;
use serde_json::{Value, json};

/// Two players in an adjourned match of Dots, on two instances. Ann, who has moved first, is to seal.
struct Adjourned {
    app: TestApp,
    ann: Player,
    bob: Player,
    id: i64,
}

impl Adjourned {
    async fn start(more: &[(&str, &str)]) -> Self {
        let app = TestApp::init().await;
        let (ann, bob) = app.with_two_users().await;
        let fields = [&[("setup", SMALL), ("clock", "300+5")], more].concat();
        let id = start_match_with(&ann, &bob, &fields).await;
        begin(&ann, &bob, id).await;
        let adjourned = Self { app, ann, bob, id };
        adjourned
            .call(&adjourned.bob, "adjourn", &[])
            .await
            .assert_ok();
        let answer = [("accept", "true")];
        adjourned
            .call(&adjourned.ann, "answer_adjourn", &answer)
            .await
            .assert_ok();
        adjourned
    }

    async fn call(&self, player: &Player, name: &str, more: &[(&str, &str)]) -> Response {
        let id = self.id.to_string();
        let form = [&[("match_id", &*id)], more].concat();
        player.post(&format!("/api/{name}"), &form).await
    }

    async fn seal(&self, player: &Player, mv: &str) -> Response {
        self.call(player, "seal", &[("mv", mv)]).await
    }

    async fn stored(&self) -> (bool, bool, i64, i64) {
        sqlx::query_as(
            "select rated, correspondence, (select count(*) from playing where match_id = id),
                 (select count(*) from sealed_moves where match_id = id)
             from matches where id = $1",
        )
        .bind(self.id)
        .fetch_one(&self.app.db)
        .await
        .expect("the match")
    }
}

/// Returns whether a text has a move that is not part of larger numbers, as of times.
fn names_move(text: &str, mv: &str) -> bool {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    text.match_indices(mv).any(|(at, _)| {
        let before = at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
        !is_digit(before) && !is_digit(text.as_bytes().get(at + mv.len()))
    })
}

#[tokio::test]
async fn a_sealed_move_is_seen_by_nobody_until_the_opponent_comes_at_another_instance() {
    let game = Adjourned::start(&[]).await;
    let (ann, bob, id) = (&game.ann, &game.bob, game.id);
    assert_eq!(game.stored().await, (false, true, 0, 0));
    let snapshot = bob.snapshot(id).await;
    assert_eq!(
        (
            &snapshot["rated"],
            &snapshot["adjournment"],
            &snapshot["to_move"]
        ),
        (&json!(false), &json!({}), &json!(1))
    );
    // Who has a stream open is told of nothing else.
    let visitor = game.app.visitor();
    let mut stream = visitor.stream(&format!("/events/match/{id}")).await;
    stream.next_named("adjourned").await;

    let sealed = game.seal(ann, " 2,3\r\n").await.version();
    assert_eq!(sealed, BEGUN + 4, "offered, closed, adjourned, sealed");
    assert_eq!(
        game.seal(ann, "2,3").await.version(),
        sealed,
        "a second press"
    );
    game.seal(ann, "3,3").await.assert_error(409, "adjourned");
    let event = stream.next_named("sealed").await;
    assert_eq!(
        (&event["seat"], &event["clock"]["running"]),
        (&json!(1), &Value::Null)
    );
    assert!(event.get("mv").is_none(), "{event}");

    // Neither the opponent nor anybody else reads the move.
    let other = game.app.another_instance().await;
    let there = bob.at_instance(other.address);
    for path in [
        format!("/api/match?id={id}"),
        "/api/my_data".to_owned(),
        "/api/my_games".to_owned(),
        format!("/match/{id}"),
        format!("/match/{id}/sgf"),
    ] {
        for reader in [bob, &there] {
            let text = reader.get(&path).await.text;
            assert!(!names_move(&text, "2,3"), "{path}: {text}");
        }
    }
    let games = visitor.get("/api/games").await.text;
    assert!(!names_move(&games, "2,3"), "{games}");
    let mine = ann.get("/api/my_data").await.assert_ok();
    assert_eq!(mine["matches"][0]["sealed_moves"], json!(["2,3"]));

    // It waits for Bob, who is told.
    let own = there.get("/api/my_games").await.assert_ok();
    assert_eq!(own["games"][0]["to_move"], 2);
    assert_eq!(own["games"][0]["adjournment"]["sealed_by"], 1);
    let counts = bob.get("/api/count_my_games").await.assert_ok();
    assert_eq!(counts, json!({"running": 1, "on_turn": 1}));
    let kind = wait_until("a notification", async || {
        let page = bob.get("/api/notifications").await.assert_ok();
        page["notifications"][0]["kind"].as_str().map(str::to_owned)
    })
    .await;
    assert_eq!(kind, "your_turn");

    // A page, a stream or a read is no visit.
    assert_eq!(there.snapshot(id).await["moves"], json!(["0,4", "4,0"]));
    there.get(&format!("/match/{id}")).await;
    game.call(ann, "resume", &[])
        .await
        .assert_error(403, "not_yours");
    assert_eq!(bob.snapshot(id).await["moves"], json!(["0,4", "4,0"]));

    // Twice at once, at both instances.
    let here = game.call(bob, "resume", &[]);
    let (one, two) = tokio::join!(here, game.call(&there, "resume", &[]));
    let (one, two) = (one.assert_ok(), two.assert_ok());
    assert_eq!(one["version"], two["version"]);
    let snapshot = there.snapshot(id).await;
    assert_eq!(snapshot["moves"], json!(["0,4", "4,0", "2,3"]));
    assert_eq!(
        (
            &snapshot["time_control"],
            &snapshot["pace"],
            &snapshot["clock"]["running"]
        ),
        (&json!("3d"), &json!("correspondence"), &json!(2))
    );
    assert_eq!(
        snapshot["clock"]["left_ms"],
        json!([259_200_000, 259_200_000])
    );
    assert!(snapshot.get("adjournment").is_none());
    stream.next_named("resumed").await;
    assert_eq!(stream.next_named("moved").await["mv"], "2,3");
    assert_eq!(game.stored().await, (false, true, 0, 0));

    // Conditional moves are for such a match, and its end changes no rating.
    let tree = [("tree", "1,1 2,2")];
    game.call(ann, "conditional_moves", &tree).await.assert_ok();
    there.resign(id).await.assert_ok();
    let result = ann.snapshot(id).await["result"].clone();
    assert_eq!(
        result,
        json!({"winner": 1, "reason": "resigned", "ratings": null})
    );
}

#[tokio::test]
async fn a_match_that_goes_on_by_correspondence_has_nights_and_vacations() {
    let game = Adjourned::start(&[]).await;
    let (ann, bob, id) = (&game.ann, &game.bob, game.id);
    let (_, zone) = asleep();
    let chosen = bob.post("/api/time_zone", &[("zone", zone)]).await;
    chosen.assert_ok();
    game.seal(ann, "2,3").await.assert_ok();
    game.call(bob, "resume", &[]).await.assert_ok();
    let clock = bob.snapshot(id).await["clock"].clone();
    let time = |name: &str| clock[name].as_i64().expect("a time");
    assert!(
        time("deadline_at") - time("at") > 3 * 86_400_000,
        "in the morning: {clock}"
    );

    let begun = bob.post("/api/vacation", &[("on", "true")]).await;
    assert!(begun.assert_ok()["until"].is_i64());
    bob.make_move(id, "1,1", &[]).await.assert_ok();
    let status = bob.get("/api/vacation").await.assert_ok();
    assert!(status.get("until").is_none_or(Value::is_null), "{status}");
}

#[tokio::test]
async fn both_are_free_while_the_match_is_adjourned() {
    let game = Adjourned::start(&[]).await;
    let (ann, bob) = (&game.ann, &game.bob);
    game.seal(ann, "2,3").await.assert_ok();
    assert_eq!(ann.get("/api/my_match").await.assert_ok(), Value::Null);
    // Neither of them is absent from it.
    let absences: i64 = sqlx::query_scalar("select count(*) from absences where match_id = $1")
        .bind(game.id)
        .fetch_one(&game.app.db)
        .await
        .expect("a count");
    assert_eq!(absences, 0);
    let next = start_match(ann, bob, SMALL).await;
    begin(ann, bob, next).await;
    game.call(bob, "resume", &[]).await.assert_ok();
    assert_eq!(ann.get("/api/my_match").await.assert_ok()["match"], next);
}

#[tokio::test]
async fn what_cannot_be_sealed_is_refused_and_changes_nothing() {
    let game = Adjourned::start(&[]).await;
    let (ann, bob) = (&game.ann, &game.bob);
    game.seal(bob, "2,3")
        .await
        .assert_error(409, "not_your_turn");
    game.seal(ann, "0,4").await.assert_error(422, "illegal");
    game.seal(ann, "here")
        .await
        .assert_error(400, "malformed_move");
    game.seal(ann, "").await.assert_error(400, "malformed_move");
    game.seal(ann, "2,3 3,3")
        .await
        .assert_error(409, "not_your_turn");
    let eve = game.app.with_user("eve").await;
    game.seal(&eve, "2,3")
        .await
        .assert_error(403, "not_a_player");
    game.call(&eve, "resume", &[])
        .await
        .assert_error(403, "not_a_player");
    game.call(bob, "resume", &[])
        .await
        .assert_error(409, "not_adjourned");
    ann.make_move(game.id, "2,3", &[])
        .await
        .assert_error(409, "adjourned");
    ann.offer(game.id, "draw")
        .await
        .assert_error(409, "adjourned");
    game.call(ann, "adjourn", &[])
        .await
        .assert_error(409, "adjourned");
    assert_eq!(ann.snapshot(game.id).await["version"], BEGUN + 3);

    // The clock runs until the seal.
    backdate_match(&game.app.db, game.id, 310).await;
    let other = game.app.another_instance().await;
    let late = game.seal(&ann.at_instance(other.address), "2,3").await;
    late.assert_error(409, "finished");
    let snapshot = wait_until("the flag", async || {
        let snapshot = bob.at_instance(other.address).snapshot(game.id).await;
        (snapshot["status"] == "finished").then_some(snapshot)
    })
    .await;
    assert_eq!(
        snapshot["result"],
        json!({"winner": 2, "reason": "time", "ratings": null})
    );
}

#[tokio::test]
async fn an_offer_to_adjourn_is_agreed_on_by_its_own_answer() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let game = Adjourned { app, ann, bob, id };
    let (ann, bob) = (&game.ann, &game.bob);
    game.call(ann, "adjourn", &[])
        .await
        .assert_error(409, "not_begun");
    begin(ann, bob, id).await;
    let hours = |hours| [("resume_in", hours)];
    game.call(ann, "adjourn", &hours("337"))
        .await
        .assert_error(400, "bad_request");
    ann.offer(id, "draw").await.assert_ok();
    let yes = [("accept", "true")];
    let other = game.call(bob, "answer_adjourn", &yes).await;
    other.assert_error(404, "offer_closed");
    ann.cancel_offer(id).await.json();
    game.call(ann, "adjourn", &hours("2")).await.assert_ok();
    let offer = bob.snapshot(id).await["offer"].clone();
    let until = offer["resume_at"].as_i64().expect("a time");
    assert_eq!(
        until - offer["expires_at"].as_i64().expect("a time"),
        7_200_000 - 15_000
    );
    game.call(ann, "answer_adjourn", &yes)
        .await
        .assert_error(403, "not_yours");
    game.call(bob, "answer_adjourn", &yes).await.assert_ok();
    assert_eq!(
        bob.snapshot(id).await["adjournment"],
        json!({"resume_at": until})
    );

    let slow = store_match(&game.app, ann, bob, "3d").await;
    for (player, mv) in [(ann, "7,7"), (bob, "0,0")] {
        player.make_move(slow, mv, &[]).await.assert_ok();
    }
    let game = Adjourned { id: slow, ..game };
    game.call(&game.ann, "adjourn", &[])
        .await
        .assert_error(400, "bad_request");
}

#[tokio::test]
async fn nobody_adjourns_with_a_bot() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    sqlx::query("update players set bot = true where id = $1")
        .bind(bob.id)
        .execute(&app.db)
        .await
        .expect("a bot");
    let there = app.another_instance().await;
    let game = Adjourned {
        ann: ann.at_instance(there.address),
        app,
        bob,
        id,
    };
    game.call(&game.ann, "adjourn", &[])
        .await
        .assert_error(409, "not_accepted");
    let offer = game.ann.offer(id, "adjourn").await;
    offer.assert_error(409, "not_accepted");
}

#[tokio::test]
async fn who_does_not_come_for_fourteen_days_loses() {
    let game = Adjourned::start(&[]).await;
    game.seal(&game.ann, "2,3").await.assert_ok();
    backdate_match(&game.app.db, game.id, 14 * 24 * 3600 + 60).await;
    let other = game.app.another_instance().await;
    let there = game.bob.at_instance(other.address);
    game.call(&there, "resume", &[])
        .await
        .assert_error(409, "finished");
    let snapshot = wait_until("the end", async || {
        let snapshot = there.snapshot(game.id).await;
        (snapshot["status"] == "finished").then_some(snapshot)
    })
    .await;
    assert_eq!(
        snapshot["result"],
        json!({"winner": 1, "reason": "absence", "ratings": null})
    );
    assert_eq!(snapshot["moves"], json!(["0,4", "4,0"]));
    assert_eq!(game.stored().await.3, 0, "nobody sees it");
}

/// Sets the time that was agreed on to so many seconds from now. An instance that is opened afterwards reads it.
async fn agree_on(game: &Adjourned, seconds: i64) {
    let changed = sqlx::query(
        "update match_events set body = jsonb_set(body::jsonb, '{resume_at}',
             to_jsonb((extract(epoch from now()) * 1000)::bigint + $2 * 1000))::text
         where match_id = $1 and body::jsonb ? 'resume_at'",
    )
    .bind(game.id)
    .bind(seconds)
    .execute(&game.app.db)
    .await
    .expect("another time");
    assert_eq!(changed.rows_affected(), 2, "the offer and the agreement");
}

/// Starts a match that is to go on live, and seals.
async fn to_go_on_live() -> Adjourned {
    to_go_on_live_with("300+5").await
}

async fn to_go_on_live_with(clock: &str) -> Adjourned {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let fields = [("setup", SMALL), ("clock", clock)];
    let id = start_match_with(&ann, &bob, &fields).await;
    begin(&ann, &bob, id).await;
    let game = Adjourned { app, ann, bob, id };
    game.call(&game.bob, "adjourn", &[("resume_in", "2")])
        .await
        .assert_ok();
    game.call(&game.ann, "answer_adjourn", &[("accept", "true")])
        .await
        .assert_ok();
    game.seal(&game.ann, "2,3").await.assert_ok();
    for player in [&game.ann, &game.bob] {
        game.call(player, "resume", &[])
            .await
            .assert_error(409, "too_early");
    }
    game
}

#[tokio::test]
async fn at_the_time_agreed_on_both_come_and_go_on_live() {
    let game = to_go_on_live().await;
    agree_on(&game, 60).await;
    let (one, two) = (
        game.app.another_instance().await,
        game.app.another_instance().await,
    );
    let (ann, bob) = (
        game.ann.at_instance(one.address),
        game.bob.at_instance(two.address),
    );
    let left = ann.snapshot(game.id).await["clock"]["left_ms"].clone();

    let path = format!("/events/match/{}", game.id);
    let mut stream = bob.stream(&path).await;
    stream.next().await;
    let noted = game.call(&bob, "resume", &[]).await.assert_ok();
    assert_eq!(noted["waits"], true);
    drop(stream);
    // Who says that they are here, and goes, is not there.
    sqlx::query("delete from presence where player_id = $1")
        .bind(bob.id)
        .execute(&game.app.db)
        .await
        .expect("gone");
    let noted = game.call(&ann, "resume", &[]).await.assert_ok();
    assert_eq!(noted["waits"], true);
    let mut stream = ann.stream(&path).await;
    stream.next().await;
    let went_on = game.call(&bob, "resume", &[]).await.assert_ok();
    assert_eq!(went_on["waits"], false);

    let snapshot = bob.snapshot(game.id).await;
    assert_eq!(snapshot["moves"], json!(["0,4", "4,0", "2,3"]));
    assert_eq!(
        (
            &snapshot["time_control"],
            &snapshot["rated"],
            &snapshot["clock"]["running"]
        ),
        (&json!("300+5"), &json!(false), &json!(2))
    );
    assert_eq!(snapshot["clock"]["left_ms"], left);
    assert_eq!(game.stored().await, (false, false, 2, 0));
    assert_eq!(bob.get("/api/my_match").await.assert_ok()["match"], game.id);
    // Only Bob has not opened it again.
    let absent: Vec<i64> = sqlx::query_scalar("select player_id from absences where match_id = $1")
        .bind(game.id)
        .fetch_all(&game.app.db)
        .await
        .expect("absences");
    assert_eq!(absent, [bob.id]);
}

/// The calls of a player to go on live, and how many notifications are unread.
async fn calls(player: &Player) -> (usize, Value) {
    let page = player.get("/api/notifications").await.assert_ok();
    let list = page["notifications"].as_array().expect("a list");
    let calls = list.iter().filter(|each| each["live"] == true);
    (calls.count(), page["unread"].clone())
}

async fn wait_until_called(player: &Player, expected: (usize, i64)) {
    wait_until("the calls", async || {
        let (count, unread) = calls(player).await;
        (count == expected.0 && unread == expected.1).then_some(())
    })
    .await;
}

/// Lets the time come to go on live, or pass, by as many seconds.
async fn pass_calls(game: &Adjourned, seconds: i64) {
    sqlx::query(
        "update sealed_moves set live_from = live_from - $2 * interval '1 s', live_until = live_until - $2 * interval '1 s'
         where match_id = $1",
    )
    .bind(game.id)
    .bind(seconds)
    .execute(&game.app.db)
    .await
    .expect("time passes");
}

#[tokio::test]
async fn both_are_called_when_the_time_to_go_on_live_has_come() {
    let game = to_go_on_live().await;
    let is_timed: bool = sqlx::query_scalar(
        "select not called and live_from between now() + interval '109 minutes' and now() + interval '110 minutes'
             and live_until = live_from + interval '25 minutes' from sealed_moves where match_id = $1",
    )
    .bind(game.id)
    .fetch_one(&game.app.db)
    .await
    .expect("the sealed move");
    assert!(
        is_timed,
        "from ten minutes before to a quarter of an hour after"
    );
    // Who has read what there is of the match, and who has it open, is called all the same.
    game.ann.get(&format!("/match/{}", game.id)).await;
    game.ann
        .post("/api/read_notifications", &[])
        .await
        .assert_ok();
    told(&game.app).await;
    assert_eq!(calls(&game.ann).await, (0, json!(0)));
    let path = format!("/events/match/{}", game.id);
    let mut open = game.bob.stream(&path).await;
    open.next().await;
    pass_calls(&game, 110 * 60).await;
    wait_until_called(&game.ann, (1, 1)).await;
    wait_until_called(&game.bob, (1, 1)).await;
    let html = game.ann.get("/notifications").await.text;
    let words = "It is time to resume your game with bob";
    assert!(html.contains(words), "{html}");
    let list = game.ann.get("/api/notifications").await.assert_ok();
    let call = &list["notifications"][0];
    assert_eq!(
        (&call["kind"], &call["match"]),
        (&json!("your_turn"), &json!(game.id))
    );

    // The page has the way to come, and renews itself.
    agree_on(&game, 60).await;
    let there = game.app.another_instance().await;
    let (ann, bob) = (
        game.ann.at_instance(there.address),
        game.bob.at_instance(there.address),
    );
    let html = ann.get(&format!("/match/{}", game.id)).await.text;
    assert!(html.contains(words) && html.contains("I am here"), "{html}");
    assert!(html.contains(r#"data-renew-ms="10000""#), "{html}");
    assert!(
        html.contains(r#"http-equiv="refresh" content="11""#),
        "{html}"
    );
    wait_until_called(&ann, (1, 0)).await;
    // Who comes first calls the other one again, once.
    for _ in 0..2 {
        let noted = game.call(&bob, "resume", &[]).await.assert_ok();
        assert_eq!(noted["waits"], true);
    }
    wait_until_called(&ann, (1, 1)).await;
    ann.post("/api/read_notifications", &[]).await.assert_ok();
    game.call(&bob, "resume", &[]).await.assert_ok();
    told(&game.app).await;
    wait_until_called(&ann, (1, 0)).await;
    // It goes on, and nobody is called any more.
    let mut here = bob.stream(&path).await;
    here.next().await;
    let went_on = game.call(&ann, "resume", &[]).await.assert_ok();
    assert_eq!(went_on["waits"], false);
    for player in [&ann, &bob] {
        wait_until("the end of the calls", async || {
            (calls(player).await.0 == 0).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn nobody_is_called_to_a_match_that_has_ended_or_too_late() {
    for ends in [true, false] {
        let game = to_go_on_live().await;
        told(&game.app).await;
        if ends {
            game.ann.resign(game.id).await.assert_ok();
        }
        // As if no instance had run at that time.
        pass_calls(&game, if ends { 110 } else { 136 } * 60).await;
        wait_until("the end of what is due", async || {
            let due: i64 = sqlx::query_scalar(
                "select (select count(*) from sealed_moves where not called) + (select count(*) from notification_causes)",
            )
            .fetch_one(&game.app.db)
            .await
            .expect("a count");
            (due == 0).then_some(())
        })
        .await;
        for player in [&game.ann, &game.bob] {
            assert_eq!(calls(player).await.0, 0, "{ends}");
        }
    }
}

#[tokio::test]
async fn a_match_with_any_live_clock_goes_on_with_it() {
    for clock in ["25/300", "600~30x5", "none"] {
        let game = to_go_on_live_with(clock).await;
        agree_on(&game, 60).await;
        let there = game.app.another_instance().await;
        let (ann, bob) = (
            game.ann.at_instance(there.address),
            game.bob.at_instance(there.address),
        );
        let before = ann.snapshot(game.id).await["clock"].clone();
        assert_eq!(before.is_null(), clock == "none");
        let path = format!("/events/match/{}", game.id);
        let (mut one, mut two) = (ann.stream(&path).await, bob.stream(&path).await);
        one.next().await;
        two.next().await;
        game.call(&bob, "resume", &[]).await.assert_ok();
        let went_on = game.call(&ann, "resume", &[]).await.assert_ok();
        assert_eq!(went_on["waits"], false, "{clock}");
        let after = ann.snapshot(game.id).await;
        assert_eq!(
            (&after["time_control"], &after["pace"], &after["moves"]),
            (&json!(clock), &json!("live"), &json!(["0,4", "4,0", "2,3"]))
        );
        for part in ["left_ms", "bank_ms", "periods"] {
            assert_eq!(after["clock"][part], before[part], "{clock}: {part}");
        }
        let running = if clock == "none" {
            Value::Null
        } else {
            json!(2)
        };
        assert_eq!(after["clock"]["running"], running, "{clock}");
        bob.make_move(game.id, "1,1", &[]).await.assert_ok();
    }
}

#[tokio::test]
async fn nobody_is_called_out_of_another_live_match_and_who_comes_late_goes_on_by_correspondence() {
    let game = to_go_on_live().await;
    agree_on(&game, 0).await;
    let there = game.app.another_instance().await;
    let (ann, bob) = (
        game.ann.at_instance(there.address),
        game.bob.at_instance(there.address),
    );
    let eve = game.app.with_user("eve").await;
    start_match(&ann, &eve, SMALL).await;
    let path = format!("/events/match/{}", game.id);
    let (mut one, mut two) = (ann.stream(&path).await, bob.stream(&path).await);
    one.next().await;
    two.next().await;
    game.call(&bob, "resume", &[]).await.assert_ok();
    game.call(&ann, "resume", &[])
        .await
        .assert_error(409, "already_playing");
    assert_eq!(bob.snapshot(game.id).await["version"], BEGUN + 4);

    agree_on(&game, -16 * 60).await;
    let late = game.app.another_instance().await;
    let (ann, bob) = (
        game.ann.at_instance(late.address),
        game.bob.at_instance(late.address),
    );
    game.call(&ann, "resume", &[])
        .await
        .assert_error(403, "not_yours");
    let went_on = game.call(&bob, "resume", &[]).await.assert_ok();
    assert_eq!(went_on, json!({"version": BEGUN + 6, "waits": false}));
    assert_eq!(bob.snapshot(game.id).await["time_control"], "3d");
}

#[tokio::test]
async fn a_run_of_boxes_is_sealed_as_a_whole() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let _waiting = (
        ann.join_lobby_of("boxes").await,
        bob.join_lobby_of("boxes").await,
    );
    let more = [("setup", r#"{"cols":2,"rows":2}"#), ("clock", "300+0")];
    let challenge = ann.challenge_to("boxes", &bob, &more).await.id("id");
    let id = bob.answer_challenge(challenge, true).await.id("match");
    for (player, mv) in [(&ann, "h:0,0"), (&bob, "v:0,0"), (&ann, "h:0,1")] {
        player.make_move(id, mv, &[]).await.assert_ok();
    }
    let game = Adjourned { app, ann, bob, id };
    game.call(&game.ann, "adjourn", &[]).await.assert_ok();
    game.call(&game.bob, "answer_adjourn", &[("accept", "true")])
        .await
        .assert_ok();
    game.seal(&game.bob, "v:1,0")
        .await
        .assert_error(400, "turn_goes_on");
    game.seal(&game.bob, "v:1,0 v:1,1").await.assert_ok();
    game.call(&game.ann, "resume", &[]).await.assert_ok();
    let snapshot = game.ann.snapshot(id).await;
    assert_eq!(
        (&snapshot["seats"], &snapshot["score"], &snapshot["to_move"]),
        (&json!([1, 2, 1, 2, 2]), &json!([0, 1]), &json!(1))
    );
}

#[tokio::test]
async fn a_vacation_of_who_has_sealed_holds_their_clock_in_the_resumed_match() {
    let game = Adjourned::start(&[]).await;
    let (ann, bob, id) = (&game.ann, &game.bob, game.id);
    game.seal(ann, "2,3").await.assert_ok();
    let vacation = async |on: &str| ann.post("/api/vacation", &[("on", on)]).await.assert_ok();
    let until = vacation("true").await["until"].as_i64().expect("a time");
    game.call(bob, "resume", &[]).await.assert_ok();
    let snapshot = bob.snapshot(id).await;
    assert_eq!(snapshot["vacation_until"], json!([until, null]));
    bob.make_move(id, "1,1", &[]).await.assert_ok();
    let clock = bob.snapshot(id).await["clock"].clone();
    assert_eq!(clock["deadline_at"], until + 3 * 86_400_000, "{clock}");
    // Its end begins the clock.
    let now = vacation("false").await["now"].as_i64().expect("a time");
    let clock = bob.snapshot(id).await["clock"].clone();
    let deadline = clock["deadline_at"].as_i64().expect("a time");
    assert!((deadline - now - 3 * 86_400_000).abs() < 60_000, "{clock}");
}

/// The vacation begins while the match is being resumed: whichever comes first, her clock stands still.
#[tokio::test]
async fn a_vacation_that_begins_at_the_same_time_holds_the_clock_too() {
    let game = Adjourned::start(&[]).await;
    let (ann, bob, id) = (&game.ann, &game.bob, game.id);
    game.seal(ann, "2,3").await.assert_ok();
    let mut held = game.app.db.begin().await.expect("a transaction");
    sqlx::query("select from players where id = any($1) for update")
        .bind([ann.id, bob.id])
        .execute(&mut *held)
        .await
        .expect("a lock");
    let resuming = game.call(bob, "resume", &[]);
    let form = [("on", "true")];
    let beginning = ann.post("/api/vacation", &form);
    let released = async {
        wait_until_blocked(&game.app.db, 2).await;
        held.rollback().await.expect("the end of the lock");
    };
    let (resumed, begun, ()) = tokio::join!(resuming, beginning, released);
    resumed.assert_ok();
    let until = begun.assert_ok()["until"].clone();
    assert_eq!(bob.snapshot(id).await["vacation_until"][0], until);
}

#[tokio::test]
async fn who_comes_too_late_keeps_the_vacation() {
    let game = Adjourned::start(&[]).await;
    let (ann, bob) = (&game.ann, &game.bob);
    game.seal(ann, "2,3").await.assert_ok();
    let form = [("on", "true")];
    let until = bob.post("/api/vacation", &form).await.assert_ok()["until"].clone();
    backdate_match(&game.app.db, game.id, 15 * 86_400).await;
    // Nobody has ended it yet.
    sqlx::query("update matches set deadline_at = now() + interval '1 hour' where id = $1")
        .bind(game.id)
        .execute(&game.app.db)
        .await
        .expect("updated");
    let there = game.app.another_instance().await;
    let late = bob.at_instance(there.address);
    game.call(&late, "resume", &[])
        .await
        .assert_error(409, "finished");
    let status = bob.get("/api/vacation").await.assert_ok();
    assert_eq!(status["until"], until);
}

#[tokio::test]
async fn a_seal_ends_a_vacation() {
    let game = Adjourned::start(&[]).await;
    let (ann, form) = (&game.ann, [("on", "true")]);
    ann.post("/api/vacation", &form).await.assert_ok();
    game.seal(ann, "0,4").await.assert_error(422, "illegal");
    let status = ann.get("/api/vacation").await.assert_ok();
    assert!(status["until"].is_i64());
    game.seal(ann, "2,3").await.assert_ok();
    let status = ann.get("/api/vacation").await.assert_ok();
    assert_eq!(status["until"], Value::Null);
}

#[tokio::test]
async fn nobody_has_more_than_fifty_games_by_an_adjournment() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    sqlx::query(
        "insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2, rules_version, correspondence)
         select game, setup, '3d', false, seat1, $2, rating1, rating2, rules_version, true
         from matches, generate_series(1, 50) where id = $1",
    )
    .bind(id)
    .bind(cid.id)
    .execute(&app.db)
    .await
    .expect("fifty games of Ann");
    let game = Adjourned { app, ann, bob, id };
    let refused = game.call(&game.ann, "adjourn", &[]).await;
    refused.assert_error(409, "too_many_games");
    let refused = game.ann.offer(id, "adjourn").await;
    refused.assert_error(409, "too_many_games");
    game.call(&game.bob, "adjourn", &[]).await.assert_ok();
    let yes = [("accept", "true")];
    let refused = game.call(&game.ann, "answer_adjourn", &yes).await;
    refused.assert_error(409, "too_many_games");
    let refused = game.ann.answer_offer(id, true).await;
    refused.assert_error(409, "too_many_games");
    assert!(game.ann.snapshot(id).await.get("adjournment").is_none());
    // With one less there is room for it.
    sqlx::query("delete from matches where id in (select max(id) from matches)")
        .execute(&game.app.db)
        .await
        .expect("one ends");
    game.call(&game.ann, "answer_adjourn", &yes)
        .await
        .assert_ok();
}

#[tokio::test]
async fn a_rematch_of_an_adjourned_match_has_the_terms_of_its_end() {
    let game = Adjourned::start(&[("rated", "true")]).await;
    let (ann, bob) = (&game.ann, &game.bob);
    game.seal(ann, "2,3").await.assert_ok();
    game.call(bob, "resume", &[]).await.assert_ok();
    bob.resign(game.id).await.assert_ok();
    // Nobody is at the match, neither at the instance that knows it from its start nor at another one.
    let there = game.app.another_instance().await;
    let unrated = [("rated", "false")];
    let asked = game.call(ann, "rematch", &unrated).await.assert_ok();
    assert_eq!(asked["match"], Value::Null);
    let rated = [("rated", "true")];
    game.call(bob, "rematch", &rated)
        .await
        .assert_error(409, "terms_changed");
    let bob = bob.at_instance(there.address);
    let next = game.call(&bob, "rematch", &unrated).await.id("match");
    let snapshot = ann.snapshot(next).await;
    assert_eq!(
        (&snapshot["time_control"], &snapshot["rated"]),
        (&json!("3d"), &json!(false))
    );
}

#[tokio::test]
async fn who_has_sealed_the_winning_move_is_told_of_the_end() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = store_match(&app, &ann, &bob, "300+5").await;
    for row in 7..11 {
        let [hers, his] = [7, 0].map(|column| format!("{column},{row}"));
        ann.make_move(id, &hers, &[]).await.assert_ok();
        bob.make_move(id, &his, &[]).await.assert_ok();
    }
    let game = Adjourned { app, ann, bob, id };
    game.call(&game.bob, "adjourn", &[]).await.assert_ok();
    let answer = [("accept", "true")];
    game.call(&game.ann, "answer_adjourn", &answer)
        .await
        .assert_ok();
    game.seal(&game.ann, "7,11").await.assert_ok();
    game.call(&game.bob, "resume", &[]).await.assert_ok();
    let result = game.bob.snapshot(id).await["result"].clone();
    assert_eq!(result["winner"], 1, "five in a row: {result}");
    let told = wait_until("her notification", async || {
        let page = game.ann.get("/api/notifications").await.assert_ok();
        let list = page["notifications"].as_array().expect("a list");
        list.first().cloned()
    })
    .await;
    assert_eq!(
        (&told["kind"], &told["outcome"]),
        (&json!("game_over"), &json!("won"))
    );
    // He has opened the move himself.
    let page = game.bob.get("/api/notifications").await.assert_ok();
    assert_eq!(page["notifications"], json!([]));
}
