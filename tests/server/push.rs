//! Web Push: what a push service of our own gets, which decrypts it, and when.

use super::app::{SMALL, TestApp, begin, start_match, start_match_with, wait_until};
use super::cluster::Database;
use super::notifications::told;
use super::player::Player;
use super::push_service::{PushService, Request};
use super::turn_notifications::pass_hold;
use serde_json::json;
use std::time::Duration;
use tochki_protocol::limits;
use tochki_server::settings::Settings;

pub(super) fn settings() -> Settings {
    Settings {
        contact: Some("mailto:operator@tochki.example".to_owned()),
        push_delay: Duration::ZERO,
        push_poll_interval: Duration::from_millis(10),
        ..TestApp::settings()
    }
}

pub(super) async fn start() -> (TestApp, PushService) {
    let app = TestApp::on(Database::fresh().await, settings()).await;
    (app, PushService::start().await)
}

/// Lets `player` win a match that the other resigns. No stream is open.
pub(super) async fn win(player: &Player, other: &Player) -> i64 {
    let id = start_match(player, other, SMALL).await;
    begin(player, other, id).await;
    other.resign(id).await.assert_ok();
    id
}

pub(super) async fn requests(service: &PushService, count: usize) -> Vec<Request> {
    wait_until("pushes", async || {
        let requests = service.requests();
        (requests.len() >= count).then_some(requests)
    })
    .await
}

/// Waits until nothing is to be pushed.
pub(super) async fn pushed(app: &TestApp) {
    wait_until("no push is left", async || {
        let left: i64 = sqlx::query_scalar(
            "select (select count(*) from pushes) + (select count(*) from notification_causes where held_until is null)",
        )
        .fetch_one(&app.db)
        .await
        .unwrap();
        (left == 0).then_some(())
    })
    .await;
}

pub(super) async fn subscriptions(app: &TestApp) -> i64 {
    sqlx::query_scalar("select count(*) from push_subscriptions")
        .fetch_one(&app.db)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_push_says_what_happened_to_the_browser_alone() {
    let (app, service) = start().await;
    let (ann, bob) = app.with_two_users().await;
    let browser = service.browser("ann");
    ann.subscribe(&browser).await.assert_ok();
    let id = win(&ann, &bob).await;
    let [request] = &requests(&service, 1).await[..] else {
        panic!("one push")
    };
    assert_eq!(request.path, "/ann");
    // In the language of the page, as the account has chosen none.
    assert_eq!(
        browser.read(request),
        json!({
            "title": "Победа. Соперник: bob",
            "body": "Точки",
            "tag": format!("match-{id}"),
            "url": format!("/match/{id}"),
            "on_turn": 0,
        })
    );
    assert_eq!(request.header("content-encoding"), "aes128gcm");
    assert_eq!(request.header("ttl"), "43200");
    assert_eq!(request.header("urgency"), "normal");
    assert_eq!(request.header("topic"), format!("match-{id}"));
    let key = ann.get("/api/push_key").await.assert_ok();
    let key = key["key"].as_str().expect("a key").to_owned();
    let claims = request.claims(&key);
    assert_eq!(claims["aud"], format!("http://{}", service.address));
    assert_eq!(claims["sub"], "mailto:operator@tochki.example");
    let lasting = claims["exp"].as_i64().unwrap() - tochki_server::now().0 / 1000;
    let most = limits::PUSH_TOKEN_LIFETIME.as_secs().cast_signed();
    assert!((most - 60..=most).contains(&lasting), "{lasting}");
    pushed(&app).await;

    // Another instance has the same key, and another account has none of it.
    let other = TestApp::on(app.database.clone(), settings()).await;
    let same = ann.at_instance(other.address).get("/api/push_key").await;
    assert_eq!(same.assert_ok()["key"], key);
}

#[tokio::test]
async fn nothing_is_pushed_to_who_has_seen_it_or_wants_none() {
    let (app, service) = start().await;
    let (ann, bob) = app.with_two_users().await;
    ann.subscribe(&service.browser("ann")).await.assert_ok();
    // At the match.
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let there = ann.stream(&format!("/events/match/{id}")).await;
    bob.resign(id).await.assert_ok();
    pushed(&app).await;
    pass_hold(&app).await;
    pushed(&app).await;
    drop(there);
    // Switched off.
    let off = [("kind", "game_over"), ("push", "off")];
    ann.post("/api/change_notifications", &off)
        .await
        .assert_ok();
    win(&ann, &bob).await;
    pushed(&app).await;
    let on = [("kind", "game_over"), ("push", "on")];
    ann.post("/api/change_notifications", &on).await.assert_ok();
    // Come to the match, or read, within the delay.
    let slow = Settings {
        push_delay: Duration::from_hours(1),
        ..settings()
    };
    drop(app);
    let app = TestApp::on(Database::fresh().await, slow).await;
    let (ann, bob) = app.with_two_users().await;
    ann.subscribe(&service.browser("ann")).await.assert_ok();
    win(&ann, &bob).await;
    wait_until("a push waits", async || {
        let waiting: i64 = sqlx::query_scalar("select count(*) from pushes")
            .fetch_one(&app.db)
            .await
            .unwrap();
        (waiting == 1).then_some(())
    })
    .await;
    ann.post("/api/read_notifications", &[]).await.assert_ok();
    sqlx::query("update pushes set due_at = now()")
        .execute(&app.db)
        .await
        .unwrap();
    pushed(&app).await;
    assert!(service.requests().is_empty(), "{:?}", service.requests());
}

/// Makes a notification for a player who is not signed in.
pub(super) async fn win_by_others(app: &TestApp, player: &Player, other: &Player) {
    sqlx::query("insert into notification_causes (player_id, kind, other_id, detail) values ($1, 'operator', $2, 'unmuted')")
        .bind(player.id)
        .bind(other.id)
        .execute(&app.db)
        .await
        .unwrap();
}

/// Lets all waits pass.
pub(super) async fn pass_waits(app: &TestApp) {
    let mut tx = app.db.begin().await.unwrap();
    for statement in [
        "update push_subscriptions set wait_until = now() where wait_until > now()",
        "update pushes set due_at = now()",
    ] {
        sqlx::query(statement).execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
}

/// Lets all subscriptions wait.
pub(super) async fn hold(app: &TestApp) {
    sqlx::query("update push_subscriptions set wait_until = now() + interval '1 hour'")
        .execute(&app.db)
        .await
        .unwrap();
}

pub(super) async fn waiting(app: &TestApp) -> i64 {
    sqlx::query_scalar("select count(*) from pushes")
        .fetch_one(&app.db)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_push_that_waits_is_dropped_once_nobody_wants_it_and_has_the_names_of_its_time() {
    let slow = Settings {
        push_delay: Duration::from_hours(1),
        ..settings()
    };
    let app = TestApp::on(Database::fresh().await, slow).await;
    let service = PushService::start().await;
    let (ann, bob) = app.with_two_users().await;
    let browser = service.browser("ann");
    ann.subscribe(&browser).await.assert_ok();
    // Switched off while it waits.
    win(&ann, &bob).await;
    told(&app).await;
    assert_eq!(waiting(&app).await, 1);
    let off = [("kind", "game_over"), ("push", "off")];
    ann.post("/api/change_notifications", &off)
        .await
        .assert_ok();
    pass_waits(&app).await;
    pushed(&app).await;
    // A turn that is over, though nobody has told so yet.
    let terms = [("setup", SMALL), ("clock", "3d")];
    let id = start_match_with(&ann, &bob, &terms).await;
    told(&app).await;
    assert_eq!(waiting(&app).await, 1);
    sqlx::query("update matches set to_move = 3 - to_move where id = $1")
        .bind(id)
        .execute(&app.db)
        .await
        .unwrap();
    pass_waits(&app).await;
    pushed(&app).await;
    assert!(service.requests().is_empty(), "{:?}", service.requests());
    sqlx::query("update matches set to_move = 3 - to_move where id = $1")
        .bind(id)
        .execute(&app.db)
        .await
        .unwrap();
    // A name that was removed.
    begin(&ann, &bob, id).await;
    told(&app).await;
    assert_eq!(waiting(&app).await, 1);
    sqlx::query("update players set name = 'player-2' where id = $1")
        .bind(bob.id)
        .execute(&app.db)
        .await
        .unwrap();
    pass_waits(&app).await;
    let push = browser.read(&requests(&service, 1).await[0]);
    assert_eq!(push["title"], "Ваш ход. Соперник: player-2");
    assert!(!push.to_string().contains("bob"), "{push}");
}

#[tokio::test]
async fn turns_and_challenges_are_urgent_and_a_declined_challenge_is_not() {
    let (app, service) = start().await;
    let (ann, bob) = app.with_two_users().await;
    let browser = service.browser("ann");
    ann.subscribe(&browser).await.assert_ok();
    let terms = [("setup", SMALL), ("clock", "3d")];
    let challenge = bob.challenge(&ann, &terms).await.id("id");
    assert_eq!(requests(&service, 1).await[0].header("urgency"), "high");
    let id = ann.answer_challenge(challenge, true).await.id("match");
    bob.make_move(id, "0,4", &[]).await.assert_ok();
    let turn = requests(&service, 2).await.remove(1);
    assert_eq!(browser.read(&turn)["url"], format!("/match/{id}"));
    assert_eq!(turn.header("urgency"), "high");
    let declined = ann.challenge(&bob, &terms).await.id("id");
    bob.answer_challenge(declined, false).await.assert_ok();
    let answer = requests(&service, 3).await.remove(2);
    assert_eq!(browser.read(&answer)["title"], "bob отклоняет ваш вызов");
    assert_eq!(answer.header("urgency"), "normal");
}

#[tokio::test]
async fn a_push_is_dropped_after_twelve_hours() {
    let slow = Settings {
        push_delay: Duration::from_hours(1),
        ..settings()
    };
    let app = TestApp::on(Database::fresh().await, slow).await;
    let service = PushService::start().await;
    let (ann, bob) = app.with_two_users().await;
    ann.subscribe(&service.browser("ann")).await.assert_ok();
    for (age, sent) in [("11 hours 59 minutes", 1), ("12 hours", 1)] {
        win(&ann, &bob).await;
        told(&app).await;
        assert_eq!(waiting(&app).await, 1);
        sqlx::query("update pushes set at = at - $1::interval")
            .bind(age)
            .execute(&app.db)
            .await
            .unwrap();
        pass_waits(&app).await;
        pushed(&app).await;
        assert_eq!(service.requests().len(), sent, "{age}");
    }
}

#[tokio::test]
async fn who_has_just_left_the_match_gets_a_push_and_who_comes_back_none() {
    let (app, service) = start().await;
    let (ann, bob) = app.with_two_users().await;
    ann.subscribe(&service.browser("ann")).await.assert_ok();
    let terms = [("setup", SMALL), ("clock", "3d")];
    let id = start_match_with(&ann, &bob, &terms).await;
    begin(&ann, &bob, id).await;
    pushed(&app).await;
    let before = service.requests().len();
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    pushed(&app).await;
    let path = format!("/match/{id}");
    ann.get(&path).await;
    bob.make_move(id, "2,2", &[]).await.assert_ok();
    told(&app).await;
    // It waits for as long as the page counts as presence.
    assert_eq!((waiting(&app).await, service.requests().len()), (1, before));
    let past = async || {
        sqlx::query("delete from presence")
            .execute(&app.db)
            .await
            .unwrap();
        pass_waits(&app).await;
        pushed(&app).await;
    };
    past().await;
    assert_eq!(service.requests().len(), before + 1);
    // Who loads it again meanwhile has read it.
    ann.make_move(id, "1,2", &[]).await.assert_ok();
    ann.get(&path).await;
    bob.make_move(id, "2,3", &[]).await.assert_ok();
    told(&app).await;
    ann.get(&path).await;
    past().await;
    assert_eq!(service.requests().len(), before + 1);
}

#[tokio::test]
async fn a_call_to_go_on_live_is_pushed_though_the_page_is_open_and_not_too_late() {
    let (app, service) = start().await;
    let (ann, bob) = app.with_two_users().await;
    let browser = service.browser("ann");
    ann.subscribe(&browser).await.assert_ok();
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let mut open = ann.stream(&format!("/events/match/{id}")).await;
    open.next().await;
    sqlx::query(
        "insert into sealed_moves (match_id, player_id, moves, live_from, live_until)
         values ($1, $2, '{1,1}', now() - interval '1 minute', now() + interval '24 minutes')",
    )
    .bind(id)
    .bind(bob.id)
    .execute(&app.db)
    .await
    .unwrap();
    let call = async || {
        sqlx::query(
            "insert into notification_causes (player_id, subject, kind, match_id, other_id, detail)
             values ($1, 'resume:' || $2::bigint, 'your_turn', $2, $3, 'live')",
        )
        .bind(ann.id)
        .bind(id)
        .bind(bob.id)
        .execute(&app.db)
        .await
        .unwrap();
    };
    call().await;
    let push = requests(&service, 1).await.remove(0);
    assert_eq!(push.header("urgency"), "high");
    assert_eq!(push.header("ttl"), "1500", "as long as it lasts");
    let told = browser.read(&push);
    assert_eq!(
        (&told["title"], &told["url"]),
        (
            &json!("Пора продолжить партию. Соперник: bob"),
            &json!(format!("/match/{id}"))
        )
    );
    pushed(&app).await;
    // A push that waits is dropped once the time is over.
    hold(&app).await;
    call().await;
    super::notifications::told(&app).await;
    assert_eq!(waiting(&app).await, 1);
    sqlx::query("update sealed_moves set live_until = now()")
        .execute(&app.db)
        .await
        .unwrap();
    pass_waits(&app).await;
    pushed(&app).await;
    assert_eq!(service.requests().len(), 1);
}
