//! Download of a player's own matches as one file. The file is streamed: only a few matches are in memory at a time.

use super::caller::Caller;
use super::handler_error::{HandlerError, log_broken_body};
use super::pages::accepts_html;
use super::records::read_dialect;
use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use futures::{TryStreamExt as _, stream};
use serde::Deserialize;
use tochki_pages::endpoint::{CallerKind, Endpoint, Method, inventory};
use tochki_protocol::{Account, Code, HistoryFilter, MatchId, Scope, limits};
use tochki_rules::GameKind;
use tochki_server::matches::db::finished_matches::FinishedMatch;
use tochki_server::{Arena, Error, WithSubject as _};

/// `GET /history/sgf`.
pub(super) const SGF: Endpoint = Endpoint::handler(
    Method::Get,
    "/history/sgf",
    CallerKind::Player,
    Some(Scope::Read),
    module_path!(),
);

inventory::submit! { SGF }

/// `GET /history/jsonl`.
pub(super) const JSONL: Endpoint = Endpoint::handler(
    Method::Get,
    "/history/jsonl",
    CallerKind::Player,
    Some(Scope::Read),
    module_path!(),
);

inventory::submit! { JSONL }

/// The filter, as the page of the history has it in its address.
#[derive(Deserialize)]
pub(super) struct FilterQuery {
    game: Option<String>,
    opponent: Option<String>,
    result: Option<String>,
    dialect: Option<String>,
}

type QueryResult = Result<Query<FilterQuery>, QueryRejection>;

/// `GET /history/sgf`: all matches that have records, as an SGF collection.
pub(super) async fn as_sgf(
    State(arena): State<Arena>,
    caller: Option<Caller>,
    headers: HeaderMap,
    uri: Uri,
    query: QueryResult,
) -> Result<Response, HandlerError> {
    let dialect = query.as_ref().ok();
    let dialect = read_dialect(dialect.and_then(|query| query.dialect.as_deref()))?;
    let mut filter = read(query)?;
    if filter.game.is_some_and(|game| game != GameKind::Dots) {
        return Err(Code::InvalidFilter.into());
    }
    filter.game = Some(GameKind::Dots);
    let Some(Caller(player)) = caller else {
        return sign_in_first(&headers, &uri);
    };
    let kind = "application/x-go-sgf; charset=utf-8";
    let name = "attachment; filename=\"tochki.sgf\"";
    Ok(file(arena, player, filter, [kind, name], move |past| {
        Ok(past.sgf(dialect))
    }))
}

/// `GET /history/jsonl`: games of all kinds, a line each, as `tochki replay` reads them.
pub(super) async fn as_jsonl(
    State(arena): State<Arena>,
    caller: Option<Caller>,
    headers: HeaderMap,
    uri: Uri,
    query: QueryResult,
) -> Result<Response, HandlerError> {
    let filter = read(query)?;
    let Some(Caller(player)) = caller else {
        return sign_in_first(&headers, &uri);
    };
    let kind = "application/jsonl; charset=utf-8";
    let name = "attachment; filename=\"tochki.jsonl\"";
    Ok(file(arena, player, filter, [kind, name], |past| {
        Ok(Some(past.line()? + "\n"))
    }))
}

fn read(query: QueryResult) -> Result<HistoryFilter, Error> {
    let Query(query) = query.map_err(|_| Code::InvalidFilter)?;
    Ok(HistoryFilter::read(
        query.game.as_deref(),
        query.opponent.as_deref(),
        query.result.as_deref(),
    )?)
}

/// Redirects a browser to the sign-in page, which leads back; a program gets `signed_out`.
fn sign_in_first(headers: &HeaderMap, uri: &Uri) -> Result<Response, HandlerError> {
    if !accepts_html(headers) {
        return Err(Code::SignedOut.into());
    }
    let query = uri
        .query()
        .map_or_else(String::new, |query| format!("?{query}"));
    // Back to the page, because a download shows nothing.
    let next = leptos_router::location::Url::escape(&format!("/history{query}"));
    Ok(Redirect::to(&format!("/login?next={next}")).into_response())
}

/// The streamed file.
fn file(
    arena: Arena,
    player: Account,
    filter: HistoryFilter,
    [kind, name]: [&'static str; 2],
    // Writes a match, if the format has it.
    write: impl Fn(&FinishedMatch) -> Result<Option<String>, Error> + Copy + Send + 'static,
) -> Response {
    let games = stream::try_unfold(None::<MatchId>, move |after| {
        let (arena, player, filter) = (arena.clone(), player.clone(), filter.clone());
        async move {
            let stats = &arena.stats;
            let past = stats
                .history_after(&player, &filter, after, limits::DOWNLOAD_BATCH_LEN)
                .await
                .with_subject(player.id)?;
            let texts = past.iter().filter_map(|past| write(past).transpose());
            let text = texts.collect::<Result<String, Error>>()?;
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
