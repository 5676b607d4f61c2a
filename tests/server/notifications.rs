//! Notifications: who is told of what, once, and by whom it has been read.

use super::app::{
    SMALL, TestApp, begin, start_match, start_match_with, wait_until, wait_until_blocked,
};
use super::cluster::Database;
use super::operator::with_operator;
use super::own_games::store_match;
use super::player::Player;
use super::sse_client::Stream;
use serde_json::{Value, json};
use std::time::Duration;
use tochki_protocol::limits;
use tochki_server::settings::Settings;
use tokio::time::{sleep, timeout};

/// Plays a match that `loser` resigns after a move of each. No stream is open.
async fn lost_match(winner: &Player, loser: &Player) -> i64 {
    let id = start_match(winner, loser, SMALL).await;
    begin(winner, loser, id).await;
    loser.resign(id).await.assert_ok();
    id
}

async fn page(player: &Player) -> Value {
    player.get("/api/notifications").await.assert_ok()
}

/// Waits until a player has this many notifications, and returns them.
async fn notifications(player: &Player, count: usize) -> Vec<Value> {
    wait_until("notifications", async || {
        let page = page(player).await;
        let list = page["notifications"].as_array().expect("a list").clone();
        (list.len() == count).then_some(list)
    })
    .await
}

/// Waits until all causes are made notifications, but those that are kept for a while.
pub(crate) async fn told(app: &TestApp) {
    wait_until("no cause is left", async || {
        let left: i64 =
            sqlx::query_scalar("select count(*) from notification_causes where held_until is null")
                .fetch_one(&app.db)
                .await
                .unwrap();
        (left == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn the_end_of_a_match_is_told_to_who_was_away() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = lost_match(&ann, &bob).await;
    let list = notifications(&ann, 1).await;
    assert_eq!(list[0]["kind"], "game_over");
    assert_eq!(list[0]["match"], id);
    assert_eq!(list[0]["game"], "dots");
    assert_eq!(list[0]["player"]["name"], "bob");
    assert_eq!(list[0]["outcome"], "won");
    assert_eq!(list[0]["read"], false);
    assert_eq!(page(&ann).await["unread"], 1);
    // Who has ended it knows that.
    assert_eq!(page(&bob).await["notifications"], json!([]));

    // Who is at the match sees its end.
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let there = ann.stream(&format!("/events/match/{id}")).await;
    bob.resign(id).await.assert_ok();
    told(&app).await;
    assert_eq!(held(&app).await, 1);
    pass_hold(&app).await;
    assert_eq!(notifications(&ann, 1).await[0]["match"], list[0]["match"]);
    drop(there);
}

/// Programs and browsers without a stream are at no match, and are told nothing of what they have done themselves.
#[tokio::test]
async fn who_aborts_or_agrees_to_a_draw_knows_the_end() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let aborted = start_match(&ann, &bob, SMALL).await;
    ann.abort(aborted).await.assert_ok();
    assert_eq!(notifications(&bob, 1).await[0]["match"], aborted);
    let drawn = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, drawn).await;
    bob.offer(drawn, "draw").await.assert_ok();
    ann.answer_offer(drawn, true).await.assert_ok();
    let list = notifications(&bob, 2).await;
    assert_eq!(
        (&list[0]["match"], &list[0]["outcome"]),
        (&json!(drawn), &json!("drawn"))
    );
    told(&app).await;
    assert_eq!(page(&ann).await["notifications"], json!([]));
}

#[tokio::test]
async fn all_streams_of_a_player_are_sent_the_number_of_unread_ones() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let mut program = ann.stream("/events/me").await;
    program.expect("snapshot").await;
    // A page may show an older number, so it is sent one in any case.
    let mut tab = ann.stream("/events?topics=notified").await;
    assert_eq!(tab.notified().await, 0);
    let first = lost_match(&ann, &bob).await;
    for stream in [&mut program, &mut tab] {
        assert_eq!(stream.notified().await, 1);
    }
    lost_match(&ann, &bob).await;
    for stream in [&mut program, &mut tab] {
        assert_eq!(stream.notified().await, 2);
    }
    // A stream that is opened later begins with it.
    let mut later = ann.stream("/events/me").await;
    assert_eq!(later.notified().await, 2);
    let count = ann.get("/api/unread_notifications").await.assert_ok();
    assert_eq!(count, json!({"unread": 2}));

    // Who comes to the match has read it.
    let there = ann.stream(&format!("/events/match/{first}")).await;
    for stream in [&mut program, &mut tab, &mut later] {
        assert_eq!(stream.notified().await, 1);
    }
    drop(there);
    ann.post("/api/read_notifications", &[]).await.assert_ok();
    for stream in [&mut program, &mut tab, &mut later] {
        assert_eq!(stream.notified().await, 0);
    }
    let list = notifications(&ann, 2).await;
    assert!(list.iter().all(|each| each["read"] == true), "{list:?}");
}

#[tokio::test]
async fn the_number_of_games_on_turn_is_sent_to_all_streams_whoever_is_at_the_board() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let mut program = ann.stream("/events/me").await;
    let mut tab = ann.stream("/events?topics=notified").await;
    assert_eq!(tab.notified_counts().await, (0, 0));
    let terms = [("setup", SMALL), ("clock", "3d")];
    let challenge = ann.challenge(&bob, &terms).await.id("id");
    let id = bob.answer_challenge(challenge, true).await.id("match");
    for stream in [&mut program, &mut tab] {
        while stream.notified_counts().await.1 != 1 {}
    }
    let page = ann.get("/rules").await.text;
    assert!(page.contains("<title>(1) "), "{page}");
    assert!(!bob.get("/rules").await.text.contains("<title>("));
    // At the board there is nothing to tell, and the number changes.
    let there = ann.stream(&format!("/events/match/{id}")).await;
    ann.make_move(id, "0,4", &[]).await.assert_ok();
    for stream in [&mut program, &mut tab] {
        while stream.notified_counts().await != (0, 0) {}
    }
    bob.make_move(id, "4,0", &[]).await.assert_ok();
    for stream in [&mut program, &mut tab] {
        assert_eq!(stream.notified_counts().await, (0, 1));
    }
    drop(there);
    // A live game is followed live.
    let live = start_match(&ann, &bob, SMALL).await;
    told(&app).await;
    let counts = ann.get("/api/count_my_games").await.assert_ok();
    assert_eq!(counts, json!({"running": 2, "on_turn": 1}));
    ann.abort(live).await.assert_ok();
    ann.resign(id).await.assert_ok();
    while tab.notified_counts().await.1 != 0 {}
}

#[tokio::test]
async fn each_notification_is_read_by_its_owner_and_leads_to_its_place() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = lost_match(&ann, &bob).await;
    let list = notifications(&ann, 1).await;
    let notification = list[0]["id"].to_string();
    let form = [("id", &*notification), ("next", &*format!("/match/{id}"))];
    bob.post("/api/read_notifications", &form).await.assert_ok();
    assert_eq!(page(&ann).await["unread"], 1, "none of bob's");

    let html = ann.get("/notifications").await;
    assert!(html.text.contains("You won against bob"), "{}", html.text);
    assert!(html.text.contains(r#"data-unread="1""#), "the bell");
    let html = ann.get("/").await;
    assert!(html.text.contains(r#"data-unread="1""#), "on each page");
    // As a browser sends a form.
    let request = ann.post_request("/api/read_notifications").form(&form);
    let request = request.header("accept", "text/html");
    let answer = super::player::send(request).await;
    assert_eq!(answer.header("location"), Some(&*format!("/match/{id}")));
    assert_eq!(page(&ann).await["unread"], 0);
}

#[tokio::test]
async fn what_a_player_has_switched_off_is_not_listed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let off = [("kind", "game_over"), ("site", "off")];
    ann.post("/api/change_notifications", &off)
        .await
        .assert_ok();
    let switches = ann.get("/api/notification_settings").await.assert_ok();
    let of_kind = |kind: &str| {
        let all = switches.as_array().expect("a list");
        let found = all.iter().find(|each| each["kind"] == kind);
        found.cloned().expect("switches")
    };
    let expected = json!({"kind": "game_over", "site": false, "push": true, "mail": false});
    assert_eq!(of_kind("game_over"), expected);
    assert_eq!(of_kind("operator")["site"], true);
    lost_match(&ann, &bob).await;
    told(&app).await;
    assert_eq!(page(&ann).await["notifications"], json!([]));

    // A form leaves out a switch that is off.
    let form = [
        ("kind", "game_over"),
        ("switches", "site push"),
        ("site", "on"),
    ];
    ann.post("/api/change_notifications", &form)
        .await
        .assert_ok();
    let switches = ann.get("/api/notification_settings").await.assert_ok();
    let expected = json!({"kind": "game_over", "site": true, "push": false, "mail": false});
    assert_eq!(switches[2], expected);
    for wrong in [("kind", "dinner"), ("site", "perhaps")] {
        let form = [("kind", "game_over"), ("site", "on"), wrong];
        let form = if wrong.0 == "kind" {
            &form[1..]
        } else {
            &form[..1]
        };
        let form = [form, &[wrong]].concat();
        let answer = ann.post("/api/change_notifications", &form).await;
        answer.assert_error(400, "bad_request");
    }
}

#[tokio::test]
async fn acts_of_operators_are_told_to_whom_they_concern() {
    let (app, boss) = with_operator().await;
    let (ann, bob) = app.with_two_users().await;
    boss.act("mute", &ann, &[("length", "hour")]).await;
    let id = lost_match(&ann, &bob).await;
    notifications(&ann, 2).await;
    let match_id = id.to_string();
    let form = [("match_id", &*match_id), ("why", "arranged")];
    boss.post("/api/operator_annul", &form).await.assert_ok();
    // Several of one match become one.
    let list = wait_until("the annulment", async || {
        let list = notifications(&ann, 2).await;
        (list[0]["act"] == "annulled").then_some(list)
    })
    .await;
    assert_eq!(list[0]["kind"], "operator");
    assert_eq!(list[0]["match"], id);
    assert_eq!(list[1]["act"], "muted_hour");
    assert_eq!(notifications(&bob, 1).await[0]["act"], "annulled");
    let html = ann.get("/notifications").await.text;
    assert!(html.contains("muted your chat for an hour"), "{html}");
}

#[tokio::test]
async fn no_name_is_told_that_its_owner_has_no_longer() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    lost_match(&ann, &bob).await;
    notifications(&ann, 1).await;
    let form = [("password", super::player::PASSWORD)];
    bob.post("/api/delete_account", &form).await.assert_ok();
    let list = notifications(&ann, 1).await;
    assert_eq!(list[0]["player"]["name"], tochki_protocol::DELETED);
    let html = ann.get("/notifications").await.text;
    assert!(!html.contains("bob"), "{html}");
}

/// An instance that is killed after a commit leaves the cause. The next one that looks makes a notification of it; if two look at
/// once, each of them makes others.
#[tokio::test]
async fn a_crash_loses_no_notification_and_two_instances_tell_none_twice() {
    let app = TestApp::init().await;
    let other = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let id = lost_match(&ann, &bob).await;
    notifications(&ann, 1).await;
    let unread = [("next", "/")];
    ann.post("/api/read_notifications", &unread)
        .await
        .assert_ok();
    // Nobody is told of these: both instances find them by looking.
    sqlx::query(
        "insert into notification_causes (player_id, kind, other_id, detail)
         select $1, 'operator', $2, 'unmuted' from generate_series(1, 1200)",
    )
    .bind(ann.id)
    .bind(bob.id)
    .execute(&app.db)
    .await
    .unwrap();
    told(&app).await;
    let all: i64 = sqlx::query_scalar("select count(*) from notifications where player_id = $1")
        .bind(ann.id)
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(all, 1201);
    let page = ann
        .at_instance(other.address)
        .get("/api/notifications")
        .await;
    let page = page.assert_ok();
    assert_eq!(page["unread"], 100, "no more are counted");
    assert_eq!(page["more"], true);
    assert_eq!(page["notifications"].as_array().unwrap().len(), 30);

    // An older cause that is told late does not take the place of a newer one.
    sqlx::query("update notifications set cause = 1000000 where match_id = $1")
        .bind(id)
        .execute(&app.db)
        .await
        .unwrap();
    sqlx::query(
        "insert into notification_causes (player_id, subject, kind, match_id, other_id)
         values ($1, 'match:' || $2, 'your_turn', $2, $3)",
    )
    .bind(ann.id)
    .bind(id)
    .bind(bob.id)
    .execute(&app.db)
    .await
    .unwrap();
    told(&app).await;
    let kind: String = sqlx::query_scalar("select kind from notifications where match_id = $1")
        .bind(id)
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(kind, "game_over");
}

#[tokio::test]
async fn turns_of_a_correspondence_match_are_told_to_who_is_away() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    // Before any instance has read it.
    sqlx::query("update matches set clock = '3d' where id = $1")
        .bind(id)
        .execute(&app.db)
        .await
        .unwrap();
    let kinds = async |player: &Player| -> Vec<Value> {
        told(&app).await;
        let page = page(player).await;
        let list = page["notifications"].as_array().expect("a list");
        list.iter().map(|each| each["kind"].clone()).collect()
    };
    ann.make_move(id, "0,4", &[]).await.assert_ok();
    // What is done is no news.
    assert!(kinds(&ann).await.is_empty());
    assert_eq!(kinds(&bob).await, ["your_turn"]);
    assert_eq!(notifications(&bob, 1).await[0]["match"], id);
    let there = ann.stream(&format!("/events/match/{id}")).await;
    bob.make_move(id, "4,0", &[]).await.assert_ok();
    assert!(kinds(&ann).await.is_empty(), "she sees it");
    drop(there);
    assert!(kinds(&bob).await.is_empty());
    // Neither is left with a turn in a match that has ended.
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    assert_eq!(kinds(&bob).await, ["your_turn"]);
    bob.resign(id).await.assert_ok();
    assert!(kinds(&bob).await.is_empty());
}

/// Inserts a cause of which no instance is notified.
async fn insert_cause(app: &TestApp, player: i64, id: i64, kind: Option<&str>) {
    sqlx::query(
        "insert into notification_causes (player_id, subject, kind, match_id)
         values ($1, 'match:' || $2, $3, $2)",
    )
    .bind(player)
    .bind(id)
    .bind(kind)
    .execute(&app.db)
    .await
    .unwrap();
}

/// The notifications of a match that are stored.
async fn stored(app: &TestApp, id: i64) -> i64 {
    sqlx::query_scalar("select count(*) from notifications where match_id = $1")
        .bind(id)
        .fetch_one(&app.db)
        .await
        .unwrap()
}

/// Starts a match by correspondence. Returns it, and who is on turn and has read so.
async fn correspond(app: &TestApp) -> (i64, i64) {
    let (ann, bob) = app.with_two_users().await;
    let terms = [("setup", SMALL), ("clock", "3d")];
    let challenge = ann.challenge(&bob, &terms).await.id("id");
    let id = bob.answer_challenge(challenge, true).await.id("match");
    told(app).await;
    let on_turn: i64 = sqlx::query_scalar(
        "with gone as (delete from notifications)
         select case to_move when 1 then seat1 else seat2 end from matches where id = $1",
    )
    .bind(id)
    .fetch_one(&app.db)
    .await
    .unwrap();
    (id, on_turn)
}

/// One instance is telling of a turn, and another one would tell of its end before.
#[tokio::test]
async fn the_end_of_a_turn_is_told_after_its_beginning_by_several_instances_too() {
    let quick = || Settings {
        poll_interval: Duration::from_millis(20),
        ..TestApp::settings()
    };
    let app = TestApp::on(Database::fresh().await, quick()).await;
    let _other = TestApp::on(app.database.clone(), quick()).await;
    let (id, player) = correspond(&app).await;
    // Whoever tells of the turn waits for this row.
    let mut held = app.db.begin().await.unwrap();
    sqlx::query(
        "insert into notifications (player_id, subject, kind, match_id, cause, created_at)
         values ($1, 'match:' || $2, 'your_turn', $2, 0, now())",
    )
    .bind(player)
    .bind(id)
    .execute(&mut *held)
    .await
    .unwrap();
    insert_cause(&app, player, id, Some("your_turn")).await;
    wait_until_blocked(&app.db, 1).await;
    insert_cause(&app, player, id, None).await;
    sleep(Duration::from_millis(200)).await;
    held.rollback().await.unwrap();
    told(&app).await;
    assert_eq!(stored(&app, id).await, 0);
}

#[tokio::test]
async fn a_turn_that_is_over_when_its_cause_is_taken_is_not_told() {
    let app = TestApp::init().await;
    let (id, player) = correspond(&app).await;
    insert_cause(&app, player, id, Some("your_turn")).await;
    told(&app).await;
    assert_eq!(stored(&app, id).await, 1);
    sqlx::query("with gone as (delete from notifications) update matches set to_move = 3 - to_move where id = $1")
        .bind(id)
        .execute(&app.db)
        .await
        .unwrap();
    insert_cause(&app, player, id, Some("your_turn")).await;
    told(&app).await;
    assert_eq!(stored(&app, id).await, 0);
}

/// Reads the numbers of unread notifications that a stream is sent until it is this one, which must come within a second.
async fn within_a_second(stream: &mut Stream, unread: u64) {
    let reading = async { while stream.notified().await != unread {} };
    let done = timeout(Duration::from_secs(1), reading).await;
    done.unwrap_or_else(|_| panic!("{unread} are not told within a second"));
}

#[tokio::test]
async fn all_tabs_at_all_instances_show_the_same_number_within_a_second() {
    let app = TestApp::init().await;
    let other = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let there = ann.at_instance(other.address);
    let path = "/events?topics=notified";
    let mut tabs = [
        ann.stream(path).await,
        ann.stream(path).await,
        there.stream(path).await,
    ];
    for tab in &mut tabs {
        within_a_second(tab, 0).await;
    }
    let mut last = 0;
    for unread in 1..=2 {
        last = lost_match(&ann, &bob).await;
        for tab in &mut tabs {
            within_a_second(tab, unread).await;
        }
    }
    // Read at one of them: by coming to the match, and all.
    let at_match = there.stream(&format!("/events/match/{last}")).await;
    for tab in &mut tabs {
        within_a_second(tab, 1).await;
    }
    drop(at_match);
    there.post("/api/read_notifications", &[]).await.assert_ok();
    for tab in &mut tabs {
        within_a_second(tab, 0).await;
    }
}

#[tokio::test]
async fn a_challenge_by_correspondence_is_told_until_it_is_answered() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let terms = [("setup", SMALL), ("clock", "3d")];
    let challenge = ann.challenge(&bob, &terms).await.id("id");
    let list = notifications(&bob, 1).await;
    assert_eq!(list[0]["kind"], "challenge");
    assert_eq!(list[0]["player"]["name"], "ann");
    let html = bob.get("/notifications").await.text;
    assert!(html.contains("ann challenges you"), "{html}");
    bob.answer_challenge(challenge, false).await.assert_ok();
    notifications(&bob, 0).await;
    // Who has challenged learns of the answer.
    let list = notifications(&ann, 1).await;
    assert_eq!(
        (&list[0]["kind"], &list[0]["why"]),
        (&json!("challenge"), &json!("declined"))
    );
    let html = ann.get("/notifications").await.text;
    assert!(html.contains("bob declined your challenge"), "{html}");
}

#[tokio::test]
async fn a_challenge_by_correspondence_and_its_notification_expire_after_seven_days() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let terms = [("setup", SMALL), ("clock", "3d")];
    ann.challenge(&bob, &terms).await.assert_ok();
    notifications(&bob, 1).await;
    let age = async |seconds: i32| {
        sqlx::query(
            "update challenges set created_at = created_at - $1 * interval '1 s', expires_at = expires_at - $1 * interval '1 s'",
        )
        .bind(seconds)
        .execute(&app.db)
        .await
        .unwrap();
    };
    let week = i32::try_from(limits::CORRESPONDENCE_CHALLENGE_TIMEOUT.as_secs()).unwrap();
    age(week - 60).await;
    let open = bob.get("/api/my_challenges").await.assert_ok();
    assert_eq!(open.as_array().map(Vec::len), Some(1), "{open}");
    notifications(&bob, 1).await;
    age(60).await;
    notifications(&bob, 0).await;
    let open = bob.get("/api/my_challenges").await.assert_ok();
    assert_eq!(open, json!([]));
    let list = notifications(&ann, 1).await;
    assert_eq!(
        (&list[0]["kind"], &list[0]["why"]),
        (&json!("challenge"), &json!("expired"))
    );
    let html = ann.get("/notifications").await.text;
    assert!(html.contains("bob did not answer your challenge"), "{html}");
}

#[tokio::test]
async fn notifications_are_kept_for_ninety_days() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let old = lost_match(&ann, &bob).await;
    let kept = lost_match(&ann, &bob).await;
    notifications(&ann, 2).await;
    let days = i32::try_from(limits::NOTIFICATION_LIFETIME.as_secs() / 86_400).unwrap();
    for (id, age) in [(old, days), (kept, days - 1)] {
        sqlx::query("update notifications set created_at = now() - $2 * interval '1 day' where match_id = $1")
            .bind(id)
            .bind(age)
            .execute(&app.db)
            .await
            .unwrap();
    }
    // An instance cleans up when it starts.
    let _other = app.another_instance().await;
    assert_eq!(notifications(&ann, 1).await[0]["match"], kept);
}

/// No instance looks by itself: whoever makes a cause says so.
#[tokio::test]
async fn challenges_and_first_turns_are_told_at_once() {
    let patient = Settings {
        poll_interval: Duration::from_hours(1),
        ..TestApp::settings()
    };
    let app = TestApp::on(Database::fresh().await, patient).await;
    let (ann, bob) = app.with_two_users().await;
    let terms = [("setup", SMALL), ("clock", "3d")];
    let challenge = ann.challenge(&bob, &terms).await.id("id");
    assert_eq!(notifications(&bob, 1).await[0]["kind"], "challenge");
    ann.cancel_challenge(challenge).await.json();
    notifications(&bob, 0).await;
    let challenge = ann.challenge(&bob, &terms).await.id("id");
    notifications(&bob, 1).await;
    bob.answer_challenge(challenge, false).await.assert_ok();
    notifications(&bob, 0).await;
    // The challenger moves first.
    let challenge = ann.challenge(&bob, &terms).await.id("id");
    notifications(&bob, 1).await;
    let first = bob.answer_challenge(challenge, true).await.id("match");
    notifications(&bob, 0).await;
    // The first one tells of the challenge that was declined.
    assert_eq!(notifications(&ann, 2).await[0]["match"], first);
    // A table, whose seats are drawn, and a rematch.
    let form = [("game", "dots"), ("setup", SMALL), ("clock", "3d")];
    let table = ann.post("/api/open_table", &form).await.assert_ok();
    let second = bob.sit(&table).await.id("match");
    let seats = ann.snapshot(second).await["players"].clone();
    let (on_turn, count) = if seats[0]["id"] == ann.id {
        (&ann, 3)
    } else {
        (&bob, 1)
    };
    notifications(on_turn, count).await;
    begin(&ann, &bob, first).await;
    ann.resign(first).await.assert_ok();
    ann.request_rematch(first).await.assert_ok();
    let third = bob.request_rematch(first).await.id("match");
    wait_until("the turn of a rematch", async || {
        let list = page(&bob).await["notifications"].clone();
        let list = list.as_array().expect("a list").clone();
        list.iter().any(|each| each["match"] == third).then_some(())
    })
    .await;
}

/// Starts a match by correspondence in which Ann is on turn, whom nothing is told of it.
async fn her_turn(app: &TestApp) -> (Player, Player, i64) {
    let (ann, bob) = app.with_two_users().await;
    let terms = [("setup", SMALL), ("clock", "3d")];
    let challenge = ann.challenge(&bob, &terms).await.id("id");
    let id = bob.answer_challenge(challenge, true).await.id("match");
    begin(&ann, &bob, id).await;
    told(app).await;
    sqlx::query("delete from notifications")
        .execute(&app.db)
        .await
        .unwrap();
    (ann, bob, id)
}

#[tokio::test]
async fn who_has_just_left_is_told_of_the_turn_and_of_the_end() {
    let app = TestApp::init().await;
    let (ann, bob, id) = her_turn(&app).await;
    // A page without scripts counts as presence for a while; it shows what was when it was loaded.
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    let path = format!("/match/{id}");
    ann.get(&path).await;
    bob.make_move(id, "2,2", &[]).await.assert_ok();
    told(&app).await;
    assert_eq!(notifications(&ann, 1).await[0]["kind"], "your_turn");
    // Who loads it again has read it.
    assert_eq!(page(&ann).await["unread"], 1);
    ann.get(&path).await;
    assert_eq!(page(&ann).await["unread"], 0);
    // A page that was loaded since shows it.
    sqlx::query("delete from notifications")
        .execute(&app.db)
        .await
        .unwrap();
    sqlx::query(
        "insert into notification_causes (player_id, subject, kind, match_id, other_id, at)
         values ($1, 'match:' || $2, 'your_turn', $2, $3, now() - interval '1 minute')",
    )
    .bind(ann.id)
    .bind(id)
    .bind(bob.id)
    .execute(&app.db)
    .await
    .unwrap();
    told(&app).await;
    assert_eq!(stored(&app, id).await, 0);
    bob.resign(id).await.assert_ok();
    assert_eq!(notifications(&ann, 1).await[0]["kind"], "game_over");
    // So it is at the end of a live match.
    let live = start_match(&bob, &ann, SMALL).await;
    begin(&ann, &bob, live).await;
    ann.get(&format!("/match/{live}")).await;
    bob.resign(live).await.assert_ok();
    let list = notifications(&ann, 2).await;
    assert_eq!(list[0]["match"], live);
}

#[tokio::test]
async fn a_request_for_a_rematch_by_correspondence_is_told_until_the_rematch_starts() {
    let app = TestApp::init().await;
    let (ann, bob, id) = her_turn(&app).await;
    ann.resign(id).await.assert_ok();
    assert_eq!(notifications(&bob, 1).await[0]["kind"], "game_over");
    ann.request_rematch(id).await.assert_ok();
    told(&app).await;
    let list = notifications(&bob, 1).await;
    assert_eq!(
        (&list[0]["kind"], &list[0]["match"]),
        (&json!("challenge"), &json!(id))
    );
    assert_eq!(list[0]["player"]["name"], "ann");
    let html = bob.get("/notifications").await.text;
    assert!(html.contains("ann wants a rematch"), "{html}");
    assert!(html.contains(&format!("/match/{id}")), "{html}");
    // Asking again is no news.
    bob.post("/api/read_notifications", &[]).await.assert_ok();
    ann.request_rematch(id).await.assert_ok();
    told(&app).await;
    assert_eq!(page(&bob).await["unread"], 0);
    let next = bob.request_rematch(id).await.id("match");
    told(&app).await;
    let list = notifications(&bob, 1).await;
    assert_eq!(
        (&list[0]["kind"], &list[0]["match"]),
        (&json!("your_turn"), &json!(next))
    );

    // Of a player whom she has muted she is told nothing.
    begin(&ann, &bob, next).await;
    bob.resign(next).await.assert_ok();
    ann.mute(&bob, true).await.assert_ok();
    bob.request_rematch(next).await.assert_ok();
    told(&app).await;
    let list = notifications(&ann, 1).await;
    assert_eq!(list[0]["kind"], "game_over");
}

/// The causes that are kept.
pub(crate) async fn held(app: &TestApp) -> i64 {
    sqlx::query_scalar("select count(*) from notification_causes where held_until > now()")
        .fetch_one(&app.db)
        .await
        .unwrap()
}

/// Lets the time pass for which causes are kept.
pub(crate) async fn pass_hold(app: &TestApp) {
    sqlx::query("update notification_causes set held_until = now() where held_until is not null")
        .execute(&app.db)
        .await
        .unwrap();
    wait_until("no cause is left", async || {
        let left: i64 = sqlx::query_scalar("select count(*) from notification_causes")
            .fetch_one(&app.db)
            .await
            .unwrap();
        (left == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_turn_is_told_once_the_page_turns_out_to_be_gone() {
    let app = TestApp::init().await;
    let (ann, bob, id) = her_turn(&app).await;
    let path = format!("/events/match/{id}");
    let hers = async || -> i64 {
        sqlx::query_scalar("select count(*) from notifications where player_id = $1")
            .bind(ann.id)
            .fetch_one(&app.db)
            .await
            .unwrap()
    };
    let round = async |moves: [&str; 2]| {
        ann.make_move(id, moves[0], &[]).await.assert_ok();
        let there = ann.stream(&path).await;
        bob.make_move(id, moves[1], &[]).await.assert_ok();
        told(&app).await;
        assert_eq!((held(&app).await, hers().await), (1, 0));
        there
    };
    // She stays.
    let there = round(["1,1", "2,2"]).await;
    pass_hold(&app).await;
    assert_eq!(hers().await, 0);
    drop(there);
    // She moves.
    let there = round(["1,2", "2,3"]).await;
    ann.make_move(id, "3,3", &[]).await.assert_ok();
    told(&app).await;
    drop(there);
    gone(&app).await;
    pass_hold(&app).await;
    assert_eq!(hers().await, 0);
    bob.make_move(id, "3,2", &[]).await.assert_ok();
    notifications(&ann, 1).await;
    // The connection was lost when he moved.
    let there = round(["1,3", "2,4"]).await;
    drop(there);
    gone(&app).await;
    pass_hold(&app).await;
    let list = notifications(&ann, 1).await;
    assert_eq!(list[0]["kind"], "your_turn");
    // Whoever comes back meanwhile has seen it.
    let there = round(["0,1", "0,2"]).await;
    drop(there);
    let back = ann.stream(&path).await;
    assert_eq!(held(&app).await, 0);
    drop(back);
    gone(&app).await;
    pass_hold(&app).await;
    assert_eq!(hers().await, 0);
}

/// A page cannot know whether its connection is lost, and the server whether who leaves has seen the end: so the page says that.
#[tokio::test]
async fn the_end_is_told_to_who_lost_the_connection_and_not_to_who_has_seen_it() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let hers = async || -> i64 {
        sqlx::query_scalar(
            "select count(*) from notifications where player_id = $1 and kind = 'game_over'",
        )
        .bind(ann.id)
        .fetch_one(&app.db)
        .await
        .unwrap()
    };
    let end = async |clock: &str| {
        let id = start_match_with(&ann, &bob, &[("setup", SMALL), ("clock", clock)]).await;
        begin(&ann, &bob, id).await;
        told(&app).await;
        let there = ann.stream(&format!("/events/match/{id}")).await;
        bob.resign(id).await.assert_ok();
        told(&app).await;
        assert_eq!((held(&app).await, hers().await), (1, 0), "{clock}");
        (id, there)
    };
    let seen = async |id: i64| {
        let form = [("match_id", &*id.to_string())];
        ann.post("/api/read_notifications", &form).await.assert_ok();
    };
    for clock in ["3d", "300+5"] {
        // She stays.
        let (_, there) = end(clock).await;
        pass_hold(&app).await;
        assert_eq!(hers().await, 0, "{clock}");
        drop(there);
        gone(&app).await;
        // She leaves once her page has shown the end.
        let (id, there) = end(clock).await;
        seen(id).await;
        assert_eq!(held(&app).await, 0, "{clock}");
        drop(there);
        gone(&app).await;
        pass_hold(&app).await;
        assert_eq!(hers().await, 0, "{clock}");
        // The connection was lost when he resigned.
        let (id, there) = end(clock).await;
        drop(there);
        gone(&app).await;
        pass_hold(&app).await;
        assert_eq!(stored(&app, id).await, 1, "{clock}");
        sqlx::query("delete from notifications")
            .execute(&app.db)
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn the_end_that_a_page_has_shown_before_its_cause_is_taken_is_not_told() {
    let patient = Settings {
        poll_interval: Duration::from_hours(1),
        ..TestApp::settings()
    };
    let app = TestApp::on(Database::fresh().await, patient).await;
    let (ann, bob) = app.with_two_users().await;
    let id = store_match(&app, &ann, &bob, "300+5").await;
    // No instance looks for these.
    insert_cause(&app, ann.id, id, Some("game_over")).await;
    insert_cause(&app, bob.id, id, Some("game_over")).await;
    let form = [("match_id", &*id.to_string())];
    ann.post("/api/read_notifications", &form).await.assert_ok();
    let left: Vec<i64> = sqlx::query_scalar("select player_id from notification_causes")
        .fetch_all(&app.db)
        .await
        .unwrap();
    assert_eq!(left, [bob.id], "none of his");
}

/// Waits until nobody is anywhere.
async fn gone(app: &TestApp) {
    wait_until("nobody is there", async || {
        let there: bool = sqlx::query_scalar(
            "select exists (select from presence where is_alive(beat_at, gone_at))",
        )
        .fetch_one(&app.db)
        .await
        .unwrap();
        (!there).then_some(())
    })
    .await;
}
