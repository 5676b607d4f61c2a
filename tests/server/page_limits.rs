//! Pages, and the files that belong to them, are limited by address, but for the hashed files of a release.

use super::app::{SMALL, TestApp, begin, start_match};
use super::player::{Response, Visitor, send};
use reqwest::Method;
use std::num::NonZeroU32;

/// Starts a server that gives an address five pages in a row, then one a second.
async fn app() -> TestApp {
    TestApp::with_settings(|settings| {
        settings.pages_by_address = NonZeroU32::new(5).unwrap();
    })
    .await
}

/// Returns the first of many answers from this path that is a refusal.
async fn refusal(visitor: &Visitor, path: &str, headers: &[(&str, &str)]) -> Option<Response> {
    // The limit refills with time, and a machine may be slow.
    for _ in 0..60 {
        let mut request = visitor.request(Method::GET, path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = send(request).await;
        if answer.status == 429 {
            return Some(answer);
        }
    }
    None
}

#[tokio::test]
async fn every_route_that_api_and_streams_do_not_have_is_limited() {
    let app = app().await;
    let visitor = app.visitor();
    for path in [
        "/",
        "/@nobody",
        "/match/1/beat",
        "/info_pages.css",
        "/texts/none.js",
        "/release.js",
        "/favicon.svg",
        "/nowhere",
        "/nowhere.css",
        "/pkg",
    ] {
        let refused = refusal(&visitor, path, &[]).await;
        let refused = refused.unwrap_or_else(|| panic!("{path} has no limit"));
        assert_eq!(refused.header("retry-after"), Some("1"), "{path}");
        assert_eq!(refused.text, "Too many requests. Wait a little.\n");
    }
    // These have limits of their own.
    assert_eq!(visitor.get("/api/whoami").await.status, 200);
    assert_eq!(visitor.get("/events/match/1").await.status, 404);
    // A page has dozens of these.
    assert!(refusal(&visitor, "/pkg/none.js", &[]).await.is_none());
}

#[tokio::test]
async fn probes_are_limited_but_those_of_the_own_machine() {
    let app = TestApp::with_settings(|settings| {
        settings.pages_by_address = NonZeroU32::new(5).unwrap();
        settings.trust_proxy = 1;
    })
    .await;
    let visitor = app.visitor();
    for path in ["/healthz", "/readyz"] {
        assert!(refusal(&visitor, path, &[]).await.is_none(), "{path}");
        let elsewhere = [("x-forwarded-for", "192.0.2.7")];
        let refused = refusal(&visitor, path, &elsewhere).await;
        assert!(refused.is_some(), "{path}");
    }
}

#[tokio::test]
async fn a_refused_page_is_readable_and_loads_again() {
    let app = app().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    // A player of a running match has pages left (`player_room`).
    let visitor = app.visitor();
    // The frame by which a player without scripts is there comes back by itself, also within its page.
    for path in ["/".to_owned(), format!("/match/{id}/beat")] {
        let headers = [("accept", "text/html,*/*"), ("accept-language", "ru")];
        let refused = refusal(&visitor, &path, &headers).await.expect("a limit");
        for (name, value) in [
            ("content-type", "text/html; charset=utf-8"),
            ("refresh", "5"),
            ("x-frame-options", "SAMEORIGIN"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(refused.header(name), Some(value), "{path}: {name}");
        }
        assert!(refused.text.contains("<html lang=\"ru\""), "{refused:?}");
        assert!(refused.text.contains("Слишком много"), "{refused:?}");
    }
}

#[tokio::test]
async fn a_player_without_scripts_is_far_below_the_limit() {
    let app = TestApp::with_settings(|settings| {
        // As it is by default.
        settings.pages_by_address =
            NonZeroU32::new(tochki_protocol::limits::PAGES_BY_ADDRESS).unwrap();
    })
    .await;
    let visitor = app.visitor();
    // Half an hour of a page that reloads every five seconds, with no time in between.
    for _ in 0..360 {
        assert_eq!(visitor.get("/info_pages.css").await.status, 200);
    }
}

#[tokio::test]
async fn a_page_that_waits_for_too_long_is_given_up_in_words() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let mut tx = app.db.begin().await.expect("a transaction");
    let lock = "lock table sessions in access exclusive mode";
    sqlx::query(lock).execute(&mut *tx).await.expect("a lock");
    let page = ann.request(Method::GET, "/").header("accept", "text/html");
    let given_up = send(page).await;
    assert_eq!(given_up.status, 503, "{given_up:?}");
    assert!(given_up.text.contains("<html lang=\"en\""), "{given_up:?}");
    tx.rollback().await.expect("the end of the lock");
    assert_eq!(ann.get("/").await.status, 200);
}

#[tokio::test]
async fn an_unknown_file_is_no_page() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    for (path, kind) in [
        ("/nowhere", "text/html; charset=utf-8"),
        ("/nowhere/", "text/html; charset=utf-8"),
        ("/nowhere.php", "text/plain; charset=utf-8"),
        ("/wp/.env", "text/plain; charset=utf-8"),
        ("/pkg/nowhere", "text/plain; charset=utf-8"),
        ("/pkg/", "text/plain; charset=utf-8"),
    ] {
        let answer = visitor.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.header("content-type"), Some(kind), "{path}");
        assert_eq!(
            answer.text.len() < 100,
            kind.starts_with("text/plain"),
            "{path}"
        );
    }
}
