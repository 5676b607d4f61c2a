//! The session cookie: `HttpOnly`, `SameSite`, and under https bound to this host and to https.

use crate::server::secrets::SessionToken;
use axum::http::{HeaderMap, HeaderValue, header};
use leptos_axum::ResponseOptions;

/// As long as a session lives without being used.
const MAX_AGE: &str = "Max-Age=2592000";

const fn name(secure: bool) -> &'static str {
    if secure { "__Host-session" } else { "session" }
}

/// The token in the request's cookies.
pub(super) fn token(headers: &HeaderMap, secure: bool) -> Option<SessionToken> {
    let cookies = headers
        .get_all(header::COOKIE)
        .into_iter()
        .filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name(secure))
        .map(|(_, value)| SessionToken::presented(value))
}

pub(super) fn set(response: &ResponseOptions, token: &SessionToken, secure: bool) {
    write(response, token.expose(), MAX_AGE, secure);
}

pub(super) fn clear(response: &ResponseOptions, secure: bool) {
    write(response, "", "Max-Age=0", secure);
}

fn write(response: &ResponseOptions, value: &str, age: &str, secure: bool) {
    let over_https = if secure { "; Secure" } else { "" };
    let cookie = format!(
        "{}={value}; Path=/; {age}; HttpOnly; SameSite=Lax{over_https}",
        name(secure)
    );
    // Tokens are base64, so the header can always be written.
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.append_header(header::SET_COOKIE, cookie);
    }
}
