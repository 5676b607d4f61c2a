//! Subscriptions to pushes: whose they are, when they end, and endpoints that are refused.

use super::app::{TestApp, wait_until_blocked};
use super::notifications::told;
use super::player::{PASSWORD, Player, Response};
use super::push::{
    hold, pass_waits, pushed, requests, start, subscriptions, waiting, win_by_others,
};
use super::push_service::{PushBrowser, PushService};
use serde_json::{Value, json};

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
