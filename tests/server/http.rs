//! The HTTP layer: origins, body sizes, arguments, methods, security headers, forms, health probes.

use super::app::{TIMEOUT, TestApp, start_match, wait_until};
use super::bodies::{address, all_routes};
use super::operator::with_operator;
use super::player::{PASSWORD, send};
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use futures::StreamExt as _;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use reqwest::Method;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

const KIB: usize = 1024;

#[tokio::test]
async fn foreign_origins_are_refused() {
    let app = TestApp::init().await;
    let form = [("name", "ann"), ("password", PASSWORD)];
    for (header, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
    ] {
        let post = app.visitor().post_request("/api/register").form(&form);
        send(post.header(header, value))
            .await
            .assert_error(403, "foreign_origin");
    }
    let players: i64 = sqlx::query_scalar("select count(*) from players")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(players, 0);

    let reads = app.visitor().request(Method::GET, "/api/whoami");
    send(reads.header("origin", "https://evil.example"))
        .await
        .assert_ok();
    let ours = app.visitor().post_request("/api/register").form(&form);
    send(
        ours.header("origin", app.visitor().url(""))
            .header("sec-fetch-site", "same-origin"),
    )
    .await
    .assert_ok();
}

#[tokio::test]
async fn public_origin_is_the_expected_origin() {
    let app = TestApp::with_settings(|settings| {
        settings.public_origin = Some("https://tochki.example".into());
    })
    .await;
    let form = [("name", "ann"), ("password", PASSWORD)];
    let inner = app.visitor().post_request("/api/register").form(&form);
    send(inner.header("origin", app.visitor().url("")))
        .await
        .assert_error(403, "foreign_origin");
    let public = app.visitor().post_request("/api/register").form(&form);
    send(public.header("origin", "https://tochki.example"))
        .await
        .assert_ok();
}

/// A request over HTTP/2, as a proxy may send it: without a `Host`.
async fn over_http_2(app: &TestApp, method: Method, path: &str, header: (&str, &str)) -> Response {
    let line = TcpStream::connect(app.address).await.unwrap();
    let (mut proxy, passing) = http2::handshake(TokioExecutor::new(), TokioIo::new(line))
        .await
        .unwrap();
    tokio::spawn(passing);
    let form = format!("name=ann&password={}", PASSWORD.replace(' ', "+"));
    let request = Request::builder()
        .method(method)
        .uri(app.visitor().url(path))
        .header("content-type", "application/x-www-form-urlencoded")
        .header(header.0, header.1)
        .body(form)
        .unwrap();
    proxy.send_request(request).await.unwrap().map(Body::new)
}

#[tokio::test]
async fn http_2_is_supported() {
    let app = TestApp::init().await;
    let register = "/api/register";
    let foreign = ("origin", "https://evil.example");
    let refused = over_http_2(&app, Method::POST, register, foreign).await;
    assert_eq!(refused.status(), 403);
    let ours = app.visitor().url("");
    let registered = over_http_2(&app, Method::POST, register, ("origin", &ours)).await;
    assert_eq!(registered.status(), 200);
    let cookie = registered.headers()["set-cookie"].to_str().unwrap();
    let (session, _) = cookie.split_once(';').unwrap();

    let lobby = "/events/lobby?game=dots";
    let stream = over_http_2(&app, Method::GET, lobby, ("cookie", session)).await;
    let mut stream = stream.into_body().into_data_stream();
    let mut received = String::new();
    while !received.contains("event: snapshot") {
        let bytes = stream.next().await.expect("the stream goes on").unwrap();
        received += str::from_utf8(&bytes).unwrap();
    }
}

#[tokio::test]
async fn bodies_over_64_kib_are_refused() {
    let app = TestApp::init().await;
    let too_much = vec![b'x'; 64 * KIB + 1];
    let announced = app
        .visitor()
        .post_request("/api/register")
        .body(too_much.clone());
    send(announced).await.assert_error(413, "too_large");
    let pieces: Vec<_> = too_much
        .chunks(KIB)
        .map(|piece| Ok::<_, std::io::Error>(piece.to_vec()))
        .collect();
    let chunked = reqwest::Body::wrap_stream(futures::stream::iter(pieces));
    send(app.visitor().post_request("/api/register").body(chunked))
        .await
        .assert_error(413, "too_large");

    let fits = format!("password={PASSWORD}&name=");
    let fits = format!("{fits}{}", "x".repeat(64 * KIB - fits.len()));
    let fits = app
        .visitor()
        .post_request("/api/register")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(fits);
    send(fits).await.assert_error(400, "invalid_name");
}

#[tokio::test]
async fn missing_or_malformed_arguments_are_bad_requests() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, "{}").await.to_string();
    let form = |text: &str| text.replace("ID", &id).replace("BOB", &bob.id.to_string());
    for (endpoint, body) in [
        ("register", ""),
        ("register", "name=carol"),
        ("register", "password=correct"),
        ("register", "{\"name\":\"carol\",\"password\":\"correct\"}"),
        ("register", "name=carol&name=dave&password=correct"),
        ("register", "name[a]=carol&password=correct"),
        ("login", "name=ann"),
        ("challenge", "game=dots"),
        ("challenge", "opponent=BOB"),
        ("challenge", "opponent=bob&game=dots"),
        ("challenge", "opponent=BOB&game=dots&rated=perhaps"),
        ("challenge", "opponent=99999999999999999999&game=dots"),
        ("answer_challenge", "id=1"),
        ("answer_challenge", "accept=true"),
        ("answer_challenge", "id=1&accept=perhaps"),
        ("cancel_challenge", ""),
        ("cancel_challenge", "id=x"),
        ("move", "mv=1,1"),
        ("move", "match_id=ID"),
        ("move", "match_id=x&mv=1,1"),
        ("move", "match_id=ID&mv=1,1&version=-1"),
        ("move", "match_id=ID&mv=1,1&version=x"),
        ("move", "match_id=ID&mv=1,1&client_id=a+b"),
        ("move", "match_id=ID&mv=1,1&client_id=a.b"),
        ("move", "match_id=ID&mv=1,1&client_id=%D1%8F"),
        ("resign", ""),
        ("resign", "match_id="),
    ] {
        let post = ann
            .post_request(&format!("/api/{endpoint}"))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form(body));
        let answer = send(post).await;
        assert_eq!(
            (answer.status, answer.code().as_deref()),
            (400, Some("bad_request")),
            "{endpoint} {body}: {answer:?}"
        );
    }
    for path in [
        "/api/match",
        "/api/match?id=",
        "/api/match?id=x",
        "/api/waiting_room",
        "/events/match/ID?after=x",
        "/events/match/ID?after=-1",
        "/events",
        "/events?topics=",
        "/events?topics=match:ID@x",
        "/events?topics=match:ID&topics=me",
    ] {
        ann.get(&form(path)).await.assert_error(400, "bad_request");
    }
    assert_eq!(ann.snapshot(id.parse().unwrap()).await["version"], 0);
}

#[tokio::test]
async fn empty_form_fields_count_as_missing() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let _waiting = bob.join_lobby().await;
    let empty = [("setup", ""), ("clock", "")];
    let challenge = ann.challenge(&bob, &empty).await.id("id");
    let id = bob.answer_challenge(challenge, true).await.id("match");
    ann.make_move(id, "1,1", &[("version", ""), ("client_id", "")])
        .await
        .assert_ok();
}

#[tokio::test]
async fn unknown_endpoints_are_404_and_wrong_methods_405() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    for path in ["/api/nothing", "/api/move/1", "/api/Register", "/api/%00"] {
        visitor.get(path).await.assert_error(404, "not_found");
        visitor.post(path, &[]).await.assert_error(404, "not_found");
    }
    visitor
        .get("/api/register?name=ann&password=123456")
        .await
        .assert_error(405, "method_not_allowed");
    visitor
        .post("/api/match", &[("id", "1")])
        .await
        .assert_error(405, "method_not_allowed");
    send(visitor.request(Method::DELETE, "/api/whoami"))
        .await
        .assert_error(405, "method_not_allowed");
}

#[tokio::test]
async fn unknown_paths_are_not_found() {
    let app = TestApp::init().await;
    let long = format!("/{}", "a".repeat(5000));
    for path in [
        "/nowhere",
        "/%00",
        "/%ff",
        "/%",
        "/pkg/%00",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/pkg/..%2f..%2fCargo.toml",
        &long,
    ] {
        for method in [Method::GET, Method::HEAD] {
            let answer = send(app.visitor().request(method, path)).await;
            assert_eq!(answer.status, 404, "{path:.40}");
            assert!(!answer.text.contains("root:") && !answer.text.contains("[package]"));
        }
    }
}

#[tokio::test]
async fn arbitrary_input_causes_no_server_error() {
    const FIELDS: &[&str] = &[
        "name",
        "password",
        "next",
        "opponent",
        "game",
        "setup",
        "setup[width]",
        "setup[]",
        "setup[a][b]",
        "clock",
        "rated",
        "id",
        "accept",
        "match_id",
        "mv",
        "version",
        "client_id",
        "[",
        "]",
        "",
    ];
    const VALUES: &[&str] = &[
        "",
        "0",
        "1",
        "-1",
        "99999999999999999999",
        "1e9",
        "dots",
        "true",
        "none",
        "300+5",
        "1,1",
        "%00",
        "%ff",
        "%",
        "%zz",
        "{}",
        "[1]",
        "null",
        "NaN",
        "{\"width\":5}",
        "%F0%9F%99%82",
        "&",
        "=",
    ];
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    start_match(&ann, &bob, "{}").await;
    let mut dice = SmallRng::seed_from_u64(1);
    for endpoint in [
        "register",
        "challenge",
        "answer_challenge",
        "cancel_challenge",
        "move",
        "resign",
        "nothing",
    ] {
        for _ in 0..60 {
            let fields = (0..dice.random_range(0..7)).map(|_| {
                let field = FIELDS.choose(&mut dice).expect("there are some");
                let value = VALUES.choose(&mut dice).expect("there are some");
                format!("{field}={value}")
            });
            let body = fields.collect::<Vec<_>>().join("&");
            let post = ann
                .post_request(&format!("/api/{endpoint}"))
                .header("content-type", "application/x-www-form-urlencoded");
            let answer = send(post.body(body.clone())).await;
            assert!(answer.status < 500, "{endpoint} {body}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn player_endpoints_need_a_session() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    for path in [
        "/api/waiting_room?game=dots",
        "/events/lobby?game=dots",
        "/events/lobby",
    ] {
        visitor.get(path).await.assert_error(401, "signed_out");
    }
    for (endpoint, form) in [
        ("challenge", &[("opponent", "1"), ("game", "dots")][..]),
        ("answer_challenge", &[("id", "1"), ("accept", "true")]),
        ("cancel_challenge", &[("id", "1")]),
        ("move", &[("match_id", "1"), ("mv", "1,1")]),
        ("resign", &[("match_id", "1")]),
    ] {
        visitor
            .post(&format!("/api/{endpoint}"), form)
            .await
            .assert_error(401, "signed_out");
    }
}

#[tokio::test]
async fn security_headers_are_set() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    for path in ["/", "/api/whoami", "/api/nothing", "/healthz", "/nowhere"] {
        let answer = visitor.get(path).await;
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "same-origin"),
            ("x-frame-options", "DENY"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{path}");
        }
        let policy = answer.header("content-security-policy").expect(path);
        assert!(
            policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
    }
    let signed = visitor.get("/api/whoami").await;
    assert_eq!(signed.header("cache-control"), Some("no-store"));
}

#[tokio::test]
async fn the_front_page_fetches_its_code_after_it_is_painted() {
    let app = TestApp::init().await;
    for (path, is_late) in [("/", true), ("/?game=boxes", true), ("/rules", false)] {
        let page = app.visitor().get(path).await.text;
        let links: Vec<&str> = page
            .split("<link ")
            .filter(|link| {
                link.starts_with(r#"rel="modulepreload""#) || link.starts_with(r#"rel="preload""#)
            })
            .collect();
        assert!(links.len() >= 2, "{path}");
        for link in links {
            let (link, _) = link.split_once('>').expect("a tag");
            assert_eq!(link.contains(r#"media="not all""#), is_late, "{link}");
        }
        let (_, script) = page.split_once(r#"id="start""#).expect("the script");
        let (script, _) = script.split_once('>').expect("a tag");
        assert_eq!(
            script.contains(r#"src="/late_start.js?"#),
            is_late,
            "{script}"
        );
        assert_eq!(
            script.contains(r#"data-start="/start.js?"#),
            is_late,
            "{script}"
        );
    }
}

#[tokio::test]
async fn content_security_policy_allows_only_our_scripts() {
    let app = TestApp::init().await;
    let script_policy = async || {
        let page = app.visitor().get("/").await;
        let policy = page.header("content-security-policy").unwrap().to_owned();
        let scripts = policy
            .split(';')
            .find_map(|part| part.trim().strip_prefix("script-src "))
            .expect("a policy for scripts")
            .to_owned();
        (page, scripts)
    };
    let (page, scripts) = script_policy().await;
    let nonce = scripts
        .split(' ')
        .find_map(|source| source.strip_prefix("'nonce-")?.strip_suffix('\''))
        .expect("a nonce");
    assert!(nonce.len() >= 16, "{nonce}");
    for source in scripts.split(' ') {
        assert!(
            source == "'self'" || source == "'wasm-unsafe-eval'" || source.contains(nonce),
            "{scripts}"
        );
    }
    for script in page.text.split("<script").skip(1) {
        let (opening, _) = script.split_once('>').unwrap();
        let is_file = opening.contains(r#"src="/"#);
        // The data of islands and their copies, which no browser runs.
        let is_data = ["application/json", "text/plain"]
            .iter()
            .any(|kind| opening.contains(kind));
        assert!(
            is_file || is_data || opening.contains(nonce),
            "a script of ours without nonce: {opening}"
        );
    }
    assert_ne!(
        script_policy().await.1,
        scripts,
        "a nonce is for one answer"
    );
}

#[tokio::test]
async fn forms_work_without_scripts() {
    let app = TestApp::init().await;
    let submits = async |path: &str, form: &[(&str, &str)]| {
        let post = app.visitor().post_request(path).form(form);
        send(
            post.header("accept", "text/html,application/xhtml+xml")
                .header("referer", app.visitor().url("/register"))
                .header("origin", app.visitor().url("")),
        )
        .await
    };
    let registered = submits("/api/register", &[("name", "ann"), ("password", PASSWORD)]).await;
    assert_eq!(registered.status, 302);
    assert_eq!(registered.header("location"), Some("/play"));
    assert_eq!(registered.cookies().len(), 2, "the session and the device");

    for (next, goes_to) in [
        ("/match/7", "/match/7"),
        ("//evil.example", "/play"),
        ("https://evil.example/", "/play"),
        ("/\\evil.example", "/play"),
        ("", "/play"),
    ] {
        let signed_in = submits(
            "/api/login",
            &[("name", "ann"), ("password", PASSWORD), ("next", next)],
        )
        .await;
        assert_eq!(signed_in.status, 302);
        assert_eq!(signed_in.header("location"), Some(goes_to), "{next}");
    }

    let refused = submits("/api/login", &[("name", "ann"), ("password", "wrong")]).await;
    assert_eq!(refused.status, 302, "back to the form: {refused:?}");
    let back = refused.header("location").unwrap();
    assert!(back.contains("/register?"), "{back}");
    assert!(refused.cookies().is_empty());
}

#[tokio::test]
async fn health_and_readiness_probes_answer() {
    let app = TestApp::init().await;
    assert_eq!(app.visitor().get("/healthz").await.status, 200);
    assert_eq!(app.visitor().get("/readyz").await.status, 200);
    // The server is ready before the first sweep, and must stay so after it.
    wait_until("the server to stay ready", async || {
        (app.visitor().get("/readyz").await.status == 200).then_some(())
    })
    .await;
}

/// The answer to these bytes, in full.
async fn raw(app: &TestApp, request: &str) -> String {
    let mut socket = TcpStream::connect(app.address).await.unwrap();
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let read = timeout(TIMEOUT, socket.read_to_end(&mut answer)).await;
    read.unwrap().unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn http_1_1_names_one_host() {
    let app = TestApp::init().await;
    for (version, hosts, status) in [
        ("1.1", "Host: here\r\n", 200),
        ("1.1", "", 400),
        ("1.1", "Host: here\r\nHost: there\r\n", 400),
        ("1.0", "", 200),
        ("1.0", "Host: here\r\n", 200),
    ] {
        let request = format!("GET /healthz HTTP/{version}\r\n{hosts}Connection: close\r\n\r\n");
        let answer = raw(&app, &request).await;
        assert!(
            answer.split(' ').nth(1) == Some(&status.to_string()),
            "{request}: {answer}"
        );
    }
}

#[tokio::test]
async fn no_address_leads_to_another_site() {
    let app = TestApp::init().await;
    for path in [
        "//pkg",
        "//pkg/",
        "//evil.example",
        "//evil.example/",
        "//evil.example/..",
        "/\\evil.example",
        "//match/1",
        "/play//",
        "///",
    ] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
        let answer = raw(&app, &request).await.to_lowercase();
        assert!(answer.starts_with("http/1.1 "), "{path}: {answer}");
        let (head, _) = answer.split_once("\r\n\r\n").unwrap();
        assert!(!head.contains("\nlocation: //"), "{path}: {head}");
        assert!(!head.contains("evil.example"), "{path}: {head}");
    }
}

#[tokio::test]
async fn what_only_reads_redirects_nobody() {
    let (app, boss) = with_operator().await;
    let ann = app.with_user("ann").await;
    let mut checked = 0;
    for route in all_routes(&app) {
        let path = address(&route);
        if route.method != Method::GET || !path.starts_with("/api/") {
            continue;
        }
        checked += 1;
        for visitor in [&app.visitor(), &*ann, &*boss] {
            for referer in ["https://evil.example/x".to_owned(), visitor.url("/play")] {
                let request = visitor
                    .request(Method::GET, &path)
                    .header("referer", &referer);
                let answer = request.header("accept", "text/html").send().await.unwrap();
                let is_redirect = answer.status().is_redirection();
                assert!(!is_redirect, "{path}: {answer:?}");
                assert!(
                    answer.headers().get("location").is_none(),
                    "{path}: {answer:?}"
                );
            }
        }
    }
    assert!(checked > 20, "{checked}");
}

#[tokio::test]
async fn the_error_of_a_form_leads_back_to_our_page_or_is_a_page() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    let post = |headers: &[(&'static str, String)]| {
        let form = [("name", "x"), ("password", PASSWORD)];
        let mut request = visitor.post_request("/api/register").form(&form);
        request = request.header("accept", "text/html,*/*;q=0.8");
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        async { request.send().await.unwrap() }
    };
    let ours = [
        ("origin", visitor.url("")),
        ("referer", visitor.url("/register")),
    ];
    let back = post(&ours).await;
    assert_eq!(back.status(), 302);
    let location = back.headers()["location"].to_str().unwrap().to_owned();
    assert!(
        location.starts_with(&visitor.url("/register?")),
        "{location}"
    );
    assert!(location.contains("__err="), "{location}");
    // A proxy that asks for no `Referer`: the browser then says `null`.
    let null = ("origin", "null".to_owned());
    let same = ("sec-fetch-site", "same-origin".to_owned());
    let foreign = ("sec-fetch-site", "cross-site".to_owned());
    let evil = ("referer", "https://evil.example/".to_owned());
    for (headers, status, text) in [
        (vec![null.clone(), same.clone()], 400, "2 to 20"),
        (vec![null.clone(), foreign], 403, "<html"),
        (vec![null], 403, "<html"),
        (vec![evil, same], 400, "2 to 20"),
    ] {
        let answer = post(&headers).await;
        assert_eq!(answer.status().as_u16(), status, "{headers:?}");
        assert!(answer.headers().get("location").is_none(), "{headers:?}");
        let kind = answer.headers()["content-type"]
            .to_str()
            .unwrap()
            .to_owned();
        assert_eq!(kind, "text/html; charset=utf-8", "{headers:?}");
        let page = answer.text().await.unwrap();
        assert!(
            page.contains("<html") && page.contains(text),
            "{headers:?}: {page}"
        );
    }
    // A form without scripts behind such a proxy.
    let registered = visitor
        .post_request("/api/register")
        .form(&[("name", "ann"), ("password", PASSWORD)])
        .header("origin", "null")
        .header("sec-fetch-site", "same-origin");
    send(registered).await.assert_ok();
}

#[tokio::test]
async fn an_unreadable_address_is_refused_and_not_taken_for_the_proxy() {
    let app = TestApp::with_settings(|settings| settings.trust_proxy = 1).await;
    for (list, status) in [
        (&b"192.0.2.1"[..], 200),
        (b"\xff, 192.0.2.1", 200),
        (b"192.0.2.1, \xff", 400),
        (b"192.0.2.1, unknown", 400),
    ] {
        let list = reqwest::header::HeaderValue::from_bytes(list).unwrap();
        let request = app.visitor().request(Method::GET, "/healthz");
        let answer = request
            .header("x-forwarded-for", &list)
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status().as_u16(), status, "{list:?}");
    }
}

#[tokio::test]
async fn a_page_reads_and_renews_its_session_once() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let age = "update sessions set seen_at = now() - interval '3 days'";
    for path in ["/play", "/account", "/", "/history"] {
        sqlx::query(age).execute(&app.db).await.unwrap();
        let page = ann.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        let set = page.headers.get_all("set-cookie").iter();
        let sessions = set.filter(|cookie| cookie.as_bytes().starts_with(b"session="));
        assert_eq!(sessions.count(), 1, "{path}");
    }
    // The copy for use offline shows nobody's name.
    let shown = ann.get("/rules").await.text;
    assert!(shown.contains("/@ann"), "{shown}");
    let copy = ann.get("/rules?offline=1").await.text;
    assert!(!copy.contains("/@ann"), "{copy}");
}
