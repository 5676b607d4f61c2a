//! A raw client of the line protocol, which knows nothing but the protocol's document: lines out, lines in, and `PONG` to `PING`.

use super::app::{TIMEOUT, TestApp};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tochki_server::settings::Settings;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// Starts a server with the line protocol.
pub(crate) async fn start() -> TestApp {
    start_with(|_| ()).await
}

/// Starts a server with the line protocol and other settings.
pub(crate) async fn start_with(choose: impl FnOnce(&mut Settings)) -> TestApp {
    TestApp::with_settings(|settings| {
        settings.line_listen = Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
        choose(settings);
    })
    .await
}

/// Starts one more instance on the same database, which serves the line protocol, too.
pub(crate) async fn start_beside(app: &TestApp) -> TestApp {
    let settings = Settings {
        line_listen: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))),
        ..TestApp::settings()
    };
    TestApp::on(app.database.clone(), settings).await
}

/// A connection.
pub(crate) struct Line {
    to_write: mpsc::UnboundedSender<Vec<u8>>,
    read: mpsc::UnboundedReceiver<String>,
    /// Whether the client answers each `PING`; otherwise these are lines like any other.
    answers: Arc<AtomicBool>,
}

impl Line {
    pub(crate) async fn connect(app: &TestApp) -> Self {
        let address = app.line.expect("the line protocol is served");
        let stream = TcpStream::connect(address).await.expect("it listens");
        let (reader, mut writer) = stream.into_split();
        let (to_write, mut written) = mpsc::unbounded_channel::<Vec<u8>>();
        let (lines, read) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(bytes) = written.recv().await {
                if writer.write_all(&bytes).await.is_err() {
                    return;
                }
            }
        });
        let answers = Arc::new(AtomicBool::new(true));
        // It does not keep the connection open.
        let pong = to_write.downgrade();
        tokio::spawn(read_lines(reader, lines, pong, answers.clone()));
        Self {
            to_write,
            read,
            answers,
        }
    }

    /// Stops the client's own answers from now on.
    pub(crate) fn stop_answering(&self) {
        self.answers.store(false, Ordering::SeqCst);
    }

    /// Connects a client that is logged in under this name.
    pub(crate) async fn log_in(app: &TestApp, name: &str) -> Self {
        let mut line = Self::connect(app).await;
        line.ask(&format!("LOGIN|{name}"), "OK").await;
        line
    }

    pub(crate) fn send_bytes(&self, bytes: &[u8]) {
        // A server that has closed the connection does not read on.
        let _ = self.to_write.send(bytes.to_vec());
    }

    pub(crate) fn send(&self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Returns the next line; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<String> {
        timeout(TIMEOUT, self.read.recv())
            .await
            .expect("a line comes before long")
    }

    /// Checks that the next line is this one.
    pub(crate) async fn expect(&mut self, line: &str) {
        assert_eq!(self.next().await.as_deref(), Some(line));
    }

    /// Checks that the next lines are these.
    pub(crate) async fn expect_all(&mut self, lines: &[&str]) {
        for line in lines {
            self.expect(line).await;
        }
    }

    /// Sends a request, and expects this answer.
    pub(crate) async fn ask(&mut self, request: &str, answer: &str) {
        self.send(request);
        let answered = self.next().await;
        assert_eq!(answered.as_deref(), Some(answer), "{request}");
    }

    /// Sends a request, and returns its answer.
    pub(crate) async fn answer(&mut self, request: &str) -> String {
        self.send(request);
        self.next().await.expect("an answer")
    }

    /// Checks that the server closes the connection.
    pub(crate) async fn expect_end(&mut self) {
        assert_eq!(self.next().await, None);
    }

    /// Returns whether the next line says that this client draws first; the other is told the opposite.
    pub(crate) async fn is_on_turn(&mut self) -> bool {
        match self.next().await.as_deref() {
            Some("ON_TURN") => true,
            Some("OP_TURN") => false,
            other => panic!("whose turn it is: {other:?}"),
        }
    }
}

async fn read_lines(
    reader: OwnedReadHalf,
    lines: mpsc::UnboundedSender<String>,
    pong: mpsc::WeakUnboundedSender<Vec<u8>>,
    answers: Arc<AtomicBool>,
) {
    let mut reader = BufReader::new(reader).lines();
    while let Ok(Some(line)) = reader.next_line().await {
        if line == "PING" && answers.load(Ordering::SeqCst) {
            if let Some(pong) = pong.upgrade() {
                let _ = pong.send(b"PONG\n".to_vec());
            }
        } else if lines.send(line).is_err() {
            return;
        }
    }
}

/// Starts a game of two clients, `bob` and `eva`; the first of the two draws first.
pub(crate) async fn start_game(app: &TestApp) -> (Line, Line) {
    start_game_between(app, app).await
}

/// Starts a game with `bob` at one instance and `eva` at another.
pub(crate) async fn start_game_between(here: &TestApp, there: &TestApp) -> (Line, Line) {
    let mut bob = Line::log_in(here, "bob").await;
    bob.ask("CREATE|den", "OK").await;
    let mut eva = Line::log_in(there, "eva").await;
    eva.ask("JOIN|den", "OK|bob").await;
    eva.expect("OP_JOIN|bob").await;
    bob.expect("OP_JOIN|eva").await;
    let (bobs, evas) = (bob.is_on_turn().await, eva.is_on_turn().await);
    assert_ne!(bobs, evas);
    if bobs { (bob, eva) } else { (eva, bob) }
}

/// Starts a game in which both have drawn a line, so that it cannot be aborted any more. The first is on turn.
pub(crate) async fn begin_game(app: &TestApp) -> (Line, Line) {
    let (mut first, mut second) = start_game(app).await;
    first.ask("TURN|0|0", "OK").await;
    first.expect("OP_TURN").await;
    second.expect_all(&["TURN|0|0", "ON_TURN"]).await;
    second.ask("TURN|0|6", "OK").await;
    second.expect("OP_TURN").await;
    first.expect_all(&["TURN|0|6", "ON_TURN"]).await;
    (first, second)
}
