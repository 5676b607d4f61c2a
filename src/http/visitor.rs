//! Which address a request comes from, and how much that address may ask.

use crate::error::ErrorResponse;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;
use tochki_protocol::Code;
use tochki_server::Arena;
use tochki_server::accounts::Visit;
use tokio_util::sync::CancellationToken;

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

/// Refuses an address that asks too much.
pub(super) async fn check_pace(State(pace): State<Pace>, request: Request, next: Next) -> Response {
    let visit = request.extensions().get::<Visit>().copied();
    match visit.map(|visit| pace.check_key(&visit.address)) {
        Some(Err(until)) => {
            let seconds = until
                .wait_time_from(DefaultClock::default().now())
                .as_secs()
                + 1;
            let mut response = ErrorResponse::from(Code::TooManyRequests).into_response();
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            response
        }
        _ => next.run(request).await,
    }
}
