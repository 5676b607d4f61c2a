//! A TCP proxy between a server and its database, which a test can disconnect, or put far away.

use super::cluster::Database;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

/// The number of reads of bytes that may be on their way in one direction. A reader that is further ahead waits.
const ON_THEIR_WAY: usize = 1024;

/// A proxy to a database.
pub(crate) struct DatabaseProxy {
    address: SocketAddr,
    up: watch::Sender<bool>,
    /// Whether nothing is forwarded.
    stalled: watch::Sender<bool>,
    /// Whether to disconnect once the next commit is forwarded, before its response.
    disconnect_after: Arc<DisconnectAfter>,
}

/// The statements after which the proxy disconnects.
#[derive(Default)]
struct DisconnectAfter {
    /// The commit of a transaction.
    commit: AtomicBool,
    /// A statement that appends a move, which is a transaction by itself.
    append: AtomicBool,
}

impl DisconnectAfter {
    /// Returns whether to disconnect, now that these bytes are forwarded.
    fn is_now(&self, bytes: &[u8]) -> bool {
        let contains = |word: &[u8]| bytes.windows(word.len()).any(|part| part == word);
        contains(b"COMMIT") && self.commit.swap(false, Ordering::SeqCst)
            // The body of the event, among the values.
            || contains(b"\"mv\":") && self.append.swap(false, Ordering::SeqCst)
    }
}

impl DatabaseProxy {
    pub(crate) async fn to(database: &Database) -> Self {
        Self::with_delay(database, Duration::ZERO).await
    }

    /// Starts a proxy that forwards all bytes so much later, in each direction. However many are on their way, they arrive in
    /// order and none waits for another.
    pub(crate) async fn with_delay(database: &Database, delay: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let proxy = Self {
            address: listener.local_addr().expect("an address"),
            up: watch::Sender::new(true),
            stalled: watch::Sender::new(false),
            disconnect_after: Arc::default(),
        };
        let options = database.options();
        let (up, disconnect) = (proxy.up.subscribe(), proxy.disconnect_after.clone());
        let stalled = proxy.stalled.subscribe();
        tokio::spawn(async move {
            while let Ok((server, _)) = listener.accept().await {
                let (options, mut up, disconnect) =
                    (options.clone(), up.clone(), disconnect.clone());
                let stalled = stalled.clone();
                // Bytes that are not sent at once would be delayed by more.
                let _ = server.set_nodelay(true);
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
                                let database = UnixStream::connect(socket).await?;
                                pass(server, database, delay, &stalled, &disconnect).await
                            }
                            None => {
                                let to = (options.get_host(), port);
                                let database = TcpStream::connect(to).await?;
                                database.set_nodelay(true)?;
                                pass(server, database, delay, &stalled, &disconnect).await
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

    /// Stalls: forwards nothing, and keeps all connections. New connections wait, too.
    pub(crate) fn stall(&self) {
        self.stalled.send_replace(true);
    }

    /// Forwards the bytes that have come meanwhile, and goes on.
    pub(crate) fn flow(&self) {
        self.stalled.send_replace(false);
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
    delay: Duration,
    stalled: &watch::Receiver<bool>,
    disconnect_after: &DisconnectAfter,
) -> std::io::Result<()> {
    let (from_server, to_server) = tokio::io::split(server);
    let (from_database, to_database) = tokio::io::split(database);
    let there = forward(from_server, to_database, delay, stalled.clone(), |bytes| {
        disconnect_after.is_now(bytes)
    });
    let back = forward(from_database, to_server, delay, stalled.clone(), |_| false);
    tokio::select! {
        done = there => done,
        done = back => done,
    }
}

/// Forwards bytes, each `delay` after it was read, until the end of them or until some are the last.
async fn forward(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    delay: Duration,
    mut stalled: watch::Receiver<bool>,
    are_last: impl Fn(&[u8]) -> bool,
) -> std::io::Result<()> {
    let (sender, mut on_their_way) = mpsc::channel::<(Instant, Vec<u8>)>(ON_THEIR_WAY);
    let reading = async move {
        let mut bytes = vec![0; 64 * 1024];
        loop {
            let count = from.read(&mut bytes).await?;
            let due = Instant::now() + delay;
            let sent = sender.send((due, bytes[..count].to_vec())).await;
            if count == 0 || sent.is_err() {
                return Ok(());
            }
        }
    };
    let writing = async move {
        while let Some((due, bytes)) = on_their_way.recv().await {
            if !delay.is_zero() {
                sleep_until(due).await;
            }
            // Fails when the proxy is gone, and forwards what is left.
            let _ = stalled.wait_for(|stalled| !stalled).await;
            to.write_all(&bytes).await?;
            if bytes.is_empty() || are_last(&bytes) {
                break;
            }
        }
        Ok(())
    };
    tokio::pin!(reading, writing);
    tokio::select! {
        done = &mut writing => done,
        // Bytes that were read before the end are still forwarded.
        read = &mut reading => match read {
            Ok(()) => writing.await,
            Err(error) => Err(error),
        },
    }
}
