//! Rules against players who do not play: aborting, limits without a clock, repeated offers, time away, and the number of rated
//! matches of two players. Moves and decisions of one match are tested in `crates/play`; these tests are about stored rows and
//! sent events.

use super::absences::{aborted_by, backdate_absence, wait_until_absent};
use super::app::{BEGUN, SMALL, TestApp, backdate_match, begin, start_match, start_match_with};
use super::player::Player;
use super::tables::get_table;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

const UNRATED: (&str, &str) = ("rated", "false");

/// Checks that no match has changed a rating, a tally or a list of results.
async fn assert_nothing_counted(app: &TestApp) {
    for table in ["ratings", "rating_history", "results", "tallies", "playing"] {
        let count = format!("select count(*) from {table}");
        let rows: i64 = sqlx::query_scalar(AssertSqlSafe(count))
            .fetch_one(&app.db)
            .await
            .expect("a count");
        assert_eq!(rows, 0, "{table}");
    }
}

#[tokio::test]
async fn a_match_that_has_not_begun_is_aborted_by_either_player() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let mut eves = eve.join_lobby().await;
    for (aborts, seat) in [(&ann, 1), (&bob, 2)] {
        let id = start_match(&ann, &bob, SMALL).await;
        let mut stream = app.visitor().stream(&format!("/events/match/{id}")).await;
        ann.make_move(id, "1,1", &[]).await.assert_ok();
        assert_eq!(aborts.abort(id).await.version(), 2);
        stream.expect("moved").await;
        let told = stream.next().await;
        assert_eq!((told.id, told.name.as_str()), (Some(2), "finished"));
        assert_eq!(told.data, json!({"result": aborted_by(seat)}));
        assert_eq!(eves.next_named("match_finished").await["match"], id);

        let there = app.another_instance().await;
        for instance in [&app, &there] {
            let snapshot = instance.visitor().snapshot(id).await;
            assert_eq!(snapshot["status"], "finished");
            assert_eq!(snapshot["result"], aborted_by(seat));
            assert_eq!(snapshot["begun"], false);
            assert_eq!(
                (&snapshot["to_move"], &snapshot["move_by"]),
                (&Value::Null, &Value::Null)
            );
        }
        for player in [&ann, &bob] {
            player.abort(id).await.assert_error(409, "finished");
            player.resign(id).await.assert_error(409, "finished");
        }
        bob.make_move(id, "2,2", &[])
            .await
            .assert_error(409, "finished");
    }
    assert_nothing_counted(&app).await;
    let room = eve.get("/api/waiting_room?game=dots").await.assert_ok();
    assert_eq!(room["matches"], json!([]));
    let profile = ann.get("/api/profile?name=bob").await.assert_ok();
    assert_eq!(profile["playing"], Value::Null);
    assert_eq!(profile["past"]["total"], 0);
    let history = ann.get("/api/history").await.assert_ok();
    assert_eq!(history["total"], 0);
}

#[tokio::test]
async fn an_offer_is_closed_before_its_match_is_aborted() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    ann.offer(id, "takeback").await.assert_ok();
    let mut stream = bob.stream(&format!("/events/match/{id}?after=2")).await;
    assert_eq!(ann.abort(id).await.version(), 4);
    assert_eq!(
        stream.expect("offer_closed").await,
        json!({"why": "finished"})
    );
    assert_eq!(
        stream.expect("finished").await,
        json!({"result": aborted_by(1)})
    );
}

#[tokio::test]
async fn before_the_begin_it_is_abort_and_after_it_resign() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    for (player, mv) in [(&ann, "1,1"), (&bob, "2,2")] {
        // The first move of one of them is not enough.
        for each in [&ann, &bob] {
            each.resign(id).await.assert_error(409, "not_begun");
            for kind in ["draw", "finish"] {
                each.offer(id, kind).await.assert_error(409, "not_begun");
            }
        }
        assert_eq!(ann.snapshot(id).await["begun"], false);
        player.make_move(id, mv, &[]).await.assert_ok();
    }
    let before = ann.snapshot(id).await;
    assert_eq!(
        (&before["version"], &before["begun"]),
        (&json!(2), &json!(true))
    );
    for player in [&ann, &bob] {
        player.abort(id).await.assert_error(409, "begun");
    }
    // It stays begun when the first moves are taken back.
    bob.offer(id, "takeback").await.assert_ok();
    ann.answer_offer(id, true).await.assert_ok();
    ann.offer(id, "takeback").await.assert_ok();
    bob.answer_offer(id, true).await.assert_ok();
    let back = app.another_instance().await.visitor().snapshot(id).await;
    assert_eq!((&back["moves"], &back["begun"]), (&json!([]), &json!(true)));
    ann.abort(id).await.assert_error(409, "begun");

    eve.abort(id).await.assert_error(403, "not_a_player");
    app.visitor()
        .post("/api/abort", &[("match_id", &id.to_string())])
        .await
        .assert_error(401, "signed_out");
    ann.abort(id + 1).await.assert_error(404, "no_such_match");
    bob.resign(id).await.assert_ok();
    assert_eq!(ann.snapshot(id).await["result"]["winner"], 1);
}

#[tokio::test]
async fn a_first_move_that_does_not_come_aborts_and_costs_nothing() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (cid, dan) = (app.with_user("cid").await, app.with_user("dan").await);
    // Ann does not move; Dan does not answer the first move of Cid. A clock makes no difference.
    let anns = start_match_with(&ann, &bob, &[("setup", SMALL), ("clock", "300+5")]).await;
    let cids = start_match(&cid, &dan, SMALL).await;
    cid.make_move(cids, "1,1", &[]).await.assert_ok();
    for (id, started) in [
        (anns, "m.started_at"),
        (cids, "(select at from match_events where match_id = m.id)"),
    ] {
        let left = format!(
            "select extract(epoch from deadline_at - {started})::float8 from matches m where id = $1"
        );
        let left: f64 = sqlx::query_scalar(AssertSqlSafe(left))
            .bind(id)
            .fetch_one(&app.db)
            .await
            .expect("a deadline");
        assert!((55.0..=60.0).contains(&left), "{left}");
        backdate_match(&app.db, id, 60).await;
    }
    let there = app.another_instance().await;
    for (id, by) in [(anns, 1), (cids, 2)] {
        let mut stream = there.visitor().stream(&format!("/events/match/{id}")).await;
        let finished = stream.next_named("finished").await;
        assert_eq!(finished, json!({"result": aborted_by(by)}));
    }
    assert_nothing_counted(&app).await;
}

#[tokio::test]
async fn a_flag_that_falls_before_the_begin_aborts() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let form = [("setup", SMALL), ("clock", "10+0")];
    let id = start_match_with(&ann, &bob, &form).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    backdate_match(&app.db, id, 10).await;
    let there = app.another_instance().await;
    let mut stream = there.visitor().stream(&format!("/events/match/{id}")).await;
    let finished = stream.next_named("finished").await;
    assert_eq!(finished, json!({"result": aborted_by(2)}));
    assert_nothing_counted(&app).await;
}

#[tokio::test]
async fn a_move_in_a_rated_match_without_a_clock_is_lost_after_ten_minutes() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (cid, dan) = (app.with_user("cid").await, app.with_user("dan").await);
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    let unrated = start_match_with(&cid, &dan, &[("setup", SMALL), UNRATED]).await;
    begin(&cid, &dan, unrated).await;
    let due: Vec<Option<i64>> =
        sqlx::query_scalar("select ms(deadline_at) from matches order by id")
            .fetch_all(&app.db)
            .await
            .expect("deadlines");
    let move_by = ann.snapshot(id).await["move_by"].as_i64();
    assert!(move_by.is_some());
    assert_eq!(due, [move_by, None], "an unrated match may take its time");
    for id in [id, unrated] {
        backdate_match(&app.db, id, 600).await;
    }
    let there = app.another_instance().await;
    let mut stream = there.visitor().stream(&format!("/events/match/{id}")).await;
    let result = stream.next_named("finished").await["result"].clone();
    assert_eq!(
        result,
        json!({
            "winner": 1, "reason": "time",
            "ratings": [{"before": 1600.0, "after": 1612.5, "provisional": true}, {"before": 1600.0, "after": 1587.5, "provisional": true}],
        })
    );
    let bob = bob.at_instance(there.address);
    bob.make_move(id, "2,2", &[])
        .await
        .assert_error(409, "finished");
    let cid = cid.at_instance(there.address);
    cid.make_move(unrated, "1,1", &[]).await.assert_ok();
}

#[tokio::test]
async fn offering_and_withdrawing_does_not_disturb_the_opponent() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let known = BEGUN.to_string();
    for kind in ["draw", "finish", "takeback"] {
        bob.offer(id, kind).await.assert_ok();
        bob.cancel_offer(id).await.assert_ok();
        bob.offer(id, kind)
            .await
            .assert_error(409, "offered_lately");
    }
    // Once more, now declined and with the offers of the other side in between.
    ann.offer(id, "draw").await.assert_ok();
    bob.answer_offer(id, false).await.assert_ok();
    bob.offer(id, "draw")
        .await
        .assert_error(409, "offered_lately");
    assert_eq!(ann.snapshot(id).await["version"], BEGUN + 8);
    let moved = ann.make_move(id, "1,1", &[("version", &known)]).await;
    assert_eq!(moved.version(), BEGUN + 9, "only the board makes it stale");
    // A move of the opponent does not allow another offer, one's own does.
    bob.offer(id, "draw")
        .await
        .assert_error(409, "offered_lately");
    ann.offer(id, "draw").await.assert_ok();
    let stale = bob.make_move(id, "2,2", &[("version", &known)]).await;
    stale.assert_error(409, "stale");
    bob.make_move(id, "2,2", &[]).await.assert_ok();
    bob.offer(id, "draw").await.assert_ok();
    // Offers that were made are known at every instance.
    let there = app.another_instance().await;
    ann.at_instance(there.address)
        .offer(id, "draw")
        .await
        .assert_error(409, "offer_open");
    bob.cancel_offer(id).await.assert_ok();
    ann.at_instance(there.address)
        .offer(id, "draw")
        .await
        .assert_error(409, "offered_lately");
}

#[tokio::test]
async fn an_answer_is_to_the_offer_that_it_names() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let draw = ann.offer(id, "draw").await.version();
    assert_eq!(ann.snapshot(id).await["offer"]["version"], draw);
    ann.cancel_offer(id).await.assert_ok();
    let finish = ann.offer(id, "finish").await.version();
    // Bob has seen the draw, and means that.
    for accept in [true, false] {
        bob.answer_offer_of(id, accept, draw)
            .await
            .assert_error(404, "offer_closed");
    }
    let snapshot = bob.snapshot(id).await;
    assert_eq!(snapshot["status"], "running");
    assert_eq!(
        (&snapshot["offer"]["kind"], &snapshot["offer"]["version"]),
        (&json!("finish"), &json!(finish))
    );
    ann.answer_offer_of(id, true, finish)
        .await
        .assert_error(403, "not_yours");
    bob.answer_offer_of(id, true, finish).await.assert_ok();
    let result = bob.snapshot(id).await["result"].clone();
    assert_eq!(result["reason"], "agreed_finish");
}

#[tokio::test]
async fn gomoku_has_no_offer_to_finish() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let _rooms = (
        ann.join_lobby_of("gomoku").await,
        bob.join_lobby_of("gomoku").await,
    );
    let asked = ann.challenge_to("gomoku", &bob, &[]).await.id("id");
    let id = bob.answer_challenge(asked, true).await.id("match");
    begin(&ann, &bob, id).await;
    ann.offer(id, "finish")
        .await
        .assert_error(400, "bad_request");
    ann.offer(id, "draw").await.assert_ok();
}

/// Plays a match to its end. Returns its id and whether it was rated.
async fn play_match(first: &Player, second: &Player) -> (i64, bool) {
    let id = start_match(first, second, SMALL).await;
    let is_rated = finish(first, second, id).await;
    (id, is_rated)
}

/// Makes a move of both, and resigns as `one`. Returns whether the match was rated, with which the change of the ratings has to
/// agree.
async fn finish(one: &Player, other: &Player, id: i64) -> bool {
    begin(one, other, id).await;
    one.resign(id).await.assert_ok();
    let snapshot = one.snapshot(id).await;
    let is_rated = snapshot["rated"] == true;
    assert_eq!(snapshot["result"]["ratings"].is_null(), !is_rated);
    is_rated
}

/// Moves the start of all matches to just now, so that midnight does not come between them and the rest of the test.
async fn move_matches_to_today(app: &TestApp) {
    sqlx::query("update matches set started_at = now() where finished_at is not null")
        .execute(&app.db)
        .await
        .expect("matches");
}

#[tokio::test]
async fn two_players_are_rated_five_times_a_day() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    // An aborted and an unrated match do not count.
    let aborted = start_match(&ann, &bob, SMALL).await;
    ann.abort(aborted).await.assert_ok();
    let unrated = start_match_with(&ann, &bob, &[("setup", SMALL), UNRATED]).await;
    assert!(!finish(&ann, &bob, unrated).await);
    let mut last = 0;
    for number in 0..5 {
        move_matches_to_today(&app).await;
        let (one, other) = if number % 2 == 0 {
            (&ann, &bob)
        } else {
            (&bob, &ann)
        };
        let (id, is_rated) = play_match(one, other).await;
        assert!(is_rated, "match {number}");
        last = id;
    }

    // The challenge says that it is for an unrated match.
    move_matches_to_today(&app).await;
    let (mut anns, mut bobs) = (ann.join_lobby().await, bob.join_lobby().await);
    let asked = ann.challenge(&bob, &[("setup", SMALL)]).await.id("id");
    for stream in [&mut anns, &mut bobs] {
        let challenged = stream.next_named("challenged").await;
        assert_eq!(
            (&challenged["id"], &challenged["rated"]),
            (&json!(asked), &json!(false))
        );
    }
    let room = bob.get("/api/waiting_room?game=dots").await.assert_ok();
    assert_eq!(room["challenges"][0]["rated"], false);
    let id = bob.answer_challenge(asked, true).await.id("match");
    assert!(!finish(&ann, &bob, id).await);

    // So is a rematch of a rated match.
    move_matches_to_today(&app).await;
    let path = format!("/events/match/{last}");
    let (_anns, _bobs) = (ann.stream(&path).await, bob.stream(&path).await);
    ann.request_rematch(last).await.assert_ok();
    let rematch = bob.request_rematch(last).await.id("match");
    assert!(!finish(&ann, &bob, rematch).await);

    // Other opponents are not concerned, nor is the next day.
    assert!(play_match(&ann, &eve).await.1);
    sqlx::query("update matches set started_at = started_at - interval '1 day'")
        .execute(&app.db)
        .await
        .expect("a day passes");
    assert!(play_match(&ann, &bob).await.1);
}

/// Moves the end of all matches by minutes.
async fn move_ends(app: &TestApp, minutes: i32) {
    sqlx::query("update matches set finished_at = finished_at + $1 * interval '1 minute'")
        .bind(minutes)
        .execute(&app.db)
        .await
        .expect("time passes");
}

#[tokio::test]
async fn who_aborts_three_of_ten_matches_waits_for_a_rated_one() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    for number in 0..3 {
        // Two are not too many.
        let id = start_match(&ann, &bob, SMALL).await;
        assert_eq!(ann.snapshot(id).await["rated"], true, "match {number}");
        ann.abort(id).await.assert_ok();
    }
    let _waiting = (
        ann.join_lobby().await,
        bob.join_lobby().await,
        eve.join_lobby().await,
    );
    ann.challenge(&eve, &[])
        .await
        .assert_error(409, "aborted_lately");
    eve.challenge(&ann, &[])
        .await
        .assert_error(409, "aborted_lately");
    // The player who was there is not concerned.
    let asked = bob.challenge(&eve, &[]).await.id("id");
    bob.cancel_challenge(asked).await.assert_ok();

    // Nor is there a way round by a table.
    let table = eve.open_table(&[]).await.assert_ok();
    ann.sit(&table).await.assert_ok();
    eve.set_ready(&table, true).await.assert_ok();
    ann.set_ready(&table, true)
        .await
        .assert_error(409, "aborted_lately");
    let table = get_table(&ann, &table).await;
    assert_eq!(
        (&table["rated"], &table["seats"][1]["ready"]),
        (&json!(true), &json!(false))
    );
    ann.stand_up(&table).await.assert_ok();
    eve.stand_up(&table).await.assert_ok();

    // Ten minutes later she may; on accepting it is asked again.
    move_ends(&app, -10).await;
    let asked = eve.challenge(&ann, &[]).await.id("id");
    move_ends(&app, 10).await;
    ann.answer_challenge(asked, true)
        .await
        .assert_error(409, "aborted_lately");
    eve.cancel_challenge(asked).await.assert_ok();
    let asked = eve.challenge(&ann, &[UNRATED]).await.id("id");
    let unrated = ann.answer_challenge(asked, true).await.id("match");
    assert!(!finish(&ann, &eve, unrated).await);

    // Of the last ten matches: this one, the three, and six others which were played since.
    let played = "insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2, finished_at, winner, reason)
        select 'dots', '{}', 'none', false, $1, $2, 1600, 1600, now(), 0, 'agreed_draw' from generate_series(1, $3)";
    let play = async |count: i32| {
        sqlx::query(played)
            .bind(ann.id)
            .bind(bob.id)
            .bind(count)
            .execute(&app.db)
            .await
            .expect("matches");
    };
    play(6).await;
    ann.challenge(&eve, &[])
        .await
        .assert_error(409, "aborted_lately");
    play(1).await;
    ann.challenge(&eve, &[]).await.assert_ok();
}

#[tokio::test]
async fn absences_of_one_match_are_summed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let path = format!("/events/match/{id}");
    let mut anns = ann.stream(&path).await;
    let mut bobs = bob.stream(&path).await;
    let mut away = 0;
    let left = loop {
        drop(bobs);
        wait_until_absent(&app.db, &bob).await;
        backdate_absence(&app.db, &bob, 4).await;
        let status = anns.expect_status("present").await;
        assert_eq!(status["present"], false);
        let time = |name: &str| status[name].as_i64().expect("a time");
        let left = time("lost_at") - time("gone_at");
        assert_eq!(left, (120_000 - away).min(30_000));
        if left < 30_000 {
            break left;
        }
        // Away for 20 seconds, and back.
        backdate_absence(&app.db, &bob, 16).await;
        bobs = bob.stream(&path).await;
        // The start that was moved back once more may be told first.
        while anns.expect_status("present").await["present"] != true {}
        let before = away;
        away =
            sqlx::query_scalar("select ms from time_away where match_id = $1 and player_id = $2")
                .bind(id)
                .bind(bob.id)
                .fetch_one(&app.db)
                .await
                .expect("time away");
        assert!((before + 20_000..before + 30_000).contains(&away), "{away}");
    };
    assert!((10_000..=20_000).contains(&left), "{left}");
    assert_eq!(ann.snapshot(id).await["status"], "running");
    // Twenty seconds in all, which was in time before.
    backdate_absence(&app.db, &bob, 16).await;
    let result = anns.next_named("finished").await["result"].clone();
    assert_eq!(
        (&result["winner"], &result["reason"]),
        (&json!(1), &json!("absence"))
    );
    let kept: i64 = sqlx::query_scalar("select count(*) from time_away")
        .fetch_one(&app.db)
        .await
        .expect("a count");
    assert_eq!(kept, 0);
}

#[tokio::test]
async fn page_reload_is_no_absence() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let count = async |table: &str| -> i64 {
        let count = format!("select count(*) from {table} where player_id = $1");
        sqlx::query_scalar(AssertSqlSafe(count))
            .bind(bob.id)
            .fetch_one(&app.db)
            .await
            .expect("a count")
    };
    // Longer than the opponent is told of, and then shorter.
    for (seconds, counted) in [("4", 1), ("0", 0)] {
        sqlx::query("delete from time_away")
            .execute(&app.db)
            .await
            .expect("nobody has been away");
        drop(bob.stream(&path).await);
        wait_until_absent(&app.db, &bob).await;
        let went = format!("update absences set since = now() - interval '{seconds} s'");
        sqlx::query(AssertSqlSafe(went))
            .execute(&app.db)
            .await
            .expect("an absence");
        let _bobs = bob.stream(&path).await;
        assert_eq!(count("absences").await, 0);
        assert_eq!(count("time_away").await, counted, "{seconds} s");
    }
}

#[tokio::test]
async fn a_record_that_does_not_agree_with_the_rules_is_broken() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (cid, dan) = (app.with_user("cid").await, app.with_user("dan").await);
    let scored = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, scored).await;
    let newer = start_match(&cid, &dan, SMALL).await;
    begin(&cid, &dan, newer).await;
    for statement in [
        "update match_events set body = jsonb_set(body::jsonb, '{score}', '[1, 0]')::text
         where version = 2 and match_id = (select min(id) from matches)",
        "update matches set rules_version = 99 where id = (select max(id) from matches)",
    ] {
        sqlx::query(statement)
            .execute(&app.db)
            .await
            .expect("it is broken");
    }
    let there = app.another_instance().await;
    for (id, first) in [(scored, &ann), (newer, &cid)] {
        let first = first.at_instance(there.address);
        for path in [format!("/api/match?id={id}"), format!("/match/{id}/sgf")] {
            first.get(&path).await.assert_error(409, "broken_record");
        }
        first
            .make_move(id, "1,1", &[])
            .await
            .assert_error(409, "broken_record");
        first.resign(id).await.assert_error(409, "broken_record");
    }
    // Others can be read and played.
    let (eve, fay) = (there.with_user("eve").await, there.with_user("fay").await);
    let id = start_match(&eve, &fay, SMALL).await;
    begin(&eve, &fay, id).await;
}

#[tokio::test]
async fn who_leaves_for_good_aborts_or_resigns() {
    let app = TestApp::init().await;
    for (name, has_begun) in [("ann", false), ("bob", true)] {
        let leaver = app.with_user(name).await;
        let stays = app.with_user(&format!("{name}-2")).await;
        let id = start_match(&stays, &leaver, SMALL).await;
        if has_begun {
            begin(&stays, &leaver, id).await;
        }
        let form = [("password", super::player::PASSWORD)];
        leaver.post("/api/delete_account", &form).await.assert_ok();
        let result = stays.snapshot(id).await["result"].clone();
        if has_begun {
            assert_eq!(
                (&result["winner"], &result["reason"]),
                (&json!(1), &json!("resigned"))
            );
        } else {
            assert_eq!(result, aborted_by(2));
        }
    }
}
