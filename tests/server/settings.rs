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
        ("eo,en;q=0.5,ru;q=0.4", "en"),
        ("eo", "en"),
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

/// Returns the page at a path as a visitor sees it whose browser asks for English.
async fn page_of(visitor: &Visitor, path: &str) -> String {
    let asked = visitor.request(Method::GET, path);
    send(asked.header("accept-language", "en")).await.text
}

#[tokio::test]
async fn the_address_names_a_language_that_a_browser_without_a_choice_remembers() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    assert!(
        page_of(&visitor, "/rules?lang=RU-ru")
            .await
            .contains(r#"<html lang="ru""#)
    );
    assert!(
        page_of(&visitor, "/rules")
            .await
            .contains(r#"<html lang="ru""#)
    );
    // Another link shows one page in its language; what is remembered stays.
    assert!(
        page_of(&visitor, "/rules?lang=en")
            .await
            .contains(r#"<html lang="en""#)
    );
    assert!(
        page_of(&visitor, "/rules")
            .await
            .contains(r#"<html lang="ru""#)
    );
    let nothing = app.visitor();
    assert!(
        page_of(&nothing, "/rules?lang=eo")
            .await
            .contains(r#"<html lang="en""#)
    );
}

#[tokio::test]
async fn a_link_does_not_choose_the_language_of_an_account() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    assert!(
        page_of(&ann, "/rules?lang=ru")
            .await
            .contains(r#"<html lang="ru""#)
    );
    assert!(page_of(&ann, "/rules").await.contains(r#"<html lang="en""#));
    ann.post("/api/settings", &[("theme", "night")]).await;
    assert!(page_of(&ann, "/rules").await.contains(r#"<html lang="en""#));
    ann.post("/api/settings", &[("language", "RU-ru")]).await;
    assert!(page_of(&ann, "/rules").await.contains(r#"<html lang="ru""#));
    let unknown = ann.post("/api/settings", &[("language", "eo")]).await;
    unknown.assert_error(400, "bad_request");
}

#[tokio::test]
async fn pages_for_everybody_link_to_themselves_in_every_language() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    let page = page_of(&visitor, "/rules/dots").await;
    let links: Vec<&str> = page
        .split("<link ")
        .filter(|link| {
            link.starts_with("rel=\"alternate\"") || link.starts_with("rel=\"canonical\"")
        })
        .map(|link| &link[..link.find('>').expect("an end")])
        .collect();
    let origin = visitor.url("");
    for expected in [
        format!(r#"rel="canonical" href="{origin}/rules/dots""#),
        format!(r#"rel="alternate" hreflang="en" href="{origin}/rules/dots""#),
        format!(r#"rel="alternate" hreflang="ru" href="{origin}/rules/dots?lang=ru""#),
        format!(r#"rel="alternate" hreflang="x-default" href="{origin}/rules/dots""#),
    ] {
        assert!(links.contains(&expected.as_str()), "{expected}: {links:?}");
    }
    let russian = page_of(&visitor, "/rules/dots?lang=ru").await;
    let canonical = format!(r#"rel="canonical" href="{origin}/rules/dots?lang=ru""#);
    assert!(russian.contains(&canonical), "{canonical}");
    assert!(!page_of(&visitor, "/login").await.contains("hreflang"));
}

#[tokio::test]
async fn switches_that_a_form_leaves_out_are_off() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    let form = [("switches", "sound confirm marks"), ("confirm", "on")];
    visitor.post("/api/settings", &form).await.assert_ok();
    assert_eq!(
        html_of(&visitor).await,
        r#"<html lang="en" data-sound="off" data-confirm="on" data-marks="off""#
    );
}
