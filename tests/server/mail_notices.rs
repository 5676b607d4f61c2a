//! Notices by mail: of a turn before its time runs out, and once a day of what is unread; each once, and until one click ends it.

use super::app::{SMALL, TestApp, backdate_match, begin, start_match_with, wait_until};
use super::mail::{ORIGIN, start, start_another};
use super::player::Player;
use super::smtp_server::{Received, SmtpServer};
use serde_json::json;

/// The terms of a slow game.
const SLOW: &[(&str, &str)] = &[("setup", SMALL), ("clock", "3d")];

/// The running match by correspondence of both, where `ann` has the first move and gets mail, and `bob` gets none.
async fn correspond() -> (TestApp, SmtpServer, Player, Player, i64) {
    let (app, mut smtp) = start().await;
    let (ann, bob) = app.with_two_users().await;
    ann.confirm_mail(&mut smtp, "ann@example.org").await;
    let id = start_match_with(&ann, &bob, SLOW).await;
    (app, smtp, ann, bob, id)
}

/// The marks of the reminders of a match that are to come, with the hours from then to the deadline.
async fn marks(app: &TestApp, id: i64) -> Vec<(String, f64)> {
    sqlx::query_as(
        "select r.mark, extract(epoch from r.deadline_at - r.due_at)::float8 / 3600
         from turn_reminders r join matches m on m.id = r.match_id and m.deadline_at = r.deadline_at
         where r.match_id = $1 and r.told_at is null order by r.due_at",
    )
    .bind(id)
    .fetch_all(&app.db)
    .await
    .unwrap()
}

/// Lets the time of reminders come, as far as they are told at this mark.
async fn reach(app: &TestApp, mark: &str) {
    sqlx::query("update turn_reminders set due_at = now() where mark = $1 and told_at is null")
        .bind(mark)
        .execute(&app.db)
        .await
        .unwrap();
    app.state.mails.write_notices().await.unwrap();
}

/// Lets the time of all digests come.
async fn reach_digest(app: &TestApp) {
    sqlx::query("update mail_addresses set digest_at = digest_at - interval '1 day'")
        .execute(&app.db)
        .await
        .unwrap();
    app.state.mails.write_notices().await.unwrap();
}

/// Waits until each mail was sent, or is not to be.
async fn sent(app: &TestApp) {
    wait_until("no mail waits", async || {
        let waiting: i64 = sqlx::query_scalar("select count(*) from mails where sent_at is null")
            .fetch_one(&app.db)
            .await
            .unwrap();
        (waiting == 0).then_some(())
    })
    .await;
}

/// Waits until so many mails were refused, and wait to be tried again.
async fn refused(app: &TestApp, count: i64) {
    wait_until("refusals", async || {
        let refused: i64 = sqlx::query_scalar(
            "select count(*) from mails
             where sent_at is null and due_at between now() + interval '30 s' and now() + interval '61 s'",
        )
        .fetch_one(&app.db)
        .await
        .unwrap();
        (refused == count).then_some(())
    })
    .await;
}

/// Waits until all causes are made notifications, and there are so many of them.
async fn told(app: &TestApp, count: i64) {
    wait_until("notifications", async || {
        let (causes, told): (i64, i64) = sqlx::query_as(
            "select (select count(*) from notification_causes), (select count(*) from notifications)",
        )
        .fetch_one(&app.db)
        .await
        .unwrap();
        ((causes, told) == (0, count)).then_some(())
    })
    .await;
}

/// Clicks on *Unsubscribe* as a mail program does.
pub(crate) async fn unsubscribe(app: &TestApp, mail: &Received) {
    let (link, _) = mail.unsubscribe.as_ref().expect("a link");
    let link = link.trim_matches(['<', '>']);
    let path = link.strip_prefix(ORIGIN).expect("a link of this site");
    let page = app.visitor().get(path).await;
    assert!(page.text.contains("/api/unsubscribe"), "{}", page.text);
    let click = [("List-Unsubscribe", "One-Click")];
    assert_eq!(app.visitor().post(path, &click).await.status, 200);
}

pub(crate) async fn switch(player: &Player, kind: &str, mail: &str) {
    let form = [("kind", kind), ("mail", mail)];
    let answer = player.post("/api/change_notifications", &form).await;
    answer.assert_ok();
}

#[tokio::test]
async fn a_turn_is_mailed_when_four_fifths_have_passed_and_eight_hours_before_its_end() {
    let (app, mut smtp, ann, bob, id) = correspond().await;
    let expected = [("late".to_owned(), 14.4), ("last".to_owned(), 8.0)];
    assert_eq!(marks(&app, id).await, expected);
    reach(&app, "late").await;
    let mail = smtp.next().await;
    assert_eq!(mail.to, ["ann@example.org"]);
    assert_eq!(mail.subject, "Your turn against bob");
    assert!(
        mail.plain
            .contains("Dots. You have 72 hours left, until 20"),
        "{mail:?}"
    );
    assert!(mail.html.contains("You have 72 hours left"), "{mail:?}");
    mail.link(&format!("{ORIGIN}/match/{id}"));
    let (_, how) = mail.unsubscribe.as_ref().expect("a link");
    assert_eq!(how, "List-Unsubscribe=One-Click");
    // Each is told once.
    reach(&app, "late").await;
    reach(&app, "last").await;
    assert_eq!(smtp.next().await.subject, "Your turn against bob");
    reach(&app, "last").await;
    sent(&app).await;
    assert!(smtp.rest().is_empty());

    // An outage moves the deadline: what was told is told, whatever is to come moves with it.
    ann.make_move(id, "0,4", &[]).await.assert_ok();
    assert!(marks(&app, id).await.is_empty(), "bob has no address");
    bob.make_move(id, "4,0", &[]).await.assert_ok();
    reach(&app, "late").await;
    smtp.next().await;
    sqlx::query("update matches set deadline_at = deadline_at + interval '1 hour'")
        .execute(&app.db)
        .await
        .unwrap();
    assert_eq!(marks(&app, id).await, [("last".to_owned(), 8.0)]);
}

async fn vacation(player: &Player, is_on: bool) {
    let on = is_on.to_string();
    let answer = player.post("/api/vacation", &[("on", &on)]).await;
    answer.assert_ok();
}

/// Checks the marks of the reminders to come: their hours before the deadline, to a minute.
#[track_caller]
fn assert_marks(found: &[(String, f64)], expected: &[(&str, f64)]) {
    let is_near = |(found, expected): (&(String, f64), &(&str, f64))| {
        found.0 == expected.0 && (found.1 - expected.1).abs() < 1.0 / 60.0
    };
    let all = found.len() == expected.len() && found.iter().zip(expected).all(is_near);
    assert!(all, "{found:?} instead of {expected:?}");
}

const BOTH_MARKS: &[(&str, f64)] = &[("late", 14.4), ("last", 8.0)];

#[tokio::test]
async fn a_vacation_uses_no_time_up() {
    let (app, mut smtp, ann, bob, id) = correspond().await;
    ann.make_move(id, "0,4", &[]).await.assert_ok();
    bob.make_move(id, "4,0", &[]).await.assert_ok();
    // Half of her time is used, and then she is away for a week: still a fifth of three days is left when it is late.
    backdate_match(&app.db, id, 36 * 3600).await;
    let app = start_another(&app, &smtp).await;
    let ann = ann.at_instance(app.address);
    vacation(&ann, true).await;
    assert_marks(&marks(&app, id).await, BOTH_MARKS);
    let hours: f64 = sqlx::query_scalar(
        "select extract(epoch from deadline_at - now())::float8 / 3600 from matches where id = $1",
    )
    .bind(id)
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert!((hours - (7.0 * 24.0 + 36.0)).abs() < 0.1, "{hours}");
    // An address that is confirmed meanwhile makes no difference.
    sqlx::query("delete from turn_reminders")
        .execute(&app.db)
        .await
        .unwrap();
    ann.confirm_mail(&mut smtp, "ann@example.net").await;
    assert_eq!(smtp.next().await.to, ["ann@example.org"]);
    assert_marks(&marks(&app, id).await, BOTH_MARKS);
    vacation(&ann, false).await;
    assert_marks(&marks(&app, id).await, BOTH_MARKS);
    // What was told of the turn is told.
    reach(&app, "late").await;
    assert_eq!(smtp.next().await.subject, "Your turn against bob");
    sqlx::query("update vacations set began_at = null, ends_at = null, days = 9")
        .execute(&app.db)
        .await
        .unwrap();
    vacation(&ann, true).await;
    assert_marks(&marks(&app, id).await, &[("last", 8.0)]);

    // Whose turn begins in a vacation has the whole time after it.
    let bob = bob.at_instance(app.address);
    bob.confirm_mail(&mut smtp, "bob@example.org").await;
    vacation(&bob, true).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    assert_marks(&marks(&app, id).await, BOTH_MARKS);
    vacation(&bob, false).await;
    assert_marks(&marks(&app, id).await, BOTH_MARKS);
    sent(&app).await;
    assert!(smtp.rest().is_empty());
}

#[tokio::test]
async fn the_time_of_a_first_move_stands_still_too() {
    let (app, mut smtp, ann, _, id) = correspond().await;
    backdate_match(&app.db, id, 24 * 3600).await;
    let app = start_another(&app, &smtp).await;
    let ann = ann.at_instance(app.address);
    vacation(&ann, true).await;
    assert_marks(&marks(&app, id).await, BOTH_MARKS);
    sqlx::query("delete from turn_reminders")
        .execute(&app.db)
        .await
        .unwrap();
    ann.confirm_mail(&mut smtp, "ann@example.net").await;
    assert_marks(&marks(&app, id).await, BOTH_MARKS);
}

#[tokio::test]
async fn a_night_that_is_spared_makes_no_turn_longer() {
    let (app, mut smtp) = start().await;
    let (ann, bob) = app.with_two_users().await;
    ann.confirm_mail(&mut smtp, "ann@example.org").await;
    let (_, zone) = super::time_zones::asleep();
    ann.post("/api/time_zone", &[("zone", zone)])
        .await
        .assert_ok();
    let id = start_match_with(&ann, &bob, SLOW).await;
    let grace: f64 =
        sqlx::query_scalar("select first_grace_ms::float8 / 3600000 from matches where id = $1")
            .bind(id)
            .fetch_one(&app.db)
            .await
            .unwrap();
    assert!(grace > 1.9, "{grace}");
    assert_marks(
        &marks(&app, id).await,
        &[("late", 14.4 + grace), ("last", 8.0)],
    );
    begin(&ann, &bob, id).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    bob.make_move(id, "2,2", &[]).await.assert_ok();
    let grace: f64 = sqlx::query_scalar(
        "select grace_ms::float8 / 3600000 from match_events where match_id = $1 order by version desc limit 1",
    )
    .bind(id)
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert!(grace > 1.9, "{grace}");
    let expected = [("late", 14.4 + grace), ("last", 8.0)];
    assert_marks(&marks(&app, id).await, &expected);
    vacation(&ann, true).await;
    // It ends at the same time of day.
    assert_marks(&marks(&app, id).await, &expected);
}

#[tokio::test]
async fn a_turn_that_is_over_is_not_mailed() {
    let (app, mut smtp, ann, bob, id) = correspond().await;
    // She moves before the mail is written.
    ann.make_move(id, "0,4", &[]).await.assert_ok();
    reach(&app, "late").await;
    // She moves after that, and before the mail is sent.
    bob.make_move(id, "4,0", &[]).await.assert_ok();
    smtp.refuse(1);
    reach(&app, "late").await;
    refused(&app, 1).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    sqlx::query("update mails set due_at = now() where sent_at is null")
        .execute(&app.db)
        .await
        .unwrap();
    // Any mail wakes the sending.
    bob.confirm_mail(&mut smtp, "bob@example.org").await;
    sent(&app).await;
    // His turn began before his address was confirmed, and he has both marks of it.
    assert_eq!(marks(&app, id).await.len(), 2);
    bob.resign(id).await.assert_ok();
    reach(&app, "late").await;
    sent(&app).await;
    assert!(smtp.rest().is_empty());
}

#[tokio::test]
async fn a_clock_with_less_than_eight_hours_has_one_mark() {
    let (app, mut smtp) = start().await;
    let (ann, bob) = app.with_two_users().await;
    ann.confirm_mail(&mut smtp, "ann@example.org").await;
    let id = start_match_with(&ann, &bob, SLOW).await;
    sqlx::query("update matches set version = version + 1, deadline_at = now() + interval '5 hours' where id = $1")
        .bind(id)
        .execute(&app.db)
        .await
        .unwrap();
    assert_marks(&marks(&app, id).await, &[("late", 1.0)]);
    // A live match is followed live.
    let live = start_match_with(&ann, &bob, &[("setup", SMALL), ("clock", "300+5")]).await;
    assert!(marks(&app, live).await.is_empty());
}

#[tokio::test]
async fn a_name_that_was_removed_is_in_no_mail_and_two_instances_write_none_twice() {
    let (app, mut smtp, ann, bob, _) = correspond().await;
    let other = start_another(&app, &smtp).await;
    let cid = app.with_user("cid").await;
    // Causes that wait for their digest.
    for kind in ["game_over", "operator"] {
        switch(&ann, kind, "on").await;
    }
    for (opponent, kind) in [(&bob, "game_over"), (&cid, "game_over"), (&cid, "operator")] {
        sqlx::query(
            "insert into notification_causes (player_id, subject, kind, other_id, detail)
             values ($1, gen_random_uuid()::text, $2, $3, $4)",
        )
        .bind(ann.id)
        .bind(kind)
        .bind(opponent.id)
        .bind((kind == "operator").then_some("unmuted"))
        .execute(&app.db)
        .await
        .unwrap();
    }
    wait_until("notifications", async || {
        let told = ann.get("/api/unread_notifications").await.assert_ok();
        (told["unread"] == 4).then_some(())
    })
    .await;
    sqlx::query("update turn_reminders set due_at = now()")
        .execute(&app.db)
        .await
        .unwrap();
    sqlx::query("update mail_addresses set digest_at = now()")
        .execute(&app.db)
        .await
        .unwrap();
    smtp.refuse(2);
    let (here, there) = tokio::join!(
        app.state.mails.write_notices(),
        other.state.mails.write_notices()
    );
    here.unwrap();
    there.unwrap();
    let kinds: Vec<String> =
        sqlx::query_scalar("select kind from mails where kind <> 'confirm' order by kind")
            .fetch_all(&app.db)
            .await
            .unwrap();
    assert_eq!(kinds, ["digest", "your_turn"]);
    refused(&app, 2).await;
    let form = [("password", super::player::PASSWORD)];
    cid.post("/api/delete_account", &form).await.assert_ok();
    sqlx::query("update mails set due_at = now() where sent_at is null")
        .execute(&app.db)
        .await
        .unwrap();
    // Any mail wakes the sending.
    bob.set_mail("bob@example.org", "en").await.assert_ok();
    for _ in 0..3 {
        let mail = smtp.next().await;
        assert!(!mail.plain.contains("cid"), "{}", mail.plain);
    }
    sent(&app).await;
    assert!(smtp.rest().is_empty());
}

#[tokio::test]
async fn what_is_unread_is_mailed_once_a_day_as_one_mail() {
    let (app, mut smtp, ann, bob, _) = correspond().await;
    bob.challenge(&ann, SLOW).await.assert_ok();
    told(&app, 2).await;
    // Not before its time, and none of the turn, which has mails of its own.
    app.state.mails.write_notices().await.unwrap();
    sent(&app).await;
    assert!(smtp.rest().is_empty());
    let language = [("language", "ru")];
    ann.post("/api/settings", &language).await.assert_ok();
    reach_digest(&app).await;
    let mail = smtp.next().await;
    assert_eq!(mail.to, ["ann@example.org"]);
    assert_eq!(mail.subject, "1 новое уведомление");
    assert!(mail.plain.contains("Вас вызывает bob"), "{mail:?}");
    assert!(!mail.plain.contains("Ваш ход"), "{mail:?}");
    assert!(mail.html.contains("<html lang=\"ru\""), "{mail:?}");
    mail.link(&format!("{ORIGIN}/notifications"));
    // What was told is not told on the next day, nor what is read.
    reach_digest(&app).await;
    ann.post("/api/read_notifications", &[]).await.assert_ok();
    let next: bool = sqlx::query_scalar(
        "select digest_at between now() + interval '23 hours' and now() + interval '24 hours' from mail_addresses",
    )
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert!(next, "once a day, also after days without a server");
    sent(&app).await;
    assert!(smtp.rest().is_empty());
    let data = ann.get("/api/my_data").await.assert_ok();
    let listed = data["notifications"].as_array().expect("a list");
    assert!(
        listed.iter().any(|each| each["digested_at"].is_i64()),
        "{data}"
    );
}

#[tokio::test]
async fn one_click_ends_one_kind_of_mail() {
    let (app, mut smtp, ann, bob, id) = correspond().await;
    let mails = async || -> Vec<serde_json::Value> {
        let switches = ann.get("/api/notification_settings").await.assert_ok();
        let list = switches.as_array().expect("a list").clone();
        list.into_iter().map(|each| each["mail"].clone()).collect()
    };
    // Your turn, challenge, and none of what else there is.
    let all = [true, true, false, false, false, false];
    assert_eq!(mails().await, all.map(|on| json!(on)));
    reach(&app, "late").await;
    unsubscribe(&app, &smtp.next().await).await;
    let left = [false, true, false, false, false, false];
    assert_eq!(mails().await, left.map(|on| json!(on)));
    reach(&app, "last").await;

    switch(&ann, "game_over", "on").await;
    begin(&ann, &bob, id).await;
    bob.resign(id).await.assert_ok();
    told(&app, 1).await;
    reach_digest(&app).await;
    let digest = smtp.next().await;
    assert_eq!(digest.subject, "1 new notification");
    assert!(digest.plain.contains("You won against bob"), "{digest:?}");
    unsubscribe(&app, &digest).await;
    assert!(mails().await.iter().all(|mail| mail == &json!(false)));
    // Notices of sign-ins have a link of their own.
    assert_eq!(ann.get("/api/mail").await.assert_ok()["sign_ins"], true);
    let unknown = app
        .visitor()
        .post("/mail/unsubscribe/none.turns", &[])
        .await;
    unknown.assert_error(404, "bad_link");
    sent(&app).await;
    assert!(smtp.rest().is_empty());
}

#[tokio::test]
async fn nothing_but_a_confirmed_address_gets_notices() {
    let (app, mut smtp) = start().await;
    let (ann, bob) = app.with_two_users().await;
    ann.set_mail("ann@example.org", "en").await.assert_ok();
    smtp.next().await;
    let id = start_match_with(&ann, &bob, SLOW).await;
    assert!(marks(&app, id).await.is_empty());
    bob.challenge(&ann, SLOW).await.assert_ok();
    told(&app, 2).await;
    reach_digest(&app).await;
    let page = ann.get("/account").await.text;
    assert!(page.contains("href=\"#mail\""), "the way to an address");
    assert!(!page.contains("name=\"mail\""), "no switch without one");
    sent(&app).await;
    assert!(smtp.rest().is_empty());
    ann.confirm_mail(&mut smtp, "ann@example.org").await;
    assert!(ann.get("/account").await.text.contains("name=\"mail\""));
}

/// Lets the mails that wait be tried now.
async fn try_again(app: &TestApp) {
    sqlx::query("update mails set due_at = now() where sent_at is null")
        .execute(&app.db)
        .await
        .unwrap();
    app.state.mails.write_notices().await.unwrap();
}

#[tokio::test]
async fn a_mail_that_waits_has_the_name_of_the_time_and_stops_with_its_switch() {
    let (app, mut smtp) = start().await;
    let ann = app.with_user("ann").await;
    ann.confirm_mail(&mut smtp, "ann@example.org").await;
    let sign_in = async || {
        let form = [("name", "ann"), ("password", super::player::PASSWORD)];
        app.visitor().post("/api/login", &form).await.assert_ok();
    };
    // A name that was removed is not told to its former owner either.
    smtp.refuse(1);
    sign_in().await;
    refused(&app, 1).await;
    sqlx::query("update players set name = 'player-1' where id = $1")
        .bind(ann.id)
        .execute(&app.db)
        .await
        .unwrap();
    try_again(&app).await;
    let mail = smtp.next().await;
    assert_eq!(mail.subject, "New sign-in to your account");
    assert!(mail.plain.contains("player-1"), "{mail:?}");
    assert!(
        !mail.plain.contains("ann,") && !mail.html.contains("ann,"),
        "{mail:?}"
    );

    // Switched off while it waits.
    smtp.refuse(1);
    sign_in().await;
    refused(&app, 1).await;
    let form = [("sign_ins", "false")];
    ann.post("/api/mail_notices", &form).await.assert_ok();
    try_again(&app).await;
    sent(&app).await;
    let form = [("sign_ins", "true")];
    ann.post("/api/mail_notices", &form).await.assert_ok();

    // A link that another one has replaced, and one of an account that is deleted.
    smtp.refuse(1);
    ann.set_mail("old@example.org", "en").await.assert_ok();
    refused(&app, 1).await;
    ann.set_mail("new@example.org", "en").await.assert_ok();
    assert_eq!(smtp.next().await.to, ["new@example.org"]);
    try_again(&app).await;
    sent(&app).await;
    smtp.refuse(1);
    sign_in().await;
    refused(&app, 1).await;
    let form = [("password", super::player::PASSWORD)];
    ann.post("/api/delete_account", &form).await.assert_ok();
    try_again(&app).await;
    sent(&app).await;
    assert!(smtp.rest().is_empty());
}
