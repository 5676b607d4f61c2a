//! A client that asks for a long answer and does not read it: the part of the answer that is made is bounded, and the connection
//! is given up.

use super::app::TIMEOUT;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::routing::get;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use tochki_protocol::limits::PEER_TIMEOUT;
use tochki_server::settings::Settings;
use tochki_web::http;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};

/// A page as long as one of `/api/games` with games of some hundred moves.
const PAGE: &[u8] = &[b'x'; 100_000];

/// The most bytes of one answer that the kernel and hyper may keep. The answer itself has no end.
const MOST: usize = 32 * 1024 * 1024;

/// Says when the body is dropped.
struct Dropped(UnboundedSender<()>);

impl Drop for Dropped {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

/// A server with an answer without end, made page by page as that of `/api/games` is, and a short one.
struct Server {
    address: SocketAddr,
    made: Arc<AtomicUsize>,
    dropped: UnboundedReceiver<()>,
    _open: DropGuard,
}

impl Server {
    #[expect(clippy::disallowed_methods, reason = "a router of this test alone")]
    async fn start() -> Self {
        let made = Arc::new(AtomicUsize::new(0));
        let (telling, dropped) = unbounded_channel();
        let counter = made.clone();
        let long = move || {
            let state = (counter.clone(), Dropped(telling.clone()));
            async move {
                let pages = futures::stream::unfold(state, |(made, guard)| async move {
                    made.fetch_add(PAGE.len(), Ordering::SeqCst);
                    // Others have their turn, as while a page is read from the database.
                    tokio::task::yield_now().await;
                    Some((Ok::<_, Infallible>(Bytes::from_static(PAGE)), (made, guard)))
                });
                Body::from_stream(pages)
            }
        };
        let router = Router::new()
            .route("/long", get(long))
            .route("/short", get(|| async { "here" }));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let connections = http::Connections::of(&Settings::default());
        let closing = CancellationToken::new();
        tokio::spawn(http::serve(listener, router, connections, closing.clone()));
        Self {
            address,
            made,
            dropped,
            _open: closing.drop_guard(),
        }
    }

    async fn ask(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.expect("it listens");
        let request = format!("GET {path} HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n");
        stream
            .write_all(request.as_bytes())
            .await
            .expect("it reads");
        stream
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_is_given_up_and_holds_up_nobody() {
    let mut server = Server::start().await;
    let begun = Instant::now();
    let mut slow = server.ask("/long").await;
    let mut head = [0; 15];
    slow.read_exact(&mut head).await.expect("an answer");
    assert_eq!(&head, b"HTTP/1.1 200 OK");
    let (address, telling) = (server.address, &mut server.dropped);
    let dropped = async {
        loop {
            tokio::select! {
                dropped = telling.recv() => return dropped,
                // Meanwhile others are answered.
                answer = short(address) => assert!(answer.ends_with("here"), "{answer}"),
            }
        }
    };
    let given_up = timeout(TIMEOUT, dropped).await;
    given_up.expect("the answer is given up").expect("a server");
    assert!(begun.elapsed() >= PEER_TIMEOUT / 2, "{:?}", begun.elapsed());
    let made = server.made.load(Ordering::SeqCst);
    assert!(made < MOST, "{made} bytes were made for nobody");
    // The client still reads the bytes that had come, and then the end.
    let mut rest = Vec::new();
    let read = timeout(TIMEOUT, slow.read_to_end(&mut rest)).await;
    assert!(read.expect("an end").is_err() || rest.len() < made);
}

#[tokio::test]
async fn a_client_that_reads_slowly_gets_what_it_reads() {
    let mut server = Server::start().await;
    let mut slow = server.ask("/long").await;
    let mut read = 0;
    let begun = Instant::now();
    let mut some = vec![0; 4 * 1024 * 1024];
    // For longer than a client may be silent.
    while begun.elapsed() < PEER_TIMEOUT * 2 {
        slow.read_exact(&mut some).await.expect("more of it");
        read += some.len();
        tokio::time::sleep(PEER_TIMEOUT / 4).await;
    }
    assert!(server.dropped.try_recv().is_err(), "it is still open");
    let made = server.made.load(Ordering::SeqCst);
    assert!(made < read + MOST, "{made} bytes for {read}");
    drop(slow);
    let dropped = timeout(TIMEOUT, server.dropped.recv()).await;
    dropped
        .expect("a client that has gone ends it")
        .expect("a server");
}

async fn short(address: SocketAddr) -> String {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    let request = b"GET /short HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n";
    stream.write_all(request).await.expect("it reads");
    let mut answer = String::new();
    let read = stream.read_to_string(&mut answer);
    timeout(TIMEOUT, read)
        .await
        .expect("an answer")
        .expect("text");
    answer
}
