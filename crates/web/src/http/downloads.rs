//! Download of a player's own matches as one file. The file is streamed: only a few matches are in memory at a time.

use super::caller::{Parameter, caller_of};
use super::handler_error::{HandlerError, log_broken_body};
use super::pages::accepts_html;
use super::records::read_dialect;
use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Query, State};
use axum::http::request::Parts;
use axum::http::{Uri, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use futures::{TryStreamExt as _, stream};
use serde::Deserialize;
use tochki_pages::context::Player;
use tochki_pages::endpoint::{CallerKind, Endpoint, Method, inventory};
use tochki_protocol::{Account, Code, HistoryFilter, MatchId, Scope, limits};
use tochki_rules::GameKind;
use tochki_server::matches::db::replayed_matches::ReplayedMatch;
use tochki_server::{AppState, Error, WithSubject as _};

/// `GET /history/sgf`.
pub(super) const SGF: Endpoint = Endpoint::handler(
    Method::Get,
    "/history/sgf",
    caller_of(&as_sgf),
    Some(Scope::Read),
    module_path!(),
);

inventory::submit! { SGF }

/// `GET /history/jsonl`.
pub(super) const JSONL: Endpoint = Endpoint::handler(
    Method::Get,
    "/history/jsonl",
    caller_of(&as_jsonl),
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

/// A signed-in player. A browser without one is redirected to the sign-in page, a program refused with `signed_out`.
pub(super) struct HistoryPlayer(Account);

impl Parameter for HistoryPlayer {
    const CALLER: Option<CallerKind> = Player::CALLER;
}

impl FromRequestParts<AppState> for HistoryPlayer {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Response> {
        match Player::from_request_parts(parts, app).await {
            Ok(Player(account)) => Ok(Self(account)),
            Err(error) if error.code == Code::SignedOut && accepts_html(&parts.headers) => {
                Err(sign_in_first(&parts.uri).into_response())
            }
            Err(error) => Err(error.into_response()),
        }
    }
}

type QueryResult = Result<Query<FilterQuery>, QueryRejection>;

/// `GET /history/sgf`: all matches that have records, as an SGF collection.
pub(super) async fn as_sgf(
    State(app): State<AppState>,
    HistoryPlayer(player): HistoryPlayer,
    query: QueryResult,
) -> Result<Response, HandlerError> {
    let dialect = query.as_ref().ok();
    let dialect = read_dialect(dialect.and_then(|query| query.dialect.as_deref()))?;
    let mut filter = read(query)?;
    if filter.game.is_some_and(|game| game != GameKind::Dots) {
        return Err(Code::InvalidFilter.into());
    }
    filter.game = Some(GameKind::Dots);
    let kind = "application/x-go-sgf; charset=utf-8";
    let name = "attachment; filename=\"tochki.sgf\"";
    Ok(file(app, player, filter, [kind, name], move |past| {
        Ok(past.sgf(dialect))
    }))
}

/// `GET /history/jsonl`: games of all kinds, a line each, as `tochki replay` reads them.
pub(super) async fn as_jsonl(
    State(app): State<AppState>,
    HistoryPlayer(player): HistoryPlayer,
    query: QueryResult,
) -> Result<Response, HandlerError> {
    let filter = read(query)?;
    let kind = "application/jsonl; charset=utf-8";
    let name = "attachment; filename=\"tochki.jsonl\"";
    Ok(file(app, player, filter, [kind, name], |past| {
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

/// The sign-in page, which leads back.
fn sign_in_first(uri: &Uri) -> Redirect {
    let query = uri
        .query()
        .map_or_else(String::new, |query| format!("?{query}"));
    // Back to the page, because a download shows nothing.
    let next = leptos_router::location::Url::escape(&format!("/history{query}"));
    Redirect::to(&format!("/login?next={next}"))
}

/// The streamed file.
fn file(
    app: AppState,
    player: Account,
    filter: HistoryFilter,
    [kind, name]: [&'static str; 2],
    // Writes a match, if the format has it.
    write: impl Fn(&ReplayedMatch) -> Result<Option<String>, Error> + Copy + Send + 'static,
) -> Response {
    let games = stream::try_unfold(None::<MatchId>, move |after| {
        let (app, player, filter) = (app.clone(), player.clone(), filter.clone());
        async move {
            let stats = &app.stats;
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
