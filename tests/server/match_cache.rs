//! The number of matches that an instance has in memory.

use super::app::{SMALL, TestApp, begin, start_match, wait_until};

#[tokio::test]
async fn matches_that_nobody_uses_make_room_for_others() {
    let app = TestApp::with_settings(|settings| settings.matches_in_memory = 2).await;
    let (ann, bob) = app.with_two_users().await;
    let followed = start_match(&ann, &bob, SMALL).await;
    let mut stream = ann.stream(&format!("/events/match/{followed}")).await;
    let (eve, dan) = (app.with_user("eve").await, app.with_user("dan").await);
    let mut finished = Vec::new();
    for _ in 0..4 {
        let id = start_match(&eve, &dan, SMALL).await;
        begin(&eve, &dan, id).await;
        eve.resign(id).await.assert_ok();
        finished.push(id);
    }
    // A match that is just being answered is not evicted, so there may be one more for a moment.
    wait_until("two matches in memory", async || {
        for id in &finished {
            app.visitor().snapshot(*id).await;
        }
        (app.state.matches.in_memory() == 2).then_some(())
    })
    .await;
    // The one that has a stream has stayed all the time.
    begin(&ann, &bob, followed).await;
    let moved = stream.next_named("moved").await;
    assert_eq!(moved["mv"], "0,4");
}
