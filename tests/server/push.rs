//! Web Push: what a push service of our own gets, which decrypts it, and push services that misbehave.

use super::app::{
    SMALL, TestApp, begin, start_match, start_match_with, wait_until, wait_until_blocked,
};
use super::cluster::Database;
use super::notifications::pass_hold;
use super::player::{PASSWORD, Player, Response};
use super::process::Server;
use super::push_service::{Answer, PushBrowser, PushService, Request};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tochki_protocol::limits;
use tochki_server::settings::Settings;
use tokio::time::sleep;

fn settings() -> Settings {
    Settings {
        contact: Some("mailto:operator@tochki.example".to_owned()),
        push_delay: Duration::ZERO,
        push_poll_interval: Duration::from_millis(10),
        ..TestApp::settings()
    }
}

async fn start() -> (TestApp, PushService) {
    let app = TestApp::on(Database::fresh().await, settings()).await;
    (app, PushService::start().await)
}

impl Player {
    /// Subscribes a browser, in Russian.
    pub(crate) async fn subscribe(&self, browser: &PushBrowser) -> Response {
        let (p256dh, auth) = (browser.p256dh(), browser.auth());
        let form = [
            ("endpoint", browser.endpoint.as_str()),
            ("p256dh", p256dh.as_str()),
            ("auth", auth.as_str()),
            ("language", "ru"),
        ];
        self.post("/api/subscribe_push", &form).await
    }
}

/// Lets `player` win a match that the other resigns. No stream is open.
async fn win(player: &Player, other: &Player) -> i64 {
    let id = start_match(player, other, SMALL).await;
    begin(player, other, id).await;
    other.resign(id).await.assert_ok();
    id
}

async fn requests(service: &PushService, count: usize) -> Vec<Request> {
    wait_until("pushes", async || {
        let requests = service.requests();
        (requests.len() >= count).then_some(requests)
    })
    .await
}

/// Waits until nothing is to be pushed.
async fn pushed(app: &TestApp) {
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

async fn subscriptions(app: &TestApp) -> i64 {
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

#[tokio::test]
async fn a_subscription_ends_with_its_session_and_five_are_kept() {
    let (app, service) = start().await;
    let (ann, bob) = app.with_two_users().await;
    let browser = service.browser("ann");
    ann.subscribe(&browser).await.assert_ok();
    let path = format!("/api/push_key?endpoint={}", browser.endpoint);
    assert_eq!(ann.get(&path).await.assert_ok()["subscribed"], true);
    assert_eq!(bob.get(&path).await.assert_ok()["subscribed"], false);
    ann.post("/api/logout", &[]).await.assert_ok();
    assert_eq!(subscriptions(&app).await, 0);
    win_by_others(&app, &ann, &bob).await;
    pushed(&app).await;
    assert!(service.requests().is_empty());

    // In the same browser another player signs in: the subscription is theirs.
    let eve = app.with_user("eve").await;
    bob.subscribe(&browser).await.assert_ok();
    eve.subscribe(&browser).await.assert_ok();
    assert_eq!(bob.get(&path).await.assert_ok()["subscribed"], false);
    assert_eq!(eve.get(&path).await.assert_ok()["subscribed"], true);
    for number in 0..6 {
        let browser = service.browser(&format!("eve{number}"));
        eve.subscribe(&browser).await.assert_ok();
    }
    assert_eq!(subscriptions(&app).await, 5);
    assert_eq!(
        eve.get(&path).await.assert_ok()["subscribed"],
        false,
        "the oldest"
    );
    let form = [("endpoint", format!("http://{}/eve5", service.address))];
    let form = [("endpoint", form[0].1.as_str())];
    bob.post("/api/unsubscribe_push", &form).await.assert_ok();
    assert_eq!(subscriptions(&app).await, 5, "none of bob's");
    eve.post("/api/unsubscribe_push", &form).await.assert_ok();
    assert_eq!(subscriptions(&app).await, 4);
    let form = [("password", PASSWORD)];
    eve.post("/api/delete_account", &form).await.assert_ok();
    assert_eq!(subscriptions(&app).await, 0);
}

impl Player {
    /// Renews the subscription of a browser, as its service worker does.
    async fn renew(&self, old: &PushBrowser, new: &PushBrowser) -> Response {
        let (p256dh, auth) = (new.p256dh(), new.auth());
        let form = [
            ("endpoint", new.endpoint.as_str()),
            ("p256dh", p256dh.as_str()),
            ("auth", auth.as_str()),
            ("language", "ru"),
            ("old_endpoint", old.endpoint.as_str()),
        ];
        self.post("/api/subscribe_push", &form).await
    }
}

#[tokio::test]
async fn a_browser_is_sent_nothing_for_an_account_that_is_signed_out_there() {
    let (app, service) = start().await;
    let (ann, bob) = app.with_two_users().await;
    let sign_in = async || -> Player {
        let form = [("name", "ann"), ("password", PASSWORD)];
        let visitor = app.visitor();
        visitor.post("/api/login", &form).await.assert_ok();
        Player::from_visitor(visitor, ann.id, ann.name.clone())
    };
    let [first, second] = ["first", "second"].map(|name| service.browser(name));
    ann.subscribe(&first).await.assert_ok();
    let there = sign_in().await;
    there.subscribe(&second).await.assert_ok();
    // From another device.
    ann.post("/api/end_session", &[]).await.assert_ok();
    assert_eq!(subscriptions(&app).await, 1);
    win_by_others(&app, &ann, &bob).await;
    assert_eq!(requests(&service, 1).await[0].path, "/first");
    pushed(&app).await;

    // By a form without scripts, with a push that waits.
    hold(&app).await;
    win_by_others(&app, &ann, &bob).await;
    told(&app).await;
    let form = ann.post_request("/api/logout").form(&[("next", "/")]);
    super::player::send(form.header("accept", "text/html")).await;
    assert_eq!((subscriptions(&app).await, waiting(&app).await), (0, 0));

    // Another account in the same browser: a subscription that the browser renews is not theirs.
    let third = service.browser("third");
    bob.renew(&first, &third)
        .await
        .assert_error(404, "not_found");
    assert_eq!(subscriptions(&app).await, 0);
    let bobs = service.browser("bob");
    bob.subscribe(&bobs).await.assert_ok();
    let eve = app.with_user("eve").await;
    eve.renew(&bobs, &third)
        .await
        .assert_error(404, "not_found");
    // Their own is, with what waits.
    hold(&app).await;
    win_by_others(&app, &bob, &ann).await;
    told(&app).await;
    bob.renew(&bobs, &third).await.assert_ok();
    bob.renew(&third, &third).await.assert_ok();
    assert_eq!((subscriptions(&app).await, waiting(&app).await), (1, 1));
    pass_waits(&app).await;
    let push = requests(&service, 2).await.remove(1);
    assert_eq!(push.path, "/third");
    third.read(&push);
    assert_eq!(service.requests().len(), 2);
}

#[tokio::test]
async fn a_renewed_subscription_takes_its_endpoint_from_another_player() {
    let (app, service) = start().await;
    let (ann, bob) = app.with_two_users().await;
    let [anns, bobs] = ["ann", "bob"].map(|name| service.browser(name));
    ann.subscribe(&anns).await.assert_ok();
    bob.subscribe(&bobs).await.assert_ok();
    hold(&app).await;
    win_by_others(&app, &ann, &bob).await;
    told(&app).await;
    assert_eq!(waiting(&app).await, 1);
    bob.renew(&bobs, &anns).await.assert_ok();
    // One that asks again changes nothing.
    bob.renew(&bobs, &anns).await.assert_error(404, "not_found");
    let left: Vec<(i64, String)> =
        sqlx::query_as("select player_id, endpoint from push_subscriptions")
            .fetch_all(&app.db)
            .await
            .unwrap();
    assert_eq!(left, [(bob.id, anns.endpoint)]);
    // What was to be sent to Ann there.
    assert_eq!(waiting(&app).await, 0);
}

/// Makes a notification for a player who is not signed in.
async fn win_by_others(app: &TestApp, player: &Player, other: &Player) {
    sqlx::query("insert into notification_causes (player_id, kind, other_id, detail) values ($1, 'operator', $2, 'unmuted')")
        .bind(player.id)
        .bind(other.id)
        .execute(&app.db)
        .await
        .unwrap();
}

#[tokio::test]
async fn endpoints_of_no_push_service_are_refused() {
    let (app, service) = start().await;
    let ann = app.with_user("ann").await;
    for endpoint in [
        "https://10.0.0.1/a",
        "http://192.168.0.1/a",
        "https://localhost/a",
        "https://evil.example/a",
        "https://fcm.googleapis.com:8443/a",
        "https://fcm.googleapis.com.evil.example/a",
        "http://fcm.googleapis.com/a",
    ] {
        let browser = service.browser("ann").with_endpoint(endpoint);
        let answer = ann.subscribe(&browser).await;
        answer.assert_error(400, "bad_request");
    }
    let browser = service.browser("ann");
    let (p256dh, auth) = (browser.p256dh(), browser.auth());
    for (p256dh, auth) in [("AAAA", &*auth), (&*p256dh, "AAAA"), ("", ""), ("%", "%")] {
        let form = [
            ("endpoint", &*browser.endpoint),
            ("p256dh", p256dh),
            ("auth", auth),
        ];
        let answer = ann.post("/api/subscribe_push", &form).await;
        answer.assert_error(400, "bad_request");
    }
    assert_eq!(subscriptions(&app).await, 0);
}

#[tokio::test]
async fn without_a_contact_there_is_no_push() {
    let app = TestApp::init().await;
    let service = PushService::start().await;
    let ann = app.with_user("ann").await;
    let key = ann.get("/api/push_key").await.assert_ok();
    assert_eq!(key, json!({"key": Value::Null, "subscribed": false}));
    let answer = ann.subscribe(&service.browser("ann")).await;
    answer.assert_error(404, "not_found");
}

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

/// Lets all waits pass.
async fn pass_waits(app: &TestApp) {
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
async fn hold(app: &TestApp) {
    sqlx::query("update push_subscriptions set wait_until = now() + interval '1 hour'")
        .execute(&app.db)
        .await
        .unwrap();
}

async fn waiting(app: &TestApp) -> i64 {
    sqlx::query_scalar("select count(*) from pushes")
        .fetch_one(&app.db)
        .await
        .unwrap()
}

async fn told(app: &TestApp) {
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

#[tokio::test]
async fn of_two_subscriptions_at_once_none_is_one_too_many() {
    let (app, service) = start().await;
    let ann = app.with_user("ann").await;
    for number in 0..5 {
        let browser = service.browser(&format!("ann{number}"));
        ann.subscribe(&browser).await.assert_ok();
    }
    // Both would end the same one, the oldest.
    let mut held = app.db.begin().await.unwrap();
    sqlx::query("select from push_subscriptions order by created_at, id limit 1 for update")
        .execute(&mut *held)
        .await
        .unwrap();
    let [one, two] = ["one", "two"].map(|name| service.browser(name));
    let released = async {
        wait_until_blocked(&app.db, 2).await;
        held.rollback().await.unwrap();
    };
    let (first, second, ()) = tokio::join!(ann.subscribe(&one), ann.subscribe(&two), released);
    first.assert_ok();
    second.assert_ok();
    assert_eq!(subscriptions(&app).await, 5);
}

#[tokio::test]
async fn a_browser_that_tells_no_former_subscription_renews_that_of_its_session() {
    let (app, service) = start().await;
    let (ann, bob) = app.with_two_users().await;
    let [first, second, third] = ["first", "second", "third"].map(|name| service.browser(name));
    let unknown = service.browser("unknown").with_endpoint("unknown");
    // A session without one had none to give up.
    ann.renew(&unknown, &first)
        .await
        .assert_error(404, "not_found");
    ann.subscribe(&first).await.assert_ok();
    bob.renew(&unknown, &second)
        .await
        .assert_error(404, "not_found");
    // Another browser of the same player has its own.
    let visitor = app.visitor();
    let form = [("name", "ann"), ("password", PASSWORD)];
    visitor.post("/api/login", &form).await.assert_ok();
    let there = Player::from_visitor(visitor, ann.id, ann.name.clone());
    there
        .renew(&unknown, &second)
        .await
        .assert_error(404, "not_found");
    there.subscribe(&second).await.assert_ok();
    ann.renew(&unknown, &third).await.assert_ok();
    // Sent again, it stays.
    ann.renew(&unknown, &third).await.assert_ok();
    let mut endpoints: Vec<String> =
        sqlx::query_scalar("select endpoint from push_subscriptions order by 1")
            .fetch_all(&app.db)
            .await
            .unwrap();
    endpoints.sort_unstable();
    assert_eq!(endpoints, [second.endpoint, third.endpoint]);
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
