//! What every request and every answer passes through: where it comes from, how much of it there may be, which status
//! an error has, and what a browser may do with the answer.

use super::pages;
use crate::server::Arena;
use crate::server::accounts::Visit;
use crate::wire::{ApiError, Code};
use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::FutureExt as _;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http_body_util::LengthLimitError;
use leptos::config::LeptosOptions;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The most a request may carry.
const BODY_LIMIT: usize = 64 * 1024;

/// How long a client may take to send what it announced.
const BODY_PATIENCE: Duration = Duration::from_secs(10);

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// How soon a refused client may try again when nothing better is known, in seconds.
const RETRY_AFTER: &str = "10";

/// How often addresses that have not asked for long are forgotten.
const FORGET_EVERY: Duration = Duration::from_mins(10);

/// How many requests each address may make.
pub(super) type Pace = Arc<DefaultKeyedRateLimiter<IpAddr>>;

pub(super) fn pace(burst: NonZeroU32) -> Pace {
    let a_second = NonZeroU32::new(burst.get() / 10).unwrap_or(NonZeroU32::MIN);
    Arc::new(RateLimiter::keyed(
        Quota::per_second(a_second).allow_burst(burst),
    ))
}

/// Forgets addresses that have not asked for long, until the arena closes.
pub(super) async fn forget_old_visits(pace: Pace, closing: CancellationToken) {
    let mut now_and_then = tokio::time::interval(FORGET_EVERY);
    loop {
        tokio::select! {
            () = closing.cancelled() => return,
            _ = now_and_then.tick() => pace.retain_recent(),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(self)).into_response();
        if status == StatusCode::TOO_MANY_REQUESTS {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from_static(RETRY_AFTER));
        }
        response
    }
}

/// Notes where the request comes from.
pub(super) async fn note_visit(
    State(arena): State<Arena>,
    mut request: Request,
    next: Next,
) -> Response {
    let peer = request
        .extensions()
        .get::<ConnectInfo<SocketAddr>>()
        .map(|info| info.0.ip());
    let forwarded = if arena.settings.trust_proxy {
        forwarded_for(request.headers())
    } else {
        None
    };
    let address = forwarded
        .or(peer)
        .unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    request.extensions_mut().insert(Visit {
        address: network(address),
    });
    next.run(request).await
}

/// What belongs to one subscriber: an address of the old kind, or a /64 of the new one, of which everybody has many.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

/// The address our own proxy saw: the last one of the list, as the others are the client's word.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let list = headers
        .get_all("x-forwarded-for")
        .into_iter()
        .next_back()?
        .to_str()
        .ok()?;
    list.rsplit(',').next()?.trim().parse().ok()
}

/// Refuses what changes something and comes from another site.
pub(super) async fn check_origin(
    State(arena): State<Arena>,
    request: Request,
    next: Next,
) -> Response {
    let changes = !matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    let ours = arena.settings.public_origin.as_deref();
    if changes && is_foreign(request.headers(), host_of(&request), ours) {
        return ApiError::from(Code::ForeignOrigin).into_response();
    }
    next.run(request).await
}

/// The host the client asked for: a header, or over HTTP/2 part of the address.
fn host_of(request: &Request) -> Option<&str> {
    let header = request.headers().get(header::HOST);
    header
        .and_then(|host| host.to_str().ok())
        .or_else(|| request.uri().authority().map(Authority::as_str))
}

fn is_foreign(headers: &HeaderMap, host: Option<&str>, public_origin: Option<&str>) -> bool {
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    if site.is_some_and(|site| !matches!(site, b"same-origin" | b"none")) {
        return true;
    }
    let Some(origin) = headers.get(header::ORIGIN) else {
        return false;
    };
    let Ok(origin) = origin.to_str() else {
        return true;
    };
    match public_origin {
        Some(ours) => origin != ours.trim_end_matches('/'),
        None => host.is_none() || origin.split_once("://").map(|(_, rest)| rest) != host,
    }
}

/// Refuses an address that asks too much.
pub(super) async fn check_pace(State(pace): State<Pace>, request: Request, next: Next) -> Response {
    let visit = request.extensions().get::<Visit>().copied();
    match visit.map(|visit| pace.check_key(&visit.address)) {
        Some(Err(until)) => {
            let seconds = until
                .wait_time_from(DefaultClock::default().now())
                .as_secs()
                + 1;
            let mut response = ApiError::from(Code::TooManyRequests).into_response();
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            response
        }
        _ => next.run(request).await,
    }
}

/// Reads the body in full before anything looks at it, up to the limit.
pub(super) async fn check_size(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let announced = parts
        .headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > BODY_LIMIT as u64) {
        return ApiError::from(Code::TooLarge).into_response();
    }
    match tokio::time::timeout(BODY_PATIENCE, to_bytes(body, BODY_LIMIT)).await {
        Ok(Ok(bytes)) => {
            next.run(Request::from_parts(parts, Body::from(bytes)))
                .await
        }
        Ok(Err(error)) if is_too_long(&error) => Code::TooLarge.into_response(),
        _ => Code::BadRequest.into_response(),
    }
}

/// Whether the limit ended the reading, and not the line.
fn is_too_long(error: &axum::Error) -> bool {
    let source = std::error::Error::source(error);
    source.is_some_and(|source| source.downcast_ref::<LengthLimitError>().is_some())
}

/// Answers in any case: a database that is silent must not keep a client waiting for ever. What has been begun goes on.
pub(super) async fn answer_in_time(request: Request, next: Next) -> Response {
    match tokio::time::timeout(PATIENCE, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Code::Unavailable.into_response(),
    }
}

/// Gives an error of a server function the status that belongs to its code: by itself it would be a 500.
pub(super) async fn set_status(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let failed = response.status() == StatusCode::INTERNAL_SERVER_ERROR
        && response.headers().contains_key("serverfnerror");
    if !failed {
        return response;
    }
    let (parts, body) = response.into_parts();
    let error = match to_bytes(body, BODY_LIMIT).await {
        Ok(bytes) => {
            serde_json::from_slice(&bytes).unwrap_or_else(|_| ApiError::from(Code::Internal))
        }
        Err(_) => Code::Internal.into(),
    };
    let mut response = error.into_response();
    for (name, value) in &parts.headers {
        if !matches!(*name, header::CONTENT_TYPE | header::CONTENT_LENGTH) {
            response.headers_mut().append(name, value.clone());
        }
    }
    response
}

/// Answers also where a handler panics, which is a bug of ours: in words, and without taking the connection along.
pub(super) async fn catch_panic(
    State(options): State<LeptosOptions>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let program = path.starts_with("/api/") || path.starts_with("/events/");
    let headers = request.headers().clone();
    // What it was about to change is its own, or behind a lock that remembers the panic.
    let answering = AssertUnwindSafe(next.run(request)).catch_unwind();
    match answering.await {
        Ok(response) => response,
        Err(_) if program => Code::Internal.into_response(),
        Err(_) => pages::broken(&headers, options),
    }
}

/// Says what a browser may do with the answer. A page brings its own, narrower policy with the nonce of its scripts.
pub(super) async fn set_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Forms need the Referer to come back to their page; other sites learn nothing.
        (header::REFERRER_POLICY, "same-origin"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // One page is made to stand in a frame of ours, and says so itself.
    headers
        .entry(header::X_FRAME_OPTIONS)
        .or_insert(HeaderValue::from_static("DENY"));
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(
            "default-src 'none'; frame-ancestors 'none'",
        ));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::middleware::from_fn_with_state;
    use axum::routing::get;
    use tower::ServiceExt as _;

    #[track_caller]
    fn check(headers: &[(&'static str, &'static str)], public: Option<&str>, foreign: bool) {
        let map = headers
            .iter()
            .map(|(k, v)| (HeaderName::from_static(k), HeaderValue::from_static(v)))
            .collect();
        let host = headers
            .iter()
            .find(|(name, _)| *name == "host")
            .map(|(_, host)| *host);
        assert_eq!(
            is_foreign(&map, host, public),
            foreign,
            "{headers:?} {public:?}"
        );
    }

    #[tokio::test]
    async fn a_panic_is_answered_in_words() {
        async fn breaks() {
            panic!("as a test wants it");
        }
        let options = LeptosOptions::builder().output_name("tochki").build();
        let router = Router::new()
            .route("/api/x", get(breaks))
            .route("/page", get(breaks))
            .layer(from_fn_with_state(options, catch_panic));
        for (path, kind) in [("/api/x", "application/json"), ("/page", "text/html")] {
            let request = Request::get(path).body(Body::empty()).unwrap();
            let response = router.clone().oneshot(request).await.unwrap();
            assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
            let told = response.headers()[header::CONTENT_TYPE].to_str().unwrap();
            assert!(told.starts_with(kind), "{told}");
            let body = to_bytes(response.into_body(), BODY_LIMIT).await.unwrap();
            let body = String::from_utf8(body.to_vec()).unwrap();
            assert!(body.contains(Code::Internal.sentence()), "{body}");
        }
    }

    #[test]
    fn requests_without_an_origin_are_programs() {
        check(&[("host", "tochki.example")], None, false);
        check(
            &[("host", "tochki.example"), ("sec-fetch-site", "none")],
            Some("https://tochki.example"),
            false,
        );
    }

    #[test]
    fn our_own_pages_may() {
        check(
            &[
                ("host", "a:3000"),
                ("origin", "http://a:3000"),
                ("sec-fetch-site", "same-origin"),
            ],
            None,
            false,
        );
        check(
            &[("host", "inner"), ("origin", "https://a")],
            Some("https://a/"),
            false,
        );
    }

    #[test]
    fn other_sites_may_not() {
        check(
            &[("host", "a"), ("origin", "https://evil.example")],
            None,
            true,
        );
        check(&[("host", "a"), ("origin", "null")], None, true);
        check(
            &[("host", "a"), ("origin", "https://a.evil.example")],
            None,
            true,
        );
        check(
            &[("host", "a"), ("origin", "http://a")],
            Some("https://a"),
            true,
        );
        check(
            &[("host", "a"), ("sec-fetch-site", "cross-site")],
            None,
            true,
        );
        check(
            &[("host", "a"), ("sec-fetch-site", "same-site")],
            None,
            true,
        );
        check(&[("origin", "http://a")], None, true);
    }
}
