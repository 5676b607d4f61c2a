//! Limits on the open streams of a session and of an address.

use super::app::{TestApp, wait_until};
use super::player::{Player, try_open};
use super::sse_client::Stream;
use reqwest::Method;
use std::num::NonZeroU32;

const PATH: &str = "/events/me";

async fn open(player: &Player, count: usize) -> Vec<Stream> {
    let mut streams = Vec::new();
    for _ in 0..count {
        streams.push(player.stream(PATH).await);
    }
    streams
}

#[tokio::test]
async fn a_session_has_a_bounded_number_of_streams() {
    let app = TestApp::with_settings(|settings| {
        settings.streams_by_session = NonZeroU32::new(3).unwrap();
    })
    .await;
    let (ann, bob) = app.with_two_users().await;
    let mut streams = open(&ann, 3).await;
    let refused = ann.get(PATH).await;
    refused.assert_error(429, "too_many_streams");
    assert!(refused.header("retry-after").is_some());
    open(&bob, 1).await;
    // A stream that is closed makes room for another.
    streams.pop();
    wait_until("room for another stream", async || {
        let stream = try_open(ann.request(Method::GET, PATH)).await.ok()?;
        streams.push(stream);
        Some(())
    })
    .await;
    ann.get(PATH).await.assert_error(429, "too_many_streams");
}

#[tokio::test]
async fn an_address_has_a_bounded_number_of_streams() {
    let app = TestApp::with_settings(|settings| {
        settings.streams_by_address = NonZeroU32::new(3).unwrap();
    })
    .await;
    let (ann, bob) = app.with_two_users().await;
    let _streams = (open(&ann, 2).await, open(&bob, 1).await);
    for player in [&ann, &bob] {
        player.get(PATH).await.assert_error(429, "too_many_streams");
    }
}
