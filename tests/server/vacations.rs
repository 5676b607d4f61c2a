//! Vacation: all clocks of a player in correspondence matches stand still, and a day is spent for each 24 hours begun.

use super::app::{
    SMALL, TestApp, backdate_match, begin, start_match, wait_until, wait_until_blocked,
};
use super::player::{Player, Response, send};
use reqwest::Method;
use serde_json::{Value, json};

const DAY: i64 = 86_400_000;

/// Starts a match by correspondence in which both have moved; `first` is on turn.
async fn begun(first: &Player, second: &Player, clock: &str) -> i64 {
    loop {
        let form = [("setup", SMALL), ("clock", clock), ("rated", "false")];
        let challenge = first.challenge(second, &form).await.id("id");
        let id = second.answer_challenge(challenge, true).await.id("match");
        // Seats are drawn.
        if first.snapshot(id).await["players"][0]["id"] == first.id {
            begin(first, second, id).await;
            return id;
        }
        first.abort(id).await.assert_ok();
    }
}

async fn set(player: &Player, is_on: bool) -> Response {
    let on = is_on.to_string();
    player.post("/api/vacation", &[("on", &on)]).await
}

async fn status(player: &Player) -> Value {
    player.get("/api/vacation").await.assert_ok()
}

async fn deadline(player: &Player, id: i64) -> i64 {
    let snapshot = player.snapshot(id).await;
    snapshot["clock"]["deadline_at"].as_i64().expect("a time")
}

async fn page_text(player: &Player, path: &str) -> String {
    let page = player.request(Method::GET, path);
    send(page.header("accept", "text/html")).await.text
}

/// Lets seconds pass for a match and the vacations, for instances that are opened afterwards.
async fn pass(app: &TestApp, ids: &[i64], seconds: i32) {
    for id in ids {
        backdate_match(&app.db, *id, seconds).await;
    }
    sqlx::query(
        "update vacations set counted_at = counted_at - $1 * interval '1 s', began_at = began_at - $1 * interval '1 s',
             ends_at = ends_at - $1 * interval '1 s'",
    )
    .bind(seconds)
    .execute(&app.db)
    .await
    .expect("time passes");
}

async fn count_vacation_events(app: &TestApp) -> i64 {
    sqlx::query_scalar("select count(*) from match_events where kind = 'vacation_changed'")
        .fetch_one(&app.db)
        .await
        .expect("counted")
}

#[tokio::test]
async fn the_clocks_of_the_player_stand_still_and_a_move_ends_it_in_all_matches() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (hers, his, live) = (
        begun(&ann, &bob, "3d").await,
        begun(&bob, &ann, "3d").await,
        start_match(&ann, &bob, SMALL).await,
    );
    assert_eq!(status(&ann).await["days"], 7);
    assert_eq!(status(&ann).await["until"], Value::Null);
    let (before, others) = (deadline(&ann, hers).await, deadline(&ann, his).await);
    let there = app.another_instance().await;
    let mut stream = bob
        .at_instance(there.address)
        .stream(&format!("/events/match/{hers}"))
        .await;

    let on = set(&ann, true).await.assert_ok();
    let until = on["until"].as_i64().expect("a time");
    assert_eq!(until - on["since"].as_i64().expect("a time"), 7 * DAY);
    assert_eq!(on["days"], 6, "a day is begun");
    let told = stream.next_named("vacation_changed").await;
    assert_eq!((&told["seat"], &told["until"]), (&json!(1), &json!(until)));
    let snapshot = bob.snapshot(hers).await;
    assert_eq!(snapshot["vacation_until"], json!([until, null]));
    assert_eq!(
        snapshot["clock"]["at"], until,
        "her clock runs from then on"
    );
    let after = deadline(&bob, hers).await;
    assert!(
        (after - before - 7 * DAY).abs() < 60_000,
        "{before} {after}"
    );
    assert_eq!(deadline(&ann, his).await, others, "his clock goes on");
    assert!(
        app.visitor()
            .snapshot(live)
            .await
            .get("vacation_until")
            .is_none()
    );
    assert_eq!(
        set(&ann, true).await.assert_ok()["until"],
        until,
        "it is on already"
    );

    // Opponents see it.
    let own = bob.get("/api/my_games").await.assert_ok();
    let games = own["games"].as_array().expect("a list");
    let seen = games
        .iter()
        .filter(|game| game["opponent_vacation_until"] == until);
    assert_eq!(seen.count(), 2, "{games:?}");
    let profile = app.visitor().get("/api/profile?name=ann").await.assert_ok();
    assert_eq!(profile["vacation_until"], until);
    for page in ["/@ann", "/games", &format!("/match/{his}")] {
        let page = page_text(&bob, page).await;
        assert!(
            page.contains("n vacation for at most 6 d 23 h more"),
            "{page}"
        );
    }

    // He moves, and it is her turn; her clock begins at the end.
    bob.make_move(his, "2,2", &[]).await.assert_ok();
    assert_eq!(deadline(&ann, his).await, until + 3 * DAY);
    // A move that is refused ends nothing.
    ann.make_move(hers, "0,4", &[])
        .await
        .assert_error(422, "illegal");
    assert_eq!(status(&ann).await["until"], until);
    ann.at_instance(there.address)
        .make_move(hers, "2,2", &[])
        .await
        .assert_ok();
    let after = status(&ann).await;
    assert_eq!((&after["until"], &after["days"]), (&Value::Null, &json!(6)));
    let now = after["now"].as_i64().expect("a time");
    assert!((deadline(&bob, his).await - now - 3 * DAY).abs() < 60_000);
    assert!(bob.snapshot(his).await.get("vacation_until").is_none());
    // Each of both matches knows of the beginning and the end.
    assert_eq!(count_vacation_events(&app).await, 4);
}

#[tokio::test]
async fn no_game_starts_on_vacation() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let slow = [("setup", SMALL), ("clock", "3d")];
    let hers = ann.challenge(&bob, &slow).await.id("id");
    let cid = app.with_user("cid").await;
    let his = cid.challenge(&ann, &slow).await.id("id");
    let form = [("game", "dots"), ("setup", SMALL), ("clock", "3d")];
    let table = ann.post("/api/open_table", &form).await.assert_ok();
    let table = table["id"].to_string();
    set(&ann, true).await.assert_ok();
    let refused = [
        ann.challenge(&cid, &slow).await,
        ann.post("/api/open_table", &form).await,
        ann.post("/api/open_table", &[("game", "gomoku")]).await,
        ann.post("/api/quick_game", &form).await,
        ann.post("/api/quick_game", &[("game", "dots")]).await,
        bob.answer_challenge(hers, true).await,
        ann.answer_challenge(his, true).await,
        cid.post("/api/sit", &[("table", &table)]).await,
    ];
    for answer in refused {
        answer.assert_error(409, "on_vacation");
    }
    // Nothing of it is lost.
    set(&ann, false).await.assert_ok();
    bob.answer_challenge(hers, true).await.id("match");
    ann.answer_challenge(his, true).await.id("match");
    cid.post("/api/sit", &[("table", &table)]).await.id("match");
}

#[tokio::test]
async fn who_begins_a_vacation_again_and_again_has_no_day_left() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = begun(&ann, &bob, "3d").await;
    let before = deadline(&ann, id).await;
    for round in 0..100 {
        if round < 7 {
            let on = set(&ann, true).await.assert_ok();
            assert_eq!(on["days"], 6 - round, "{on}");
            set(&ann, false).await.assert_ok();
        } else {
            set(&ann, true).await.assert_error(409, "no_vacation_left");
            assert_eq!(set(&ann, false).await.assert_ok()["days"], 0);
        }
    }
    assert_eq!(count_vacation_events(&app).await, 14);
    let gained = deadline(&ann, id).await - before;
    assert!((0..60_000).contains(&gained), "{gained}");
    // Thirteen days later there is one.
    pass(&app, &[id], 13 * 86_400).await;
    assert_eq!(status(&ann).await["days"], 1);
}

#[tokio::test]
async fn it_ends_by_itself_and_then_the_flag_falls() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = begun(&ann, &bob, "1d").await;
    set(&ann, true).await.assert_ok();
    pass(&app, &[id], 15 * 43_200).await;
    let there = app.another_instance().await;
    let (ann, bob) = (
        ann.at_instance(there.address),
        bob.at_instance(there.address),
    );
    let later = status(&ann).await;
    assert_eq!((&later["until"], &later["days"]), (&Value::Null, &json!(0)));
    assert_eq!(
        bob.snapshot(id).await["status"],
        "running",
        "half a day is left"
    );
    // It is over, so that games start.
    let form = [("setup", SMALL), ("clock", "3d")];
    ann.challenge(&bob, &form).await.assert_ok();
    pass(&app, &[id], 43_200).await;
    let there = app.another_instance().await;
    let bob = bob.at_instance(there.address);
    let result = wait_until("the end of the match", async || {
        let snapshot = bob.snapshot(id).await;
        (snapshot["status"] == "finished").then(|| snapshot["result"].clone())
    })
    .await;
    assert_eq!(
        (&result["reason"], &result["winner"]),
        (&json!("time"), &json!(2))
    );
}

#[tokio::test]
async fn a_flag_falls_before_the_vacation_or_not_at_all() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (lost, held) = (begun(&ann, &bob, "1d").await, begun(&ann, &bob, "1d").await);
    let deadline_before = deadline(&ann, held).await;
    let there = app.another_instance().await;
    let bob = bob.at_instance(there.address);
    // Her vacation waits for the lock of a row, and meanwhile a day and the flag of this match fall.
    let mut lock = app.db.begin().await.expect("a transaction");
    sqlx::query("update matches set deadline_at = deadline_at - interval '1 day' where id = $1")
        .bind(lost)
        .execute(&mut *lock)
        .await
        .expect("locked");
    let beginning = tokio::spawn({
        let ann = ann.clone();
        async move { set(&ann, true).await }
    });
    wait_until_blocked(&app.db, 1).await;
    sqlx::query("insert into outages (match_id, version, lost_ms) values ($1, 2, -86400000)")
        .bind(lost)
        .execute(&mut *lock)
        .await
        .expect("time passes");
    lock.commit().await.expect("unlocked");
    beginning.await.expect("it answers").assert_ok();
    let after = app.another_instance().await;
    let later = bob.at_instance(after.address);
    let result = wait_until("the end of the match", async || {
        let snapshot = later.snapshot(lost).await;
        (snapshot["status"] == "finished").then(|| snapshot["result"].clone())
    })
    .await;
    assert_eq!(
        (&result["reason"], &result["winner"]),
        (&json!("time"), &json!(2))
    );
    bob.offer(held, "draw").await.assert_ok();
    assert!(deadline(&bob, held).await > deadline_before + 6 * DAY);
    let kinds: Vec<String> =
        sqlx::query_scalar("select kind from match_events where match_id = $1 order by version")
            .bind(lost)
            .fetch_all(&app.db)
            .await
            .expect("events");
    assert_eq!(kinds, ["moved", "moved", "finished"]);
}

#[tokio::test]
async fn it_begins_by_itself_before_a_clock_runs_out_for_who_wants_that() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (hers, his) = (begun(&ann, &bob, "1d").await, begun(&bob, &ann, "1d").await);
    let form = [("automatic", "true")];
    let set = ann.post("/api/automatic_vacation", &form).await.assert_ok();
    assert_eq!(set["automatic"], true);
    pass(&app, &[hers, his], 23 * 3600 + 1800).await;
    // The search is the first thing that an instance does.
    let there = app.another_instance().await;
    let (ann, bob) = (
        ann.at_instance(there.address),
        bob.at_instance(there.address),
    );
    let begun = wait_until("a vacation", async || {
        let status = status(&ann).await;
        status["until"].is_i64().then_some(status)
    })
    .await;
    assert_eq!(begun["automatic"], true);
    let until = begun["until"].as_i64().expect("a time");
    let after = deadline(&bob, hers).await;
    assert!(
        (after - until - DAY / 48).abs() < 60_000,
        "half an hour is left"
    );
    assert_eq!(
        status(&bob).await["until"],
        Value::Null,
        "he has not asked for it"
    );
    let off = ann.post("/api/automatic_vacation", &[]).await.assert_ok();
    assert_eq!(off["automatic"], false);
}

#[tokio::test]
async fn it_does_not_begin_by_itself_for_a_match_that_takes_no_more() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (hers, his) = (begun(&ann, &bob, "1d").await, begun(&bob, &ann, "1d").await);
    for player in [&ann, &bob] {
        let form = [("automatic", "true")];
        let set = player.post("/api/automatic_vacation", &form).await;
        set.assert_ok();
    }
    sqlx::query("update vacations set days = 28")
        .execute(&app.db)
        .await
        .expect("updated");
    set(&ann, true).await.assert_ok();
    // The fourteen days of the match are over, and half an hour is left on her clock.
    pass(&app, &[hers], 14 * 86_400 + 23 * 3600 + 1800).await;
    let there = app.another_instance().await;
    let off = set(&ann.at_instance(there.address), false)
        .await
        .assert_ok();
    assert_eq!(off["until"], Value::Null);
    // His clock runs out after hers, so that he is looked at after her.
    backdate_match(&app.db, his, 23 * 3600 + 1500).await;
    let later = app.another_instance().await;
    let (ann, bob) = (
        ann.at_instance(later.address),
        bob.at_instance(later.address),
    );
    wait_until("his vacation", async || {
        status(&bob).await["until"].is_i64().then_some(())
    })
    .await;
    let after = status(&ann).await;
    assert_eq!(
        (&after["until"], &after["days"]),
        (&Value::Null, &off["days"]),
        "no day is spent in vain"
    );
    pass(&app, &[hers], 1800).await;
    let last = app.another_instance().await;
    let bob = bob.at_instance(last.address);
    let result = wait_until("the flag", async || {
        let snapshot = bob.snapshot(hers).await;
        (snapshot["status"] == "finished").then(|| snapshot["result"].clone())
    })
    .await;
    assert_eq!(
        (&result["reason"], &result["winner"]),
        (&json!("time"), &json!(2))
    );
}

#[tokio::test]
async fn a_conditional_answer_ends_no_vacation() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = begun(&bob, &ann, "3d").await;
    let id_text = id.to_string();
    let form = [("match_id", &*id_text), ("tree", "2,2 2,3")];
    ann.post("/api/conditional_moves", &form).await.assert_ok();
    set(&ann, true).await.assert_ok();
    bob.make_move(id, "2,2", &[]).await.assert_ok();
    sqlx::query("update conditional_moves set due_at = now()")
        .execute(&app.db)
        .await
        .expect("it is due");
    wait_until("the answer", async || {
        let moves = bob.snapshot(id).await["moves"].clone();
        (moves.as_array().map(Vec::len) == Some(4)).then_some(())
    })
    .await;
    assert!(status(&ann).await["until"].is_i64());
}

#[tokio::test]
async fn players_without_vacation_keep_no_other_from_theirs() {
    let app = TestApp::init().await;
    let bob = app.with_user("bob").await;
    // More than one search takes have no day left, and their time is over first; the last five have days.
    sqlx::query(
        "with p as (
             insert into players (name, name_key) select 'due' || n, 'due' || n from generate_series(1, 115) as n
             returning id, substr(name, 4)::int as n
         ), v as (
             insert into vacations (player_id, days, counted_at, automatic)
             select id, case when n > 110 then 7 else 0 end, now(), true from p
         )
         insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2, rules_version, correspondence,
             started_at, deadline_at)
         select 'gomoku', '{\"size\": 15, \"rule\": \"freestyle\"}', '1d', false, id, $1, 1600, 1600, $2, true,
             now() - interval '23 hours 20 minutes' + n * interval '1 s', now() + interval '40 minutes' + n * interval '1 s'
         from p",
    )
    .bind(bob.id)
    .bind(tochki_rules::RULES_VERSION)
    .execute(&app.db)
    .await
    .expect("inserted");
    let _there = app.another_instance().await;
    let order = wait_until("all vacations", async || {
        let begun: Vec<i32> = sqlx::query_scalar(
            "select substr(p.name, 4)::int from vacations v join players p on p.id = v.player_id
             where v.ends_at > now() order by v.began_at",
        )
        .fetch_all(&app.db)
        .await
        .expect("the vacations");
        (begun.len() == 5).then_some(begun)
    })
    .await;
    assert_eq!(order, [111, 112, 113, 114, 115], "by their deadlines");
}

#[tokio::test]
async fn a_move_that_is_refused_or_sent_again_ends_no_vacation() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (hers, lost) = (begun(&ann, &bob, "3d").await, begun(&ann, &bob, "1d").await);
    let named = [("client_id", "first")];
    ann.make_move(hers, "2,2", &named).await.assert_ok();
    bob.make_move(hers, "2,3", &[]).await.assert_ok();
    let until = set(&ann, true).await.assert_ok()["until"].clone();
    // Of a board of before, and one that was made already.
    let stale = [("version", "1")];
    ann.make_move(hers, "1,1", &stale)
        .await
        .assert_error(409, "stale");
    ann.make_move(hers, "2,2", &named).await.assert_ok();
    assert_eq!(status(&ann).await["until"], until);
    // In a match whose flag has fallen, since it takes no more vacation, and which nobody ends yet.
    sqlx::query("delete from match_events where match_id = $1 and kind = 'vacation_changed'")
        .bind(lost)
        .execute(&app.db)
        .await
        .expect("deleted");
    sqlx::query("update matches set version = version - 1 where id = $1")
        .bind(lost)
        .execute(&app.db)
        .await
        .expect("updated");
    backdate_match(&app.db, lost, 86_400 + 60).await;
    sqlx::query("update matches set deadline_at = now() + interval '1 hour' where id = $1")
        .bind(lost)
        .execute(&app.db)
        .await
        .expect("updated");
    let there = app.another_instance().await;
    ann.at_instance(there.address)
        .make_move(lost, "1,1", &[])
        .await
        .assert_error(409, "finished");
    assert_eq!(status(&ann).await["until"], until);
    ann.make_move(hers, "1,1", &[]).await.assert_ok();
    assert_eq!(status(&ann).await["until"], Value::Null);
}

/// The links of the tables that a player sees in the waiting room.
async fn tables(player: &Player) -> Vec<String> {
    let room = player.get("/api/waiting_room?game=dots").await.assert_ok();
    let tables = room["tables"].as_array().expect("a list").clone();
    let link = |table: &Value| table["link"].as_str().map(str::to_owned);
    tables.iter().filter_map(link).collect()
}

#[tokio::test]
async fn a_table_of_who_is_on_vacation_is_shown_to_nobody_else() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let form = [("game", "dots"), ("setup", SMALL), ("clock", "3d")];
    let table = ann.post("/api/open_table", &form).await.assert_ok();
    let link = table["link"].as_str().expect("a link").to_owned();
    let mut room = bob.join_lobby().await;
    let mut own = ann.join_lobby().await;
    set(&ann, true).await.assert_ok();
    let closed = room.next_named("table_closed").await;
    assert_eq!(closed["id"], table["id"]);
    assert_eq!(tables(&bob).await, Vec::<String>::new());
    assert_eq!(tables(&ann).await, [link.as_str()], "she may close it");
    // Who wants the same waits for somebody who is there.
    let wanted = bob.post("/api/quick_game", &form).await.assert_ok();
    assert_eq!(wanted["match"], Value::Null);
    let waits = bob.join_lobby().await;
    drop(waits);
    set(&ann, false).await.assert_ok();
    let back = room.next_named("table").await;
    let listed = async || {
        wait_until("the table", async || {
            let seen = tables(&bob).await;
            seen.contains(&link).then_some(())
        })
        .await;
    };
    assert!(back["id"].is_i64());
    listed().await;
    // She was told of no end of it.
    ann.stand_up(&table).await.assert_ok();
    let closed = own.next_named("table_closed").await;
    assert_eq!(closed["id"], table["id"]);
}
