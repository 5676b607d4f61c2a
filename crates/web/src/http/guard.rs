//! Middleware for all requests: timeouts, entity tags, statuses and pages of errors, panics, security headers. Limits on bodies
//! are in `bodies`, checks of the client's address and of the origin in `client_address` and `origin`.
//!
//! The time-out is that of tower, because that of tower-http answers an empty body, which no later layer can tell from another;
//! panics are caught by tower-http.

use super::pages::{self, Embeddable};
use super::request_id::TraceSpan;
use axum::BoxError;
use axum::body::{Body, to_bytes};
use axum::error_handling::HandleErrorLayer;
use axum::extract::{Request, State};
use axum::http::response::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use leptos::config::LeptosOptions;
use leptos::server_fn::error::SERVER_FN_ERROR_HEADER;
use std::any::Any;
use std::future::{Ready, ready};
use tochki_pages::error::ErrorResponse;
use tochki_protocol::{Code, limits};
use tochki_server::AppState;
use tower::timeout::TimeoutLayer;
use tracing::{Instrument as _, Span};

/// Refuses a request of HTTP/1.1 that names no host, or several: RFC 9112 asks for that, and a server behind a proxy must not be
/// told another site than the proxy has looked at.
pub(super) async fn require_host(request: Request, next: Next) -> Response {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    let is_old = request.version() < Version::HTTP_11;
    let is_named = request.version() > Version::HTTP_11 || hosts == 1;
    if hosts > 1 || !is_old && !is_named {
        return ErrorResponse::from(Code::BadRequest).into_response();
    }
    next.run(request).await
}

/// Answers an error as a page where the client is a browser that shows what it gets: a form, a link, a download.
pub(super) async fn show_errors(
    State(options): State<LeptosOptions>,
    request: Request,
    next: Next,
) -> Response {
    if !pages::accepts_html(request.headers()) {
        return next.run(request).await;
    }
    let headers = request.headers().clone();
    let mut response = next.run(request).await;
    let Some(error) = response.extensions_mut().remove::<ErrorResponse>() else {
        return response;
    };
    let mut page = pages::error(&headers, options, &error);
    *page.status_mut() = response.status();
    for (name, value) in response.headers() {
        if *name == header::SET_COOKIE {
            page.headers_mut().append(name, value.clone());
        } else if *name != header::CONTENT_LENGTH {
            page.headers_mut().entry(name).or_insert(value.clone());
        }
    }
    page
}

/// Runs a request that changes something to its end, also when its client goes away or the time for its answer is over. axum
/// would drop the handler at its next wait, for example between a commit and the notification of those whom it concerns.
pub(super) async fn complete_changes(request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    let trace = request.extensions().get::<TraceSpan>().cloned();
    let trace = trace.map_or_else(Span::none, |TraceSpan(span)| span);
    run_to_end(next.run(request), trace).await
}

/// Answers in a task of its own, which goes on when that of the connection is dropped. `trace` is the span of the request's trace.
pub(super) async fn run_to_end(
    answering: impl Future<Output = Response> + Send + 'static,
    trace: Span,
) -> Response {
    let answering = answering.in_current_span().instrument(trace);
    match tokio::spawn(answering).await {
        Ok(response) => response,
        Err(error) => match error.try_into_panic() {
            // `answer_panic` answers.
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => ErrorResponse::from(Code::Unavailable).into_response(),
        },
    }
}

type HandleTimeout = fn(BoxError) -> Ready<ErrorResponse>;

/// Answers `unavailable` when a handler takes too long, as with a database that does not answer. A stream has begun with the
/// head of its response.
pub(super) fn limit_response_time() -> (HandleErrorLayer<HandleTimeout, ()>, TimeoutLayer) {
    // Nothing but the time-out fails.
    let unavailable: HandleTimeout = |_| ready(Code::Unavailable.into());
    let timeout = TimeoutLayer::new(limits::RESPONSE_TIMEOUT);
    (HandleErrorLayer::new(unavailable), timeout)
}

/// Answers 304 without a body when the client already has the requested content.
pub(super) async fn check_etag(request: Request, next: Next) -> Response {
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let mut response = next.run(request).await;
    let Some(tag) = response.headers().get(header::ETAG) else {
        return response;
    };
    let plain = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let tag = tag.to_str().map(plain).unwrap_or_default();
    let known = known.as_ref().and_then(|known| known.to_str().ok());
    let matches = known.is_some_and(|known| known.split(',').any(|known| plain(known) == tag));
    let is_ok = response.status() == StatusCode::OK;
    let headers = response.headers_mut();
    // It may be kept, but is asked for again before it is used.
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("private, no-cache"),
    );
    if matches && is_ok {
        headers.remove(header::CONTENT_TYPE);
        headers.remove(header::CONTENT_LENGTH);
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
    }
    response
}

/// Sets the status of an error of a server function by its code; Leptos alone would send 500.
pub(super) async fn set_status(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let failed = response.status() == StatusCode::INTERNAL_SERVER_ERROR
        && response.headers().contains_key(SERVER_FN_ERROR_HEADER);
    if !failed {
        return response;
    }
    let (parts, body) = response.into_parts();
    with_status(parts, body).await
}

/// Returns the error in the body of a server function's answer, with the status of its code.
pub(super) async fn with_status(parts: Parts, body: Body) -> Response {
    let error = match to_bytes(body, limits::BODY_MAX_BYTES).await {
        Ok(bytes) => {
            serde_json::from_slice(&bytes).unwrap_or_else(|_| ErrorResponse::from(Code::Internal))
        }
        Err(_) => Code::Internal.into(),
    };
    let mut response = error.into_response();
    for (name, value) in &parts.headers {
        if *name == header::RETRY_AFTER {
            // It is known better than by the code alone.
            response.headers_mut().insert(name, value.clone());
        } else if !matches!(*name, header::CONTENT_TYPE | header::CONTENT_LENGTH) {
            response.headers_mut().append(name, value.clone());
        }
    }
    response
}

/// Answers in the place of a handler that has panicked, a bug of ours, for `CatchPanicLayer`: the connection stays open. The state
/// that the request was about to change is its own, or behind a lock that remembers the panic.
pub(super) fn answer_panic(_: Box<dyn Any + Send>) -> Response {
    ErrorResponse::from(Code::Internal).into_response()
}

/// Sets the security headers. A page sets its own, stricter policy with the nonce of its scripts.
pub(super) async fn set_headers(
    State(app): State<AppState>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    let framed = response.extensions().get::<Embeddable>().is_some();
    let headers = response.headers_mut();
    if app.settings.secure() {
        headers.insert(
            header::STRICT_TRANSPORT_SECURITY,
            HeaderValue::from_static("max-age=31536000"),
        );
    }
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Forms need the Referer to come back to their page; other sites learn nothing.
        (header::REFERRER_POLICY, "same-origin"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        ),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // One page is made to stand in a frame of ours, and says so itself. The header has no value for a page that may stand in any.
    if !framed {
        headers
            .entry(header::X_FRAME_OPTIONS)
            .or_insert(HeaderValue::from_static("DENY"));
    }
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
    use tower_http::catch_panic::CatchPanicLayer;

    #[expect(clippy::disallowed_methods, reason = "a router of this test alone")]
    #[tokio::test]
    async fn a_panic_is_answered_in_words() {
        async fn breaks() {
            panic!("as a test wants it");
        }
        let options = LeptosOptions::builder().output_name("tochki").build();
        let router = Router::new()
            .route("/", get(breaks))
            .layer(CatchPanicLayer::custom(answer_panic))
            .layer(from_fn_with_state(options, show_errors));
        for (kind, words) in [
            ("application/json", Code::Internal.message()),
            ("text/html", "Something went wrong on our side."),
        ] {
            let request = Request::get("/").header(header::ACCEPT, kind);
            let request = request.body(Body::empty()).unwrap();
            let response = router.clone().oneshot(request).await.unwrap();
            assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
            let told = response.headers()[header::CONTENT_TYPE].to_str().unwrap();
            assert!(told.starts_with(kind), "{told}");
            let body = to_bytes(response.into_body(), limits::BODY_MAX_BYTES)
                .await
                .unwrap();
            let body = String::from_utf8(body.to_vec()).unwrap();
            assert!(body.contains(words), "{body}");
        }
    }
}
