//! The addresses of the event streams.

use super::cookie;
use crate::rules::Kind;
use crate::server::accounts::Visitor;
use crate::server::streams::Bookmark;
use crate::server::{Arena, streams};
use crate::wire::{ApiError, Code, MatchId, TableLink};
use axum::extract::rejection::{PathRejection, QueryRejection};
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
    query: Result<Query<LobbyQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Query(query) = query.map_err(|_| Code::BadRequest)?;
    let visitor = visitor(&arena, &headers).await?.ok_or(Code::SignedOut)?;
    let game: Kind = match query.game.as_deref() {
        Some(id) => id.parse().map_err(|_| Code::UnknownGame)?,
        None => Kind::ALL[0],
    };
    streams::lobby_stream(&arena, game, visitor).await
}

/// `GET /events/match/{id}?after=VERSION`
pub(super) async fn table(
    State(arena): State<Arena>,
    id: Result<Path<String>, PathRejection>,
    query: Result<Query<MatchQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Path(id) = id.map_err(|_| Code::NoSuchMatch)?;
    let Query(query) = query.map_err(|_| Code::BadRequest)?;
    let id: MatchId = id.parse().map_err(|_| Code::NoSuchMatch)?;
    // What the browser remembers of this very stream is newer than what the page was made from.
    let last = headers
        .get("last-event-id")
        .and_then(|id| id.to_str().ok())
        .filter(|id| !id.is_empty());
    let after = match last.or(query.after.as_deref()) {
        // A version beyond all versions is one the match has not reached, which the stream knows how to answer.
        Some(version) => {
            let version: u64 = version.trim().parse().map_err(|_| Code::BadRequest)?;
            u32::try_from(version).unwrap_or(u32::MAX)
        }
        None => 0,
    };
    let visitor = visitor(&arena, &headers).await?;
    let from = Bookmark {
        after,
        comes_back: last.is_some(),
    };
    streams::match_stream(&arena, id, from, visitor).await
}

/// `GET /events/table/{link}`
pub(super) async fn open_table(
    State(arena): State<Arena>,
    link: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Path(link) = link.map_err(|_| Code::NoSuchTable)?;
    let link: TableLink = link.parse().map_err(|_| Code::NoSuchTable)?;
    let visitor = visitor(&arena, &headers).await?;
    streams::open_table_stream(&arena, &link, visitor).await
}

async fn visitor(arena: &Arena, headers: &HeaderMap) -> Result<Option<Visitor>, ApiError> {
    match cookie::token(headers, arena.settings.secure()) {
        Some(token) => arena.accounts.visitor(&token).await,
        None => Ok(None),
    }
}
