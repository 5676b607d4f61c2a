//! Server-sent events of waiting rooms, open tables, tournaments, matches and players, each as a stream of its own, and several of them
//! in one (`shared_stream`).
//!
//! Something is written at least every [`limits::STREAM_HEARTBEAT_INTERVAL`], so that the kernel notices a peer that
//! acknowledges nothing.
//!
//! Every stream begins with the release of the server, so that a page notices an upgrade when it reconnects.

mod lobby_stream;
mod match_stream;
mod personal_stream;
mod shared_stream;
mod stream_topic;
mod table_stream;
mod tournament_stream;

pub use lobby_stream::lobby_stream;
pub use match_stream::{Cursor, match_stream};
pub use personal_stream::personal_stream;
pub use shared_stream::shared_stream;
pub use stream_topic::{StreamTopic, TopicKind};
pub use table_stream::table_stream;
pub use tournament_stream::tournament_stream;

use crate::accounts::StreamCaller;
use crate::accounts::sessions::SessionGuard;
use crate::app_state::AppState;
use crate::metrics::StreamCount;
use crate::{Error, LogFailure as _, frame};
use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt as _};
use futures::stream::{self, BoxStream, FuturesUnordered, SelectAll};
use futures::{Stream, StreamExt as _};
use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;
use std::task::{Context, Poll, ready};
use tochki_protocol::{Account, PlayerId, limits};
use tokio::time::{Instant, Sleep};
use tracing::Span;

/// The bytes of a stream of server-sent events.
pub type EventStream = BoxStream<'static, Bytes>;

/// The first bytes of every stream. A process is of one release, so all its instances of the server share them.
static OPENING: OnceLock<Bytes> = OnceLock::new();

/// Sets the release that every stream announces first. Only the first call has an effect; it must precede the first stream.
pub fn set_release(release: &str) {
    OPENING.get_or_init(|| frame::opening(release));
}

/// Turns the stream into JSON lines, for programs: an object with `event`, `data` and perhaps `id` on each line. Heartbeats and
/// other comments become empty lines.
pub fn as_json_lines(events: EventStream) -> EventStream {
    events.map(|frames| frame::json_lines(&frames)).boxed()
}

/// The signed-in player who reads a stream.
struct Viewer {
    account: Account,
    /// Whether the stream makes the player present.
    may_play: bool,
}

impl Viewer {
    /// Separates the player from the registration of the stream with the session.
    fn of(caller: StreamCaller) -> (Self, SessionGuard) {
        let StreamCaller {
            account,
            session,
            may_play,
        } = caller;
        (Self { account, may_play }, session)
    }
}

/// Source of the frames of a stream.
trait FrameSource: Sized + Send + 'static {
    /// The heartbeat, written after [`limits::STREAM_HEARTBEAT_INTERVAL`] without a frame.
    fn heartbeat() -> Bytes {
        frame::heartbeat()
    }

    /// The next frame. `None` ends the stream, as a failure does, and the client reconnects.
    fn next_frame(&mut self) -> impl Future<Output = Result<Option<Bytes>, StreamFailure>> + Send;

    /// All frames. Failures are logged in the span of the request.
    fn frames(self, request: Span) -> impl Stream<Item = Bytes> + Send {
        stream::unfold((self, request), |(mut source, request)| async move {
            match source.next_frame().await {
                Ok(frame) => Some((frame?, (source, request))),
                Err(StreamFailure { error, doing }) => {
                    request.in_scope(|| Err::<(), _>(error).log_failure(doing));
                    None
                }
            }
        })
    }
}

/// A failure that ends a stream.
struct StreamFailure {
    error: Error,
    doing: &'static str,
}

/// Adds the operation that failed to an error.
trait StreamContext<T> {
    fn context(self, doing: &'static str) -> Result<T, StreamFailure>;
}

impl<T> StreamContext<T> for Result<T, Error> {
    fn context(self, doing: &'static str) -> Result<T, StreamFailure> {
        self.map_err(|error| StreamFailure { error, doing })
    }
}

/// Why a stream ends before its frames do.
#[derive(Clone, Copy)]
enum EndReason {
    SignedOut,
    Shutdown,
}

/// Sends frames until they end, the session ends or the server shuts down. The end of the session is told, and so are, of the player
/// whose stream it is, annulments of matches and the number of unread notifications.
fn serve<S: FrameSource>(
    app: &AppState,
    kind: &'static str,
    source: S,
    player: Option<PlayerId>,
    session: Option<SessionGuard>,
) -> EventStream {
    let shutdown = app.shutdown.clone();
    let over = async move {
        let session_over = async {
            match &session {
                Some(session) => session.ended().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = shutdown.cancelled() => EndReason::Shutdown,
            () = session_over => EndReason::SignedOut,
        }
    };
    let mut notices = SelectAll::new();
    if let Some(player) = player {
        let annulments = stream::unfold(app.annulments.subscribe(player), |mut annulments| async {
            Some((annulments.next().await, annulments))
        });
        notices.push(annulments.boxed());
        // A page has shown a number, and may have missed some since.
        let unread = app.notifications.subscribe(player, kind == "shared");
        let unread = stream::unfold(unread, |mut unread| async {
            Some((unread.next().await, unread))
        });
        notices.push(unread.boxed());
    }
    let frames = source.frames(Span::current()).boxed();
    let stream = ServedStream {
        phase: Phase::Opening,
        frames,
        over: FuturesUnordered::from_iter([over.boxed()]),
        notices,
        heartbeat: S::heartbeat,
        heartbeat_due: Box::pin(tokio::time::sleep(limits::STREAM_HEARTBEAT_INTERVAL)),
        last_sent: Instant::now(),
        _count: StreamCount::of(kind),
    };
    stream.boxed()
}

/// A stream with its opening, heartbeats, notices and end. Thousands of them are woken by one event, so for a frame it only
/// looks at what has woken it: [`FuturesUnordered`] and [`SelectAll`] poll nothing else, and the timer is not set again.
struct ServedStream {
    phase: Phase,
    frames: BoxStream<'static, Bytes>,
    over: FuturesUnordered<BoxFuture<'static, EndReason>>,
    notices: SelectAll<BoxStream<'static, Bytes>>,
    heartbeat: fn() -> Bytes,
    /// When to look whether a heartbeat is due.
    heartbeat_due: Pin<Box<Sleep>>,
    last_sent: Instant,
    _count: StreamCount,
}

#[derive(Clone, Copy)]
enum Phase {
    Opening,
    Open,
    Ended,
}

impl ServedStream {
    fn poll_heartbeat(&mut self, context: &mut Context<'_>) -> Poll<Bytes> {
        loop {
            ready!(self.heartbeat_due.as_mut().poll(context));
            let now = Instant::now();
            let due = self.last_sent + limits::STREAM_HEARTBEAT_INTERVAL;
            if now >= due {
                self.heartbeat_due
                    .as_mut()
                    .reset(now + limits::STREAM_HEARTBEAT_INTERVAL);
                return Poll::Ready((self.heartbeat)());
            }
            self.heartbeat_due.as_mut().reset(due);
        }
    }

    /// The last frame. Sent before the end, so that a client reconnects at once rather than after its usual pause.
    fn end(&mut self, signed_out: bool) -> Bytes {
        self.phase = Phase::Ended;
        // A slow client may take a while to read this; its presence and its subscriptions end now.
        self.frames = stream::empty().boxed();
        self.over.clear();
        self.notices.clear();
        if signed_out {
            return Bytes::from([frame::signed_out(), frame::closing()].concat());
        }
        frame::closing()
    }
}

impl Stream for ServedStream {
    type Item = Bytes;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let this = &mut *self;
        match this.phase {
            Phase::Opening => {
                this.phase = Phase::Open;
                let opening = OPENING.get_or_init(|| frame::opening("")).clone();
                return Poll::Ready(Some(opening));
            }
            Phase::Open => {}
            Phase::Ended => return Poll::Ready(None),
        }
        let frame = if let Poll::Ready(Some(over)) = this.over.poll_next_unpin(context) {
            this.end(matches!(over, EndReason::SignedOut))
        } else if let Poll::Ready(frame) = this.frames.poll_next_unpin(context) {
            frame.unwrap_or_else(|| this.end(false))
        } else if let Poll::Ready(Some(notice)) = this.notices.poll_next_unpin(context) {
            notice
        } else {
            ready!(this.poll_heartbeat(context))
        };
        this.last_sent = Instant::now();
        Poll::Ready(Some(frame))
    }
}
