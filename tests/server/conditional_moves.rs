//! Conditional moves: lines of a correspondence match that answer the opponent's moves by themselves.

use super::app::{TestApp, backdate_match, wait_until, wait_until_blocked};
use super::notifications::told;
use super::own_games::store_match;
use super::player::{Player, Response, send};
use super::turn_notifications::{held, pass_hold};
use serde_json::{Value, json};

struct Game {
    app: TestApp,
    ann: Player,
    bob: Player,
    id: i64,
}

/// Starts a correspondence match in which both have moved, and Ann waits for Bob's second move.
async fn start() -> Game {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = store_match(&app, &ann, &bob, "3d").await;
    ann.make_move(id, "7,7", &[]).await.assert_ok();
    bob.make_move(id, "0,0", &[]).await.assert_ok();
    ann.make_move(id, "7,8", &[]).await.assert_ok();
    Game { app, ann, bob, id }
}

impl Game {
    async fn set(&self, tree: &Value) -> Response {
        let body = json!({ "match_id": self.id, "tree": tree });
        let request = self
            .ann
            .post_request("/api/conditional_moves")
            .header("content-type", "application/json")
            .body(body.to_string());
        super::player::send(request).await
    }

    async fn lines(&self, player: &Player) -> Value {
        let path = format!("/api/conditional_moves?match_id={}", self.id);
        player.get(&path).await.assert_ok()
    }

    /// Lets the time pass after which moves are answered.
    async fn let_answers_be_due(&self) {
        sqlx::query("update conditional_moves set due_at = now() where due_at is not null")
            .execute(&self.app.db)
            .await
            .expect("updated");
    }

    async fn moves(&self) -> Vec<String> {
        let snapshot = self.ann.snapshot(self.id).await;
        serde_json::from_value(snapshot["moves"].clone()).expect("moves")
    }

    async fn wait_for_moves(&self, count: usize) -> Vec<String> {
        self.let_answers_be_due().await;
        wait_until("the answer", async || {
            let moves = self.moves().await;
            (moves.len() >= count).then_some(moves)
        })
        .await
    }
}

#[tokio::test]
async fn a_line_of_five_moves_is_played_with_its_maker_away() {
    let game = start().await;
    let line = json!([["0,1", "7,9", "0,2", "7,10", "0,3", "7,11"], ["5,5", "6,6"]]);
    assert_eq!(game.set(&line).await.assert_ok(), line);
    assert_eq!(game.lines(&game.bob).await, json!([]), "only Ann sees them");
    let before = game.ann.snapshot(game.id).await["clock"]["left_ms"][0].clone();
    for (mv, count) in [("0,1", 5), ("0,2", 7), ("0,3", 9)] {
        let answer = game.bob.make_move(game.id, mv, &[]).await;
        // The answer is of the mover's own event.
        let version = answer.version();
        assert_eq!(version as usize, count - 1);
        let moves = game.wait_for_moves(count).await;
        assert_eq!(moves.len(), count);
    }
    let finished = game.ann.snapshot(game.id).await;
    assert_eq!(finished["status"], "finished", "five in a row");
    assert_eq!(finished["result"]["winner"], 1);
    assert_eq!(
        finished["clock"]["left_ms"][0], before,
        "nothing was charged"
    );
    let left: i64 = sqlx::query_scalar("select count(*) from conditional_moves")
        .fetch_one(&game.app.db)
        .await
        .expect("counted");
    assert_eq!(left, 0);
    // Nobody but the line has made her last move: she is told that she has won.
    let outcome = wait_until("her notification", async || {
        let page = game.ann.get("/api/notifications").await.assert_ok();
        let list = page["notifications"].as_array().expect("a list");
        let [told] = &list[..] else { return None };
        (told["kind"] == "game_over").then(|| told["outcome"].clone())
    })
    .await;
    assert_eq!(outcome, "won");
    // The streams of both have the client ids: those of the answers are as those of a page.
    let names: Vec<String> = sqlx::query_scalar(
        "select client_id from match_events where match_id = $1 and client_id is not null order by version",
    )
    .bind(game.id)
    .fetch_all(&game.app.db)
    .await
    .expect("the client ids");
    assert_eq!(names.len(), 3);
    for name in &names {
        let parts = name.strip_prefix('c').and_then(|name| name.split_once('-'));
        let (time, digits) = parts.expect("two numbers");
        for number in [time, digits] {
            assert!(u64::from_str_radix(number, 16).is_ok(), "{name}");
        }
    }
}

#[tokio::test]
async fn a_turn_is_told_only_if_the_line_does_not_answer_it() {
    let game = start().await;
    told(&game.app).await;
    let line = json!([["0,1", "7,9", "0,2", "7,10"]]);
    game.set(&line).await.assert_ok();
    let hers = async || -> Value {
        let page = game.ann.get("/api/notifications").await.assert_ok();
        page["notifications"].clone()
    };
    game.bob.make_move(game.id, "0,1", &[]).await.assert_ok();
    told(&game.app).await;
    assert_eq!(held(&game.app).await, 1);
    assert_eq!(game.wait_for_moves(5).await.len(), 5);
    pass_hold(&game.app).await;
    assert_eq!(hers().await, json!([]));
    // Beside the line.
    game.bob.make_move(game.id, "5,5", &[]).await.assert_ok();
    told(&game.app).await;
    assert_eq!((held(&game.app).await, hers().await), (1, json!([])));
    game.let_answers_be_due().await;
    wait_until("dropped", async || {
        let count: i64 = sqlx::query_scalar("select count(*) from conditional_moves")
            .fetch_one(&game.app.db)
            .await
            .expect("counted");
        (count == 0).then_some(())
    })
    .await;
    pass_hold(&game.app).await;
    let list = hers().await;
    assert_eq!(list[0]["kind"], "your_turn", "{list}");
    assert_eq!(list.as_array().map(Vec::len), Some(1), "{list}");
    // Without lines it is told at once.
    game.ann.make_move(game.id, "9,9", &[]).await.assert_ok();
    game.bob.make_move(game.id, "6,6", &[]).await.assert_ok();
    told(&game.app).await;
    assert_eq!(held(&game.app).await, 0);
    assert_eq!(hers().await[0]["kind"], "your_turn");
}

#[tokio::test]
async fn another_move_and_a_take_back_drop_the_lines_and_a_move_ends_an_offer() {
    let game = start().await;
    let line = json!([["0,1", "7,9"]]);
    game.set(&line).await.assert_ok();
    game.bob.make_move(game.id, "9,9", &[]).await.assert_ok();
    game.let_answers_be_due().await;
    wait_until("dropped", async || {
        let count: i64 = sqlx::query_scalar("select count(*) from conditional_moves")
            .fetch_one(&game.app.db)
            .await
            .expect("counted");
        (count == 0).then_some(())
    })
    .await;
    assert_eq!(game.moves().await.len(), 4);

    game.ann.make_move(game.id, "8,8", &[]).await.assert_ok();
    game.set(&line).await.assert_ok();
    game.ann.offer(game.id, "takeback").await.assert_ok();
    game.bob.answer_offer(game.id, true).await.assert_ok();
    assert_eq!(game.lines(&game.ann).await, json!([]));

    game.ann.make_move(game.id, "8,8", &[]).await.assert_ok();
    game.set(&line).await.assert_ok();
    game.ann.offer(game.id, "draw").await.assert_ok();
    game.bob.make_move(game.id, "0,1", &[]).await.assert_ok();
    let moves = game.wait_for_moves(7).await;
    assert_eq!(moves.last().map(String::as_str), Some("7,9"));
}

#[tokio::test]
async fn refused_lines_stay_in_the_form_with_the_place_of_the_error() {
    let game = start().await;
    let (ann, id) = (&game.ann, game.id.to_string());
    let page = format!("/match/{id}/plan");
    let many = "0,1 1,1\n".repeat(31);
    let post = async |tree: &str| {
        let form = ann.post_request("/api/conditional_moves");
        let form = form.form(&[("match_id", &*id), ("tree", tree)]);
        let form = form.header("accept", "text/html");
        send(form.header("referer", ann.url(&page))).await
    };
    for (tree, place, field) in [
        (
            "0,1 1,1\r\n\r\n0,2 x&y",
            "Line 2, move 2: x&amp;y",
            "0,1 1,1&#10;0,2 x&amp;y<",
        ),
        (
            "0,1 1,1\n0,1 2,2",
            "Line 2, move 2: 2,2",
            "0,1 1,1&#10;0,1 2,2<",
        ),
        ("0,1", "Line 1 ends without your answer.", "0,1<"),
        (
            &*many,
            "At most 30 lines of 30 moves.",
            "0,1 1,1&#10;0,1 1,1",
        ),
    ] {
        let answer = post(tree).await;
        assert_eq!(answer.status, 302, "{}", answer.text);
        let place_of_page = answer.header("location").expect("the page").to_owned();
        let shown = place_of_page.replace(&ann.url(""), "");
        assert!(shown.starts_with(&page), "{shown}");
        let html = ann.get(&shown).await.text;
        assert!(html.contains(place), "{place}: {html}");
        assert!(html.contains(field), "{field}: {html}");
        assert!(html.contains(r#"aria-invalid="true""#), "{html}");
    }
    let path = format!("/api/refused_conditional_moves?match_id={id}");
    let kept = ann.get(&path).await.assert_ok();
    assert!(
        kept.as_str()
            .is_some_and(|text| text.starts_with("0,1 1,1\n0,1 1,1"))
    );
    assert_eq!(
        game.bob.get(&path).await.assert_ok(),
        Value::Null,
        "they are private"
    );
    // Without an error nothing of it is shown, and what is accepted takes its place.
    let html = ann.get(&page).await.text;
    assert!(!html.contains("0,1 1,1"), "{html}");
    post("0,1 1,1").await;
    assert_eq!(ann.get(&path).await.assert_ok(), Value::Null);
    // The opponent moves while the lines are being made: they are not lost.
    game.bob.make_move(game.id, "9,9", &[]).await.assert_ok();
    let answer = post("0,1 4,4").await;
    let shown = answer
        .header("location")
        .expect("the page")
        .replace(&ann.url(""), "");
    let html = ann.get(&shown).await.text;
    assert!(html.contains("0,1 4,4</textarea>"), "{html}");
    ann.make_move(game.id, "9,8", &[]).await.assert_ok();
    // What no form has sent is not kept, and harms nothing.
    for tree in [json!([["\u{0}"]]), json!([["0,1", "x".repeat(20_000)]])] {
        game.set(&tree)
            .await
            .assert_error(400, "invalid_conditions");
        assert_eq!(ann.get(&path).await.assert_ok(), Value::Null);
    }
}

#[tokio::test]
async fn lines_that_cannot_be_played_are_refused_with_their_place() {
    let game = start().await;
    for (tree, line, ply) in [
        (json!([["0,1", "7,7"]]), 0, 1),
        (json!([["0,1", "1,1"], ["0,2", "nonsense"]]), 1, 1),
        (json!([["0,1", "1,1"], ["0,1", "2,2"]]), 1, 1),
        (json!([["0,1"]]), 0, 1),
    ] {
        let refused = game
            .set(&tree)
            .await
            .assert_error(400, "invalid_conditions");
        assert_eq!(refused["at"], json!({"line": line, "ply": ply}), "{tree}");
    }
    // A form has a line in each row.
    let id = game.id.to_string();
    let form = [("match_id", &*id), ("tree", "0,1 1,1\r\n\r\n0,2 2,2\r\n")];
    let kept = game.ann.post("/api/conditional_moves", &form).await;
    assert_eq!(kept.assert_ok(), json!([["0,1", "1,1"], ["0,2", "2,2"]]));
    // The refused ones count.
    for _ in 0..5 {
        game.set(&json!([])).await.assert_ok();
    }
    for tree in [json!([]), json!([["nonsense"]])] {
        game.set(&tree).await.assert_error(429, "too_many_requests");
    }

    let eve = game.app.with_user("eve").await;
    let stranger = eve.post("/api/conditional_moves", &form).await;
    stranger.assert_error(403, "not_a_player");
}

#[tokio::test]
async fn a_live_match_has_none() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = store_match(&app, &ann, &bob, "300+5").await;
    ann.make_move(id, "7,7", &[]).await.assert_ok();
    let form = [("match_id", &*id.to_string()), ("tree", "0,1 1,1")];
    let refused = ann.post("/api/conditional_moves", &form).await;
    refused.assert_error(409, "live_match");
}

#[tokio::test]
async fn matches_that_cannot_be_read_hold_up_no_answer() {
    let game = start().await;
    game.set(&json!([["0,1", "7,9"]])).await.assert_ok();
    // More than one round takes, all due for longer, of a release with other rules.
    sqlx::query(
        "with broken as (
             insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2, rules_version, correspondence)
             select game, setup, clock, false, seat1, seat2, 1600, 1600, 99, true from matches, generate_series(1, 120)
             where id = $1 returning id)
         insert into conditional_moves (match_id, player_id, root, lines, due_at)
         select id, $2, 0, '[[\"0,1\", \"7,9\"]]', now() - interval '1 hour' from broken",
    )
    .bind(game.id)
    .bind(game.ann.id)
    .execute(&game.app.db)
    .await
    .expect("inserted");
    game.bob.make_move(game.id, "0,1", &[]).await.assert_ok();
    sqlx::query("update conditional_moves set due_at = now() where match_id = $1")
        .bind(game.id)
        .execute(&game.app.db)
        .await
        .expect("updated");
    wait_until("the answer", async || {
        (game.moves().await.len() == 5).then_some(())
    })
    .await;
    let (least, waiting): (i32, i64) = sqlx::query_as(
        "select min(failures), count(*) from conditional_moves where retry_at > now() and due_at < now() and match_id <> $1",
    )
    .bind(game.id)
    .fetch_one(&game.app.db)
    .await
    .expect("the rows");
    assert!(least >= 1 && waiting > 0, "{least} {waiting}");
}

#[tokio::test]
async fn lines_sent_without_a_pause_are_refused_before_the_match_is_locked() {
    let app = TestApp::with_settings(|settings| {
        settings.moves_per_second = std::num::NonZeroU32::new(4).expect("not zero");
    })
    .await;
    let (ann, bob) = app.with_two_users().await;
    let id = store_match(&app, &ann, &bob, "3d").await;
    ann.make_move(id, "7,7", &[]).await.assert_ok();
    // Nobody else changes the match: what would lock it waits.
    let mut held = app.db.begin().await.expect("a transaction");
    sqlx::query("select from matches where id = $1 for update")
        .bind(id)
        .execute(&mut *held)
        .await
        .expect("a lock");
    let game = Game { app, ann, bob, id };
    let line = json!([["0,1", "7,9"]]);
    let sent = futures::future::join_all((0..20).map(|_| game.set(&line)));
    let released = async {
        wait_until_blocked(&game.app.db, 1).await;
        held.rollback().await.expect("the end of the lock");
    };
    let (answers, ()) = tokio::join!(sent, released);
    let refused = answers.iter().filter(|answer| answer.status == 429);
    let soon = refused.filter(|answer| answer.header("retry-after") == Some("1"));
    assert!(soon.count() >= 10);
}

impl Game {
    /// Lets the answer be due, and waits until it has been looked for in vain.
    async fn wait_until_suspended(&self) {
        self.let_answers_be_due().await;
        wait_until("a look at the answer", async || {
            let waits: bool = sqlx::query_scalar(
                "select due_at is null or coalesce(retry_at > now(), false) from conditional_moves",
            )
            .fetch_one(&self.app.db)
            .await
            .expect("the lines");
            waits.then_some(())
        })
        .await;
        assert_eq!(self.moves().await.len(), 4, "no answer");
    }

    async fn time_left(&self) -> i64 {
        let snapshot = self.ann.snapshot(self.id).await;
        snapshot["clock"]["left_ms"][0].as_i64().expect("a time")
    }
}

#[tokio::test]
async fn an_offer_suspends_the_lines_and_who_thinks_meanwhile_is_charged() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = store_match(&app, &ann, &bob, "3d+1d..7d").await;
    for (player, mv) in [(&ann, "7,7"), (&bob, "0,0"), (&ann, "7,8")] {
        player.make_move(id, mv, &[]).await.assert_ok();
    }
    let mut game = Game { app, ann, bob, id };
    game.set(&json!([["0,1", "7,9", "0,2", "7,10"]]))
        .await
        .assert_ok();
    game.bob.make_move(id, "0,1", &[]).await.assert_ok();
    let before = game.time_left().await;
    game.ann.offer(id, "draw").await.assert_ok();
    game.wait_until_suspended().await;
    // Two days later she has thought enough.
    let hours = 48;
    backdate_match(&game.app.db, id, hours * 3600).await;
    // An instance that reads the match now; the one that knows it from before is stopped.
    game.app = game.app.another_instance().await;
    game.ann = game.ann.at_instance(game.app.address);
    game.bob = game.bob.at_instance(game.app.address);
    game.ann.cancel_offer(id).await.json();
    let moves = game.wait_for_moves(5).await;
    assert_eq!(moves.last().map(String::as_str), Some("7,9"));
    let charged = before + 24 * 3_600_000 - game.time_left().await;
    let thought = i64::from(hours) * 3_600_000;
    assert!((thought..thought + 120_000).contains(&charged), "{charged}");
    // The next answer, which nothing holds up, costs nothing.
    let before = game.time_left().await;
    game.bob.make_move(id, "0,2", &[]).await.assert_ok();
    game.wait_for_moves(7).await;
    assert_eq!(game.time_left().await, before);
}

#[tokio::test]
async fn an_offer_of_the_opponent_suspends_the_lines_until_it_is_declined() {
    let game = start().await;
    game.set(&json!([["0,1", "7,9"]])).await.assert_ok();
    game.bob.make_move(game.id, "0,1", &[]).await.assert_ok();
    game.bob.offer(game.id, "draw").await.assert_ok();
    game.wait_until_suspended().await;
    game.ann.answer_offer(game.id, false).await.assert_ok();
    let moves = game.wait_for_moves(5).await;
    assert_eq!(moves.last().map(String::as_str), Some("7,9"));
}

#[tokio::test]
async fn an_offer_of_the_opponent_is_declined_before_the_flag_falls() {
    let mut game = start().await;
    game.set(&json!([["0,1", "7,9"]])).await.assert_ok();
    game.bob.make_move(game.id, "0,1", &[]).await.assert_ok();
    let version = game.bob.offer(game.id, "draw").await.version();
    game.wait_until_suspended().await;
    let waits: f64 = sqlx::query_scalar(
        "select extract(epoch from m.deadline_at - c.retry_at)::float8 from conditional_moves c join matches m on m.id = c.match_id",
    )
    .fetch_one(&game.app.db)
    .await
    .expect("a time");
    assert!(
        (7_100.0..=7_300.0).contains(&waits),
        "two hours before: {waits}"
    );
    // Half an hour is left, and an instance reads the match now; the one that knows it from before is stopped.
    backdate_match(&game.app.db, game.id, 3 * 86_400 - 1_800).await;
    game.app = game.app.another_instance().await;
    game.ann = game.ann.at_instance(game.app.address);
    let moves = wait_until("the answer", async || {
        sqlx::query(
            "update conditional_moves set due_at = now(), retry_at = null where due_at is not null",
        )
        .execute(&game.app.db)
        .await
        .expect("updated");
        let moves = game.moves().await;
        (moves.len() == 5).then_some(moves)
    })
    .await;
    assert_eq!(moves.last().map(String::as_str), Some("7,9"));
    let why: String = sqlx::query_scalar(
        "select body::jsonb ->> 'why' from match_events where match_id = $1 and version = $2 + 1",
    )
    .bind(game.id)
    .bind(i32::try_from(version).expect("a small number"))
    .fetch_one(&game.app.db)
    .await
    .expect("the end of the offer");
    assert_eq!(why, "declined");
}
