//! Downloads of the results of a tournament: `GET /tournament/{id}/json`, and of rounds `GET /tournament/{id}/trf` and
//! `GET /tournament/{id}/csv`.

use super::caller::caller_of;
use super::handler_error::{HandlerError, log_broken_body};
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use futures::TryStreamExt as _;
use tochki_pages::endpoint::{Endpoint, Method, inventory};
use tochki_protocol::{Code, Scope, TournamentId};
use tochki_server::AppState;

/// `GET /tournament/{id}/trf`.
pub(super) const TRF: Endpoint = Endpoint::handler(
    Method::Get,
    "/tournament/{id}/trf",
    caller_of(&trf),
    Some(Scope::Read),
    module_path!(),
);

inventory::submit! { TRF }

/// `GET /tournament/{id}/csv`.
pub(super) const CSV: Endpoint = Endpoint::handler(
    Method::Get,
    "/tournament/{id}/csv",
    caller_of(&csv),
    Some(Scope::Read),
    module_path!(),
);

inventory::submit! { CSV }

/// `GET /tournament/{id}/json`.
pub(super) const JSON: Endpoint = Endpoint::handler(
    Method::Get,
    "/tournament/{id}/json",
    caller_of(&json),
    Some(Scope::Read),
    module_path!(),
);

inventory::submit! { JSON }

pub(super) async fn trf(
    State(app): State<AppState>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, HandlerError> {
    let id = read_id(id)?;
    let text = app.tournaments.trf(id).await?;
    Ok(file(id, "trf", "text/plain; charset=utf-8", text))
}

pub(super) async fn csv(
    State(app): State<AppState>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, HandlerError> {
    let id = read_id(id)?;
    let text = app.tournaments.csv(id).await?;
    Ok(file(
        id,
        "csv",
        "text/csv; charset=utf-8; header=present",
        text,
    ))
}

pub(super) async fn json(
    State(app): State<AppState>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Response, HandlerError> {
    let id = read_id(id)?;
    let pieces = app.tournaments.record(id).await?;
    let body = Body::from_stream(pieces.inspect_err(log_broken_body));
    Ok(file(id, "json", "application/json", body))
}

fn read_id(id: Result<Path<String>, PathRejection>) -> Result<TournamentId, Code> {
    let Path(id) = id.map_err(|_| Code::NoSuchTournament)?;
    id.parse().map_err(|_| Code::NoSuchTournament)
}

fn file(id: TournamentId, ending: &str, kind: &'static str, body: impl Into<Body>) -> Response {
    let name = format!(r#"attachment; filename="tochki-tournament-{id}.{ending}""#);
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_DISPOSITION, &name),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let body: Body = body.into();
    (headers, body).into_response()
}
