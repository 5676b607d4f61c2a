//! The heartbeat frame: how a page without scripts shows that its player is present.

use super::app::{SMALL, TestApp, begin, start_match};
use super::player::{Player, Response};
use serde_json::json;

/// The address of the heartbeat frame in this player's page, if there is one.
async fn heartbeat_frame(player: &Player, id: i64) -> Option<String> {
    let page = player.get(&format!("/match/{id}")).await;
    assert_eq!(page.status, 200);
    let (_, rest) = page
        .text
        .split_once(r#"<noscript><iframe class="heartbeat" src=""#)?;
    Some(rest.split_once('"')?.0.to_owned())
}

fn shows_update(answer: &Response) -> bool {
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(
        answer.text.contains(r#"http-equiv="refresh""#),
        "{answer:?}"
    );
    answer.text.contains("<a ")
}

#[tokio::test]
async fn heartbeat_keeps_the_player_present_and_announces_updates() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    assert_eq!(
        heartbeat_frame(&bob, id).await,
        None,
        "his page reloads itself"
    );
    let frame = heartbeat_frame(&ann, id).await.expect("a frame");
    sqlx::query("delete from presence")
        .execute(&app.db)
        .await
        .unwrap();
    assert!(!shows_update(&ann.get(&frame).await));
    assert_eq!(bob.snapshot(id).await["present"], json!([true, false]));
    bob.offer(id, "draw").await.assert_ok();
    let update = ann.get(&frame).await;
    assert!(shows_update(&update));
    assert!(
        update
            .text
            .contains(&format!(r#"href="/match/{id}" target="_top""#)),
        "{update:?}"
    );
    let frame = heartbeat_frame(&ann, id).await.expect("a frame");
    assert!(
        !shows_update(&ann.get(&frame).await),
        "the page shows it now"
    );
}

#[tokio::test]
async fn heartbeat_announces_rematch_requests_after_the_end() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    ann.resign(id).await.assert_ok();
    let (anns, bobs) = (
        heartbeat_frame(&ann, id).await,
        heartbeat_frame(&bob, id).await,
    );
    let (anns, bobs) = (anns.expect("a frame"), bobs.expect("a frame"));
    assert!(!shows_update(&bob.get(&bobs).await));
    ann.request_rematch(id).await.assert_ok();
    assert!(shows_update(&bob.get(&bobs).await));
    bob.request_rematch(id).await.id("match");
    assert!(shows_update(&ann.get(&anns).await));
    // A spectator's page has no heartbeat.
    let eve = app.with_user("eve").await;
    assert_eq!(heartbeat_frame(&eve, id).await, None);
}

#[tokio::test]
async fn only_the_heartbeat_page_may_be_framed_and_only_by_this_site() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let framed = ann.get(&format!("/match/{id}/beat")).await;
    assert_eq!(framed.header("x-frame-options"), Some("SAMEORIGIN"));
    let policy = framed.header("content-security-policy").unwrap();
    assert!(policy.contains("frame-ancestors 'self'"), "{policy}");
    assert!(!policy.contains("script"), "{policy}");
    assert!(!framed.text.contains("<script"), "{framed:?}");
    assert_eq!(framed.header("cache-control"), Some("no-store"));
    for path in [
        "/".to_owned(),
        format!("/match/{id}"),
        format!("/api/match?id={id}"),
        "/match/999/beat".to_owned(),
        "/match/x/beat".to_owned(),
    ] {
        let page = ann.get(&path).await;
        assert_eq!(page.header("x-frame-options"), Some("DENY"), "{path}");
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.contains("frame-ancestors 'none'"), "{path} {policy}");
        if path.ends_with("beat") {
            assert_eq!(page.status, 404, "{path}");
        }
    }
}

#[tokio::test]
async fn heartbeat_of_a_spectator_is_no_presence() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let eve = app.with_user("eve").await;
    for visitor in [&*eve, &app.visitor()] {
        assert_eq!(visitor.get(&format!("/match/{id}/beat")).await.status, 200);
    }
    let rows: i64 = sqlx::query_scalar("select count(*) from presence where place like 'match:%'")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(rows, 0);
    bob.get(&format!("/match/{id}/beat")).await;
    assert_eq!(ann.snapshot(id).await["present"], json!([false, true]));
}
