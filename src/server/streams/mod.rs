//! Server-sent events: what happens in a waiting room, at an open table or in a match, as it happens.
//!
//! A stream that has died is noticed: something is written at least every three seconds, and the kernel gives up on a
//! peer that acknowledges nothing.

mod frame;
mod lobby;
mod open_table;
mod table;

pub use frame::{lobby_frame, match_frame, said_frame};
pub use lobby::lobby_stream;
pub use open_table::open_table_stream;
pub use table::{Bookmark, match_stream};

use super::sessions::Stay;
use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use futures::{Stream, StreamExt as _, stream};
use std::convert::Infallible;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The longest silence on a stream.
const SILENCE: Duration = Duration::from_secs(3);

/// The answer that carries a stream of frames until it ends, its session ends or the arena closes.
fn respond(
    frames: impl Stream<Item = Bytes> + Send + 'static,
    stay: Option<Stay>,
    closing: CancellationToken,
) -> Response {
    let over = async move {
        let session_over = async {
            match &stay {
                Some(stay) => stay.ended().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = closing.cancelled() => {}
            () = session_over => {}
        }
    };
    let kept_alive = stream::unfold(frames.boxed(), |mut frames| async move {
        match tokio::time::timeout(SILENCE, frames.next()).await {
            Ok(frame) => Some((frame?, frames)),
            Err(_silence) => Some((frame::heartbeat(), frames)),
        }
    })
    .take_until(over);
    let opened = stream::once(async { frame::opening() });
    // Told before it ends, so that a client comes back at once rather than after its usual pause.
    let closed = stream::once(async { frame::closing() });
    let body = opened
        .chain(kept_alive)
        .chain(closed)
        .map(Ok::<_, Infallible>);
    let mut response = Response::new(Body::from_stream(body));
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/event-stream"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Nginx would hold the events back otherwise.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
