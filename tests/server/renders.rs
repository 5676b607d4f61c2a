//! Rendering of every page ends, however many are made at once on however many threads.

use super::app::{SMALL, TestApp, begin, start_match};
use super::bodies::{address, all_routes};
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, header};
use futures::{StreamExt as _, stream};
use leptos::config::LeptosOptions;
use std::time::Duration;
use tochki_web::http;
use tokio::time::timeout;
use tower::ServiceExt as _;

/// The number of times that each page is made.
const ROUNDS: usize = 12;

#[tokio::test(flavor = "multi_thread", worker_threads = 16)]
async fn every_page_ends_when_many_are_made_at_once() {
    let app = TestApp::init().await;
    let (ann, bob) = (app.with_operator("ann").await, app.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    ann.resign(id).await.assert_ok();
    let options = LeptosOptions::builder().output_name("tochki").build();
    let router = http::router(app.state.clone(), options);
    let is_page = |path: &str| {
        !path.starts_with("/api/")
            && !path.starts_with("/events/")
            && path != "/history/sgf"
            && path != "/history/jsonl"
    };
    let mut pages: Vec<String> = all_routes(&app)
        .iter()
        .filter(|route| route.method == Method::GET && is_page(&route.path))
        .map(address)
        .collect();
    pages.push("/analysis?game=dots&moves=5,5".to_owned());
    pages.push("/play?game=boxes".to_owned());
    pages.push("/@ann".to_owned());
    let visits = (0..ROUNDS).flat_map(|_| pages.clone()).map(|page| {
        let (router, cookies) = (router.clone(), ann.cookies());
        let request = Request::get(&page)
            .header(header::HOST, "here")
            .header(header::COOKIE, cookies)
            .header(header::ACCEPT, "text/html")
            .body(Body::empty())
            .expect("a request");
        tokio::spawn(async move {
            let answer = router.oneshot(request).await.expect("an answer");
            let status = answer.status();
            let body = to_bytes(answer.into_body(), usize::MAX)
                .await
                .expect("a body");
            (page, status, body)
        })
    });
    let made = stream::iter(visits).buffer_unordered(24);
    let mut made = std::pin::pin!(made);
    let mut count = 0;
    while let Some(visit) = timeout(Duration::from_secs(15), made.next())
        .await
        .expect("all pages end")
    {
        let (page, status, body) = visit.expect("no panic");
        assert!(!status.is_server_error(), "{page}: {status}");
        let body = String::from_utf8_lossy(&body);
        if body.starts_with("<!DOCTYPE html>") {
            assert!(body.contains("</html>"), "{page} is cut off");
        }
        count += 1;
    }
    assert_eq!(count, pages.len() * ROUNDS);
}
