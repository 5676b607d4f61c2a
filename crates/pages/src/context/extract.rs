//! The callers of handlers that are no server functions, as extractors of axum. Such a handler renews no session.

use super::{Player, SessionPlayer, cookie, report, session_of};
use crate::error::ErrorResponse;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tochki_protocol::{Account, Code};
use tochki_server::{AppState, Error};

impl FromRequestParts<AppState> for Player {
    type Rejection = ErrorResponse;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ErrorResponse> {
        player(parts, app).await.map(Self).map_err(report)
    }
}

impl FromRequestParts<AppState> for SessionPlayer {
    type Rejection = ErrorResponse;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ErrorResponse> {
        let account = player(parts, app).await.map_err(report)?;
        let token = cookie::token(&parts.headers, app.settings.secure());
        let token = token.ok_or(Code::SignedOut)?;
        Ok(Self { account, token })
    }
}

async fn player(parts: &Parts, app: &AppState) -> Result<Account, Error> {
    let session = session_of(app, &parts.headers, &parts.extensions).await?;
    Ok(session.ok_or(Code::SignedOut)?.account)
}
