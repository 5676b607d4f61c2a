//! The listener of the line protocol (`tochki_line`). Its connections count with those of HTTP.

use crate::http::{Connections, metrics, network, watch_peer};
use std::time::Duration;
use tochki_line::LineServer;
use tochki_protocol::limits;
use tochki_server::Arena;
use tochki_server::accounts::ClientAddress;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Serves until `shutdown`; then closes all connections and notes which players they were of.
pub async fn serve(
    listener: TcpListener,
    arena: Arena,
    connections: Connections,
    shutdown: CancellationToken,
) {
    let server = LineServer::open(arena);
    let open = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            () = shutdown.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, or the peer has gone already: others may fare better in a moment.
                tracing::warn!(%error, "a connection of the line protocol could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let permit = match connections.try_open(peer.ip()) {
            Ok(permit) => permit,
            // Closed at once. They are counted and not logged: there may be thousands.
            Err(refused) => {
                metrics::connection_refused(refused.as_str());
                continue;
            }
        };
        watch_peer(&stream);
        let server = server.clone();
        open.spawn(async move {
            let _permit = permit;
            let client = ClientAddress {
                address: network(peer.ip()),
            };
            server.serve(stream, client).await;
        });
    }
    drop(listener);
    open.close();
    if tokio::time::timeout(limits::DRAIN_TIMEOUT, open.wait())
        .await
        .is_err()
    {
        tracing::warn!("some lines did not close in time");
    }
}
