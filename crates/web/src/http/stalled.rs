//! Answers of HTTP/2 that their client does not take. A client may keep the window of a stream closed for as long as it likes,
//! and an answer would wait in memory meanwhile; so the stream is reset after a while without progress.
//!
//! hyper asks a body for more only when it could pass on the bytes that it has got before. An answer is handed over in pieces, so
//! an answer whose next piece is not asked for waits for its client. When the connection has no request for a while, it ends.

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use hyper::rt::Executor;
use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tochki_protocol::limits;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

tokio::task_local! {
    static PROGRESS: Arc<Progress>;
}

/// The start of the process's time measurement.
static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The progress of an answer.
#[derive(Debug, Default)]
struct Progress {
    /// The time at which hyper was last handed a piece beyond which it has not asked, in milliseconds since [`EPOCH`]; 0 while
    /// the client waits for us.
    waits_since: AtomicU64,
}

impl Progress {
    fn handed_over(&self) {
        let now = EPOCH.elapsed().as_millis() as u64 + 1;
        self.waits_since.store(now, Ordering::Relaxed);
    }

    fn asked_for_more(&self) {
        self.waits_since.store(0, Ordering::Relaxed);
    }

    /// Returns the time since which the client has not asked for more; `None` while it waits for us.
    fn waits_since(&self) -> Option<Instant> {
        let since = self.waits_since.load(Ordering::Relaxed).checked_sub(1)?;
        Some(*EPOCH + Duration::from_millis(since))
    }

    /// Waits until the client has taken nothing for so long.
    async fn stalled(&self, limit: Duration) {
        loop {
            let since = self.waits_since().unwrap_or_else(Instant::now);
            if since.elapsed() >= limit {
                return;
            }
            sleep_until(since + limit).await;
        }
    }
}

/// The requests of a connection.
#[derive(Clone, Debug, Default)]
pub(super) struct ConnectionActivity(Arc<ActivityState>);

#[derive(Debug, Default)]
struct ActivityState {
    /// The number of requests that are not answered in full.
    open: AtomicUsize,
    changed: Notify,
}

impl ConnectionActivity {
    fn open(&self) -> OpenRequest {
        self.0.open.fetch_add(1, Ordering::Relaxed);
        self.0.changed.notify_one();
        OpenRequest(self.clone())
    }

    /// Waits until there was no request for so long.
    pub(super) async fn idle(&self, limit: Duration) {
        loop {
            let changed = self.0.changed.notified();
            let is_idle = self.0.open.load(Ordering::Relaxed) == 0;
            let elapsed = async {
                if is_idle {
                    tokio::time::sleep(limit).await;
                } else {
                    pending::<()>().await;
                }
            };
            tokio::select! {
                () = changed => {}
                () = elapsed => return,
            }
        }
    }
}

/// A request that is being answered.
struct OpenRequest(ConnectionActivity);

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.0.0.open.fetch_sub(1, Ordering::Relaxed);
        self.0.0.changed.notify_one();
    }
}

/// Runs the tasks of a connection of HTTP/2, one for each request, and gives up those whose client takes nothing: then hyper
/// resets their streams.
#[derive(Clone)]
pub(super) struct StreamExecutor {
    limit: Duration,
    activity: ConnectionActivity,
}

impl StreamExecutor {
    pub(super) fn new(limit: Duration, activity: ConnectionActivity) -> Self {
        Self { limit, activity }
    }
}

impl<F> Executor<F> for StreamExecutor
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, request: F) {
        let (limit, open) = (self.limit, self.activity.open());
        let progress = Arc::new(Progress::default());
        tokio::spawn(PROGRESS.scope(progress.clone(), async move {
            let _open = open;
            tokio::select! {
                () = request => {}
                () = progress.stalled(limit) => {}
            }
        }));
    }
}

/// The body of an answer, in pieces, whose progress the task of its request watches.
pub(super) struct WatchedBody {
    body: Body,
    /// The rest of a frame.
    rest: Bytes,
    progress: Option<Arc<Progress>>,
}

impl WatchedBody {
    /// Watches a body on behalf of the running task.
    pub(super) fn new(body: Body) -> Self {
        Self {
            body,
            rest: Bytes::new(),
            progress: PROGRESS.try_with(Arc::clone).ok(),
        }
    }
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        if let Some(progress) = &this.progress {
            progress.asked_for_more();
        }
        let frame = if this.rest.is_empty() {
            match ready!(Pin::new(&mut this.body).poll_frame(context)) {
                Some(Ok(frame)) => frame,
                end => return Poll::Ready(end),
            }
        } else {
            Frame::data(std::mem::take(&mut this.rest))
        };
        let frame = match frame.into_data() {
            Ok(mut data) => {
                if data.len() > limits::RESPONSE_PIECE_BYTES {
                    this.rest = data.split_off(limits::RESPONSE_PIECE_BYTES);
                }
                Frame::data(data)
            }
            Err(trailers) => trailers,
        };
        if let Some(progress) = &this.progress {
            progress.handed_over();
        }
        Poll::Ready(Some(Ok(frame)))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, body) = (self.rest.len() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(rest + body.lower());
        if let Some(upper) = body.upper() {
            hint.set_upper(rest + upper);
        }
        hint
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt as _;

    #[tokio::test]
    async fn an_answer_is_handed_over_in_pieces_and_keeps_its_length() {
        let text = vec![b'x'; limits::RESPONSE_PIECE_BYTES * 2 + 1];
        let mut body = WatchedBody::new(Body::from(text.clone()));
        assert_eq!(body.size_hint().exact(), Some(text.len() as u64));
        let mut pieces = Vec::new();
        while let Some(frame) = body.frame().await {
            pieces.push(frame.expect("a piece").into_data().expect("of data").len());
        }
        let whole = limits::RESPONSE_PIECE_BYTES;
        assert_eq!(pieces, [whole, whole, 1]);
        assert!(WatchedBody::new(Body::empty()).is_end_stream());
    }

    #[test]
    fn only_who_has_been_handed_something_is_waited_for() {
        let progress = Progress::default();
        assert_eq!(progress.waits_since(), None);
        let before = Instant::now();
        progress.handed_over();
        let since = progress.waits_since().expect("it has been handed a piece");
        assert!(since + Duration::from_millis(1) >= before, "{since:?}");
        progress.asked_for_more();
        assert_eq!(progress.waits_since(), None);
    }
}
