//! The cookies: session, known browser, passkey challenge, settings, and last choices. All are `HttpOnly` and `SameSite=Lax`;
//! under https they are `Secure`, and those with tokens are bound to this host by the prefix `__Host-`. A script writes that of the
//! time zone (`public/time_zone.js`).

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::{Cookie, SameSite};
use leptos_axum::ResponseOptions;
use std::time::Duration;
use tochki_protocol::{LastChoices, Settings, limits};
use tochki_server::secrets::SessionToken;

const SETTINGS: &str = "settings";
const CHOICES: &str = "choice";
const ZONE: &str = "zone";

const fn session_name(secure: bool) -> &'static str {
    if secure { "__Host-session" } else { "session" }
}

const fn device_name(secure: bool) -> &'static str {
    if secure { "__Host-device" } else { "device" }
}

const fn challenge_name(secure: bool) -> &'static str {
    if secure { "__Host-passkey" } else { "passkey" }
}

/// Returns the session token of a request.
pub fn token(headers: &HeaderMap, secure: bool) -> Option<SessionToken> {
    value(headers, session_name(secure)).map(|token| SessionToken::from_cookie(&token))
}

/// Returns the token by which this browser is known. The token opens nothing.
pub fn device(headers: &HeaderMap, secure: bool) -> Option<SessionToken> {
    value(headers, device_name(secure)).map(|token| SessionToken::from_cookie(&token))
}

pub(crate) fn set_device(response: &ResponseOptions, token: &SessionToken, secure: bool) {
    let lifetime = limits::DEVICE_LIFETIME;
    write(
        response,
        device_name(secure),
        token.expose(),
        lifetime,
        secure,
    );
}

/// Returns the token of the challenge that this browser was given for signing in with a passkey.
pub(crate) fn challenge(headers: &HeaderMap, secure: bool) -> Option<SessionToken> {
    value(headers, challenge_name(secure)).map(|token| SessionToken::from_cookie(&token))
}

pub(crate) fn set_challenge(response: &ResponseOptions, token: &SessionToken, secure: bool) {
    let lifetime = limits::PASSKEY_CHALLENGE_TIMEOUT;
    write(
        response,
        challenge_name(secure),
        token.expose(),
        lifetime,
        secure,
    );
}

/// Returns the display settings of this browser.
pub fn settings(headers: &HeaderMap) -> Settings {
    let Ok(settings) = value(headers, SETTINGS).unwrap_or_default().parse();
    settings
}

/// Returns the last choices of this browser.
pub fn choices(headers: &HeaderMap) -> LastChoices {
    LastChoices::from_cookie(&value(headers, CHOICES).unwrap_or_default())
}

/// Returns the time zone of this browser, as a script has found it.
pub(crate) fn zone(headers: &HeaderMap) -> Option<String> {
    value(headers, ZONE)
}

fn value(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(Cookie::split_parse)
        .filter_map(Result::ok)
        .find(|cookie| cookie.name() == name)
        .map(|cookie| cookie.value().to_owned())
}

pub(crate) fn set_session(response: &ResponseOptions, token: &SessionToken, secure: bool) {
    let lifetime = limits::SESSION_LIFETIME;
    write(
        response,
        session_name(secure),
        token.expose(),
        lifetime,
        secure,
    );
}

pub(crate) fn set_settings(response: &ResponseOptions, settings: Settings, secure: bool) {
    if let Some(cookie) = settings_cookie(settings, secure) {
        response.append_header(header::SET_COOKIE, cookie);
    }
}

/// Returns the cookie that stores the display settings in this browser.
pub fn settings_cookie(settings: Settings, secure: bool) -> Option<HeaderValue> {
    let lifetime = limits::PREFERENCES_LIFETIME;
    made(SETTINGS, &settings.to_string(), lifetime, secure)
}

pub(crate) fn set_choices(response: &ResponseOptions, choices: &LastChoices, secure: bool) {
    let lifetime = limits::PREFERENCES_LIFETIME;
    write(response, CHOICES, choices.as_str(), lifetime, secure);
}

pub(crate) fn clear_session(response: &ResponseOptions, secure: bool) {
    write(response, session_name(secure), "", Duration::ZERO, secure);
}

fn write(response: &ResponseOptions, name: &str, value: &str, lifetime: Duration, secure: bool) {
    if let Some(cookie) = made(name, value, lifetime, secure) {
        response.append_header(header::SET_COOKIE, cookie);
    }
}

fn made(name: &str, value: &str, lifetime: Duration, secure: bool) -> Option<HeaderValue> {
    let lifetime = i64::try_from(lifetime.as_secs()).unwrap_or(i64::MAX);
    let cookie = Cookie::build((name, value))
        .path("/")
        .max_age(cookie::time::Duration::seconds(lifetime))
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(secure);
    // Tokens are base64, settings and choices are plain ASCII, so the header is always valid.
    HeaderValue::from_str(&cookie.to_string()).ok()
}
