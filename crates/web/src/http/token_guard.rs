//! Tokens of programs, checked against the scope of the endpoint.
//! Endpoints without a [`scope`] refuse tokens: the account, the tokens themselves, and moderation.

use super::active_players::ActivePlayers;
use super::bearer::Bearer;
use super::handler_error::HandlerError;
use super::rate_limits::{prune_rate_limit, too_many_requests};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use leptos::server_fn::axum::server_fn_paths;
use std::sync::Arc;
use tochki_protocol::{Code, Scope};
use tochki_server::Arena;

/// Checks tokens and their rate limits.
#[derive(Clone)]
pub(super) struct Guard {
    arena: Arena,
    players: ActivePlayers,
    used: Arc<DefaultKeyedRateLimiter<i64>>,
}

impl Guard {
    pub(super) fn open(arena: &Arena, players: ActivePlayers) -> Self {
        let limit = Quota::per_second(arena.settings.requests_by_token);
        let used = Arc::new(RateLimiter::keyed(limit));
        arena.tasks.spawn("token limits", {
            let (used, shutdown) = (used.clone(), arena.shutdown.clone());
            move || prune_rate_limit(used.clone(), shutdown.clone())
        });
        Self {
            arena: arena.clone(),
            players,
            used,
        }
    }
}

/// Lets a request with a token through to what its scope allows, as its player.
pub(super) async fn check_token(
    State(guard): State<Guard>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(Bearer(token)) = request.extensions().get().cloned() else {
        return next.run(request).await;
    };
    let found = match guard.arena.accounts.token_session(&token).await {
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
    let path = request.uri().path();
    match scope(path) {
        Some(scope) if found.allows(scope) => {
            request.extensions_mut().insert(found);
            next.run(request).await
        }
        // Who misspells an address is told so. Nobody is the caller.
        None if path.starts_with("/api/") && !is_endpoint(path) => next.run(request).await,
        _ => HandlerError::from(Code::OutOfScope).into_response(),
    }
}

fn is_endpoint(path: &str) -> bool {
    matches!(path, "/api/games" | "/api/my_data" | "/api/openapi.json")
        || server_fn_paths().any(|(endpoint, _)| endpoint == path)
}

/// The scope that an endpoint requires; `None` if it accepts no token.
pub(super) fn scope(path: &str) -> Option<Scope> {
    // Streams that may make a player present or available ask for `play` themselves.
    if path == "/events"
        || path == "/events/me"
        || path.starts_with("/events/match/")
        || path.starts_with("/events/table/")
        || path.starts_with("/match/") && path.ends_with("/sgf")
        || path.starts_with("/embed/match/")
    {
        return Some(Scope::Read);
    }
    Some(match path {
        "/api/games"
        | "/api/openapi.json"
        | "/api/tv"
        | "/api/whoami"
        | "/api/made_up_name"
        | "/api/waiting_count"
        | "/api/waiting_room"
        | "/api/endings"
        | "/api/table"
        | "/api/my_table"
        | "/api/my_match"
        | "/api/invitation"
        | "/api/match"
        | "/api/showcase"
        | "/api/talk"
        | "/api/profile"
        | "/api/standings"
        | "/api/top"
        | "/api/history"
        | "/api/computer_games"
        | "/api/computer_game"
        | "/api/puzzles"
        | "/api/puzzle"
        | "/api/notices"
        | "/history/sgf"
        | "/history/jsonl" => Scope::Read,
        "/api/challenge"
        | "/api/answer_challenge"
        | "/api/cancel_challenge"
        | "/api/open_table"
        | "/api/sit"
        | "/api/stand_up"
        | "/api/ready"
        | "/api/remove_player"
        | "/api/move"
        | "/api/offer"
        | "/api/answer_offer"
        | "/api/cancel_offer"
        | "/api/resign"
        | "/api/abort"
        | "/api/rematch"
        | "/api/say"
        | "/api/mute"
        | "/api/report"
        | "/api/try_puzzle"
        | "/api/help_puzzle"
        | "/api/keep_computer_game"
        | "/api/delete_computer_game"
        | "/api/notices_read"
        | "/events/lobby" => Scope::Play,
        _ => return None,
    })
}
