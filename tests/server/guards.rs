//! Connections that say nothing or are too many, rows that somebody keeps locked, headers of every answer, the metrics.

use super::app::{SMALL, TIMEOUT, TestApp, begin, start_match, wait_until};
use super::cluster::Database;
use super::player::{PASSWORD, client_builder, send};
use std::num::NonZeroU32;
use tochki_protocol::limits;
use tochki_server::db::Timeouts;
use tochki_web::http;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Returns whether the server closes this connection.
async fn is_closed(connection: &mut TcpStream) -> bool {
    let read = timeout(TIMEOUT, connection.read(&mut [0; 1])).await;
    matches!(read, Ok(Ok(0) | Err(_)))
}

/// Opens a connection over which a request has been answered, so that the server has accepted it.
async fn used_connection(app: &TestApp) -> TcpStream {
    let mut connection = TcpStream::connect(app.address).await.expect("a connection");
    let request = b"GET /healthz HTTP/1.1\r\nHost: tochki\r\n\r\n";
    connection.write_all(request).await.expect("a request");
    let mut answer = [0; 12];
    let read = timeout(TIMEOUT, connection.read_exact(&mut answer)).await;
    read.expect("in time").expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 200");
    connection
}

#[tokio::test]
async fn an_address_has_a_bounded_number_of_connections() {
    let app = TestApp::with_settings(|settings| {
        settings.connections_by_address = NonZeroU32::new(3).unwrap();
    })
    .await;
    let mut open = Vec::new();
    for _ in 0..3 {
        open.push(used_connection(&app).await);
    }
    let mut fourth = TcpStream::connect(app.address).await.expect("a connection");
    // Its request is refused, and it does not stay open.
    let request = b"GET /healthz HTTP/1.1\r\nHost: tochki\r\n\r\n";
    fourth.write_all(request).await.expect("a request");
    let mut answer = String::new();
    let read = timeout(TIMEOUT, fourth.read_to_string(&mut answer)).await;
    read.expect("in time").expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 429"), "{answer}");
    let mut silent = TcpStream::connect(app.address).await.expect("a connection");
    assert!(is_closed(&mut silent).await);
    // A connection that goes makes room for another.
    open.pop();
    wait_until("room for another connection", async || {
        let mut another = TcpStream::connect(app.address).await.ok()?;
        another.write_all(request).await.ok()?;
        let mut answer = [0; 12];
        another.read_exact(&mut answer).await.ok()?;
        (&answer == b"HTTP/1.1 200").then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_site_of_ipv6_registers_as_often_as_eight_addresses() {
    let app = TestApp::with_settings(|settings| {
        settings.trust_proxy = 1;
        settings.registrations_by_address = NonZeroU32::MIN;
    })
    .await;
    let mut registered = 0;
    for network in 0..12 {
        let form = [
            ("name", format!("ann-{network}")),
            ("password", PASSWORD.to_owned()),
        ];
        let request = app.visitor().post_request("/api/register").form(&form);
        let request = request.header("x-forwarded-for", format!("2001:db8:1:{network}::1"));
        let answer = send(request).await;
        if answer.status != 200 {
            answer.assert_error(429, "too_many_attempts");
            break;
        }
        registered += 1;
    }
    // One more in 75 seconds.
    assert!((8..=9).contains(&registered), "{registered}");
}

#[tokio::test]
async fn a_connection_that_says_nothing_is_closed() {
    let app = TestApp::init().await;
    let mut silent = TcpStream::connect(app.address).await.expect("a connection");
    assert!(is_closed(&mut silent).await);
}

#[tokio::test]
async fn a_locked_row_is_unavailable_and_other_matches_go_on() {
    let short = Timeouts {
        lock: limits::LOCK_TIMEOUT / 4,
        ..Timeouts::default()
    };
    let app = TestApp::with_timeouts(Database::fresh().await, TestApp::settings(), short).await;
    let (ann, bob) = app.with_two_users().await;
    let (eve, dan) = (app.with_user("eve").await, app.with_user("dan").await);
    let locked = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, locked).await;
    let other = start_match(&eve, &dan, SMALL).await;
    begin(&eve, &dan, other).await;
    let mut tx = app.db.begin().await.expect("a transaction");
    sqlx::query("select from matches where id = $1 for update")
        .bind(locked)
        .execute(&mut *tx)
        .await
        .expect("a lock");
    let refused = ann.make_move(locked, "1,1", &[("client_id", "one")]).await;
    refused.assert_error(503, "unavailable");
    eve.make_move(other, "1,1", &[]).await.assert_ok();
    tx.rollback().await.expect("the end of the lock");
    // The client sends it again, and it is made once.
    let moved = ann.make_move(locked, "1,1", &[("client_id", "one")]).await;
    let again = ann.make_move(locked, "1,1", &[("client_id", "one")]).await;
    assert_eq!(moved.version(), again.version());
}

#[tokio::test]
async fn every_answer_says_what_a_browser_may_do_with_it() {
    let app = TestApp::with_settings(|settings| {
        settings.public_origin = Some("https://tochki.example".into());
    })
    .await;
    let client = client_builder().build().expect("a client");
    for path in [
        "/",
        "/healthz",
        "/api/standings?game=dots",
        "/nowhere",
        "/events",
        "/events/lobby",
    ] {
        let answer = client.get(format!("http://{}{path}", app.address)).send();
        let answer = answer.await.expect("an answer");
        for (name, value) in [
            ("strict-transport-security", "max-age=31536000"),
            ("x-content-type-options", "nosniff"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            let found = answer
                .headers()
                .get(name)
                .map(axum::http::HeaderValue::as_bytes);
            assert_eq!(found, Some(value.as_bytes()), "{path}: {name}");
        }
        assert!(
            answer.headers().contains_key("permissions-policy"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn metrics_count_routes_moves_and_streams_and_never_what_a_visitor_has_typed() {
    let handle = http::metrics::install().expect("no other recorder");
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let unknown = ann.make_move(id, "99,99", &[]).await;
    unknown.assert_error(422, "illegal");
    let stream = ann.stream(&format!("/events/match/{id}")).await;
    let client = client_builder().build().expect("a client");
    for path in [
        "/typed-by-a-visitor",
        "/api/typed-by-a-visitor",
        "/@typed-by-a-visitor",
    ] {
        let _ = client
            .get(format!("http://{}{path}", app.address))
            .send()
            .await;
    }
    for method in ["typed", "TYPED-BY-A-VISITOR"] {
        let method = reqwest::Method::from_bytes(method.as_bytes()).expect("a method");
        let url = format!("http://{}/healthz", app.address);
        let _ = client.request(method, url).send().await;
    }
    let text = wait_until("the metrics", async || {
        let text = handle.render();
        text.contains(r#"streams{kind="match"}"#).then_some(text)
    })
    .await;
    drop(stream);
    for line in [
        r#"http_requests_total{route="/api/move",method="POST",status="200"}"#,
        r#"http_request_duration_seconds_bucket{route="/api/move",le="0.001"}"#,
        r#"moves_total{outcome="committed"}"#,
        r#"moves_total{outcome="refused"}"#,
        r#"http_requests_total{route="/healthz",method="other",status="405"} 2"#,
        "append_duration_seconds_count",
        "sweep_delay_seconds_count",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(!text.to_lowercase().contains("typed"), "{text}");
}
