//! The network address of a client, and rate limits by address.

use super::active_players::ActivePlayers;
use super::pages;
use super::rate_limits::{prune_rate_limit, retry_after, too_many_requests};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use governor::clock::QuantaInstant;
use governor::{DefaultKeyedRateLimiter, NotUntil, Quota, RateLimiter};
use leptos::config::LeptosOptions;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;
use tochki_pages::context::security;
use tochki_pages::error::ErrorResponse;
use tochki_protocol::{Code, PlayerId, limits};
use tochki_server::AppState;
use tochki_server::accounts::ClientAddress;
use tokio_util::sync::CancellationToken;

/// Stores the address of the client in the request.
pub(super) async fn set_client_address(
    State(app): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let peer = request
        .extensions()
        .get::<ConnectInfo<SocketAddr>>()
        .map(|info| info.0.ip());
    // The proxy is not taken for its client: all would share the limits of one, and none its sanctions.
    let Ok(forwarded) = forwarded_for(request.headers(), app.settings.trust_proxy) else {
        return ErrorResponse::from(Code::BadRequest).into_response();
    };
    let address = forwarded
        .or(peer)
        .unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    let address = network(address);
    request.extensions_mut().insert(ClientAddress { address });
    tracing::Span::current().record("client", tracing::field::display(address));
    next.run(request).await
}

/// Returns the network of one subscriber: an IPv4 address, however it is written, or a /64 of IPv6. A loopback address is
/// returned as it is.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

/// The error that a proxy of ours has sent something else than an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct UnreadableAddress;

/// Returns the address that the first of so many proxies of ours saw. Each proxy adds an address at the end of the list; the
/// entries before these may be forged by the client, in any bytes. Some proxies write the port, too. `None` where the list has
/// fewer: the request has not come by the proxies.
fn forwarded_for(headers: &HeaderMap, proxies: u8) -> Result<Option<IpAddr>, UnreadableAddress> {
    let Some(before) = usize::from(proxies).checked_sub(1) else {
        return Ok(None);
    };
    let lists = headers.get_all("x-forwarded-for").into_iter();
    let mut addresses = lists
        .rev()
        .flat_map(|list| list.as_bytes().rsplit(|byte| *byte == b','));
    let Some(address) = addresses.nth(before) else {
        return Ok(None);
    };
    let address = str::from_utf8(address).map_err(|_| UnreadableAddress)?;
    let address = address.trim();
    let bare = address.trim_start_matches('[').trim_end_matches(']');
    let with_port = || address.parse().ok().map(|address: SocketAddr| address.ip());
    let address = bare.parse().ok().or_else(with_port);
    address.map(Some).ok_or(UnreadableAddress)
}

/// The rate of a whole site of IPv6 in multiples of that of one address.
const SITE_FACTOR: NonZeroU32 = NonZeroU32::new(limits::SITE_FACTOR).unwrap();

const REQUESTS_BY_PLAYER: NonZeroU32 = NonZeroU32::new(limits::REQUESTS_BY_PLAYER).unwrap();

/// The rate limit of requests by address.
#[derive(Clone)]
pub(super) struct RateLimit {
    addresses: Arc<DefaultKeyedRateLimiter<IpAddr>>,
    sites: Arc<DefaultKeyedRateLimiter<IpAddr>>,
    /// The limit of each player of a running match, once the limit of the address is reached.
    players: Arc<DefaultKeyedRateLimiter<PlayerId>>,
}

/// Returns a quota of `burst` requests in a row, then a tenth of that every second.
fn quota(burst: NonZeroU32) -> Quota {
    let a_second = NonZeroU32::new(burst.get() / 10).unwrap_or(NonZeroU32::MIN);
    Quota::per_second(a_second).allow_burst(burst)
}

pub(super) fn rate_limit(burst: NonZeroU32) -> RateLimit {
    RateLimit {
        addresses: Arc::new(RateLimiter::keyed(quota(burst))),
        sites: Arc::new(RateLimiter::keyed(quota(burst.saturating_mul(SITE_FACTOR)))),
        players: Arc::new(RateLimiter::keyed(quota(REQUESTS_BY_PLAYER))),
    }
}

impl RateLimit {
    /// Counts a request of this client.
    ///
    /// # Errors
    /// The time from which the next request passes.
    fn check(&self, client: ClientAddress) -> Result<(), NotUntil<QuantaInstant>> {
        self.addresses.check_key(&client.address)?;
        match client.site() {
            Some(site) => self.sites.check_key(&site),
            None => Ok(()),
        }
    }

    /// Counts a request of this client. Where others have reached the limit of the address, a request of a player of a running
    /// match counts for the player.
    ///
    /// # Errors
    /// The time from which the next request passes.
    async fn check_request(
        &self,
        client: ClientAddress,
        request: Request,
    ) -> Result<Request, (Request, NotUntil<QuantaInstant>)> {
        let Err(until) = self.check(client) else {
            return Ok(request);
        };
        let (parts, body) = request.into_parts();
        let playing = match parts.extensions.get::<ActivePlayers>() {
            Some(players) => players.playing(&parts.headers, &parts.extensions).await,
            None => None,
        };
        let request = Request::from_parts(parts, body);
        match playing.map(|player| self.players.check_key(&player)) {
            Some(Ok(())) => Ok(request),
            Some(Err(until)) => Err((request, until)),
            None => Err((request, until)),
        }
    }

    /// Drops addresses without recent requests, until the server shuts down.
    pub(super) async fn prune(self, shutdown: CancellationToken) {
        tokio::join!(
            prune_rate_limit(self.addresses, shutdown.clone()),
            prune_rate_limit(self.sites, shutdown.clone()),
            prune_rate_limit(self.players, shutdown),
        );
    }
}

/// Refuses an address that is over its limit.
pub(super) async fn check_rate_limit(
    State(limit): State<RateLimit>,
    request: Request,
    next: Next,
) -> Response {
    let Some(client) = request.extensions().get::<ClientAddress>().copied() else {
        return next.run(request).await;
    };
    match limit.check_request(client, request).await {
        Ok(request) => next.run(request).await,
        Err((_, until)) => too_many_requests(&until),
    }
}

/// Refuses pages, and the files that belong to them, to an address that is over its limit.
pub(super) async fn check_page_rate_limit(
    State((limit, options)): State<(RateLimit, LeptosOptions)>,
    request: Request,
    next: Next,
) -> Response {
    let client = request.extensions().get::<ClientAddress>().copied();
    let Some(client) = client.filter(|client| !is_exempt(request.uri().path(), *client)) else {
        return next.run(request).await;
    };
    let (request, until) = match limit.check_request(client, request).await {
        Ok(request) => return next.run(request).await,
        Err(refused) => refused,
    };
    security::note_refusal(Code::TooManyRequests);
    let wait = retry_after(&until);
    let mut response = pages::error_as_accepted(request.headers(), options, Code::TooManyRequests);
    let headers = response.headers_mut();
    headers.insert(header::RETRY_AFTER, HeaderValue::from(wait));
    // So that the pages of players without scripts go on, no sooner than they would reload themselves.
    let reload = wait.max(limits::PAGE_RELOAD_INTERVAL.as_secs());
    headers.insert(header::REFRESH, HeaderValue::from(reload));
    response
}

/// Returns whether a request is not counted: for the files that a page has dozens of, which never change, and for the probes of
/// monitoring on the server's own machine.
fn is_exempt(path: &str, client: ClientAddress) -> bool {
    path.starts_with("/pkg/")
        || matches!(path, "/healthz" | "/readyz") && client.address.is_loopback()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn client(text: &str) -> ClientAddress {
        ClientAddress {
            address: address(text),
        }
    }

    #[test]
    fn an_address_counts_in_its_canonical_form() {
        for (written, counted) in [
            ("192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("2001:db8:1:2:ffff::", "2001:db8:1:2::"),
            ("2001:db8:1:3::1", "2001:db8:1:3::"),
            ("::1", "::1"),
        ] {
            assert_eq!(network(address(written)), address(counted), "{written}");
        }
        assert_eq!(
            client("2001:db8:1:2::").site(),
            Some(address("2001:db8:1::"))
        );
        assert_eq!(client("192.0.2.7").site(), None);
    }

    #[test]
    fn the_client_is_before_the_own_proxies() {
        let mut headers = HeaderMap::new();
        for list in [
            "203.0.113.9, 198.51.100.1",
            "192.0.2.1:4711, [2001:db8::1]:443",
        ] {
            headers.append("x-forwarded-for", HeaderValue::from_static(list));
        }
        for (proxies, client) in [
            (0, None),
            (1, Some("2001:db8::1")),
            (2, Some("192.0.2.1")),
            (3, Some("198.51.100.1")),
            (4, Some("203.0.113.9")),
            (5, None),
        ] {
            assert_eq!(
                forwarded_for(&headers, proxies),
                Ok(client.map(address)),
                "{proxies}"
            );
        }
        headers.append("x-forwarded-for", HeaderValue::from_static("unknown"));
        assert_eq!(forwarded_for(&headers, 1), Err(UnreadableAddress));
        assert_eq!(forwarded_for(&HeaderMap::new(), 1), Ok(None));
    }

    #[test]
    fn bytes_before_the_own_proxies_hide_nobody() {
        let check = |list: &[u8], expected| {
            let mut headers = HeaderMap::new();
            let list = HeaderValue::from_bytes(list).expect("visible bytes");
            headers.append("x-forwarded-for", list);
            assert_eq!(forwarded_for(&headers, 1), expected);
        };
        let client = Ok(Some(address("192.0.2.1")));
        check(b"\xff, 192.0.2.1", client);
        check(b"\xc3\xa4,192.0.2.1", client);
        for unreadable in [&b"192.0.2.1, \xff"[..], b"192.0.2.1,", b"", b"192.0.2.1 x"] {
            check(unreadable, Err(UnreadableAddress));
        }
    }

    #[test]
    fn a_site_that_uses_many_networks_is_limited_loosely() {
        let limit = rate_limit(NonZeroU32::new(2).unwrap());
        let networks = (0..100).map(|n| IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 1, n, 0, 0, 0, 0)));
        let granted = networks
            .filter(|address| limit.check(ClientAddress { address: *address }).is_ok())
            .count();
        // A slow machine grants some more.
        assert!((16..100).contains(&granted), "{granted}");
        assert!(limit.check(client("2001:db8:2::")).is_ok());
    }

    #[test]
    fn files_of_the_release_and_probes_of_the_own_machine_are_not_counted() {
        for (path, from, exempt) in [
            ("/pkg/tochki.wasm", "192.0.2.7", true),
            ("/pkg", "127.0.0.1", false),
            ("/", "127.0.0.1", false),
            ("/healthz", "127.0.0.1", true),
            ("/readyz", "::1", true),
            ("/readyz", "192.0.2.7", false),
        ] {
            assert_eq!(is_exempt(path, client(from)), exempt, "{path} {from}");
        }
    }
}
