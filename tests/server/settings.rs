//! Page settings: kept in a cookie, and with an account.

use super::app::TestApp;
use super::player::{PASSWORD, Visitor, send};
use reqwest::Method;

async fn html_of(visitor: &Visitor) -> String {
    let page = visitor.get("/").await.text;
    let from = page.find("<html").expect("a page");
    let to = page[from..].find('>').expect("a tag") + from;
    page[from..to].to_owned()
}

#[tokio::test]
async fn visitor_settings_are_kept_in_a_cookie() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    assert_eq!(html_of(&visitor).await, r#"<html lang="en""#);

    let answer = visitor
        .post("/api/settings", &[("theme", "night"), ("sound", "off")])
        .await;
    assert!(answer.assert_ok().is_null());
    visitor.post("/api/settings", &[("language", "ru")]).await;
    assert_eq!(
        html_of(&visitor).await,
        r#"<html lang="ru" data-theme="night" data-sound="off""#
    );
    assert_eq!(html_of(&app.visitor()).await, r#"<html lang="en""#);
}

#[tokio::test]
async fn account_settings_apply_in_every_browser() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let chosen = [
        ("palette", "safe"),
        ("confirm", "on"),
        ("coordinates", "off"),
    ];
    ann.post("/api/settings", &chosen).await;
    ann.post("/api/logout", &[]).await;

    let elsewhere = app.visitor();
    elsewhere.post("/api/settings", &[("theme", "day")]).await;
    let form = [("name", ann.name.as_str()), ("password", PASSWORD)];
    elsewhere.post("/api/login", &form).await.assert_ok();
    assert_eq!(
        html_of(&elsewhere).await,
        r#"<html lang="en" data-palette="safe" data-confirm="on" data-coordinates="off""#
    );
}

#[tokio::test]
async fn invalid_settings_change_nothing() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    let wrong = [("theme", "night"), ("sound", "loud")];
    let answer = visitor.post("/api/settings", &wrong).await;
    answer.assert_error(400, "bad_request");
    assert_eq!(html_of(&visitor).await, r#"<html lang="en""#);
}

#[tokio::test]
async fn default_language_is_the_browsers() {
    let app = TestApp::init().await;
    for (accepts, speaks) in [
        ("ru-RU,ru;q=0.9,en;q=0.8", "ru"),
        ("de,en;q=0.5,ru;q=0.4", "en"),
        ("fr", "en"),
        ("*;q=x,,;", "en"),
    ] {
        let page = app
            .visitor()
            .request(Method::GET, "/")
            .header("accept-language", accepts);
        let page = send(page).await.text;
        assert!(
            page.contains(&format!(r#"<html lang="{speaks}""#)),
            "{accepts}"
        );
    }
}
