//! Traces: the spans that a collector gets, and that a collector which is away or silent disturbs nobody.

use super::app::{SMALL, begin, start_match, wait_until};
use super::cluster::Database;
use super::player::{PASSWORD, send};
use super::process::{Server, run};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as AnyValue;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use reqwest::Method;
use serde_json::Value;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tochki_protocol::limits;
use tokio::net::TcpListener;
use tokio::time::timeout;

/// A collector of this test.
struct Collector {
    endpoint: String,
    received: Arc<Mutex<Vec<Bytes>>>,
}

impl Collector {
    async fn start() -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").await.expect("a free port"))
    }

    #[expect(clippy::disallowed_methods, reason = "a router of this test alone")]
    fn on(listener: TcpListener) -> Self {
        let endpoint = endpoint(&listener);
        let received = Arc::<Mutex<Vec<Bytes>>>::default();
        let router = Router::new()
            .route("/v1/traces", post(take))
            .with_state(received.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { endpoint, received }
    }

    /// Returns all bytes that the collector got.
    fn bytes(&self) -> Vec<u8> {
        self.received.lock().unwrap().concat()
    }

    /// Returns all spans that the collector got. Each names its service.
    fn spans(&self) -> Vec<Span> {
        let received = self.received.lock().unwrap().clone();
        let requests = received
            .into_iter()
            .map(|body| ExportTraceServiceRequest::decode(body).expect("OTLP"));
        let resources = requests.flat_map(|request| request.resource_spans);
        let scopes = resources.flat_map(|of| {
            let resource = of.resource.expect("a resource");
            let service = resource.attributes.into_iter().any(|attribute| {
                let value = attribute.value.and_then(|value| value.value);
                attribute.key == "service.name"
                    && value == Some(AnyValue::StringValue("tochki".into()))
            });
            assert!(service, "the name of the service");
            of.scope_spans
        });
        scopes.flat_map(|scope| scope.spans).collect()
    }

    /// Waits for a span of this name that is as wanted.
    async fn span(&self, name: &str, wanted: impl Fn(&Span) -> bool) -> Span {
        wait_until(name, async || {
            let mut spans = self.spans().into_iter();
            spans.find(|span| span.name == name && wanted(span))
        })
        .await
    }
}

async fn take(State(received): State<Arc<Mutex<Vec<Bytes>>>>, body: Bytes) {
    received.lock().unwrap().push(body);
}

fn endpoint(listener: &TcpListener) -> String {
    format!("http://{}", listener.local_addr().expect("an address"))
}

/// Starts a server that sends its traces there, and logs into the file `log`.
async fn traced_server(endpoint: &str, more: &[(&'static str, &str)]) -> (Server, TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let settings = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint),
        ("OTEL_BSP_SCHEDULE_DELAY", "100"),
        ("LOG_FORMAT", "json"),
        ("RUST_LOG", "info"),
    ];
    let settings = settings.iter().chain(more);
    let settings = settings.map(|(name, value)| (*name, (*value).to_owned()));
    let log = folder.path().join("log");
    let database = Database::fresh().await;
    let server = Server::start_logging(database, settings.collect(), log).await;
    (server, folder)
}

fn log(folder: &TempDir) -> String {
    std::fs::read_to_string(folder.path().join("log")).expect("the log")
}

fn attribute(span: &Span, key: &str) -> Option<AnyValue> {
    let attribute = span
        .attributes
        .iter()
        .find(|attribute| attribute.key == key);
    attribute?.value.clone()?.value
}

/// Returns whether a span is of the request with this id.
fn of_request(id: &str) -> impl Fn(&Span) -> bool {
    move |span| attribute(span, "request.id") == Some(AnyValue::StringValue(id.into()))
}

#[tokio::test]
async fn each_request_is_a_span_above_what_it_waits_for() {
    let collector = Collector::start().await;
    let (server, folder) = traced_server(&collector.endpoint, &[]).await;
    let (ann, bob) = (
        server.with_user("ann").await,
        server.with_user("zebedee").await,
    );
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let number = id.to_string();
    let form = [("match_id", number.as_str()), ("mv", "1,1")];
    let asked = ann
        .post_request("/api/move")
        .header("x-request-id", "move-4711");
    send(asked.form(&form)).await.assert_ok();

    let moved = collector
        .span("POST /api/move", of_request("move-4711"))
        .await;
    for (key, value) in [
        ("http.request.method", AnyValue::StringValue("POST".into())),
        ("http.route", AnyValue::StringValue("/api/move".into())),
        ("http.response.status_code", AnyValue::IntValue(200)),
    ] {
        assert_eq!(attribute(&moved, key), Some(value), "{key}");
    }
    assert!(moved.parent_span_id.is_empty(), "{moved:?}");
    let below = |parent: &Span| {
        let (trace, parent) = (parent.trace_id.clone(), parent.span_id.clone());
        move |span: &Span| span.trace_id == trace && span.parent_span_id == parent
    };
    let command = collector.span("command", below(&moved)).await;
    assert_eq!(
        attribute(&command, "match.id"),
        Some(AnyValue::IntValue(id))
    );
    let append = collector.span("append", below(&command)).await;
    assert!(append.start_time_unix_nano >= command.start_time_unix_nano);
    assert!(append.end_time_unix_nano <= moved.end_time_unix_nano);
    let registered = collector.span("POST /api/register", |_| true).await;
    collector.span("hash password", below(&registered)).await;

    // The span of a stream has ended while the stream is open.
    let mut stream = ann.stream(&format!("/events/match/{id}")).await;
    collector.span("GET /events/match/{id}", |_| true).await;
    bob.make_move(id, "3,3", &[]).await.assert_ok();
    for _ in 0..4 {
        stream.expect("moved").await;
    }

    // The lines of the log about a request are as without traces.
    let token = ann.create_token("play").await;
    ann.with_token(&token)
        .get("/api/whoami?secret=of+an+address")
        .await
        .assert_ok();
    let asked = server
        .visitor()
        .request(Method::POST, "/api/login")
        .header("x-request-id", "failed-4711");
    let form = [("name", "zebedee"), ("password", "typed by somebody")];
    assert_eq!(send(asked.form(&form)).await.status, 401);
    collector
        .span("POST /api/login", of_request("failed-4711"))
        .await;
    let line = wait_until("auth.failed", async || {
        let text = log(&folder);
        let line = text.lines().find(|line| line.contains("failed-4711"))?;
        serde_json::from_str::<Value>(line).ok()
    })
    .await;
    assert_eq!(line["span"]["name"], "request");
    assert_eq!(line["span"]["client"], "127.0.0.1");
    assert_eq!(line["spans"].as_array().map(Vec::len), Some(1), "{line}");

    let sent = collector.bytes();
    let cookies = ann.cookies();
    let cookie = cookies
        .split("; ")
        .find_map(|pair| pair.strip_prefix("session="));
    for secret in [
        PASSWORD,
        "typed by somebody",
        "of+an+address",
        "zebedee",
        "127.0.0.1",
        cookie.expect("a session"),
        token.as_str(),
    ] {
        let found = sent
            .windows(secret.len())
            .any(|part| part == secret.as_bytes());
        assert!(!found, "{secret} was sent");
    }
}

#[tokio::test]
async fn pending_spans_are_exported_at_shutdown() {
    let collector = Collector::start().await;
    let later = [("OTEL_BSP_SCHEDULE_DELAY", "600000")];
    let (mut server, _folder) = traced_server(&collector.endpoint, &later).await;
    server.visitor().get("/play").await;
    server.terminate();
    assert!(server.wait_for_exit().await.success());
    let names: Vec<_> = collector.spans().into_iter().map(|s| s.name).collect();
    assert!(names.iter().any(|name| name == "GET /play"), "{names:?}");
}

#[tokio::test]
async fn a_request_belongs_to_the_trace_that_an_own_proxy_names() {
    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const PARENT: &str = "00f067aa0ba902b7";
    for (proxies, taken) in [("1", true), ("0", false)] {
        let collector = Collector::start().await;
        let trusted = [("TRUST_PROXY", proxies)];
        let (server, _folder) = traced_server(&collector.endpoint, &trusted).await;
        let asked = server
            .visitor()
            .request(Method::GET, "/healthz")
            .header("x-request-id", "through-a-proxy")
            .header("traceparent", format!("00-{TRACE}-{PARENT}-01"))
            .header("tracestate", "tochki=made-up");
        assert_eq!(send(asked).await.status, 200);
        let span = collector
            .span("GET /healthz", of_request("through-a-proxy"))
            .await;
        let bytes_of = |hex: &str| -> Vec<u8> {
            let digits = (0..hex.len()).step_by(2).map(|at| &hex[at..at + 2]);
            digits
                .map(|pair| u8::from_str_radix(pair, 16).expect("it is hexadecimal"))
                .collect()
        };
        assert_eq!(span.trace_id == bytes_of(TRACE), taken, "{span:?}");
        assert_eq!(span.parent_span_id == bytes_of(PARENT), taken, "{span:?}");
        assert_eq!(span.trace_state, "");
    }
}

#[tokio::test]
async fn a_collector_that_is_away_is_in_the_log_once_and_comes_back() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let (server, folder) = traced_server(&format!("http://{address}"), &[]).await;
    let visitor = server.visitor();
    let ask = async || assert_eq!(visitor.get("/healthz").await.status, 200);
    let lost = || log(&folder).matches("spans were not sent").count();
    wait_until("a line of it", async || {
        ask().await;
        (lost() > 0).then_some(())
    })
    .await;
    let listener = TcpListener::bind(address).await.unwrap();
    let mut refused = 0;
    wait_until("more batches that are lost", async || {
        ask().await;
        let accepted = timeout(Duration::from_millis(10), listener.accept()).await;
        refused += u32::from(accepted.is_ok());
        (refused >= 12).then_some(())
    })
    .await;
    let collector = Collector::on(listener);
    wait_until("spans", async || {
        ask().await;
        (!collector.spans().is_empty()).then_some(())
    })
    .await;
    assert_eq!(lost(), 1, "{}", log(&folder));
}

#[tokio::test]
async fn a_collector_that_never_answers_holds_up_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent = endpoint(&listener);
    tokio::spawn(async move {
        let mut open = Vec::new();
        while let Ok((connection, _)) = listener.accept().await {
            open.push(connection);
        }
    });
    let small = [
        ("OTEL_BSP_MAX_QUEUE_SIZE", "8"),
        ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "4"),
    ];
    let (mut server, _folder) = traced_server(&silent, &small).await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    for _ in 0..50 {
        assert_eq!(server.visitor().get("/healthz").await.status, 200);
    }
    let begun = Instant::now();
    server.terminate();
    assert!(server.wait_for_exit().await.success());
    assert!(begun.elapsed() < limits::SHUTDOWN_TIMEOUT);
}

#[tokio::test]
async fn an_address_with_tls_ends_the_start_in_words() {
    let address = "https://ann:secret@collector.example";
    let settings = [("OTEL_EXPORTER_OTLP_ENDPOINT", address.to_owned())];
    let output = run(&["serve"], &settings).await;
    assert!(!output.status.success());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("without TLS"), "{told}");
    assert!(!told.contains("secret"), "{told}");
}
