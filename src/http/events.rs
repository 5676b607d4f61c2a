//! The addresses of the event streams.

use super::handler_error::HandlerError;
use crate::context::cookie;
use axum::body::Body;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use futures::StreamExt as _;
use serde::Deserialize;
use std::convert::Infallible;
use tochki_protocol::{Code, MatchId, TableLink};
use tochki_rules::GameKind;
use tochki_server::accounts::Visitor;
use tochki_server::streams::{Cursor, EventStream};
use tochki_server::{Arena, Error, streams};

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
) -> Result<Response, HandlerError> {
    let Query(query) = query.map_err(|_| Code::BadRequest)?;
    let visitor = visitor(&arena, &headers).await?.ok_or(Code::SignedOut)?;
    let game: GameKind = match query.game.as_deref() {
        Some(id) => id.parse().map_err(|_| Code::UnknownGame)?,
        None => GameKind::ALL[0],
    };
    Ok(respond(streams::lobby_stream(&arena, game, visitor).await?))
}

/// `GET /events/match/{id}?after=VERSION`
pub(super) async fn table(
    State(arena): State<Arena>,
    id: Result<Path<String>, PathRejection>,
    query: Result<Query<MatchQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, HandlerError> {
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
    let from = Cursor {
        after,
        comes_back: last.is_some(),
    };
    Ok(respond(
        streams::match_stream(&arena, id, from, visitor).await?,
    ))
}

/// `GET /events/table/{link}`
pub(super) async fn open_table(
    State(arena): State<Arena>,
    link: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, HandlerError> {
    let Path(link) = link.map_err(|_| Code::NoSuchTable)?;
    let link: TableLink = link.parse().map_err(|_| Code::NoSuchTable)?;
    let visitor = visitor(&arena, &headers).await?;
    Ok(respond(
        streams::table_stream(&arena, &link, visitor).await?,
    ))
}

async fn visitor(arena: &Arena, headers: &HeaderMap) -> Result<Option<Visitor>, Error> {
    match cookie::token(headers, arena.settings.secure()) {
        Some(token) => arena.accounts.visitor(&token).await,
        None => Ok(None),
    }
}

/// The response that carries a stream.
fn respond(events: EventStream) -> Response {
    let mut response = Response::new(Body::from_stream(events.map(Ok::<_, Infallible>)));
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/event-stream"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Nginx would hold the events back otherwise.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
