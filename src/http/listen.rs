//! Connections: how they are accepted, how a dead one is noticed, how all of them end.

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
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

/// How long a peer may leave bytes unacknowledged.
const PEER_SILENCE: Duration = Duration::from_secs(6);

/// How long a client may take to send the head of a request.
const HEAD_PATIENCE: Duration = Duration::from_secs(10);

/// The most a connection keeps in memory while reading; axum's own server would keep up to a megabyte.
const READ_BUFFER: usize = 32 * 1024;

/// How long requests in hand get to finish once the arena closes.
const LAST_WORDS: Duration = Duration::from_secs(7);

/// Serves until `closing`; then ends streams, lets requests in hand finish, and comes back within ten seconds.
pub async fn serve(listener: TcpListener, router: Router, closing: CancellationToken) {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_PATIENCE)
        .max_buf_size(READ_BUFFER);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(Duration::from_secs(3))
        .keep_alive_timeout(PEER_SILENCE);
    let open = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            () = closing.cancelled() => break,
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
        let watched = open.watcher();
        let (builder, router) = (builder.clone(), router.clone());
        tokio::spawn(async move {
            watch_peer(&stream);
            let service =
                hyper::service::service_fn(move |request| answer(router.clone(), peer, request));
            let connection = builder
                .serve_connection(TokioIo::new(stream), service)
                .into_owned();
            // A broken line is the client's business.
            let _ = watched.watch(connection).await;
        });
    }
    drop(listener);
    if tokio::time::timeout(LAST_WORDS, open.shutdown())
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
fn watch_peer(stream: &TcpStream) {
    let _ = stream.set_nodelay(true);
    if let Err(error) = SockRef::from(stream).set_tcp_user_timeout(Some(PEER_SILENCE)) {
        tracing::debug!(%error, "no TCP_USER_TIMEOUT here: dead lines are noticed late");
    }
}
