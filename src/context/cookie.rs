//! The cookies, `HttpOnly` and `SameSite`: the session, under https bound to this host and to https, the settings of a
//! browser, and what was chosen in it to be played, game by game.

use axum::http::{HeaderMap, HeaderValue, header};
use leptos_axum::ResponseOptions;
use tochki_protocol::LastChoices;
use tochki_protocol::Settings;
use tochki_server::secrets::SessionToken;

/// As long as a session lives without being used.
const MAX_AGE: &str = "Max-Age=2592000";

const fn name(secure: bool) -> &'static str {
    if secure { "__Host-session" } else { "session" }
}

/// The settings cookie lives for a year.
const SETTINGS: (&str, &str) = ("settings", "Max-Age=31536000");

/// And so do the choices.
const CHOICES: (&str, &str) = ("choice", "Max-Age=31536000");

/// The token in the request's cookies.
pub(crate) fn token(headers: &HeaderMap, secure: bool) -> Option<SessionToken> {
    value(headers, name(secure)).map(SessionToken::presented)
}

/// How this browser wants the pages.
pub(crate) fn settings(headers: &HeaderMap) -> Settings {
    let Ok(settings) = value(headers, SETTINGS.0).unwrap_or_default().parse();
    settings
}

/// The choices that this browser remembers.
pub(crate) fn choices(headers: &HeaderMap) -> LastChoices {
    LastChoices::remembered(value(headers, CHOICES.0).unwrap_or_default())
}

fn value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers
        .get_all(header::COOKIE)
        .into_iter()
        .filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}

pub(crate) fn set(response: &ResponseOptions, token: &SessionToken, secure: bool) {
    write(response, name(secure), token.expose(), MAX_AGE, secure);
}

pub(crate) fn set_settings(response: &ResponseOptions, settings: Settings, secure: bool) {
    write(
        response,
        SETTINGS.0,
        &settings.to_string(),
        SETTINGS.1,
        secure,
    );
}

pub(crate) fn set_choices(response: &ResponseOptions, choices: &LastChoices, secure: bool) {
    write(response, CHOICES.0, choices.text(), CHOICES.1, secure);
}

pub(crate) fn clear(response: &ResponseOptions, secure: bool) {
    write(response, name(secure), "", "Max-Age=0", secure);
}

fn write(response: &ResponseOptions, name: &str, value: &str, age: &str, secure: bool) {
    let over_https = if secure { "; Secure" } else { "" };
    let cookie = format!("{name}={value}; Path=/; {age}; HttpOnly; SameSite=Lax{over_https}");
    // Tokens are base64, settings are words of ours, and choices are plain, so the header can always be written.
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.append_header(header::SET_COOKIE, cookie);
    }
}
