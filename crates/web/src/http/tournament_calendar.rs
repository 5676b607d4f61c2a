//! `GET /tournaments.ics`: tournaments as a calendar, to which other programs subscribe.

use super::caller::caller_of;
use super::handler_error::HandlerError;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use tochki_pages::endpoint::{Endpoint, Method, inventory};
use tochki_protocol::{Code, Scope, limits};
use tochki_rules::GameKind;
use tochki_server::AppState;

/// `GET /tournaments.ics`.
pub(super) const ENDPOINT: Endpoint = Endpoint::handler(
    Method::Get,
    "/tournaments.ics",
    caller_of(&serve),
    Some(Scope::Read),
    module_path!(),
);

inventory::submit! { ENDPOINT }

#[derive(Deserialize)]
pub(super) struct Fields {
    game: Option<String>,
}

pub(super) async fn serve(
    State(app): State<AppState>,
    query: Result<Query<Fields>, QueryRejection>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, HandlerError> {
    let Query(Fields { game }) = query.map_err(|_| Code::UnknownGame)?;
    let game = game.filter(|game| !game.is_empty());
    let game: Option<GameKind> = game
        .map(|game| game.parse().map_err(|_| Code::UnknownGame))
        .transpose()?;
    let origin = origin(&app, &headers, &uri)?;
    let text = app.tournaments.calendar(game, &origin).await?;
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(&text);
    let tag = format!("\"{hash:016x}\"");
    let known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|known| known.to_str().ok());
    let is_known = known.is_some_and(|known| {
        let mut tags = known.split(',');
        tags.any(|known| known.trim().trim_start_matches("W/") == tag)
    });
    let kept = format!("public, max-age={}", limits::CALENDAR_KEPT.as_secs());
    let cached = [(header::CACHE_CONTROL, kept), (header::ETAG, tag)];
    if is_known {
        return Ok((StatusCode::NOT_MODIFIED, cached).into_response());
    }
    let kind = [(header::CONTENT_TYPE, "text/calendar; charset=utf-8")];
    Ok((cached, kind, text).into_response())
}

/// Returns the origin of the links: the one that the operator has set, else the requested host.
fn origin(app: &AppState, headers: &HeaderMap, uri: &Uri) -> Result<String, Code> {
    if let Some(origin) = &app.settings.public_origin {
        return Ok(origin.trim_end_matches('/').to_owned());
    }
    let host = headers.get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok());
    let host = host.or_else(|| uri.authority().map(Authority::as_str));
    Ok(format!("http://{}", host.ok_or(Code::BadRequest)?))
}
