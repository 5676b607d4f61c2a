//! The id of a request (`x-request-id`): in every log line of the request and in its answer. A proxy may have set it.
//!
//! tower-http sets it and copies it to the answer, but takes over whatever came along. So an id that could mean something in a
//! log is removed before.

use super::traces;
use axum::extract::Request;
use axum::http::{self, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tochki_protocol::limits;
use tower_http::request_id::{
    MakeRequestId, PropagateRequestIdLayer, RequestId, SetRequestIdLayer,
};
use tracing::field::Empty;
use tracing::{Instrument as _, Span};

const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Sets the id of a request that has none, and copies it to the answer.
pub(super) fn set_request_id() -> (SetRequestIdLayer<RandomId>, PropagateRequestIdLayer) {
    let set = SetRequestIdLayer::x_request_id(RandomId);
    (set, PropagateRequestIdLayer::x_request_id())
}

/// Makes ids of 64 random bits.
#[derive(Clone, Copy)]
pub(super) struct RandomId;

impl MakeRequestId for RandomId {
    fn make_request_id<B>(&mut self, _: &http::Request<B>) -> Option<RequestId> {
        let id = format!("{:016x}", tochki_server::secrets::random_u64());
        HeaderValue::try_from(id).ok().map(RequestId::new)
    }
}

/// Removes ids that came along and are no plain word.
pub(super) async fn remove_invalid_id(mut request: Request) -> Request {
    let mut ids = request.headers().get_all(HEADER).iter();
    if !ids.all(is_valid) {
        request.headers_mut().remove(HEADER);
    }
    request
}

fn is_valid(id: &HeaderValue) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    (1..=limits::REQUEST_ID_MAX_LEN).contains(&id.len()) && id.as_bytes().iter().all(plain)
}

/// The span of the trace of a request that changes something, for tasks that go on with the request. The current span is that of
/// the log.
#[derive(Clone)]
pub(super) struct TraceSpan(pub(super) Span);

/// Runs the request in a span with its id. The address of the client is recorded there once it is known.
pub(super) async fn run_in_span(mut request: Request, next: Next) -> Response {
    let id = request.extensions().get::<RequestId>();
    let id = id.and_then(|id| id.header_value().to_str().ok());
    let id = id.unwrap_or_default();
    let trace = traces::request_span(&request, id);
    // An error, so that the span is there whatever is logged. It has no parent, because an event stream keeps it: the span
    // of the trace ends with the head of the response.
    let span = tracing::error_span!(parent: None, "request", id, client = Empty);
    // Streams are read by safe methods.
    if !request.method().is_safe() {
        request.extensions_mut().insert(TraceSpan(trace.clone()));
    }
    let answering = next.run(request).instrument(span);
    let response = answering.instrument(trace.clone()).await;
    traces::answered(&trace, response.status());
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    #[track_caller]
    fn check(id: &str, expected: bool) {
        let value = HeaderValue::from_bytes(id.as_bytes()).expect("a header");
        assert_eq!(is_valid(&value), expected, "{id:?}");
    }

    #[test]
    fn an_id_of_the_proxy_is_taken_over_if_it_is_valid() {
        check("4bf92f35-77b3_4da6.a3ce", true);
        check(&"a".repeat(64), true);
        check(&"a".repeat(65), false);
        for odd in ["", "a b", "a\"b", "a=b", "\u{e9}"] {
            check(odd, false);
        }
    }

    #[test]
    fn an_id_has_sixteen_digits() {
        let id = RandomId.make_request_id(&Request::new(Body::empty()));
        assert_eq!(id.expect("an id").header_value().len(), 16);
    }
}
