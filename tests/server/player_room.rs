//! A player of a running match has room of their own at an address that strangers have used up: a stream, a move, a page.

use super::app::{SMALL, TestApp, begin, start_match};
use super::player::{Player, Visitor, try_open};
use reqwest::Method;
use std::num::NonZeroU32;
use tochki_server::settings::Settings;

/// Starts a match of ann and bob, at a server with such limits; carol plays nobody, and a stranger has no account.
async fn app(choose: impl FnOnce(&mut Settings)) -> (TestApp, i64, [Player; 3], Visitor) {
    let app = TestApp::with_settings(choose).await;
    let (ann, bob) = app.with_two_users().await;
    let carol = app.with_user("carol").await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let stranger = app.visitor();
    (app, id, [ann, bob, carol], stranger)
}

#[tokio::test]
async fn a_player_has_a_stream_left() {
    let (_app, id, [ann, bob, carol], stranger) = app(|settings| {
        settings.streams_by_address = NonZeroU32::new(8).expect("not zero");
        settings.streams_by_session = NonZeroU32::new(2).expect("not zero");
    })
    .await;
    let path = format!("/events/match/{id}");
    let mut open = Vec::new();
    // Streams of the players from before the match may still be closing.
    while let Ok(stream) = try_open(stranger.request(Method::GET, &path)).await {
        open.push(stream);
        assert!(open.len() <= 8, "there is no limit");
    }
    stranger
        .get(&path)
        .await
        .assert_error(429, "too_many_streams");
    carol.get(&path).await.assert_error(429, "too_many_streams");
    for player in [&ann, &bob] {
        for _ in 0..2 {
            open.push(player.stream(&path).await);
        }
        // As many as a session may have.
        player
            .get(&path)
            .await
            .assert_error(429, "too_many_streams");
    }
}

/// Sends requests until one is refused.
async fn use_up(visitor: &Visitor, path: &str) {
    for _ in 0..2000 {
        if visitor.get(path).await.status == 429 {
            return;
        }
    }
    panic!("{path} has no limit");
}

#[tokio::test]
async fn a_player_has_requests_left() {
    let (_app, id, [ann, _, carol], stranger) = app(|settings| {
        settings.requests_by_address = NonZeroU32::new(60).expect("not zero");
    })
    .await;
    let path = format!("/api/match?id={id}");
    use_up(&stranger, &path).await;
    // More than come back meanwhile.
    let mut refused = 0;
    for _ in 0..40 {
        ann.get(&path).await.assert_ok();
        refused += u32::from(carol.get(&path).await.status == 429);
    }
    assert!(refused > 0, "carol plays nobody");
    let moved = ann.make_move(id, "1,1", &[]).await;
    moved.assert_ok();
}

#[tokio::test]
async fn a_player_has_pages_left() {
    let (_app, id, [ann, _, _], stranger) = app(|settings| {
        settings.pages_by_address = NonZeroU32::new(20).expect("not zero");
    })
    .await;
    // By which a player without scripts is there.
    let path = format!("/match/{id}/beat");
    use_up(&stranger, &path).await;
    for _ in 0..20 {
        assert_eq!(ann.get(&path).await.status, 200);
    }
}
