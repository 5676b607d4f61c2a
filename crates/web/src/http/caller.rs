//! The callers of handlers. The signature of a handler is the permission, and the list of endpoints has the callers from there
//! ([`caller_of`]).
//!
//! As with server functions, a handler that takes a [`Player`] is for players only, and one that takes a [`SessionPlayer`] for
//! players with a session. A handler that opens a stream takes a [`StreamPlayer`], or an `Option` of one where the stream is for
//! everybody. A handler without any of them is for everybody, whom it does not know.

use super::active_players::ActivePlayers;
use super::handler_error::HandlerError;
use axum::Extension;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequestParts, OptionalFromRequestParts, Path, Query, Request, State};
use axum::handler::Handler;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri};
use tochki_pages::context::{Caller as _, Credentials, Player, SessionPlayer};
use tochki_pages::endpoint::CallerKind;
use tochki_protocol::Code;
use tochki_server::AppState;
use tochki_server::accounts::StreamCaller;

/// The signed-in player who opens a stream, which ends with the session. Everybody else is refused with `signed_out`.
pub(super) struct StreamPlayer(pub(super) StreamCaller);

impl OptionalFromRequestParts<AppState> for StreamPlayer {
    type Rejection = HandlerError;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &AppState,
    ) -> Result<Option<Self>, HandlerError> {
        let secure = app.settings.secure();
        let caller = match Credentials::of(&parts.headers, &parts.extensions, secure) {
            Some(Credentials::Token(token)) => Some(app.accounts.token_stream_caller(token)),
            Some(Credentials::Session(token)) => {
                let caller = app.accounts.stream_caller(&token).await?;
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

impl FromRequestParts<AppState> for StreamPlayer {
    type Rejection = HandlerError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, HandlerError> {
        let player =
            <Self as OptionalFromRequestParts<AppState>>::from_request_parts(parts, app).await?;
        Ok(player.ok_or(Code::SignedOut)?)
    }
}

/// Returns the callers of a handler.
pub(super) const fn caller_of<P: Parameters, H: Handler<P, AppState>>(_: &H) -> CallerKind {
    P::CALLER
}

/// A parameter of a handler.
pub(super) trait Parameter {
    /// The callers that the parameter lets through; `None` where it is for everybody.
    const CALLER: Option<CallerKind> = None;
}

impl Parameter for Player {
    const CALLER: Option<CallerKind> = Some(Self::KIND);
}

impl Parameter for SessionPlayer {
    const CALLER: Option<CallerKind> = Some(Self::KIND);
}

impl Parameter for StreamPlayer {
    const CALLER: Option<CallerKind> = Some(CallerKind::Player);
}

impl Parameter for Option<StreamPlayer> {}
impl Parameter for HeaderMap {}
impl Parameter for Request {}
impl Parameter for Uri {}
impl<T> Parameter for Extension<T> {}
impl<T> Parameter for Result<Path<T>, PathRejection> {}
impl<T> Parameter for Result<Query<T>, QueryRejection> {}
impl<T> Parameter for State<T> {}

/// The parameters of a handler, as axum has them: after a marker.
pub(super) trait Parameters {
    /// The callers of the handler.
    const CALLER: CallerKind;
}

macro_rules! parameters {
    ($($parameter:ident)*) => {
        impl<M, $($parameter: Parameter),*> Parameters for (M, $($parameter,)*) {
            const CALLER: CallerKind = first([$($parameter::CALLER),*]);
        }
    };
}

parameters! {}
parameters! { A }
parameters! { A B }
parameters! { A B C }
parameters! { A B C D }
parameters! { A B C D E }
parameters! { A B C D E F }

/// Returns the first caller, or else everybody.
const fn first<const N: usize>(callers: [Option<CallerKind>; N]) -> CallerKind {
    let mut at = 0;
    while at < N {
        if let Some(caller) = callers[at] {
            return caller;
        }
        at += 1;
    }
    CallerKind::Visitor
}
