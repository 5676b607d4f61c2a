//! The network address of a client, and the rate limit of each address.

use crate::error::ErrorResponse;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use governor::clock::{Clock as _, DefaultClock, QuantaInstant};
use governor::{DefaultKeyedRateLimiter, NotUntil, Quota, RateLimiter};
use std::hash::Hash;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;
use tochki_protocol::{Code, limits};
use tochki_server::Arena;
use tochki_server::accounts::ClientAddress;
use tokio_util::sync::CancellationToken;

/// Stores the address of the client in the request.
pub(super) async fn set_client_address(
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
    request.extensions_mut().insert(ClientAddress {
        address: network(address),
    });
    next.run(request).await
}

/// What belongs to one subscriber: an IPv4 address, or a /64 of IPv6.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

/// The address that our own proxy saw: the last one of the list, because the client may forge the others.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let list = headers
        .get_all("x-forwarded-for")
        .into_iter()
        .next_back()?
        .to_str()
        .ok()?;
    list.rsplit(',').next()?.trim().parse().ok()
}

/// The rate limit of requests by address.
pub(super) type RateLimit = Arc<DefaultKeyedRateLimiter<IpAddr>>;

pub(super) fn rate_limit(burst: NonZeroU32) -> RateLimit {
    let a_second = NonZeroU32::new(burst.get() / 10).unwrap_or(NonZeroU32::MIN);
    Arc::new(RateLimiter::keyed(
        Quota::per_second(a_second).allow_burst(burst),
    ))
}

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

/// Says when the next request is let in.
pub(super) fn too_many_requests(until: &NotUntil<QuantaInstant>) -> Response {
    let wait = until.wait_time_from(DefaultClock::default().now());
    let mut response = ErrorResponse::from(Code::TooManyRequests).into_response();
    response
        .headers_mut()
        .insert(header::RETRY_AFTER, HeaderValue::from(wait.as_secs() + 1));
    response
}

/// Refuses an address that is over its limit.
pub(super) async fn check_rate_limit(
    State(limit): State<RateLimit>,
    request: Request,
    next: Next,
) -> Response {
    let client = request.extensions().get::<ClientAddress>().copied();
    match client.map(|client| limit.check_key(&client.address)) {
        Some(Err(until)) => too_many_requests(&until),
        _ => next.run(request).await,
    }
}
