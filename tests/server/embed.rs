//! A match in a frame of other sites.

use super::app::{SMALL, TestApp, begin, start_match};
use super::player::send;
use reqwest::Method;

#[tokio::test]
async fn any_site_may_frame_a_match_and_no_other_page() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let frame = ann.get(&format!("/embed/match/{id}")).await;
    assert_eq!(frame.status, 200);
    let policy = frame.header("content-security-policy").unwrap();
    assert!(policy.contains("frame-ancestors *"), "{policy}");
    assert_eq!(frame.header("x-frame-options"), None);
    for path in [
        &format!("/match/{id}"),
        "/",
        "/programs",
        "/healthz",
        "/embed/match/999999",
    ] {
        let other = ann.get(path).await;
        assert_eq!(other.header("x-frame-options"), Some("DENY"), "{path}");
        let policy = other.header("content-security-policy").unwrap();
        assert!(
            policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
    }
}

#[tokio::test]
async fn embedded_match_is_the_same_for_every_visitor() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let path = format!("/embed/match/{id}");
    let frame = ann.get(&path).await;
    let same = app.visitor().get(&path).await;
    assert_eq!(frame.text, same.text, "whoever looks");
    assert!(frame.cookies().is_empty(), "{:?}", frame.cookies());
    for words in ["ann", "bob", "0 : 0", "<svg", "/match/"] {
        assert!(frame.text.contains(words), "no {words} in {}", frame.text);
    }
    let title = "<title>Dots<";
    assert!(frame.text.contains(title), "{}", frame.text);
    assert_eq!(frame.header("refresh"), Some("5"));
    assert!(!frame.text.contains("<script"), "{}", frame.text);
    assert_eq!(
        frame.text.matches("class=\"dot").count(),
        2,
        "{}",
        frame.text
    );

    // Settings come with a cookie, so they change nothing; the language comes from the browser.
    ann.post("/api/settings", &[("theme", "night"), ("language", "ru")])
        .await;
    assert_eq!(ann.get(&path).await.text, frame.text);
    let request = ann
        .request(Method::GET, &path)
        .header("accept-language", "ru");
    assert!(send(request).await.text.contains("Открыть в Tochki"));

    bob.resign(id).await.assert_ok();
    let ended = app.visitor().get(&path).await;
    assert!(!ended.text.contains("http-equiv"), "{}", ended.text);
    for id in ["0", "x", "-1"] {
        let missing = app.visitor().get(&format!("/embed/match/{id}")).await;
        missing.assert_error(404, "no_such_match");
    }
}
