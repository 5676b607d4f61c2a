//! Connections: accepting them, detecting dead ones, and draining them at shutdown.

use super::connections::Connections;
use super::metrics;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use socket2::SockRef;
use std::net::SocketAddr;
use std::time::Duration;
use tochki_protocol::limits;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

/// The most a connection keeps in memory while reading; axum's own server would keep up to a megabyte.
const READ_BUFFER: usize = 32 * 1024;

/// Serves until `shutdown`; then ends streams, lets requests in hand finish, and comes back within ten seconds.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    connections: Connections,
    shutdown: CancellationToken,
) {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits::HEAD_TIMEOUT)
        .max_buf_size(READ_BUFFER);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(limits::STREAM_HEARTBEAT_INTERVAL)
        .keep_alive_timeout(limits::PEER_TIMEOUT);
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
                tokio::time::sleep(Duration::from_millis(50)).await;
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
        let (builder, router) = (builder.clone(), router.clone());
        let shutdown = shutdown.clone();
        tokio::spawn(async move {
            let _permit = permit;
            watch_peer(&stream);
            // The version of HTTP is found out by the first bytes, which hyper awaits without a limit.
            let mut first = [0; 1];
            let first_bytes = tokio::time::timeout(limits::HEAD_TIMEOUT, stream.peek(&mut first));
            tokio::select! {
                () = shutdown.cancelled() => return,
                ready = first_bytes => if !matches!(ready, Ok(Ok(1))) {
                    metrics::connection_refused("silent");
                    return;
                },
            }
            let service =
                hyper::service::service_fn(move |request| answer(router.clone(), peer, request));
            let connection = builder
                .serve_connection(TokioIo::new(stream), service)
                .into_owned();
            // A broken connection is not our error.
            let _ = watched.watch(connection).await;
        });
    }
    drop(listener);
    if tokio::time::timeout(limits::DRAIN_TIMEOUT, open.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("some requests did not finish in time");
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
