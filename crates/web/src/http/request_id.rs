//! The id of a request (`x-request-id`): in every log line of the request and in its answer. A proxy may have set it.

use super::traces;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tochki_protocol::limits;
use tracing::field::Empty;
use tracing::{Instrument as _, Span};

const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The span of the trace of a request that changes something, for tasks that go on with the request. The current span is that of
/// the log.
#[derive(Clone)]
pub(super) struct TraceSpan(pub(super) Span);

/// Runs the request in a span with its id. The address of the client is recorded there once it is known.
pub(super) async fn set_request_id(mut request: Request, next: Next) -> Response {
    let id = given(request.headers()).unwrap_or_else(made);
    let trace = traces::request_span(&request, &id);
    // Streams are read by safe methods.
    if !request.method().is_safe() {
        request.extensions_mut().insert(TraceSpan(trace.clone()));
    }
    // An error, so that the span is there whatever is logged. It has no parent, because an event stream keeps it: the span
    // of the trace ends with the head of the response.
    let span = tracing::error_span!(parent: None, "request", id, client = Empty);
    let answering = next.run(request).instrument(span);
    let mut response = answering.instrument(trace.clone()).await;
    traces::answered(&trace, response.status());
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(HEADER, id);
    }
    response
}

/// The id that came along, if it has nothing that could mean something in a log.
fn given(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(HEADER)?.to_str().ok()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let fits = (1..=limits::REQUEST_ID_MAX_LEN).contains(&id.len()) && id.chars().all(plain);
    fits.then(|| id.to_owned())
}

fn made() -> String {
    format!("{:016x}", tochki_server::secrets::random_u64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, taken: bool) {
        let mut headers = HeaderMap::new();
        headers.insert(HEADER, HeaderValue::from_str(value).unwrap());
        assert_eq!(
            given(&headers).as_deref(),
            taken.then_some(value),
            "{value:?}"
        );
    }

    #[test]
    fn an_id_of_the_proxy_is_taken_over_if_it_is_valid() {
        check("4bf92f35-77b3_4da6.a3ce", true);
        check(&"a".repeat(64), true);
        check(&"a".repeat(65), false);
        for odd in ["", "a b", "a\"b", "a=b", "a\u{1b}[31m"] {
            if let Ok(value) = HeaderValue::from_str(odd) {
                let value = value.to_str().unwrap_or_default().to_owned();
                check(&value, false);
            }
        }
        assert_eq!(given(&HeaderMap::new()), None);
        assert_eq!(made().len(), 16);
    }
}
