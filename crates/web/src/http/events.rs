//! The endpoints of the event streams: one for each kind, for programs, and one that carries several topics, for the tabs of a
//! browser (`public/event_stream.js`).

use super::caller::{StreamPlayer, caller_of};
use super::handler_error::HandlerError;
use super::stream_limits::StreamPermit;
use super::takeover::StreamHandoff;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use futures::StreamExt as _;
use serde::Deserialize;
use tochki_pages::context;
use tochki_pages::endpoint::{Endpoint, Method, inventory};
use tochki_protocol::{Code, MatchId, Scope, TableLink, TournamentId};
use tochki_rules::GameKind;
use tochki_server::streams::{Cursor, EventStream, StreamTopic};
use tochki_server::{AppState, streams};

/// `GET /events`.
pub(super) const SHARED: Endpoint = Endpoint::handler(
    Method::Get,
    "/events",
    caller_of(&shared),
    Some(Scope::Read),
    module_path!(),
);

inventory::submit! { SHARED }

/// `GET /events/match/{id}`.
pub(super) const MATCH: Endpoint = Endpoint::handler(
    Method::Get,
    "/events/match/{id}",
    caller_of(&match_),
    Some(Scope::Read),
    module_path!(),
);

inventory::submit! { MATCH }

/// `GET /events/lobby`: a player who reads it is in the waiting room.
pub(super) const LOBBY: Endpoint = Endpoint::handler(
    Method::Get,
    "/events/lobby",
    caller_of(&lobby),
    Some(Scope::Play),
    module_path!(),
);

inventory::submit! { LOBBY }

/// `GET /events/me`. The handler itself asks for `play` where the stream makes the player available.
pub(super) const PERSONAL: Endpoint = Endpoint::handler(
    Method::Get,
    "/events/me",
    caller_of(&personal),
    Some(Scope::Read),
    module_path!(),
);

inventory::submit! { PERSONAL }

/// `GET /events/table/{link}`.
pub(super) const TABLE: Endpoint = Endpoint::handler(
    Method::Get,
    "/events/table/{link}",
    caller_of(&table),
    Some(Scope::Read),
    module_path!(),
);

inventory::submit! { TABLE }

/// `GET /events/tournament/{id}`.
pub(super) const TOURNAMENT: Endpoint = Endpoint::handler(
    Method::Get,
    "/events/tournament/{id}",
    caller_of(&tournament),
    Some(Scope::Read),
    module_path!(),
);

inventory::submit! { TOURNAMENT }

#[derive(Deserialize)]
pub(super) struct LobbyQuery {
    game: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct MatchQuery {
    after: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct PersonalQuery {
    available: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct SharedQuery {
    #[serde(default)]
    topics: String,
    session: Option<String>,
}

/// The media type that a program accepts if it reads a stream as JSON.
pub(super) const JSON_LINES: &str = "application/x-ndjson";

/// `GET /events?topics=match:7@12,lobby:dots,me`
pub(super) async fn shared(
    State(app): State<AppState>,
    permit: StreamPermit,
    query: Result<Query<SharedQuery>, QueryRejection>,
    caller: Option<StreamPlayer>,
    headers: HeaderMap,
) -> Result<Response, HandlerError> {
    let Query(query) = query.map_err(|_| Code::BadRequest)?;
    // The browser has signed in or out since its page was loaded: no page gets what is another session's.
    let session = context::page_key(&headers, app.settings.secure());
    if query.session.is_some_and(|expected| expected != session) {
        return Err(Code::SignedOut.into());
    }
    let topics = StreamTopic::read_list(&query.topics, last_event_id(&headers))?;
    let caller = caller.map(|StreamPlayer(caller)| caller);
    let events = streams::shared_stream(&app, topics, caller).await;
    Ok(respond(&headers, events, permit))
}

/// Returns the id of the last event that a client has read, if it reconnects.
fn last_event_id(headers: &HeaderMap) -> Option<&str> {
    let last = headers.get("last-event-id")?;
    last.to_str().ok().filter(|id| !id.is_empty())
}

/// `GET /events/me?available=dots,boxes,clocks`
pub(super) async fn personal(
    State(app): State<AppState>,
    permit: StreamPermit,
    query: Result<Query<PersonalQuery>, QueryRejection>,
    StreamPlayer(caller): StreamPlayer,
    headers: HeaderMap,
) -> Result<Response, HandlerError> {
    let Query(query) = query.map_err(|_| Code::BadRequest)?;
    let names = query.available.unwrap_or_default();
    let names = names.split(',').filter(|name| !name.is_empty());
    // A program that takes live clocks of all kinds says so beside the games.
    let (clocks, names): (Vec<_>, Vec<_>) = names.partition(|name| *name == "clocks");
    let names = names.into_iter();
    let available: Result<Vec<GameKind>, _> = names.map(str::parse).collect();
    let available = available.map_err(|_| Code::UnknownGame)?;
    let events = streams::personal_stream(&app, &available, !clocks.is_empty(), caller).await?;
    Ok(respond(&headers, events, permit))
}

/// `GET /events/lobby?game=dots`
pub(super) async fn lobby(
    State(app): State<AppState>,
    permit: StreamPermit,
    query: Result<Query<LobbyQuery>, QueryRejection>,
    StreamPlayer(caller): StreamPlayer,
    headers: HeaderMap,
) -> Result<Response, HandlerError> {
    let Query(query) = query.map_err(|_| Code::BadRequest)?;
    let game: GameKind = match query.game.as_deref() {
        Some(id) => id.parse().map_err(|_| Code::UnknownGame)?,
        None => GameKind::DEFAULT,
    };
    let events = streams::lobby_stream(&app, game, caller).await?;
    Ok(respond(&headers, events, permit))
}

/// `GET /events/match/{id}?after=VERSION`
pub(super) async fn match_(
    State(app): State<AppState>,
    permit: StreamPermit,
    id: Result<Path<String>, PathRejection>,
    query: Result<Query<MatchQuery>, QueryRejection>,
    caller: Option<StreamPlayer>,
    headers: HeaderMap,
) -> Result<Response, HandlerError> {
    let Path(id) = id.map_err(|_| Code::NoSuchMatch)?;
    let Query(query) = query.map_err(|_| Code::BadRequest)?;
    let id: MatchId = id.parse().map_err(|_| Code::NoSuchMatch)?;
    // The last event of this stream that the browser has is newer than the version of the page.
    let last = last_event_id(&headers);
    let after = match last.or(query.after.as_deref()) {
        // The stream answers a version that the match has not reached with `resync`.
        Some(version) => {
            let version: u64 = version.trim().parse().map_err(|_| Code::BadRequest)?;
            u32::try_from(version).unwrap_or(u32::MAX)
        }
        None => 0,
    };
    let caller = caller.map(|StreamPlayer(caller)| caller);
    let from = Cursor {
        after,
        is_reconnect: last.is_some(),
    };
    let events = streams::match_stream(&app, id, from, caller).await?;
    Ok(respond(&headers, events, permit))
}

/// `GET /events/table/{link}`
pub(super) async fn table(
    State(app): State<AppState>,
    permit: StreamPermit,
    link: Result<Path<String>, PathRejection>,
    caller: Option<StreamPlayer>,
    headers: HeaderMap,
) -> Result<Response, HandlerError> {
    let Path(link) = link.map_err(|_| Code::NoSuchTable)?;
    let link: TableLink = link.parse().map_err(|_| Code::NoSuchTable)?;
    let caller = caller.map(|StreamPlayer(caller)| caller);
    let events = streams::table_stream(&app, &link, caller).await?;
    Ok(respond(&headers, events, permit))
}

/// `GET /events/tournament/{id}`
pub(super) async fn tournament(
    State(app): State<AppState>,
    permit: StreamPermit,
    id: Result<Path<String>, PathRejection>,
    caller: Option<StreamPlayer>,
    headers: HeaderMap,
) -> Result<Response, HandlerError> {
    let Path(id) = id.map_err(|_| Code::NoSuchTournament)?;
    let id: TournamentId = id.parse().map_err(|_| Code::NoSuchTournament)?;
    let caller = caller.map(|StreamPlayer(caller)| caller);
    let events = streams::tournament_stream(&app, id, caller).await?;
    Ok(respond(&headers, events, permit))
}

/// Returns the response that carries a stream: server-sent events, or a line of JSON for each event where `Accept` asks for that.
fn respond(request: &HeaderMap, events: EventStream, permit: StreamPermit) -> Response {
    let accepted = request.get_all(header::ACCEPT).into_iter();
    let mut kinds = accepted
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|kind| kind.split(';').next().unwrap_or_default().trim());
    let (kind, events) = if kinds.any(|kind| kind.eq_ignore_ascii_case(JSON_LINES)) {
        (JSON_LINES, streams::as_json_lines(events))
    } else {
        ("text/event-stream", events)
    };
    let mut events = events;
    let events = futures::stream::poll_fn(move |context| {
        // Given back when the stream is dropped.
        let _open = &permit;
        events.poll_next_unpin(context)
    });
    let events = StreamHandoff::new(events.boxed());
    let mut response = Response::new(events.body());
    // The server of the connection may take the stream out of the response.
    response.extensions_mut().insert(events);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::VARY, HeaderValue::from_static("accept"));
    // Nginx would hold the events back otherwise.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
