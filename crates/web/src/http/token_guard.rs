//! Tokens of programs, checked against the scope of the endpoint.
//! Endpoints without a scope refuse tokens: the account, the tokens themselves, and moderation.

use super::active_players::ActivePlayers;
use super::bearer::Bearer;
use super::handler_error::HandlerError;
use super::rate_limits::{prune_rate_limit, too_many_requests};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::sync::Arc;
use tochki_pages::endpoint::Endpoint;
use tochki_protocol::Code;
use tochki_server::AppState;

/// Checks tokens and their rate limits.
#[derive(Clone)]
pub(super) struct Guard {
    app: AppState,
    players: ActivePlayers,
    used: Arc<DefaultKeyedRateLimiter<i64>>,
}

impl Guard {
    pub(super) fn open(app: &AppState, players: ActivePlayers) -> Self {
        let limit = Quota::per_second(app.settings.requests_by_token);
        let used = Arc::new(RateLimiter::keyed(limit));
        app.tasks.spawn("token limits", {
            let (used, shutdown) = (used.clone(), app.shutdown.clone());
            move || prune_rate_limit(used.clone(), shutdown.clone())
        });
        Self {
            app: app.clone(),
            players,
            used,
        }
    }
}

/// Lets a request with a token through to the endpoints that its scope allows, as its player.
pub(super) async fn check_token(
    State(guard): State<Guard>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(Bearer(token)) = request.extensions().get().cloned() else {
        return next.run(request).await;
    };
    let found = match guard.app.accounts.token_session(&token).await {
        Ok(found) => found,
        Err(error) => {
            let bad = error.code() == Code::BadToken;
            let mut response = HandlerError::from(error).into_response();
            if bad {
                let scheme = HeaderValue::from_static("Bearer");
                response
                    .headers_mut()
                    .insert(header::WWW_AUTHENTICATE, scheme);
            }
            return response;
        }
    };
    guard.players.note(token.digest(), &found.session.account);
    if let Err(until) = guard.used.check_key(&found.id) {
        return too_many_requests(&until);
    }
    let endpoint = endpoint(&request);
    match endpoint.map(|endpoint| endpoint.scope) {
        // Streams that may make a player present or available ask for `play` themselves.
        Some(Some(scope)) if found.allows(scope) => {
            request.extensions_mut().insert(found);
            next.run(request).await
        }
        // A misspelt address is answered as one. Nobody is the caller.
        None if request.uri().path().starts_with("/api/") => next.run(request).await,
        _ => HandlerError::from(Code::OutOfScope).into_response(),
    }
}

/// The endpoint of a request: by its address, or by that of its route.
fn endpoint(request: &Request) -> Option<&'static Endpoint> {
    let route = request.extensions().get::<MatchedPath>();
    Endpoint::at(request.uri().path()).or_else(|| Endpoint::at(route?.as_str()))
}
