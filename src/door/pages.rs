//! The pages: which policy they are served with, and what loading one says about where a player is.

use crate::rules::Kind;
use crate::server::Arena;
use crate::server::presence::Place;
use crate::ui::Theme;
use crate::wire::{Account, ApiError};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Uri, header};
use leptos::nonce::use_nonce;
use leptos::prelude::{expect_context, provide_context, use_context};
use leptos_axum::ResponseOptions;

/// What every page and server function finds in its context.
pub(super) fn provide(arena: &Arena) {
    provide_context(arena.clone());
    provide_context(theme());
    let Some(nonce) = use_nonce() else { return };
    let policy = format!(
        "default-src 'self'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self' 'nonce-{nonce}'; \
         img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        expect_context::<ResponseOptions>().insert_header(header::CONTENT_SECURITY_POLICY, policy);
    }
}

/// The theme the visitor has chosen.
fn theme() -> Theme {
    let parts = use_context::<Parts>();
    let cookies = parts
        .as_ref()
        .and_then(|parts| parts.headers.get(header::COOKIE)?.to_str().ok());
    cookies.map(Theme::in_cookies).unwrap_or_default()
}

/// Where somebody is who loads this page.
pub(super) fn place_of(uri: &Uri) -> Option<Place> {
    let path = uri.path().trim_end_matches('/');
    if path == "/play" {
        let query = uri.query().unwrap_or_default();
        let game = query.split('&').find_map(|pair| pair.strip_prefix("game="));
        return game
            .map_or(Ok(Kind::ALL[0]), str::parse)
            .ok()
            .map(Place::Lobby);
    }
    path.strip_prefix("/match/")
        .and_then(|id| id.parse().ok())
        .map(Place::Match)
}

/// Notes that they are there; at a table only its players are.
pub(super) async fn note(arena: &Arena, account: &Account, place: Place) -> Result<(), ApiError> {
    if let Place::Match(id) = place
        && arena.tables.table(id).await?.seat_of(account.id).is_none()
    {
        return Ok(());
    }
    arena.presence.page_load(account.id, place).await
}
