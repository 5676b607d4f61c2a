//! Event streams over HTTP/1.1 leave hyper once the head of their response is written: hyper keeps 16 KiB of buffers for each
//! connection and copies every frame. After that a connection is its socket and its stream ([`super::event_writer`]).
//!
//! Over HTTP/2, and wherever else a response is used, the stream is its body as usual.

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use futures::StreamExt as _;
use std::convert::Infallible;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use tochki_server::streams::EventStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// The event stream of a response, as an extension of it, until somebody reads it. Held for a moment.
#[derive(Clone)]
pub(super) struct StreamHandoff(Arc<Mutex<Option<EventStream>>>);

impl StreamHandoff {
    pub(super) fn new(events: EventStream) -> Self {
        Self(Arc::new(Mutex::new(Some(events))))
    }

    /// Takes the stream, if nobody has taken it.
    pub(super) fn take(&self) -> Option<EventStream> {
        self.0.lock().expect("no panic while it is taken").take()
    }

    /// Returns a body that takes the stream when it is first read.
    pub(super) fn body(&self) -> Body {
        let (slot, mut events) = (self.clone(), None);
        Body::from_stream(futures::stream::poll_fn(move |context| {
            if events.is_none() {
                events = slot.take();
            }
            match &mut events {
                Some(events) => events
                    .poll_next_unpin(context)
                    .map(|frame| frame.map(Ok::<_, Infallible>)),
                None => Poll::Ready(None),
            }
        }))
    }
}

/// The stream that a connection of HTTP/1.1 is to take over, and how much of its response hyper has written.
#[derive(Clone, Default)]
pub(super) struct ConnectionTakeover(Arc<TakeoverState>);

#[derive(Default)]
struct TakeoverState {
    /// Held for a moment.
    events: Mutex<Option<EventStream>>,
    /// Whether hyper has encoded the head, as it has when it asks for the first part of the body.
    head_encoded: AtomicBool,
    /// Whether the bytes of hyper's last write have gone to the socket in full.
    written: AtomicBool,
}

impl ConnectionTakeover {
    /// Takes the stream of this response, whose body then never begins.
    pub(super) fn take_from(&self, response: &mut axum::response::Response) {
        let Some(slot) = response.extensions_mut().remove::<StreamHandoff>() else {
            return;
        };
        *self.0.events.lock().expect("no panic while it is kept") = slot.take();
        let state = self.0.clone();
        let never = futures::stream::poll_fn(move |_| {
            state.head_encoded.store(true, Ordering::Relaxed);
            Poll::<Option<Result<Bytes, Infallible>>>::Pending
        });
        *response.body_mut() = Body::from_stream(never);
        // There is no next request.
        let headers = response.headers_mut();
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }

    /// Takes the stream once the head of its response is on its way.
    pub(super) fn ready(&self) -> Option<EventStream> {
        let state = &self.0;
        let is_written =
            state.head_encoded.load(Ordering::Relaxed) && state.written.load(Ordering::Relaxed);
        if !is_written {
            return None;
        }
        state
            .events
            .lock()
            .expect("no panic while it is kept")
            .take()
    }
}

/// A socket that notes whether all was written.
pub(super) struct WatchedSocket {
    pub(super) stream: TcpStream,
    /// The bytes that were read to find out the version of HTTP, and have not been read again.
    first: Vec<u8>,
    takeover: ConnectionTakeover,
}

impl WatchedSocket {
    /// Wraps the socket of a connection of which these bytes have been read.
    pub(super) fn new(stream: TcpStream, first: Vec<u8>, takeover: ConnectionTakeover) -> Self {
        Self {
            stream,
            first,
            takeover,
        }
    }

    fn note(&self, wanted: usize, written: &Poll<io::Result<usize>>) {
        let all = matches!(written, Poll::Ready(Ok(count)) if *count == wanted);
        self.takeover.0.written.store(all, Ordering::Relaxed);
    }
}

impl AsyncRead for WatchedSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let count = self.first.len().min(into.remaining());
        if count > 0 {
            into.put_slice(&self.first[..count]);
            // Without the bytes, and soon without the room for them.
            self.first = self.first.split_off(count);
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for WatchedSocket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.note(bytes.len(), &written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.note(slices.iter().map(|slice| slice.len()).sum(), &written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
