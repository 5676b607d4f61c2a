//! CSRF protection: requests that change something must come from our own origin.

use super::bearer::Bearer;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tochki_pages::error::ErrorResponse;
use tochki_protocol::Code;
use tochki_server::AppState;

/// Refuses cross-site requests that change something.
pub(super) async fn check_origin(
    State(app): State<AppState>,
    request: Request,
    next: Next,
) -> Response {
    let changes = !matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    let ours = app.settings.public_origin.as_deref();
    // A browser attaches no token by itself, and what comes with one has lost its cookies.
    let by_token = request.extensions().get::<Bearer>().is_some();
    if changes && !by_token && is_foreign(request.headers(), host_of(&request), ours) {
        return ErrorResponse::from(Code::ForeignOrigin).into_response();
    }
    next.run(request).await
}

/// Returns the host that the client asked for: a header, or over HTTP/2 part of the address.
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
    // A page or a proxy that asks for no `Referer` makes the origin of a form `null`. No page of another site can say this.
    let is_null = headers
        .get(header::ORIGIN)
        .is_some_and(|origin| origin == "null");
    if is_null && site == Some(b"same-origin") {
        return false;
    }
    let named = match (headers.get(header::ORIGIN), headers.get(header::REFERER)) {
        (Some(origin), _) => origin.to_str().ok(),
        // An old browser sends neither header with a form, but says which page the form is on.
        (None, Some(page)) if site.is_none() => page.to_str().ok().and_then(origin_of),
        (None, _) => return false,
    };
    let Some(origin) = named else {
        return true;
    };
    !is_ours(origin, host, public_origin)
}

/// Returns whether this is the origin of our pages: the origin that the operator has set, or by default any of the requested
/// host.
fn is_ours(origin: &str, host: Option<&str>, public_origin: Option<&str>) -> bool {
    match public_origin {
        Some(ours) => origin == ours.trim_end_matches('/'),
        None => host.is_some() && origin.split_once("://").map(|(_, rest)| rest) == host,
    }
}

/// Returns whether the page that a request names as its `Referer` is ours, so that an answer may lead back to it.
pub(super) fn comes_from_us(request: &Request, public_origin: Option<&str>) -> bool {
    let page = request.headers().get(header::REFERER);
    let origin = page.and_then(|page| page.to_str().ok()).and_then(origin_of);
    origin.is_some_and(|origin| is_ours(origin, host_of(request), public_origin))
}

/// Returns the scheme, host and port of a URL.
fn origin_of(url: &str) -> Option<&str> {
    let host = url.find("://")? + "://".len();
    let path = url[host..].find(['/', '?', '#']);
    Some(path.map_or(url, |path| &url[..host + path]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderName;

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
    fn a_form_without_an_origin_is_judged_by_its_page() {
        check(
            &[("host", "a"), ("referer", "http://a/play?game=dots")],
            None,
            false,
        );
        check(&[("host", "a"), ("referer", "http://a")], None, false);
        check(
            &[("host", "inner"), ("referer", "https://a/x")],
            Some("https://a"),
            false,
        );
        for foreign in [
            "http://evil.example/http://a/",
            "http://a.evil.example/",
            "http://evil.example?http://a/",
            "about:blank",
        ] {
            check(&[("host", "a"), ("referer", foreign)], None, true);
        }
    }

    #[test]
    fn a_form_of_a_page_without_a_referrer_is_ours_where_the_browser_says_so() {
        let null = ("origin", "null");
        for public in [None, Some("https://a")] {
            let ours = [("host", "a"), null, ("sec-fetch-site", "same-origin")];
            check(&ours, public, false);
            for foreign in ["cross-site", "same-site", "none"] {
                check(
                    &[("host", "a"), null, ("sec-fetch-site", foreign)],
                    public,
                    true,
                );
            }
        }
        let named = ("origin", "https://evil.example");
        let other = [("host", "a"), named, ("sec-fetch-site", "same-origin")];
        check(&other, None, true);
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
