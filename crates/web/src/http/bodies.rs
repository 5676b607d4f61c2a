//! Bodies of requests: read in full, up to a limit, before anything looks at them. The limit is that of every route; only a
//! record may be larger.
//!
//! `RequestBodyLimitLayer` of tower-http would answer text without a code, and only let a body without a length fail within its
//! handler, where a server function makes a wrong argument of that; its time-out is one for each part of a body, so that a client
//! that sends a byte now and then would hold its request for ever.

use super::records;
use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http_body_util::LengthLimitError;
use std::time::Duration;
use tochki_pages::error::ErrorResponse;
use tochki_protocol::{Code, limits};

/// The limit of a body's size, and the timeout of its reading.
#[derive(Clone, Copy)]
struct BodyLimit {
    bytes: usize,
    timeout: Duration,
}

impl BodyLimit {
    fn of(is_record: bool, timeout: Duration) -> Self {
        if is_record {
            Self {
                bytes: limits::RECORD_FORM_MAX_BYTES,
                timeout: timeout * 2,
            }
        } else {
            Self {
                bytes: limits::BODY_MAX_BYTES,
                timeout,
            }
        }
    }
}

/// The reason why a body was not read.
enum Unread {
    TooLarge,
    /// The client has gone, or takes too long.
    Broken,
}

/// Reads the body of a request to any address. A length that is announced is judged before the first byte.
pub(super) async fn read_body(
    State(timeout): State<Duration>,
    request: Request,
    next: Next,
) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let is_record = request.method() == Method::POST && request.uri().path() == records::OPEN.path;
    let limit = BodyLimit::of(is_record, timeout);
    let (parts, body) = request.into_parts();
    let body = match read(body, limit).await {
        Ok(body) => body,
        Err(Unread::TooLarge) if is_record => too_large(),
        Err(Unread::TooLarge) => return ErrorResponse::from(Code::TooLarge).into_response(),
        Err(Unread::Broken) => return ErrorResponse::from(Code::BadRequest).into_response(),
    };
    next.run(Request::from_parts(parts, body)).await
}

async fn read(body: Body, limit: BodyLimit) -> Result<Body, Unread> {
    if body.size_hint().lower() > limit.bytes as u64 {
        return Err(Unread::TooLarge);
    }
    match tokio::time::timeout(limit.timeout, to_bytes(body, limit.bytes)).await {
        Ok(Ok(bytes)) => Ok(Body::from(bytes)),
        Ok(Err(error)) if is_too_long(&error) => Err(Unread::TooLarge),
        _ => Err(Unread::Broken),
    }
}

/// Returns a body that cannot be read, in the place of a body that is too large.
fn too_large() -> Body {
    let error = std::io::Error::other(Code::TooLarge.message());
    Body::from_stream(futures::stream::once(async { Err::<Vec<u8>, _>(error) }))
}

/// Returns whether reading ended because of the limit, and not because of the connection.
fn is_too_long(error: &axum::Error) -> bool {
    let source = std::error::Error::source(error);
    source.is_some_and(|source| source.downcast_ref::<LengthLimitError>().is_some())
}
