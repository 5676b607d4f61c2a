//! Event streams over HTTP/1.1, byte by byte: whether they leave hyper (`STREAM_TAKEOVER`) makes no difference to a client that
//! has asked for something else before on the same connection, and sends its next request without waiting for the answer.

use super::app::{SMALL, TIMEOUT, TestApp, begin, start_match};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A connection of HTTP/1.1, read as RFC 9112 says.
struct Connection(BufReader<TcpStream>);

impl Connection {
    async fn open(app: &TestApp) -> Self {
        let stream = TcpStream::connect(app.address).await;
        Self(BufReader::new(stream.expect("it listens")))
    }

    async fn send(&mut self, paths: &[&str]) {
        let requests: Vec<_> = (paths.iter())
            .map(|path| format!("GET {path} HTTP/1.1\r\nhost: here\r\n\r\n"))
            .collect();
        let sent = self.0.write_all(requests.concat().as_bytes()).await;
        sent.expect("it reads");
    }

    /// Reads the bytes up to and with this ending.
    async fn read_until(&mut self, ending: &str) -> String {
        let mut read = Vec::new();
        while !read.ends_with(ending.as_bytes()) {
            let byte = timeout(TIMEOUT, self.0.read_u8()).await;
            read.push(
                byte.expect("bytes before long")
                    .expect("an open connection"),
            );
        }
        String::from_utf8(read).expect("UTF-8")
    }

    /// Reads the head of a response, in small letters.
    async fn head(&mut self) -> String {
        self.read_until("\r\n\r\n").await.to_lowercase()
    }

    async fn bytes(&mut self, count: usize) -> String {
        let mut bytes = vec![0; count];
        let read = timeout(TIMEOUT, self.0.read_exact(&mut bytes)).await;
        read.expect("bytes before long")
            .expect("an open connection");
        String::from_utf8(bytes).expect("whole characters")
    }

    /// Reads an answer after which the connection stays.
    async fn read_answer(&mut self) {
        let head = self.head().await;
        assert!(head.starts_with("http/1.1 200 "), "{head}");
        assert!(!head.contains("connection: close"), "kept alive: {head}");
        let length = head.split("content-length: ").nth(1);
        let length = length.and_then(|rest| rest.lines().next()?.parse().ok());
        self.bytes(length.expect("a length")).await;
    }

    /// Reads the content of the next chunk.
    async fn chunk(&mut self) -> String {
        let size = self.read_until("\r\n").await;
        let size = usize::from_str_radix(size.trim(), 16).expect("the size of a chunk");
        let chunk = self.bytes(size).await;
        assert_eq!(self.bytes(2).await, "\r\n", "a chunk has an end");
        chunk
    }

    /// Returns the names of the next events, until this one has come.
    async fn events_until(&mut self, name: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        while !names.iter().any(|seen| seen == name) {
            let chunk = self.chunk().await;
            let fields = chunk.lines().filter_map(|line| line.strip_prefix("event:"));
            names.extend(fields.map(|field| field.trim().to_owned()));
        }
        // Of the match alone.
        names.retain(|name| ["moved", "finished"].contains(&name.as_str()));
        names
    }
}

/// Returns the lines and events of a stream that follows other requests on a connection, with another request behind it.
async fn seen_with(stream_takeover: bool) -> Vec<String> {
    let app = TestApp::with_settings(|settings| settings.stream_takeover = stream_takeover).await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let mut connection = Connection::open(&app).await;
    for _ in 0..2 {
        connection.send(&["/healthz"]).await;
        connection.read_answer().await;
    }
    // The three in one write: what is pipelined is answered in turn, and behind a stream never.
    let stream = format!("/events/match/{id}");
    connection.send(&["/healthz", &stream, "/healthz"]).await;
    connection.read_answer().await;
    let head = connection.head().await;
    assert!(head.starts_with("http/1.1 200 "), "{head}");
    for wanted in [
        "content-type: text/event-stream",
        "transfer-encoding: chunked",
    ] {
        assert!(head.contains(wanted), "no {wanted}: {head}");
    }
    assert_eq!(
        head.contains("connection: close"),
        stream_takeover,
        "{head}"
    );
    let is_first = ann.snapshot(id).await["players"][0]["id"] == ann.id;
    let mover = if is_first { &ann } else { &bob };
    mover.make_move(id, "2,2", &[]).await.assert_ok();
    mover.resign(id).await.assert_ok();
    connection.events_until("finished").await
}

#[tokio::test]
async fn a_stream_is_the_same_within_hyper_and_without() {
    let (within, without) = tokio::join!(seen_with(false), seen_with(true));
    assert_eq!(within, without);
    assert_eq!(without, ["moved", "moved", "moved", "finished"]);
}
