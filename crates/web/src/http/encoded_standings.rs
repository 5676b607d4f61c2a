//! `GET /api/tournament_standings`: thousands read the same page of the standings of an arena, so it is encoded once for all of them.

use axum::extract::Query;
use axum::http::{HeaderValue, Method, Uri, header};
use axum::response::{IntoResponse as _, Response};
use leptos::server_fn::ServerFn as _;
use serde::Deserialize;
use tochki_pages::api::ReadTournamentStandings;
use tochki_protocol::TournamentId;
use tochki_server::AppState;

#[derive(Deserialize)]
struct Arguments {
    id: TournamentId,
    #[serde(default)]
    page: u32,
}

/// Answers a request for standings that there are. `None` for any other request, which the server function answers or refuses.
pub(super) async fn answer(app: &AppState, method: &Method, uri: &Uri) -> Option<Response> {
    if method != Method::GET || uri.path() != ReadTournamentStandings::PATH {
        return None;
    }
    let Query(Arguments { id, page }) = Query::try_from_uri(uri).ok()?;
    let (version, body) = app.tournaments.encoded_standings(id, page).await.ok()?;
    // The same as that of the server function.
    let tag = HeaderValue::from_str(&format!("W/\"{version}\"")).ok()?;
    let kind = HeaderValue::from_static("application/json");
    let uncached = HeaderValue::from_static("no-store");
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, uncached),
    ];
    Some((headers, body).into_response())
}
