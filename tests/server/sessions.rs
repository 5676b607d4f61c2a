//! Sessions: the times at which they get a new token, their lifetime, and the page that shows them.

use super::app::TestApp;
use super::player::{PASSWORD, Visitor, send};
use serde_json::Value;

/// Returns the player who is signed in with these cookies.
async fn whoami(app: &TestApp, cookies: &str) -> Value {
    let asks = app.visitor().request(reqwest::Method::GET, "/api/whoami");
    send(asks.header("cookie", cookies)).await.assert_ok()
}

async fn sign_in(visitor: &Visitor, name: &str) {
    let form = [("name", name), ("password", PASSWORD)];
    visitor.post("/api/login", &form).await.assert_ok();
}

#[tokio::test]
async fn signing_in_again_ends_the_session_that_the_browser_had() {
    let app = TestApp::init().await;
    app.with_user("bob").await;
    let browser = app.visitor();
    browser
        .post("/api/be_guest", &[("name", "visitor")])
        .await
        .assert_ok();
    let before = browser.cookies();
    sign_in(&browser, "bob").await;
    assert!(whoami(&app, &before).await.is_null(), "the guest's token");
    let once = browser.cookies();
    sign_in(&browser, "bob").await;
    assert!(whoami(&app, &once).await.is_null(), "the first token");
    assert_eq!(whoami(&app, &browser.cookies()).await["name"], "bob");
}

#[tokio::test]
async fn a_changed_password_and_a_kept_account_get_a_new_token() {
    let app = TestApp::init().await;
    let guest = app.visitor();
    guest
        .post("/api/be_guest", &[("name", "visitor")])
        .await
        .assert_ok();
    let of_guest = guest.cookies();
    let mut stream = guest.stream("/events/lobby?game=dots").await;
    stream.expect("snapshot").await;
    let keep = [("name", "Vera"), ("password", PASSWORD)];
    guest.post("/api/keep_account", &keep).await.assert_ok();
    assert!(whoami(&app, &of_guest).await.is_null());
    let of_account = guest.cookies();
    assert_eq!(whoami(&app, &of_account).await["name"], "Vera");

    let change = [("password", PASSWORD), ("new_password", "another long one")];
    guest
        .post("/api/change_password", &change)
        .await
        .assert_ok();
    assert!(whoami(&app, &of_account).await.is_null());
    assert_eq!(whoami(&app, &guest.cookies()).await["name"], "Vera");
    let listed = guest.get("/api/sessions").await.assert_ok();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(listed[0]["address"], "127.0.0.*");

    // The stream belongs to the session, whatever its token.
    let other = app.with_user("other").await;
    let _waiting = other.join_lobby().await;
    stream.expect("joined").await;
}

#[tokio::test]
async fn a_session_ends_30_days_after_its_use_and_180_days_after_its_beginning() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let lifetime = async || -> f64 {
        sqlx::query_scalar(
            "select (extract(epoch from expires_at - now()) / 86400)::float8 from sessions",
        )
        .fetch_one(&app.db)
        .await
        .unwrap()
    };
    let age = async |days: i32| {
        sqlx::query(
            "update sessions set created_at = created_at - make_interval(days => $1),
                 seen_at = seen_at - make_interval(days => $1), expires_at = expires_at - make_interval(days => $1)",
        )
        .bind(days)
        .execute(&app.db)
        .await
        .unwrap();
    };
    assert!((29.9..=30.0).contains(&lifetime().await));
    for used in 1..=6 {
        age(25).await;
        assert_eq!(ann.get("/api/whoami").await.assert_ok()["name"], "ann");
        let expected = f64::from((180 - 25 * used).min(30));
        let left = lifetime().await;
        assert!(
            (expected - 0.1..=expected).contains(&left),
            "{left} after {used} uses"
        );
    }
    age(29).await;
    assert_eq!(ann.get("/api/whoami").await.assert_ok()["name"], "ann");
    assert!(lifetime().await < 1.0);
    age(1).await;
    assert!(ann.get("/api/whoami").await.assert_ok().is_null());
}

#[tokio::test]
async fn a_guest_who_comes_back_is_kept() {
    let app = TestApp::init().await;
    let guest = app.visitor();
    guest
        .post("/api/be_guest", &[("name", "visitor")])
        .await
        .assert_ok();
    for _ in 0..3 {
        sqlx::query(
            "with aged as (update players set visited_at = visited_at - interval '20 days')
             update sessions set seen_at = seen_at - interval '20 days', expires_at = expires_at - interval '20 days'",
        )
        .execute(&app.db)
        .await
        .unwrap();
        assert_eq!(
            guest.get("/api/whoami").await.assert_ok()["name"],
            "visitor"
        );
        tochki_server::accounts::db::guests::delete_old(&app.db)
            .await
            .unwrap();
    }
    assert_eq!(
        guest.get("/api/whoami").await.assert_ok()["name"],
        "visitor"
    );
}
