//! Notes of a player beside the board.

use super::app::{SMALL, TestApp, start_match};
use serde_json::json;

#[tokio::test]
async fn notes_are_kept_for_their_writer_alone() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let (form_id, path) = (id.to_string(), format!("/api/notes?match_id={id}"));
    let write = async |text: &str| {
        let form = [("match_id", &*form_id), ("text", text)];
        ann.post("/api/notes", &form).await
    };
    assert_eq!(ann.get(&path).await.assert_ok(), json!(""));
    write("first\r\n<b>second</b>").await.assert_ok();
    let kept = json!("first\n<b>second</b>");
    assert_eq!(ann.get(&path).await.assert_ok(), kept);
    assert_eq!(bob.get(&path).await.assert_ok(), json!(""));
    let eve = app.with_user("eve").await;
    eve.get(&path).await.assert_error(403, "not_a_player");

    let data = ann.get("/api/my_data").await.assert_ok();
    assert_eq!(data["matches"][0]["notes"], kept);
    write(&"x".repeat(4_001))
        .await
        .assert_error(400, "bad_request");
    assert_eq!(ann.get(&path).await.assert_ok(), kept, "nothing is lost");
    // With the game they are kept after its end.
    ann.abort(id).await.assert_ok();
    assert_eq!(ann.get(&path).await.assert_ok(), kept);
    write("  ").await.assert_ok();
    assert_eq!(ann.get(&path).await.assert_ok(), json!(""));
}
