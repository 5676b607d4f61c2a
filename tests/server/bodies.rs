//! Bodies of requests: a limit on every route, declared and in chunks, and a refusal that arrives.

use super::app::{TIMEOUT, TestApp};
use super::player::Visitor;
use axum::http::Request;
use futures::{StreamExt as _, stream};
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use leptos::config::LeptosOptions;
use reqwest::Body;
use tochki_protocol::limits::{BODY_MAX_BYTES, RECORD_FORM_MAX_BYTES};
use tochki_web::http::{ListedRoute, list_routes};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Returns all routes, and addresses that have none.
pub(crate) fn all_routes(app: &TestApp) -> Vec<ListedRoute> {
    let options = LeptosOptions::builder().output_name("tochki").build();
    let mut routes = list_routes(app.state.clone(), options);
    for path in ["/nowhere", "/nowhere.js", "/pkg/none.js", "/api/nothing"] {
        routes.push(ListedRoute {
            method: axum::http::Method::GET,
            path: path.to_owned(),
        });
    }
    routes
}

/// Returns an address of a route.
pub(crate) fn address(route: &ListedRoute) -> String {
    let mut path = route.path.clone();
    for parameter in [
        "{id}", "{link}", "{name}", "{game}", "{file}", "{at}", "{token}",
    ] {
        path = path.replace(parameter, "1");
    }
    assert!(!path.contains('{'), "{path} has another parameter");
    path
}

async fn status(visitor: &Visitor, route: &ListedRoute, body: Body) -> u16 {
    let mut request = visitor.request(route.method.clone(), &address(route));
    if body.as_bytes().is_none() {
        // A client may leave out what a GET has in chunks, unless it says so.
        request = request.header("transfer-encoding", "chunked");
    }
    let answer = request.body(body).send().await;
    answer.expect("an answer").status().as_u16()
}

#[tokio::test]
async fn every_route_has_a_limit_declared_and_in_chunks() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    let routes = all_routes(&app);
    let paths: Vec<&str> = routes.iter().map(|route| route.path.as_str()).collect();
    for known in [
        "/account/codes",
        "/account/token",
        "/sgf",
        "/play",
        "/api/say",
        "/events/me",
    ] {
        assert!(paths.contains(&known), "{known} is not listed");
    }
    let check = async |route: &ListedRoute| {
        let limit = match (route.path.as_str(), route.method.as_str()) {
            ("/sgf", "POST") => RECORD_FORM_MAX_BYTES,
            _ => BODY_MAX_BYTES,
        };
        let too_much = vec![b'x'; limit + 1];
        let declared = status(&visitor, route, Body::from(too_much.clone())).await;
        assert_eq!(declared, 413, "{route:?}, declared");
        let pieces: Vec<_> = too_much
            .chunks(8 * 1024)
            .map(|piece| Ok::<_, std::io::Error>(piece.to_vec()))
            .collect();
        let chunked = Body::wrap_stream(stream::iter(pieces));
        assert_eq!(
            status(&visitor, route, chunked).await,
            413,
            "{route:?}, in chunks"
        );
    };
    stream::iter(&routes).for_each_concurrent(8, check).await;
}

/// Returns the bytes after the head of a request with a body of this length in chunks, or as it is.
fn body(len: usize, chunked: bool) -> Vec<u8> {
    let text = vec![b'x'; len];
    if !chunked {
        return text;
    }
    let mut body = Vec::new();
    for piece in text.chunks(4096) {
        body.extend(format!("{:x}\r\n", piece.len()).bytes());
        body.extend(piece);
        body.extend(b"\r\n");
    }
    body.extend(b"0\r\n\r\n");
    body
}

#[tokio::test]
async fn a_client_that_sends_all_of_it_reads_the_refusal() {
    let app = TestApp::with_settings(|settings| {
        settings.public_origin = Some("https://tochki.example".into());
    })
    .await;
    let foreign = "Origin: https://evil.example\r\n";
    for (len, chunked, more, expected) in [
        (66_560, false, "", "413"),
        (66_560, true, "", "413"),
        (3_000_000, false, "", "413"),
        (3_000_000, true, "", "413"),
        // Requests that are refused for something else than their length.
        (66_560, false, foreign, "413"),
        (60_000, false, foreign, "403"),
        (60_000, true, foreign, "403"),
    ] {
        let length = if chunked {
            "Transfer-Encoding: chunked".to_owned()
        } else {
            format!("Content-Length: {len}")
        };
        let head = format!("POST /api/register HTTP/1.1\r\nHost: here\r\n{length}\r\n{more}\r\n");
        let mut socket = TcpStream::connect(app.address).await.expect("a connection");
        let talking = async {
            socket.write_all(head.as_bytes()).await.expect("a head");
            // As a simple client does: first all is written, then the answer is read.
            socket
                .write_all(&body(len, chunked))
                .await
                .expect("it reads on");
            let mut answer = [0; 12];
            socket.read_exact(&mut answer).await.expect("an answer");
            String::from_utf8_lossy(&answer).into_owned()
        };
        let answer = timeout(TIMEOUT, talking).await.expect("in time");
        assert_eq!(
            answer,
            format!("HTTP/1.1 {expected}"),
            "{len} {chunked} {more}"
        );
    }
}

#[tokio::test]
async fn the_refusal_arrives_over_http_2() {
    let app = TestApp::init().await;
    for len in [66_560, 3_000_000] {
        let line = TcpStream::connect(app.address).await.expect("a connection");
        let handshake = http2::handshake(TokioExecutor::new(), TokioIo::new(line)).await;
        let (mut client, connection) = handshake.expect("HTTP/2");
        tokio::spawn(connection);
        let request = Request::post(app.visitor().url("/account/codes"))
            .body(axum::body::Body::from(vec![b'x'; len]))
            .expect("a request");
        let answer = timeout(TIMEOUT, client.send_request(request)).await;
        assert_eq!(answer.expect("in time").expect("an answer").status(), 413);
        // The connection is as good as before.
        let next = Request::get(app.visitor().url("/healthz"));
        let next = next.body(axum::body::Body::empty()).expect("a request");
        let answer = timeout(TIMEOUT, client.send_request(next)).await;
        assert_eq!(answer.expect("in time").expect("an answer").status(), 200);
    }
}
