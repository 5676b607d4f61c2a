//! Server-sent events: what happens in a waiting room or a match, as it happens.
//!
//! A stream that has died is noticed: something is written at least every three seconds, and the kernel gives up on a
//! peer that acknowledges nothing.

mod frame;
mod lobby;
mod table;

pub use frame::{lobby_frame, match_frame};
pub use lobby::lobby_stream;
pub use table::{Bookmark, match_stream};

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

/// The answer that carries a stream of frames until it ends or the arena closes.
fn respond(
    frames: impl Stream<Item = Bytes> + Send + 'static,
    closing: CancellationToken,
) -> Response {
    let told = frames.boxed();
    let kept_alive = stream::unfold((told, closing), |(mut frames, closing)| async move {
        let frame = tokio::select! {
            () = closing.cancelled() => return None,
            frame = tokio::time::timeout(SILENCE, frames.next()) => frame,
        };
        match frame {
            Ok(Some(frame)) => Some((frame, (frames, closing))),
            Ok(None) => None,
            Err(_silence) => Some((frame::heartbeat(), (frames, closing))),
        }
    });
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
