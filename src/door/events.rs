//! The addresses of the event streams.

use super::cookie;
use crate::rules::Kind;
use crate::server::{Arena, streams};
use crate::wire::{Account, ApiError, Code, MatchId};
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct LobbyQuery {
    game: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct MatchQuery {
    after: Option<String>,
}

/// `GET /events/lobby?game=dots`
pub(super) async fn lobby(
    State(arena): State<Arena>,
    Query(query): Query<LobbyQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let player = visitor(&arena, &headers).await?.ok_or(Code::SignedOut)?;
    let game: Kind = match query.game.as_deref() {
        Some(id) => id.parse().map_err(|_| Code::UnknownGame)?,
        None => Kind::ALL[0],
    };
    streams::lobby_stream(&arena, game, player).await
}

/// `GET /events/match/{id}?after=VERSION`
pub(super) async fn table(
    State(arena): State<Arena>,
    Path(id): Path<String>,
    Query(query): Query<MatchQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let id: MatchId = id.parse().map_err(|_| Code::NoSuchMatch)?;
    // What the browser remembers of this very stream is newer than what the page was made from.
    let last = headers
        .get("last-event-id")
        .and_then(|id| id.to_str().ok())
        .filter(|id| !id.is_empty());
    let after = match last.or(query.after.as_deref()) {
        Some(version) => version.trim().parse().map_err(|_| Code::BadRequest)?,
        None => 0,
    };
    let visitor = visitor(&arena, &headers).await?;
    streams::match_stream(&arena, id, after, visitor).await
}

async fn visitor(arena: &Arena, headers: &HeaderMap) -> Result<Option<Account>, ApiError> {
    match cookie::token(headers, arena.settings.secure()) {
        Some(token) => arena.accounts.of_session(&token).await,
        None => Ok(None),
    }
}
