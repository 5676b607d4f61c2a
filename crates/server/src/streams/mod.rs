//! Server-sent events: what happens in a waiting room, at an open table or in a match, as it happens.
//!
//! A stream that has died is noticed: something is written at least every three seconds, and the kernel gives up on a
//! peer that acknowledges nothing.

mod frame;
mod lobby_stream;
mod match_stream;
mod table_stream;

pub use frame::{lobby_frame, match_frame, said_frame};
pub use lobby_stream::lobby_stream;
pub use match_stream::{Cursor, match_stream};
pub use table_stream::table_stream;

use super::sessions::SessionGuard;
use bytes::Bytes;
use futures::stream::{self, BoxStream};
use futures::{Stream, StreamExt as _};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The longest silence on a stream.
const SILENCE: Duration = Duration::from_secs(3);

/// The bytes of a stream of server-sent events.
pub type EventStream = BoxStream<'static, Bytes>;

/// Sends frames until they end, the session ends or the arena closes.
fn serve(
    frames: impl Stream<Item = Bytes> + Send + 'static,
    stay: Option<SessionGuard>,
    closing: CancellationToken,
) -> EventStream {
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
    opened.chain(kept_alive).chain(closed).boxed()
}
