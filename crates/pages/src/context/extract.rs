//! The callers of handlers that are no server functions, as extractors of axum. Such a handler renews no session.

use super::{Player, SessionPlayer, cookie, report, session_of};
use crate::error::ErrorResponse;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tochki_protocol::{Account, Code};
use tochki_server::{Arena, Error};

impl FromRequestParts<Arena> for Player {
    type Rejection = ErrorResponse;

    async fn from_request_parts(parts: &mut Parts, arena: &Arena) -> Result<Self, ErrorResponse> {
        player(parts, arena).await.map(Self).map_err(report)
    }
}

impl FromRequestParts<Arena> for SessionPlayer {
    type Rejection = ErrorResponse;

    async fn from_request_parts(parts: &mut Parts, arena: &Arena) -> Result<Self, ErrorResponse> {
        let account = player(parts, arena).await.map_err(report)?;
        let token = cookie::token(&parts.headers, arena.settings.secure());
        let token = token.ok_or(Code::SignedOut)?;
        Ok(Self { account, token })
    }
}

async fn player(parts: &Parts, arena: &Arena) -> Result<Account, Error> {
    let session = session_of(arena, &parts.headers, &parts.extensions).await?;
    Ok(session.ok_or(Code::SignedOut)?.account)
}
