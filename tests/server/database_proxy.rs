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
    disconnect_after: Arc<DisconnectAfter>,
}

/// What the proxy waits for.
#[derive(Default)]
struct DisconnectAfter {
    /// The commit of a transaction.
    commit: AtomicBool,
    /// A statement that appends a move, which is a transaction by itself.
    append: AtomicBool,
}

impl DisconnectAfter {
    /// Whether to disconnect, now that these bytes are forwarded.
    fn is_now(&self, bytes: &[u8]) -> bool {
        let contains = |word: &[u8]| bytes.windows(word.len()).any(|part| part == word);
        contains(b"COMMIT") && self.commit.swap(false, Ordering::SeqCst)
            // The body of the event, among the values.
            || contains(b"\"mv\":") && self.append.swap(false, Ordering::SeqCst)
    }
}

impl DatabaseProxy {
    pub(crate) async fn to(database: &Database) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let proxy = Self {
            address: listener.local_addr().expect("an address"),
            up: watch::Sender::new(true),
            disconnect_after: Arc::default(),
        };
        let options = database.options();
        let (up, disconnect) = (proxy.up.subscribe(), proxy.disconnect_after.clone());
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
        self.disconnect_after.commit.store(true, Ordering::SeqCst);
    }

    /// Closes the connection of the next statement that appends a move, before its response.
    pub(crate) fn disconnect_after_next_append(&self) {
        self.disconnect_after.append.store(true, Ordering::SeqCst);
    }
}

/// Forwards bytes in both directions until one side closes.
async fn pass(
    server: TcpStream,
    database: impl AsyncRead + AsyncWrite,
    disconnect_after: &DisconnectAfter,
) -> std::io::Result<()> {
    let (mut from_server, mut to_server) = tokio::io::split(server);
    let (mut from_database, mut to_database) = tokio::io::split(database);
    let there = async {
        let mut bytes = vec![0; 64 * 1024];
        loop {
            let count = from_server.read(&mut bytes).await?;
            to_database.write_all(&bytes[..count]).await?;
            if count == 0 || disconnect_after.is_now(&bytes[..count]) {
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
