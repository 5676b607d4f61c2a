//! The listener of the line protocol (`tochki_line`). Its connections count with those of HTTP.

use crate::http::{Connections, metrics, network, watch_peer};
use std::sync::Arc;
use tochki_line::LineServer;
use tochki_protocol::limits;
use tochki_server::AppState;
use tochki_server::accounts::ClientAddress;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Serves until `shutdown`; then closes all connections and notes which players they were of.
pub async fn serve(
    listener: TcpListener,
    app: AppState,
    connections: Connections,
    shutdown: CancellationToken,
) {
    let line = Line {
        listener: Arc::new(listener),
        server: LineServer::open(app.clone()),
        connections,
        open: TaskTracker::new(),
    };
    let open = line.open.clone();
    app.tasks.spawn("line listener", {
        let shutdown = shutdown.clone();
        move || line.clone().accept_loop(shutdown.clone())
    });
    shutdown.cancelled().await;
    open.close();
    if tokio::time::timeout(limits::DRAIN_TIMEOUT, open.wait())
        .await
        .is_err()
    {
        tracing::warn!("some line-protocol connections did not close in time");
    }
}

/// The acceptor of the connections.
#[derive(Clone)]
struct Line {
    listener: Arc<TcpListener>,
    server: LineServer,
    connections: Connections,
    /// The open connections.
    open: TaskTracker,
}

impl Line {
    async fn accept_loop(self, shutdown: CancellationToken) {
        loop {
            let accepted = tokio::select! {
                () = shutdown.cancelled() => return,
                accepted = self.listener.accept() => accepted,
            };
            let (stream, peer) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Out of file descriptors, or the peer has gone already: others may fare better in a moment.
                    tracing::warn!(%error, "a connection of the line protocol could not be accepted");
                    tokio::time::sleep(limits::ACCEPT_RETRY_DELAY).await;
                    continue;
                }
            };
            let permit = match self.connections.try_open(peer.ip()) {
                Ok(permit) => permit,
                // Closed at once. They are counted and not logged: there may be thousands.
                Err(refused) => {
                    metrics::connection_refused(refused.as_str());
                    continue;
                }
            };
            watch_peer(&stream);
            let server = self.server.clone();
            self.open.spawn(async move {
                let _permit = permit;
                let client = ClientAddress {
                    address: network(peer.ip()),
                };
                server.serve(stream, client).await;
            });
        }
    }
}
