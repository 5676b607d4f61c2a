//! The addresses of the event streams.

use super::caller::StreamingCaller;
use super::handler_error::HandlerError;
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
use tochki_server::streams::{Cursor, EventStream};
use tochki_server::{Arena, streams};

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
    caller: Option<StreamingCaller>,
) -> Result<Response, HandlerError> {
    let Query(query) = query.map_err(|_| Code::BadRequest)?;
    let StreamingCaller(caller) = caller.ok_or(Code::SignedOut)?;
    let game: GameKind = match query.game.as_deref() {
        Some(id) => id.parse().map_err(|_| Code::UnknownGame)?,
        None => GameKind::ALL[0],
    };
    Ok(respond(streams::lobby_stream(&arena, game, caller).await?))
}

/// `GET /events/match/{id}?after=VERSION`
pub(super) async fn match_(
    State(arena): State<Arena>,
    id: Result<Path<String>, PathRejection>,
    query: Result<Query<MatchQuery>, QueryRejection>,
    caller: Option<StreamingCaller>,
    headers: HeaderMap,
) -> Result<Response, HandlerError> {
    let Path(id) = id.map_err(|_| Code::NoSuchMatch)?;
    let Query(query) = query.map_err(|_| Code::BadRequest)?;
    let id: MatchId = id.parse().map_err(|_| Code::NoSuchMatch)?;
    // The last event of this stream that the browser has is newer than the version of the page.
    let last = headers
        .get("last-event-id")
        .and_then(|id| id.to_str().ok())
        .filter(|id| !id.is_empty());
    let after = match last.or(query.after.as_deref()) {
        // The stream answers a version that the match has not reached with `resync`.
        Some(version) => {
            let version: u64 = version.trim().parse().map_err(|_| Code::BadRequest)?;
            u32::try_from(version).unwrap_or(u32::MAX)
        }
        None => 0,
    };
    let caller = caller.map(|StreamingCaller(caller)| caller);
    let from = Cursor {
        after,
        is_reconnect: last.is_some(),
    };
    Ok(respond(
        streams::match_stream(&arena, id, from, caller).await?,
    ))
}

/// `GET /events/table/{link}`
pub(super) async fn table(
    State(arena): State<Arena>,
    link: Result<Path<String>, PathRejection>,
    caller: Option<StreamingCaller>,
) -> Result<Response, HandlerError> {
    let Path(link) = link.map_err(|_| Code::NoSuchTable)?;
    let link: TableLink = link.parse().map_err(|_| Code::NoSuchTable)?;
    let caller = caller.map(|StreamingCaller(caller)| caller);
    Ok(respond(streams::table_stream(&arena, &link, caller).await?))
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
