//! A player's own games as one file, written while it is being read: as long as it may get, only a few games of it are in
//! memory.

use super::handler_error::{HandlerError, log_broken_body};
use crate::context::cookie;
use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use futures::{TryStreamExt as _, stream};
use serde::Deserialize;
use tochki_protocol::{Account, Code, HistoryFilter, MatchId};
use tochki_rules::GameKind;
use tochki_server::db::archive::PastMatch;
use tochki_server::{About as _, Arena, Error};

/// How many games are read at once.
const AT_ONCE: u32 = 20;

/// The filter, as the page of the history has it in its address.
#[derive(Deserialize)]
pub(super) struct Asked {
    game: Option<String>,
    opponent: Option<String>,
    result: Option<String>,
}

type AskedOrNot = Result<Query<Asked>, QueryRejection>;

/// What a game is written as, if at all.
type Written = fn(&PastMatch) -> Option<String>;

/// `GET /history/sgf`: all games that are kept on paper, one after the other, which is a collection in SGF.
pub(super) async fn as_sgf(
    State(arena): State<Arena>,
    headers: HeaderMap,
    uri: Uri,
    asked: AskedOrNot,
) -> Result<Response, HandlerError> {
    let mut filter = read(asked)?;
    if filter.game.is_some_and(|game| game != GameKind::Dots) {
        return Err(Code::InvalidFilter.into());
    }
    filter.game = Some(GameKind::Dots);
    let Some(player) = player(&arena, &headers).await? else {
        return sign_in_first(&headers, &uri);
    };
    let kind = "application/x-go-sgf; charset=utf-8";
    let name = "attachment; filename=\"tochki.sgf\"";
    Ok(file(arena, player, filter, [kind, name], |past| {
        Some(past.record()?.to_string())
    }))
}

/// `GET /history/jsonl`: games of all kinds, a line each, as `tochki replay` reads them.
pub(super) async fn as_lines(
    State(arena): State<Arena>,
    headers: HeaderMap,
    uri: Uri,
    asked: AskedOrNot,
) -> Result<Response, HandlerError> {
    let filter = read(asked)?;
    let Some(player) = player(&arena, &headers).await? else {
        return sign_in_first(&headers, &uri);
    };
    let kind = "application/jsonl; charset=utf-8";
    let name = "attachment; filename=\"tochki.jsonl\"";
    Ok(file(arena, player, filter, [kind, name], |past| {
        Some(past.line() + "\n")
    }))
}

fn read(asked: AskedOrNot) -> Result<HistoryFilter, Error> {
    let Query(asked) = asked.map_err(|_| Code::InvalidFilter)?;
    Ok(HistoryFilter::read(
        asked.game.as_deref(),
        asked.opponent.as_deref(),
        asked.result.as_deref(),
    )?)
}

async fn player(arena: &Arena, headers: &HeaderMap) -> Result<Option<Account>, Error> {
    let Some(token) = cookie::token(headers, arena.settings.secure()) else {
        return Ok(None);
    };
    let session = arena.accounts.of_session(&token).await?;
    Ok(session.map(|session| session.account))
}

/// A browser is sent to sign in and then comes back; a program is told.
fn sign_in_first(headers: &HeaderMap, uri: &Uri) -> Result<Response, HandlerError> {
    let accepted = headers
        .get(header::ACCEPT)
        .and_then(|accepted| accepted.to_str().ok());
    if !accepted.is_some_and(|accepted| accepted.contains("text/html")) {
        return Err(Code::SignedOut.into());
    }
    let query = uri
        .query()
        .map_or_else(String::new, |query| format!("?{query}"));
    // What comes back is the page, because a download leaves nothing to look at.
    let next = leptos_router::location::Url::escape(&format!("/history{query}"));
    Ok(Redirect::to(&format!("/login?next={next}")).into_response())
}

/// The file, as it comes into being.
fn file(
    arena: Arena,
    player: Account,
    filter: HistoryFilter,
    [kind, name]: [&'static str; 2],
    write: Written,
) -> Response {
    let games = stream::try_unfold(None::<MatchId>, move |after| {
        let (arena, player, filter) = (arena.clone(), player.clone(), filter.clone());
        async move {
            let club = &arena.stats;
            let past = club
                .next_of_history(&player, &filter, after, AT_ONCE)
                .await
                .about(player.id)?;
            let text: String = past.iter().filter_map(write).collect();
            let go_on = past.last().map(|last| last.id);
            Ok::<_, Error>(go_on.map(|last| (Bytes::from(text), Some(last))))
        }
    });
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_DISPOSITION, name),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (
        headers,
        Body::from_stream(games.inspect_err(log_broken_body)),
    )
        .into_response()
}
