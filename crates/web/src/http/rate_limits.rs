//! Rate limits by key, which several guards have: their pruning, and the answer of one that has been reached.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use governor::clock::{Clock as _, DefaultClock, QuantaInstant};
use governor::{DefaultKeyedRateLimiter, NotUntil};
use std::hash::Hash;
use std::sync::Arc;
use tochki_pages::context::security;
use tochki_pages::error::ErrorResponse;
use tochki_protocol::{Code, limits};
use tokio_util::sync::CancellationToken;

/// Drops addresses, or what else is counted, without recent requests, until the server shuts down.
pub(super) async fn prune_rate_limit<K: Clone + Eq + Hash>(
    limit: Arc<DefaultKeyedRateLimiter<K>>,
    shutdown: CancellationToken,
) {
    let mut interval = tokio::time::interval(limits::CLEANUP_INTERVAL);
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return,
            _ = interval.tick() => limit.retain_recent(),
        }
    }
}

/// The response 429, with `Retry-After`.
pub(super) fn too_many_requests(until: &NotUntil<QuantaInstant>) -> Response {
    security::note_refusal(Code::TooManyRequests);
    let mut response = ErrorResponse::from(Code::TooManyRequests).into_response();
    response
        .headers_mut()
        .insert(header::RETRY_AFTER, HeaderValue::from(retry_after(until)));
    response
}

/// Seconds until the next request is allowed.
pub(super) fn retry_after(until: &NotUntil<QuantaInstant>) -> u64 {
    until
        .wait_time_from(DefaultClock::default().now())
        .as_secs()
        + 1
}
