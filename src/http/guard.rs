//! Middleware for all requests: size limits, timeouts, entity tags, statuses of errors, panics, security headers. Checks of the
//! client's address and of the origin are in `client_address` and `origin`.

use super::pages::{self, Embeddable};
use crate::context::status;
use crate::error::ErrorResponse;
use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::FutureExt as _;
use http_body_util::LengthLimitError;
use leptos::config::LeptosOptions;
use std::panic::AssertUnwindSafe;
use tochki_protocol::{Code, limits};
use tochki_server::Arena;
use tracing::Instrument as _;

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        let status = status(self.code);
        let mut response = (status, Json(self)).into_response();
        if status == StatusCode::TOO_MANY_REQUESTS {
            let seconds = limits::REQUEST_RETRY_AFTER.as_secs();
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// Reads the body in full before anything looks at it, up to the limit.
pub(super) async fn check_size(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let announced = parts
        .headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > limits::BODY_MAX_BYTES as u64) {
        return ErrorResponse::from(Code::TooLarge).into_response();
    }
    match tokio::time::timeout(limits::BODY_TIMEOUT, to_bytes(body, limits::BODY_MAX_BYTES)).await {
        Ok(Ok(bytes)) => {
            next.run(Request::from_parts(parts, Body::from(bytes)))
                .await
        }
        Ok(Err(error)) if is_too_long(&error) => {
            ErrorResponse::from(Code::TooLarge).into_response()
        }
        _ => ErrorResponse::from(Code::BadRequest).into_response(),
    }
}

/// Whether reading ended because of the limit, and not because of the connection.
fn is_too_long(error: &axum::Error) -> bool {
    let source = std::error::Error::source(error);
    source.is_some_and(|source| source.downcast_ref::<LengthLimitError>().is_some())
}

/// Runs a request that changes something to its end, also when its client goes away or the time for its answer is over. axum
/// would drop the handler at its next wait, for example between a commit and the notification of those whom it concerns.
pub(super) async fn complete_changes(request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    match tokio::spawn(next.run(request).in_current_span()).await {
        Ok(response) => response,
        Err(error) => match error.try_into_panic() {
            // `catch_panic` answers.
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => ErrorResponse::from(Code::Unavailable).into_response(),
        },
    }
}

/// Answers `unavailable` when a handler takes too long, as with a database that does not answer.
pub(super) async fn limit_response_time(request: Request, next: Next) -> Response {
    match tokio::time::timeout(limits::RESPONSE_TIMEOUT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => ErrorResponse::from(Code::Unavailable).into_response(),
    }
}

/// As [`limit_response_time`], for pages and their files.
pub(super) async fn limit_page_time(
    State(options): State<LeptosOptions>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers().clone();
    match tokio::time::timeout(limits::RESPONSE_TIMEOUT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => pages::error_as_accepted(&headers, options, Code::Unavailable),
    }
}

/// Answers 304 without a body when the client has what it asks for already.
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
        && response.headers().contains_key("serverfnerror");
    if !failed {
        return response;
    }
    let (parts, body) = response.into_parts();
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

/// Turns a panic of a handler, a bug of ours, into an error response, so that the connection stays open.
pub(super) async fn catch_panic(
    State(options): State<LeptosOptions>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let program = path.starts_with("/api/") || path.starts_with("/events");
    let headers = request.headers().clone();
    // What it was about to change is its own, or behind a lock that remembers the panic.
    let answering = AssertUnwindSafe(next.run(request)).catch_unwind();
    match answering.await {
        Ok(response) => response,
        Err(_) if program => ErrorResponse::from(Code::Internal).into_response(),
        Err(_) => pages::error(&headers, options, Code::Internal),
    }
}

/// Sets the security headers. A page sets its own, stricter policy with the nonce of its scripts.
pub(super) async fn set_headers(
    State(arena): State<Arena>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    let framed = response.extensions().get::<Embeddable>().is_some();
    let headers = response.headers_mut();
    if arena.settings.secure() {
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
    // One page is made to stand in a frame of ours, and says so itself. For one that may stand in any there is no word.
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
            let body = to_bytes(response.into_body(), limits::BODY_MAX_BYTES)
                .await
                .unwrap();
            let body = String::from_utf8(body.to_vec()).unwrap();
            assert!(body.contains(Code::Internal.message()), "{body}");
        }
    }
}
