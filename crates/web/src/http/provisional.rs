//! Requests on connections beyond the limit of their address ([`Provisional`]).

use super::active_players::ActivePlayers;
use super::connections::Provisional;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tochki_pages::context::security;
use tochki_pages::error::ErrorResponse;
use tochki_protocol::Code;

/// Refuses requests on a provisional connection until one comes from a player of a running match.
pub(super) async fn admit(
    State(players): State<ActivePlayers>,
    request: Request,
    next: Next,
) -> Response {
    let provisional = request.extensions().get::<Provisional>();
    let Some(provisional) = provisional.filter(|opened| !opened.is_admitted()).cloned() else {
        return next.run(request).await;
    };
    if provisional.admit_counted() {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let player = players.playing(&parts.headers, &parts.extensions).await;
    if player.is_some_and(|player| provisional.admit(player)) {
        return next.run(Request::from_parts(parts, body)).await;
    }
    security::note_refusal(Code::TooManyRequests);
    let mut response = ErrorResponse::from(Code::TooManyRequests).into_response();
    if parts.version < Version::HTTP_2 {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    response
}
