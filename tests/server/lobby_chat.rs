//! The chat of the waiting rooms outside of them: its page, and the tab at a match.

use super::app::{SMALL, TestApp, start_match};

#[tokio::test]
async fn players_of_a_match_have_the_chat_of_the_waiting_rooms() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    bob.say("lobby", "hello everybody").await.assert_ok();
    let page = ann.get(&format!("/match/{id}")).await.text;
    assert!(page.contains(r#"id="lobby-chat""#), "{page}");
    // The messages there come with the tab, not with the page.
    assert!(!page.contains("hello everybody"), "{page}");
    let chat = ann.get("/chat").await;
    assert_eq!(chat.status, 200);
    assert!(chat.text.contains("hello everybody"), "{}", chat.text);
    assert!(
        chat.text.contains(r#"name="place" value="lobby""#),
        "{}",
        chat.text
    );
    // Reading along is not waiting for a game.
    let waiting = app.visitor().get("/api/waiting_count").await.assert_ok();
    let before: i64 = sqlx::query_scalar("select count(*) from presence where player_id = $1 and place like 'lobby:%' and instance = 'page'")
        .bind(ann.id)
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(before, 0, "{waiting}");
    let visitor = app.visitor();
    let page = visitor.get(&format!("/match/{id}")).await.text;
    assert!(!page.contains(r#"id="lobby-chat""#), "{page}");
    let away = visitor.get("/chat").await;
    assert_eq!(away.header("location"), Some("/login?next=%2Fchat"));
}
