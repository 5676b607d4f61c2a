//! The metrics that a server tells Prometheus, and the supervised tasks.

use super::app::{SMALL, begin, start_match, wait_until};
use super::cluster::Database;
use super::player::client_builder;
use super::process::Server;
use std::net::TcpListener;

/// Returns a free port of loopback.
fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").to_string()
}

#[tokio::test]
async fn all_metrics_are_exported() {
    let (metrics, folder) = (free_address(), tempfile::tempdir().expect("a folder"));
    let settings = vec![
        ("METRICS_ADDR", metrics.clone()),
        ("LINE_LISTEN", free_address()),
    ];
    let log = folder.path().join("log");
    let server = Server::start_logging(Database::fresh().await, settings, log).await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let _stream = ann.stream(&format!("/events/match/{id}")).await;
    let client = client_builder().build().expect("a client");
    let text = wait_until("a presence and a stream", async || {
        let asked = client.get(format!("http://{metrics}/metrics")).send();
        let text = asked.await.ok()?.text().await.ok()?;
        let all = text.contains("presence_oldest_beat_seconds") && text.contains("streams{");
        all.then_some(text)
    })
    .await;
    for name in [
        r#"http_requests_total{route="/api/move",method="POST",status="200"}"#,
        r#"http_request_duration_seconds_bucket{route="/api/move",le="0.001"}"#,
        r#"moves_total{outcome="committed"} 2"#,
        r#"moves_total{outcome="refused"} 0"#,
        "append_duration_seconds_bucket{",
        "append_batches_total ",
        r#"streams{kind="match"} 1"#,
        "matches_in_memory 1",
        "presence_rows ",
        "presence_oldest_beat_seconds ",
        r#"database_connections{state="used"}"#,
        r#"database_connections{state="idle"}"#,
        "database_wait_seconds ",
        "database_transactions_beginning ",
        "database_timeouts_total 0",
        "sweep_delay_seconds_count ",
        r#"bus_messages_total{fate="sent"}"#,
        r#"bus_messages_total{fate="received"}"#,
        r#"bus_messages_total{fate="lost"}"#,
        "bus_connected 1",
        "hashing_jobs_waiting 0",
        r#"connections_refused_total{limit="all"} 0"#,
        r#"connections_refused_total{limit="address"} 0"#,
        r#"connections_refused_total{limit="silent"} 0"#,
        r#"streams_refused_total{limit="address"} 0"#,
        r#"streams_refused_total{limit="session"} 0"#,
        "matches_set_aside_total 0",
        r#"task_restarts_total{task="sweeper"} 0"#,
        // These are supervised, too.
        r#"task_restarts_total{task="metrics"} 0"#,
        r#"task_restarts_total{task="line listener"} 0"#,
        r#"task_restarts_total{task="line connections"} 0"#,
        concat!(
            r#"build_info{version=""#,
            env!("CARGO_PKG_VERSION"),
            r#"",commit=""#
        ),
        "# TYPE append_duration_seconds histogram",
    ] {
        assert!(text.contains(name), "{name} is not in\n{text}");
    }
}
