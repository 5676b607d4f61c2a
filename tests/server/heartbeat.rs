//! The frame by which a page without scripts shows that its player is there.

use super::app::{SMALL, TestApp, start_match};
use super::player::{Answer, Player};
use serde_json::json;

/// The frame that stands in the page of this player, if any does.
async fn frame_in(player: &Player, id: i64) -> Option<String> {
    let page = player.get(&format!("/match/{id}")).await;
    assert_eq!(page.status, 200);
    let (_, rest) = page
        .text
        .split_once(r#"<noscript><iframe class="beat" src=""#)?;
    Some(rest.split_once('"')?.0.to_owned())
}

fn has_news(answer: &Answer) -> bool {
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(
        answer.text.contains(r#"http-equiv="refresh""#),
        "{answer:?}"
    );
    answer.text.contains("<a ")
}

#[tokio::test]
async fn a_thinking_player_is_there_and_hears_of_news() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    assert_eq!(frame_in(&bob, id).await, None, "his page reloads itself");
    let frame = frame_in(&ann, id).await.expect("a frame");
    sqlx::query("delete from presence")
        .execute(&app.db)
        .await
        .unwrap();
    assert!(!has_news(&ann.get(&frame).await));
    assert_eq!(bob.snapshot(id).await["present"], json!([true, false]));
    bob.offers(id, "draw").await.given();
    let news = ann.get(&frame).await;
    assert!(has_news(&news));
    assert!(
        news.text
            .contains(&format!(r#"href="/match/{id}" target="_top""#)),
        "{news:?}"
    );
    let frame = frame_in(&ann, id).await.expect("a frame");
    assert!(!has_news(&ann.get(&frame).await), "the page shows it now");
}

#[tokio::test]
async fn after_the_end_it_tells_who_wants_another_match() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    ann.resigns(id).await.given();
    let (anns, bobs) = (frame_in(&ann, id).await, frame_in(&bob, id).await);
    let (anns, bobs) = (anns.expect("a frame"), bobs.expect("a frame"));
    assert!(!has_news(&bob.get(&bobs).await));
    ann.wants_another(id).await.given();
    assert!(has_news(&bob.get(&bobs).await));
    bob.wants_another(id).await.id("match");
    assert!(has_news(&ann.get(&anns).await));
    // Who only watches has nothing to show.
    let eve = app.with_user("eve").await;
    assert_eq!(frame_in(&eve, id).await, None);
}

#[tokio::test]
async fn it_alone_may_stand_in_a_frame_and_only_in_one_of_ours() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
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
async fn who_only_watches_is_at_no_table_by_it() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
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
