//! Authentication of handlers, by session cookie or token. A handler that takes a [`Caller`] is for players only, and one that
//! takes `Option<Caller>` is for everybody: the signature is the permission.

use super::active_players::ActivePlayers;
use super::handler_error::HandlerError;
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use tochki_pages::context::{self, Credentials, cookie};
use tochki_protocol::{Account, Code};
use tochki_server::accounts::{Session, StreamCaller};
use tochki_server::secrets::SessionToken;
use tochki_server::{Arena, Error};

/// The signed-in player who sends the request. Everybody else is refused with `signed_out`.
pub(super) struct Caller(pub(super) Account);

/// The signed-in player with the token of the session; programs with a token of their own have none.
pub(super) struct SessionCaller(pub(super) Account, pub(super) SessionToken);

/// The signed-in player who opens a stream, which ends with the session.
pub(super) struct StreamingCaller(pub(super) StreamCaller);

/// The session of a request.
async fn session(arena: &Arena, parts: &Parts) -> Result<Option<Session>, Error> {
    context::session_of(arena, &parts.headers, &parts.extensions).await
}

impl OptionalFromRequestParts<Arena> for Caller {
    type Rejection = HandlerError;

    async fn from_request_parts(
        parts: &mut Parts,
        arena: &Arena,
    ) -> Result<Option<Self>, HandlerError> {
        let session = session(arena, parts).await?;
        Ok(session.map(|session| Self(session.account)))
    }
}

impl FromRequestParts<Arena> for Caller {
    type Rejection = HandlerError;

    async fn from_request_parts(parts: &mut Parts, arena: &Arena) -> Result<Self, HandlerError> {
        let session = session(arena, parts).await?;
        Ok(Self(session.ok_or(Code::SignedOut)?.account))
    }
}

impl FromRequestParts<Arena> for SessionCaller {
    type Rejection = HandlerError;

    async fn from_request_parts(parts: &mut Parts, arena: &Arena) -> Result<Self, HandlerError> {
        let token = cookie::token(&parts.headers, arena.settings.secure());
        let session = session(arena, parts).await?;
        let (session, token) = session.zip(token).ok_or(Code::SignedOut)?;
        Ok(Self(session.account, token))
    }
}

impl OptionalFromRequestParts<Arena> for StreamingCaller {
    type Rejection = HandlerError;

    async fn from_request_parts(
        parts: &mut Parts,
        arena: &Arena,
    ) -> Result<Option<Self>, HandlerError> {
        let secure = arena.settings.secure();
        let caller = match Credentials::of(&parts.headers, &parts.extensions, secure) {
            Some(Credentials::Token(token)) => Some(arena.accounts.token_stream_caller(token)),
            Some(Credentials::Session(token)) => {
                let caller = arena.accounts.stream_caller(&token).await?;
                let players = parts.extensions.get::<ActivePlayers>();
                if let (Some(caller), Some(players)) = (&caller, players) {
                    players.note(token.digest(), &caller.account);
                }
                caller
            }
            None => None,
        };
        Ok(caller.map(Self))
    }
}
