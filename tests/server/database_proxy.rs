//! A TCP proxy between a server and its database, which a test can disconnect.

use super::cluster::Database;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;

/// A proxy to a database.
pub(crate) struct DatabaseProxy {
    address: SocketAddr,
    up: watch::Sender<bool>,
    /// Whether to disconnect once the next commit is forwarded, before its response.
    disconnect_after_commit: Arc<AtomicBool>,
}

impl DatabaseProxy {
    pub(crate) async fn to(database: &Database) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let proxy = Self {
            address: listener.local_addr().expect("an address"),
            up: watch::Sender::new(true),
            disconnect_after_commit: Arc::default(),
        };
        let options = database.options();
        let (up, disconnect) = (proxy.up.subscribe(), proxy.disconnect_after_commit.clone());
        tokio::spawn(async move {
            while let Ok((server, _)) = listener.accept().await {
                let (options, mut up, disconnect) =
                    (options.clone(), up.clone(), disconnect.clone());
                tokio::spawn(async move {
                    if !*up.borrow_and_update() {
                        return;
                    }
                    let port = options.get_port();
                    let folder = options.get_socket();
                    let socket = folder.map(|folder| folder.join(format!(".s.PGSQL.{port}")));
                    let passing = async {
                        match socket {
                            Some(socket) => {
                                pass(server, UnixStream::connect(socket).await?, &disconnect).await
                            }
                            None => {
                                let to = (options.get_host(), port);
                                pass(server, TcpStream::connect(to).await?, &disconnect).await
                            }
                        }
                    };
                    tokio::select! {
                        _ = passing => {}
                        _ = up.wait_for(|up| !up) => {}
                    }
                });
            }
        });
        proxy
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Closes open connections and refuses new ones.
    pub(crate) fn disconnect(&self) {
        self.up.send_replace(false);
    }

    pub(crate) fn reconnect(&self) {
        self.up.send_replace(true);
    }

    /// Closes the connection of the next commit after the commit and before its response.
    pub(crate) fn disconnect_after_next_commit(&self) {
        self.disconnect_after_commit.store(true, Ordering::SeqCst);
    }
}

/// Forwards bytes in both directions until one side closes.
async fn pass(
    server: TcpStream,
    database: impl AsyncRead + AsyncWrite,
    disconnect_after_commit: &AtomicBool,
) -> std::io::Result<()> {
    let (mut from_server, mut to_server) = tokio::io::split(server);
    let (mut from_database, mut to_database) = tokio::io::split(database);
    let there = async {
        let mut bytes = vec![0; 64 * 1024];
        loop {
            let count = from_server.read(&mut bytes).await?;
            to_database.write_all(&bytes[..count]).await?;
            let commits = bytes[..count].windows(6).any(|word| word == b"COMMIT");
            if count == 0 || commits && disconnect_after_commit.swap(false, Ordering::SeqCst) {
                return Ok(());
            }
        }
    };
    let back = async {
        tokio::io::copy(&mut from_database, &mut to_server)
            .await
            .map(drop)
    };
    tokio::select! {
        done = there => done,
        done = back => done,
    }
}
