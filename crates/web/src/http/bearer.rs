//! Bearer tokens of programs: removed from the request before the check of its origin and before every handler.

use axum::extract::Request;
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::Response;
use tochki_server::secrets::ApiToken;

/// The token that came with a request, valid or not.
#[derive(Clone)]
pub(super) struct Bearer(pub(super) ApiToken);

/// Takes the token out of the headers, so that nothing else can log or forward it, and with it the cookies: a request has
/// one caller.
pub(super) async fn take_bearer(mut request: Request, next: Next) -> Response {
    if let Some(token) = bearer(request.headers()) {
        let headers = request.headers_mut();
        headers.remove(header::AUTHORIZATION);
        headers.remove(header::COOKIE);
        request.extensions_mut().insert(Bearer(token));
    }
    next.run(request).await
}

/// The token of `Authorization: Bearer …`. Other schemes are for a proxy in front of us.
fn bearer(headers: &HeaderMap) -> Option<ApiToken> {
    headers
        .get_all(header::AUTHORIZATION)
        .into_iter()
        .find_map(|value| {
            let value = value.as_bytes();
            let (scheme, rest) = value.split_at_checked("bearer".len())?;
            let ends = rest.first().is_none_or(u8::is_ascii_whitespace);
            (ends && scheme.eq_ignore_ascii_case(b"bearer"))
                .then(|| ApiToken::from_header(String::from_utf8_lossy(rest).trim()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[track_caller]
    fn check(value: &'static str, expected: Option<&str>) {
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, HeaderValue::from_static(value));
        let found = bearer(&headers);
        assert_eq!(found.as_ref().map(ApiToken::expose), expected, "{value:?}");
    }

    #[test]
    fn a_token_is_what_follows_bearer() {
        check("Bearer tochki_abc", Some("tochki_abc"));
        check("bearer  tochki_abc ", Some("tochki_abc"));
        check("Bearer", Some(""));
        check("Bearer ", Some(""));
        check("Bearertochki_abc", None);
        check("Basic dG9jaGtp", None);
        check("tochki_abc", None);
    }
}
