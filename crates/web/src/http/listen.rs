//! Connections: accepting them, detecting dead ones, and draining them at shutdown. Every wait for a client ends
//! ([`ConnectionTimeouts`]).

use super::connection_timeouts::ConnectionTimeouts;
use super::connections::{Connections, Provisional};
use super::event_writer::write_events;
use super::metrics;
use super::stalled::{ConnectionActivity, StreamExecutor, WatchedBody};
use super::takeover::{ConnectionTakeover, WatchedSocket};
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Version};
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::SockRef;
use std::future::{Future as _, poll_fn};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::task::Poll;
use tochki_protocol::limits;
use tochki_server::streams::EventStream;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

/// The first bytes of a connection of HTTP/2.
const HTTP2_PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The server of the connections of a listener.
#[derive(Clone)]
struct Server {
    router: Router,
    http1: http1::Builder,
    timeouts: ConnectionTimeouts,
    shutdown: CancellationToken,
    /// Whether event streams of HTTP/1.1 leave hyper.
    stream_takeover: bool,
    /// The connection, where it is beyond the limit of its address.
    provisional: Option<Provisional>,
}

/// Serves until `shutdown`; then ends streams, lets requests in hand finish, and returns within ten seconds.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    connections: Connections,
    shutdown: CancellationToken,
) {
    let timeouts = connections.timeouts();
    let mut http1 = http1::Builder::new();
    http1
        .timer(TokioTimer::new())
        .header_read_timeout(timeouts.head)
        .max_buf_size(limits::CONNECTION_READ_BUFFER_BYTES);
    let server = Server {
        router,
        http1,
        timeouts,
        shutdown: shutdown.clone(),
        stream_takeover: connections.stream_takeover(),
        provisional: None,
    };
    let tasks = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            () = shutdown.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, or the peer has gone already: others may fare better in a moment.
                tracing::warn!(%error, "a connection could not be accepted");
                sleep(limits::ACCEPT_RETRY_DELAY).await;
                continue;
            }
        };
        let permit = match connections.try_open_http(peer.ip()) {
            Ok(permit) => permit,
            // Closed at once. They are counted and not logged: there may be thousands.
            Err(refused) => {
                metrics::connection_refused(refused.as_str());
                continue;
            }
        };
        let mut server = server.clone();
        server.provisional = permit.provisional().cloned();
        tasks.spawn(async move {
            let _permit = permit;
            match server.provisional.clone() {
                None => server.serve(stream, peer).await,
                // In a box of its own, because of others there are many more.
                Some(provisional) => {
                    Box::pin(async move {
                        tokio::select! {
                            () = server.serve(stream, peer) => {}
                            () = provisional.withdrawn() => {}
                        }
                    })
                    .await;
                }
            }
        });
    }
    drop(listener);
    tasks.close();
    if timeout(limits::DRAIN_TIMEOUT, tasks.wait()).await.is_err() {
        tracing::warn!("some requests did not finish in time");
    }
}

impl Server {
    /// Serves a connection until it ends.
    async fn serve(self, mut stream: TcpStream, peer: SocketAddr) {
        watch_peer(&stream);
        // A timer runs until the version is known: hyper would wait for the rest of a half preface for ever.
        let first = timeout(self.timeouts.head, read_first_bytes(&mut stream));
        let first = tokio::select! {
            () = self.shutdown.cancelled() => return,
            first = first => match first {
                Ok(Some(first)) => first,
                _ => {
                    metrics::connection_refused(metrics::SILENT);
                    return;
                }
            },
        };
        // In boxes of their own, because an open stream should not keep the room for them.
        if first == HTTP2_PREFACE {
            Box::pin(self.serve_http2(first, stream, peer)).await;
        } else if let Some((stream, events)) = Box::pin(self.serve_http1(first, stream, peer)).await
        {
            write_events(stream, events).await;
        }
    }

    /// Serves requests of HTTP/1.1 until the connection ends, or until a request is answered by an event stream: then returns its
    /// socket and the stream, of which nothing is written yet.
    async fn serve_http1(
        self,
        first: Vec<u8>,
        stream: TcpStream,
        peer: SocketAddr,
    ) -> Option<(TcpStream, EventStream)> {
        let takeover = ConnectionTakeover::default();
        let service = {
            let (takeover, router, provisional) = (takeover.clone(), self.router, self.provisional);
            hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
                let (router, takeover) = (router.clone(), takeover.clone());
                let provisional = provisional.clone();
                Box::pin(async move {
                    // Others have no chunks, or want no body.
                    let takes = self.stream_takeover
                        && request.method() == Method::GET
                        && request.version() == Version::HTTP_11;
                    let mut response = answer(router, peer, provisional, request).await?;
                    if takes {
                        takeover.take_from(&mut response);
                    }
                    Ok::<_, std::convert::Infallible>(response)
                })
            })
        };
        let socket = WatchedSocket::new(stream, first, takeover.clone());
        let mut connection = self.http1.serve_connection(TokioIo::new(socket), service);
        let mut closing = Some(Box::pin(self.shutdown.clone().cancelled_owned()));
        let events = poll_fn(|context| {
            if let Some(cancelled) = &mut closing
                && cancelled.as_mut().poll(context).is_ready()
            {
                closing = None;
                Pin::new(&mut connection).graceful_shutdown();
            }
            // A broken connection is not our error.
            match connection.poll_without_shutdown(context) {
                Poll::Ready(_) => Poll::Ready(None),
                Poll::Pending => takeover
                    .ready()
                    .map_or(Poll::Pending, |events| Poll::Ready(Some(events))),
            }
        })
        .await;
        let mut stream = connection.into_parts().io.into_inner().stream;
        match events {
            Some(events) => Some((stream, events)),
            None => {
                if stream.shutdown().await.is_ok() {
                    tokio::select! {
                        () = self.shutdown.cancelled() => {}
                        _ = timeout(self.timeouts.linger, read_on(&mut stream)) => {}
                    }
                }
                None
            }
        }
    }

    /// Serves requests of HTTP/2 until the connection ends.
    async fn serve_http2(self, first: Vec<u8>, stream: TcpStream, peer: SocketAddr) {
        let activity = ConnectionActivity::default();
        let executor = StreamExecutor::new(self.timeouts.stalled, activity.clone());
        let mut builder = http2::Builder::new(executor);
        builder
            .timer(TokioTimer::new())
            .keep_alive_interval(limits::STREAM_HEARTBEAT_INTERVAL)
            .keep_alive_timeout(limits::PEER_TIMEOUT)
            .max_concurrent_streams(limits::HTTP2_CONNECTION_REQUESTS)
            .max_send_buf_size(limits::HTTP2_SEND_BUFFER_BYTES);
        let (router, provisional) = (self.router, self.provisional);
        let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
            let (router, provisional) = (router.clone(), provisional.clone());
            async move {
                let response = answer(router, peer, provisional, request).await?;
                Ok::<_, std::convert::Infallible>(response.map(WatchedBody::new))
            }
        });
        let (reader, writer) = stream.into_split();
        let whole = tokio::io::join(std::io::Cursor::new(first).chain(reader), writer);
        let mut connection = pin!(builder.serve_connection(TokioIo::new(whole), service));
        // A broken connection is not our error.
        tokio::select! {
            _ = connection.as_mut() => return,
            () = self.shutdown.cancelled() => {}
            () = activity.idle(self.timeouts.idle) => {}
        }
        connection.as_mut().graceful_shutdown();
        // Streams end at shutdown. Bytes that a client takes nothing of would keep an idle connection open.
        let _ = timeout(self.timeouts.closing, connection).await;
    }
}

/// Reads until the version of HTTP is known. Returns `None` if the client closes the connection before.
async fn read_first_bytes(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut first = vec![0; HTTP2_PREFACE.len()];
    let mut len = 0;
    while len < first.len() && first[..len] == HTTP2_PREFACE[..len] {
        match stream.read(&mut first[len..]).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => len += count,
        }
    }
    first.truncate(len);
    Some(first)
}

/// Reads on after the answer and the end of our side, until the client ends its own. A socket that is closed with unread bytes
/// resets the connection, and a client that is still sending its body would never see the answer.
async fn read_on(stream: &mut TcpStream) {
    let mut unread = [0; 4096];
    let mut left = limits::LINGER_MAX_BYTES;
    while let Ok(count @ 1..) = stream.read(&mut unread).await
        && left > 0
    {
        left = left.saturating_sub(count);
    }
}

async fn answer(
    router: Router,
    peer: SocketAddr,
    provisional: Option<Provisional>,
    mut request: hyper::Request<Incoming>,
) -> Result<axum::response::Response, std::convert::Infallible> {
    let extensions = request.extensions_mut();
    extensions.insert(ConnectInfo(peer));
    if let Some(provisional) = provisional {
        extensions.insert(provisional);
    }
    router.oneshot(request.map(Body::new)).await
}

/// Lets the kernel give up on a peer that acknowledges nothing, so that a stream to a phone in a tunnel ends.
pub(crate) fn watch_peer(stream: &TcpStream) {
    let _ = stream.set_nodelay(true);
    if let Err(error) = SockRef::from(stream).set_tcp_user_timeout(Some(limits::PEER_TIMEOUT)) {
        tracing::debug!(%error, "no TCP_USER_TIMEOUT here: dead connections are noticed late");
    }
}
