//! Server-sent events of waiting rooms, open tables, matches and players.
//!
//! Something is written at least every [`limits::STREAM_HEARTBEAT_INTERVAL`], so that the kernel notices a peer that
//! acknowledges nothing.
//!
//! Every stream begins with the release of the server. A page that is open across an upgrade reconnects, and learns of it so.

mod lobby_stream;
mod match_stream;
mod personal_stream;
mod table_stream;

pub use lobby_stream::lobby_stream;
pub use match_stream::{Cursor, match_stream};
pub use personal_stream::personal_stream;
pub use table_stream::table_stream;

use crate::annulments::AnnulmentSubscription;
use crate::arena::Arena;
use crate::frame;
use crate::metrics::StreamCount;
use crate::sessions::SessionGuard;
use bytes::Bytes;
use futures::stream::{self, BoxStream};
use futures::{Stream, StreamExt as _};
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use tochki_protocol::{PlayerId, limits};

/// The bytes of a stream of server-sent events.
pub type EventStream = BoxStream<'static, Bytes>;

/// The first bytes of every stream. A process is of one release, so there is one for all its arenas.
static OPENING: OnceLock<Bytes> = OnceLock::new();

/// Says of which release this process is, before the first stream is opened. The first call counts.
pub fn set_release(release: &str) {
    OPENING.get_or_init(|| frame::opening(release));
}

/// The same frames for programs that read JSON: an object with `event`, `data` and perhaps `id` on each line. What is no
/// event, such as the heartbeat, becomes an empty line.
pub fn as_json_lines(events: EventStream) -> EventStream {
    events.map(|frames| frame::json_lines(&frames)).boxed()
}

/// What produces the frames of a stream.
trait FrameSource: Sized + Send + 'static {
    /// What is written when there has been nothing for [`limits::STREAM_HEARTBEAT_INTERVAL`].
    fn heartbeat() -> Bytes {
        frame::heartbeat()
    }

    /// The next frame; `None` ends the stream, and the client reconnects.
    fn next_frame(&mut self) -> impl Future<Output = Option<Bytes>> + Send;

    /// All frames.
    fn frames(self) -> impl Stream<Item = Bytes> + Send {
        stream::unfold(self, |mut source| async move {
            let frame = source.next_frame().await?;
            Some((frame, source))
        })
    }
}

/// Sends frames until they end, the session ends or the server shuts down. The end of the session is told, and so are
/// annulments of matches of the player whose stream it is.
fn serve<S: FrameSource>(
    arena: &Arena,
    kind: &'static str,
    source: S,
    player: Option<PlayerId>,
    session: Option<SessionGuard>,
) -> EventStream {
    let shutdown = arena.shutdown.clone();
    let annulments = player.map(|player| arena.annulments.subscribe(player));
    // Whether the session is what has ended. Set before the frames stop, and read after.
    let signed_out = Arc::new(AtomicBool::new(false));
    let over = {
        let signed_out = signed_out.clone();
        async move {
            let session_over = async {
                match &session {
                    Some(session) => session.ended().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = session_over => signed_out.store(true, Ordering::Relaxed),
            }
        }
    };
    let both = (source.frames().boxed(), annulments);
    let kept_alive = stream::unfold(both, |(mut frames, mut annulments)| async move {
        let next = async {
            tokio::select! {
                biased;
                frame = frames.next() => frame,
                notice = next_notice(&mut annulments) => Some(notice),
            }
        };
        let frame = match tokio::time::timeout(limits::STREAM_HEARTBEAT_INTERVAL, next).await {
            Ok(frame) => frame?,
            Err(_idle) => S::heartbeat(),
        };
        Some((frame, (frames, annulments)))
    })
    .take_until(over);
    let opened = stream::once(async { OPENING.get_or_init(|| frame::opening("")).clone() });
    // Sent before the end, so that a client reconnects at once rather than after its usual pause.
    let count = StreamCount::of(kind);
    let closed = stream::once(async move {
        let _count = count;
        if signed_out.load(Ordering::Relaxed) {
            return Bytes::from([frame::signed_out(), frame::closing()].concat());
        }
        frame::closing()
    });
    opened.chain(kept_alive).chain(closed).boxed()
}

/// The next notice of an annulment; none comes to a reader without an account.
async fn next_notice(annulments: &mut Option<AnnulmentSubscription>) -> Bytes {
    match annulments {
        Some(annulments) => annulments.next().await,
        None => std::future::pending().await,
    }
}
