//! Connections: accepting them, detecting dead ones, and draining them at shutdown.

use super::connections::Connections;
use super::event_writer::write_events;
use super::metrics;
use super::takeover::ConnectionTakeover;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Version};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use socket2::SockRef;
use std::future::{Future as _, poll_fn};
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::Poll;
use tochki_protocol::limits;
use tochki_server::streams::EventStream;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

/// Serves until `shutdown`; then ends streams, lets requests in hand finish, and comes back within ten seconds.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    connections: Connections,
    shutdown: CancellationToken,
) {
    let mut http1 = http1::Builder::new();
    http1
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEAD_TIMEOUT)
        .max_buf_size(limits::CONNECTION_READ_BUFFER_BYTES);
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEAD_TIMEOUT)
        .max_buf_size(limits::CONNECTION_READ_BUFFER_BYTES);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(limits::STREAM_HEARTBEAT_INTERVAL)
        .keep_alive_timeout(limits::PEER_TIMEOUT);
    let tasks = TaskTracker::new();
    let open = GracefulShutdown::new();
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
                tokio::time::sleep(limits::ACCEPT_RETRY_DELAY).await;
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
        let watched = open.watcher();
        let (builder, http1, router) = (builder.clone(), http1.clone(), router.clone());
        let shutdown = shutdown.clone();
        tasks.spawn(async move {
            let _permit = permit;
            watch_peer(&stream);
            // The version of HTTP is found out by the first bytes, which hyper awaits without a limit.
            let mut first = [0; 2];
            let first_bytes = tokio::time::timeout(limits::HEAD_TIMEOUT, stream.peek(&mut first));
            let count = tokio::select! {
                () = shutdown.cancelled() => return,
                ready = first_bytes => match ready {
                    Ok(Ok(count)) if count > 0 => count,
                    _ => {
                        metrics::connection_refused(metrics::SILENT);
                        return;
                    }
                },
            };
            // HTTP/2 begins with `PRI`.
            if first[..count] != b"PR"[..count] {
                drop((builder, watched));
                // In a box of its own, because an open stream should not keep the room for it.
                let serving = Box::pin(serve_http1(http1, stream, router, peer, shutdown));
                if let Some((stream, events)) = serving.await {
                    write_events(stream, events).await;
                }
                return;
            }
            let service =
                hyper::service::service_fn(move |request| answer(router.clone(), peer, request));
            let connection = builder
                .serve_connection(TokioIo::new(stream), service)
                .into_owned();
            // A broken connection is not our error.
            let _ = Box::pin(watched.watch(connection)).await;
        });
    }
    drop(listener);
    tasks.close();
    let drained = async {
        tokio::join!(open.shutdown(), tasks.wait());
    };
    if tokio::time::timeout(limits::DRAIN_TIMEOUT, drained)
        .await
        .is_err()
    {
        tracing::warn!("some requests did not finish in time");
    }
}

/// Serves requests of HTTP/1.1 until the connection ends, or until one is answered by an event stream: then its socket and
/// the stream, of which nothing is written yet.
async fn serve_http1(
    builder: http1::Builder,
    stream: TcpStream,
    router: Router,
    peer: SocketAddr,
    shutdown: CancellationToken,
) -> Option<(TcpStream, EventStream)> {
    let takeover = ConnectionTakeover::default();
    let service = {
        let takeover = takeover.clone();
        hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
            let (router, takeover) = (router.clone(), takeover.clone());
            Box::pin(async move {
                // Others have no chunks, or want no body.
                let takes =
                    request.method() == Method::GET && request.version() == Version::HTTP_11;
                let mut response = answer(router, peer, request).await?;
                if takes {
                    takeover.take_from(&mut response);
                }
                Ok::<_, std::convert::Infallible>(response)
            })
        })
    };
    let mut connection = builder.serve_connection(TokioIo::new(takeover.watch(stream)), service);
    let mut closing = Some(Box::pin(shutdown.cancelled_owned()));
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
            let _ = stream.shutdown().await;
            None
        }
    }
}

async fn answer(
    router: Router,
    peer: SocketAddr,
    mut request: hyper::Request<Incoming>,
) -> Result<axum::response::Response, std::convert::Infallible> {
    request.extensions_mut().insert(ConnectInfo(peer));
    router.oneshot(request.map(Body::new)).await
}

/// Lets the kernel give up on a peer that acknowledges nothing, so that a stream to a phone in a tunnel ends.
pub(crate) fn watch_peer(stream: &TcpStream) {
    let _ = stream.set_nodelay(true);
    if let Err(error) = SockRef::from(stream).set_tcp_user_timeout(Some(limits::PEER_TIMEOUT)) {
        tracing::debug!(%error, "no TCP_USER_TIMEOUT here: dead connections are noticed late");
    }
}
