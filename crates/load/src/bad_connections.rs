//! Connections that hold a place at the server and ask for nothing: silent ones, others whose request comes a byte a second, and
//! others that read their answer a byte a second. Where the server closes a connection, another is opened.

use crate::Result;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// The number of connections that are being opened at a time.
const OPEN_CONCURRENCY: usize = 200;

/// The interval at which a byte is sent, or read.
const BYTE_INTERVAL: Duration = Duration::from_secs(1);

/// The longest time for which the server may keep a connection of which nothing new comes: its limits, and some more.
const CLOSING_TIMEOUT: Duration = Duration::from_secs(20);

/// The request that is sent a byte a second.
const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: tochki\r\nuser-agent: slow\r\n";

/// The size of the kernel's buffer for a slow reader, in bytes: so small that the server has to keep the rest.
const SMALL_BUFFER: u32 = 2048;

/// The behaviour of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BadConnectionKind {
    Silent,
    SendsSlowly,
    ReadsSlowly,
}

/// The numbers of connections by outcome.
#[derive(Default)]
struct Counts {
    opened: AtomicUsize,
    closed: AtomicUsize,
    /// The largest number of connections open at once.
    most: AtomicUsize,
    /// The number of connections that could not be opened.
    refused: AtomicUsize,
    /// Whether no more connections are to be opened.
    ends: AtomicBool,
}

/// Places at the server that are taken by such connections.
pub(crate) struct BadConnections {
    counts: Arc<Counts>,
    places: JoinSet<()>,
}

/// The final numbers of connections by outcome.
pub(crate) struct Outcome {
    /// The largest number of connections open at once.
    pub(crate) most: usize,
    /// The number of connections opened, one after the other at each place.
    pub(crate) opened: usize,
    /// The number of these that the server has closed.
    pub(crate) closed: usize,
    /// The number of connections that could not be opened.
    pub(crate) refused: usize,
}

impl BadConnections {
    /// Begins to open so many silent connections and as many slow ones, of which each fifth reads slowly.
    pub(crate) fn open(address: SocketAddr, count: usize) -> Self {
        let (counts, opening) = (
            Arc::<Counts>::default(),
            Arc::new(Semaphore::new(OPEN_CONCURRENCY)),
        );
        let mut places = JoinSet::new();
        for number in 0..count {
            let slow = if number % 5 == 0 {
                BadConnectionKind::ReadsSlowly
            } else {
                BadConnectionKind::SendsSlowly
            };
            for kind in [BadConnectionKind::Silent, slow] {
                places.spawn(take_place(address, kind, counts.clone(), opening.clone()));
            }
        }
        Self { counts, places }
    }

    /// Opens no more connections, and waits until the server has closed all, or should have.
    pub(crate) async fn end(mut self) -> Outcome {
        self.counts.ends.store(true, Ordering::SeqCst);
        let all = async { while self.places.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(CLOSING_TIMEOUT, all).await;
        let count = |of: &AtomicUsize| of.load(Ordering::SeqCst);
        Outcome {
            most: count(&self.counts.most),
            opened: count(&self.counts.opened),
            closed: count(&self.counts.closed),
            refused: count(&self.counts.refused),
        }
    }
}

async fn take_place(
    address: SocketAddr,
    kind: BadConnectionKind,
    counts: Arc<Counts>,
    opening: Arc<Semaphore>,
) {
    while !counts.ends.load(Ordering::SeqCst) {
        let opened = {
            let _permit = opening.acquire().await;
            open(address, kind).await
        };
        let Ok(mut socket) = opened else {
            counts.refused.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(BYTE_INTERVAL).await;
            continue;
        };
        let opened = 1 + counts.opened.fetch_add(1, Ordering::SeqCst);
        let open = opened.saturating_sub(counts.closed.load(Ordering::SeqCst));
        counts.most.fetch_max(open, Ordering::SeqCst);
        match kind {
            BadConnectionKind::Silent => wait_for_end(&mut socket).await,
            BadConnectionKind::SendsSlowly => send_slowly(&mut socket).await,
            BadConnectionKind::ReadsSlowly => {
                read_slowly(&mut socket, &counts.ends).await;
                wait_for_end(&mut socket).await;
            }
        }
        counts.closed.fetch_add(1, Ordering::SeqCst);
    }
}

async fn open(address: SocketAddr, kind: BadConnectionKind) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    if kind == BadConnectionKind::ReadsSlowly {
        socket.set_recv_buffer_size(SMALL_BUFFER)?;
    }
    let mut socket = socket.connect(address).await?;
    socket.set_nodelay(true)?;
    if kind == BadConnectionKind::ReadsSlowly {
        let request = format!("GET /info_pages.css HTTP/1.1\r\nhost: {address}\r\n\r\n");
        socket.write_all(request.as_bytes()).await?;
    }
    Ok(socket)
}

/// Reads until the server ends the connection.
async fn wait_for_end(socket: &mut TcpStream) {
    while let Ok(1..) = socket.read(&mut [0; 1024]).await {}
}

/// Sends a byte in each period until the server ends the connection.
async fn send_slowly(socket: &mut TcpStream) {
    let mut interval = tokio::time::interval(BYTE_INTERVAL);
    let (mut reader, mut writer) = socket.split();
    let sending = async {
        // The head has no end.
        for byte in REQUEST.iter().chain(b"x-slow: ").chain([&b'a'; 1000]) {
            interval.tick().await;
            if writer.write_all(&[*byte]).await.is_err() {
                return;
            }
        }
    };
    let mut answer = [0; 64];
    let reading = async { while let Ok(1..) = reader.read(&mut answer).await {} };
    tokio::select! {
        () = sending => {}
        () = reading => {}
    }
}

/// Reads a byte in each period until the server ends the connection, or `ends`.
async fn read_slowly(socket: &mut TcpStream, ends: &AtomicBool) {
    let mut interval = tokio::time::interval(BYTE_INTERVAL);
    while !ends.load(Ordering::SeqCst) {
        interval.tick().await;
        let Ok(1..) = socket.read(&mut [0; 1]).await else {
            return;
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpListener;

    #[tokio::test]
    async fn a_closed_connection_is_counted_and_opened_again() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_millis(300)).await;
                    drop(socket);
                });
            }
        });
        let connections = BadConnections::open(address, 10);
        tokio::time::sleep(Duration::from_secs(1)).await;
        let Outcome {
            most,
            opened,
            closed,
            refused,
        } = connections.end().await;
        assert!(opened > 30, "{opened}");
        assert_eq!((most, closed, refused), (20, opened, 0));
    }
}
