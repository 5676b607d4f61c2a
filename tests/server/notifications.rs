//! Notifications: who is told of what, once, and by whom it has been read.

use super::app::{SMALL, TestApp, begin, start_match, wait_until};
use super::operator::with_operator;
use super::player::Player;
use super::sse_client::Stream;
use super::turn_notifications::{held, pass_hold};
use serde_json::{Value, json};
use std::time::Duration;
use tochki_protocol::limits;
use tokio::time::timeout;

/// Plays a match that `loser` resigns after a move of each. No stream is open.
pub(super) async fn lost_match(winner: &Player, loser: &Player) -> i64 {
    let id = start_match(winner, loser, SMALL).await;
    begin(winner, loser, id).await;
    loser.resign(id).await.assert_ok();
    id
}

pub(super) async fn page(player: &Player) -> Value {
    player.get("/api/notifications").await.assert_ok()
}

/// Waits until a player has this many notifications, and returns them.
pub(super) async fn notifications(player: &Player, count: usize) -> Vec<Value> {
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
