//! Waits for a client, which all have an end: half a preface, half a head, half a body, a closed window, an idle connection, at
//! every listener. The table in `docs/operating.md` names these tests.

use super::app::{TIMEOUT, TestApp};
use h2::client::{ResponseFuture, SendRequest};
use metrics_exporter_prometheus::PrometheusBuilder;
use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;
use tochki_protocol::limits;
use tochki_web::http;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::timeout;

const SHORT: Duration = Duration::from_millis(200);

/// Starts a server with short time-outs and all its listeners: HTTP, the metrics, the line protocol.
async fn app() -> (TestApp, [SocketAddr; 3]) {
    let app = TestApp::with_settings(|settings| {
        settings.head_timeout = SHORT;
        settings.body_timeout = SHORT;
        settings.http2_idle_timeout = SHORT;
        settings.line_listen = Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
        settings.line_ping_after = SHORT;
        settings.line_pong_timeout = SHORT;
    })
    .await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let metrics = listener.local_addr().expect("an address");
    let handle = PrometheusBuilder::new().build_recorder().handle();
    http::start_metrics(listener, handle, &app.state).expect("it listens");
    let line = app.line.expect("the line protocol is served");
    let listeners = [app.address, metrics, line];
    (app, listeners)
}

/// Sends the beginning of something, and reads until the server closes the connection. Returns the bytes that were read.
async fn read_until_closed(address: SocketAddr, begun: &[u8]) -> Vec<u8> {
    let mut connection = TcpStream::connect(address).await.expect("a connection");
    connection.write_all(begun).await.expect("it reads");
    let mut said = Vec::new();
    // A reset is an end as well.
    let read = timeout(TIMEOUT, connection.read_to_end(&mut said)).await;
    let _ = read.unwrap_or_else(|_| panic!("{:?} waits for ever", String::from_utf8_lossy(begun)));
    said
}

#[tokio::test]
async fn what_is_begun_and_not_ended_is_closed_at_every_listener() {
    let (_app, listeners) = app().await;
    let begun: [&[u8]; 8] = [
        b"",
        b"P",
        b"PR",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"G",
        b"GET /healthz HTTP/1.1\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: here\r\nX: ",
    ];
    let waiting = listeners
        .iter()
        .flat_map(|address| begun.iter().map(|begun| read_until_closed(*address, begun)));
    futures::future::join_all(waiting).await;
}

#[tokio::test]
async fn half_a_body_is_answered_and_closed() {
    let (app, _) = app().await;
    for path in ["/api/register", "/account/codes", "/sgf", "/rules"] {
        let head = format!("POST {path} HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n\r\nhalf");
        let said = read_until_closed(app.address, head.as_bytes()).await;
        let said = String::from_utf8_lossy(&said);
        assert!(said.starts_with("HTTP/1.1 400"), "{path}: {said}");
    }
}

#[tokio::test]
async fn the_first_bytes_of_a_request_may_come_one_by_one() {
    let app = TestApp::init().await;
    let request = b"PUT /api/whoami HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n";
    let mut connection = TcpStream::connect(app.address).await.expect("a connection");
    for byte in request {
        connection.write_all(&[*byte]).await.expect("it reads");
        tokio::task::yield_now().await;
    }
    let mut said = String::new();
    let read = timeout(TIMEOUT, connection.read_to_string(&mut said)).await;
    read.expect("an answer").expect("text");
    assert!(said.starts_with("HTTP/1.1 405"), "{said}");
}

/// A client of HTTP/2 that takes nothing of any answer.
struct ClosedWindow {
    client: SendRequest<axum::body::Bytes>,
    connection: JoinHandle<Result<(), h2::Error>>,
}

impl ClosedWindow {
    async fn connect(app: &TestApp) -> Self {
        let socket = TcpStream::connect(app.address).await.expect("a connection");
        let mut builder = h2::client::Builder::new();
        let (client, connection) = builder
            .initial_window_size(0)
            .handshake(socket)
            .await
            .expect("HTTP/2");
        let connection = tokio::spawn(connection);
        let mut window = Self { client, connection };
        // The server's settings have come with the first answer, which is given up.
        let _first = window.ask("/healthz").await.await;
        window
    }

    /// Sends a request, once the server allows one more.
    async fn ask(&mut self, path: &str) -> ResponseFuture {
        let ready = timeout(TIMEOUT, self.client.clone().ready()).await;
        self.client = ready.expect("it allows one more").expect("it is open");
        self.send(path)
    }

    fn send(&mut self, path: &str) -> ResponseFuture {
        let request = axum::http::Request::get(format!("http://here{path}"));
        let request = request.body(()).expect("a request");
        let sent = self.client.send_request(request, true);
        sent.expect("it is sent").0
    }
}

#[tokio::test]
async fn a_closed_window_ends_the_answer() {
    let app = TestApp::with_settings(|settings| {
        settings.stalled_response_timeout = SHORT;
    })
    .await;
    let mut window = ClosedWindow::connect(&app).await;
    let mut answers = Vec::new();
    // A page, a stylesheet, an error, and a stream that goes on for ever.
    for path in [
        "/rules",
        "/info_pages.css",
        "/api/nothing",
        "/events/match/1",
    ] {
        answers.push((path, window.ask(path).await));
    }
    for (path, answer) in answers {
        let answer = timeout(TIMEOUT, answer).await.expect("a head");
        let mut body = answer.expect("a head").into_body();
        let ended = timeout(TIMEOUT, body.data()).await;
        let ended = ended.unwrap_or_else(|_| panic!("{path} is kept"));
        assert!(matches!(ended, Some(Err(_))), "{path}: {ended:?}");
    }
    // Others of the connection go on.
    assert!(!window.connection.is_finished());
    let empty = window.ask("/api/openapi.json").await.await;
    assert_eq!(empty.expect("a head").status(), 200);
}

#[tokio::test]
async fn a_connection_has_a_bounded_number_of_requests() {
    let app = TestApp::init().await;
    let mut window = ClosedWindow::connect(&app).await;
    let limit = limits::HTTP2_CONNECTION_REQUESTS as usize;
    let mut answers = Vec::new();
    for _ in 0..limit {
        let answer = window.ask("/healthz").await;
        answers.push(answer.await.expect("a head"));
    }
    let one_more = timeout(SHORT, window.client.clone().ready()).await;
    let is_refused = match one_more {
        Err(_) => true,
        // The client keeps it back, or the server refuses it.
        Ok(ready) => {
            window.client = ready.expect("it is open");
            timeout(SHORT, window.send("/healthz")).await.is_err()
        }
    };
    assert!(
        is_refused,
        "more than {limit} requests are answered at once"
    );
}

#[tokio::test]
async fn an_address_has_a_bounded_number_of_answers_that_nobody_takes() {
    let app = TestApp::with_settings(|settings| {
        settings.requests_at_once_by_address = NonZeroU32::new(5).expect("not zero");
        settings.stalled_response_timeout = SHORT * 5;
    })
    .await;
    let (mut one, mut other) = (
        ClosedWindow::connect(&app).await,
        ClosedWindow::connect(&app).await,
    );
    let mut statuses = Vec::new();
    let mut kept = Vec::new();
    for _ in 0..4 {
        for window in [&mut one, &mut other] {
            let answer = window.ask("/rules").await.await.expect("a head");
            statuses.push(answer.status().as_u16());
            kept.push(answer);
        }
    }
    assert_eq!(statuses[..5], [200; 5]);
    assert_eq!(statuses[5..], [429; 3]);
    // They end by themselves, and there is room again.
    for answer in &mut kept[..5] {
        let ended = timeout(TIMEOUT, answer.body_mut().data()).await;
        assert!(matches!(ended, Ok(Some(Err(_)))), "{ended:?}");
    }
    let again = one.ask("/rules").await.await.expect("a head");
    assert_eq!(again.status(), 200);
}

#[tokio::test]
async fn an_idle_connection_of_http_2_ends() {
    let (app, _) = app().await;
    let mut idle = ClosedWindow::connect(&app).await;
    let ended = timeout(TIMEOUT, &mut idle.connection).await;
    assert!(ended.is_ok(), "it is still open");
}
