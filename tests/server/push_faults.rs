//! Push services that misbehave, instances that die, and several that send.

use super::app::{
    SMALL, TestApp, begin, start_match, start_match_with, wait_until, wait_until_blocked,
};
use super::cluster::Database;
use super::notifications::told;
use super::process::Server;
use super::push::{
    pass_waits, pushed, requests, settings, start, subscriptions, waiting, win, win_by_others,
};
use super::push_service::{Answer, PushService};
use serde_json::json;
use std::time::{Duration, Instant};
use tochki_protocol::limits;
use tochki_server::settings::Settings;
use tokio::time::sleep;

/// Waits until the only push waits for so many seconds, of which few have passed.
async fn postponed(app: &TestApp, seconds: i32) {
    wait_until("the push waits", async || {
        let waits: bool = sqlx::query_scalar(
            "select count(*) = 1 and bool_and(due_at between now() + ($1 - 10) * interval '1 s' and now() + $1 * interval '1 s')
             from pushes",
        )
        .bind(seconds)
        .fetch_one(&app.db)
        .await
        .unwrap();
        waits.then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_push_service_that_asks_to_wait_is_asked_again_only_then_and_told_the_latest() {
    let (app, service) = start().await;
    let (ann, bob) = app.with_two_users().await;
    let browser = service.browser("ann");
    ann.subscribe(&browser).await.assert_ok();
    service.answer([Answer::Head(
        "429 Too Many\r\nretry-after: 120\r\ncontent-length: 0",
    )]);
    let terms = [("setup", SMALL), ("clock", "3d")];
    let id = start_match_with(&ann, &bob, &terms).await;
    requests(&service, 1).await;
    postponed(&app, 120).await;
    // What happens meanwhile in the same game, and what is about something else.
    begin(&ann, &bob, id).await;
    bob.resign(id).await.assert_ok();
    told(&app).await;
    postponed(&app, 120).await;
    win_by_others(&app, &ann, &bob).await;
    told(&app).await;
    assert_eq!(waiting(&app).await, 2);
    sleep(Duration::from_millis(100)).await;
    assert_eq!(service.requests().len(), 1);
    pass_waits(&app).await;
    let all = requests(&service, 3).await;
    pushed(&app).await;
    let mut titles: Vec<_> = all
        .iter()
        .map(|push| browser.read(push)["title"].clone())
        .collect();
    assert_eq!(titles.remove(0), "Ваш ход. Соперник: bob");
    assert!(
        titles.contains(&json!("Победа. Соперник: bob")),
        "{titles:?}"
    );
    assert_eq!(service.requests().len(), 3);
}

#[tokio::test]
async fn a_push_service_that_hangs_keeps_no_other_from_its_pushes() {
    let quick = Settings {
        poll_interval: Duration::from_millis(20),
        ..settings()
    };
    let app = TestApp::on(Database::fresh().await, quick).await;
    let (hanging, service) = (PushService::start().await, PushService::start().await);
    let (ann, bob) = app.with_two_users().await;
    ann.subscribe(&hanging.browser("ann")).await.assert_ok();
    bob.subscribe(&service.browser("bob")).await.assert_ok();
    hanging.answer(std::iter::repeat_n(Answer::Silence, 500));
    sqlx::query(
        "insert into notification_causes (player_id, kind, other_id, detail)
         select $1, 'operator', $2, 'unmuted' from generate_series(1, 450)",
    )
    .bind(ann.id)
    .bind(bob.id)
    .execute(&app.db)
    .await
    .unwrap();
    let most = limits::PUSHES_AT_ONCE_PER_HOST;
    requests(&hanging, most).await;
    told(&app).await;
    let begun = Instant::now();
    for count in 1..=3 {
        win_by_others(&app, &bob, &ann).await;
        requests(&service, count).await;
    }
    let took = begun.elapsed();
    assert!(took < limits::PUSH_TIMEOUT / 2, "{took:?}");
    assert_eq!(hanging.requests().len(), most, "no more at once");
}

#[tokio::test]
async fn push_services_that_misbehave_are_asked_again_later_or_never() {
    let impatient = Settings {
        push_timeout: Duration::from_millis(500),
        ..settings()
    };
    let app = TestApp::on(Database::fresh().await, impatient).await;
    let service = PushService::start().await;
    let (ann, bob) = app.with_two_users().await;
    ann.subscribe(&service.browser("ann")).await.assert_ok();
    // Asked to wait, hanging, and answering without end: the push is sent again each time, and then taken.
    service.answer([
        Answer::Head("429 Too Many\r\nretry-after: 0\r\ncontent-length: 0"),
        Answer::Endless,
        Answer::Silence,
    ]);
    win(&ann, &bob).await;
    // No wait at all is none that a push service can mean. The one that hung says nothing, so the wait is the usual one: shorter than
    // the claim.
    for (attempts, wait) in [(1, 30), (2, 30), (3, 40)] {
        requests(&service, attempts).await;
        postponed(&app, wait).await;
        assert_eq!(service.requests().len(), attempts);
        pass_waits(&app).await;
    }
    requests(&service, 4).await;
    pushed(&app).await;
    assert_eq!(service.requests().len(), 4);

    // Sent elsewhere: nobody follows.
    let other = PushService::start().await;
    let location = format!(
        "302 Found\r\nlocation: http://{}/stolen\r\ncontent-length: 0",
        other.address
    );
    service.answer([Answer::Head(location.leak())]);
    win(&ann, &bob).await;
    pushed(&app).await;
    assert_eq!(service.requests().len(), 5);
    assert!(other.requests().is_empty());
    assert_eq!(subscriptions(&app).await, 1);

    // Gone.
    for head in [
        "404 Not Found\r\ncontent-length: 0",
        "410 Gone\r\ncontent-length: 0",
    ] {
        ann.subscribe(&service.browser("ann")).await.assert_ok();
        service.answer([Answer::Head(head)]);
        win(&ann, &bob).await;
        pushed(&app).await;
        assert_eq!(subscriptions(&app).await, 0, "{head}");
    }
}

/// The claim of an instance that has died ends, and another one sends the push; of two that live, one sends each.
#[tokio::test]
async fn a_restart_loses_no_push_and_two_instances_send_none_twice() {
    let (app, service) = start().await;
    let other = TestApp::on(app.database.clone(), settings()).await;
    let (ann, bob) = app.with_two_users().await;
    ann.subscribe(&service.browser("ann")).await.assert_ok();
    sqlx::query(
        "insert into notification_causes (player_id, kind, other_id, detail)
         select $1, 'operator', $2, 'unmuted' from generate_series(1, 300)",
    )
    .bind(ann.id)
    .bind(bob.id)
    .execute(&app.db)
    .await
    .unwrap();
    pushed(&app).await;
    let mut topics: Vec<String> = service
        .requests()
        .iter()
        .map(|request| request.header("topic").to_owned())
        .collect();
    topics.sort_unstable();
    topics.dedup();
    assert_eq!((topics.len(), service.requests().len()), (300, 300));

    // Claimed by an instance that has died.
    sqlx::query(
        "insert into pushes (subscription_id, player_id, subject, kind, other_id, detail, cause, at, due_at, attempts)
         select id, player_id, 'cause:1', 'operator', $1, 'unmuted', 1, now(), now() + interval '30 seconds', 1
         from push_subscriptions",
    )
    .bind(bob.id)
    .execute(&app.db)
    .await
    .unwrap();
    sleep(Duration::from_millis(50)).await;
    assert_eq!(service.requests().len(), 300, "claimed");
    sqlx::query("update pushes set due_at = now()")
        .execute(&app.db)
        .await
        .unwrap();
    pushed(&app).await;
    assert_eq!(service.requests().len(), 301);
    drop(other);
}

/// The real program, killed between the end of a match and its notification, and between a push and its mark.
#[tokio::test]
async fn a_kill_loses_neither_a_notification_nor_its_push() {
    let database = Database::fresh().await;
    let contact = vec![("CONTACT", "operator@tochki.example".to_owned())];
    let mut server = Server::start_with_settings(database, contact).await;
    let service = PushService::start().await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let browser = service.browser("ann");
    ann.subscribe(&browser).await.assert_ok();
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let mut held = server.db.begin().await.unwrap();
    sqlx::query("lock table notifications in exclusive mode")
        .execute(&mut *held)
        .await
        .unwrap();
    bob.resign(id).await.assert_ok();
    wait_until_blocked(&server.db, 1).await;
    server.kill().await;
    held.rollback().await.unwrap();

    service.answer([Answer::Silence]);
    server.restart().await;
    wait_until("the push", async || {
        sqlx::query("update pushes set due_at = now()")
            .execute(&server.db)
            .await
            .unwrap();
        (service.requests().len() == 1).then_some(())
    })
    .await;
    // The service has it, and the server does not know.
    server.kill().await;
    server.restart().await;
    wait_until("the push again", async || {
        sqlx::query("update pushes set due_at = now()")
            .execute(&server.db)
            .await
            .unwrap();
        (service.requests().len() == 2).then_some(())
    })
    .await;
    let list = ann.get("/api/notifications").await.assert_ok();
    assert_eq!(list["notifications"].as_array().unwrap().len(), 1, "{list}");
    // The service and the browser put the second in the place of the first.
    let requests = service.requests();
    assert_eq!(requests[0].header("topic"), requests[1].header("topic"));
    assert_eq!(browser.read(&requests[0]), browser.read(&requests[1]));
}
