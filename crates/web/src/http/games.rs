//! `GET /api/games`: all finished games, as JSON lines or SGF. Only a page of them is in memory at a time.

use super::caller::caller_of;
use super::handler_error::{HandlerError, log_broken_body};
use super::records::read_dialect;
use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use futures::{TryStreamExt as _, stream};
use serde::Deserialize;
use tochki_pages::endpoint::{Argument, Endpoint, Method, inventory};
use tochki_protocol::limits::{ARCHIVE_PAGE_INTERVAL, ARCHIVE_PAGE_LEN};
use tochki_protocol::{Code, HistoryFilter, MatchId, Scope};
use tochki_rules::GameKind;
use tochki_rules::record::Dialect;
use tochki_server::records::{ArchiveFilter, ArchiveReader};
use tochki_server::{AppState, Error};

/// `GET /api/games`.
pub(super) const ENDPOINT: Endpoint = Endpoint {
    arguments: &[
        Argument::optional_text("game"),
        Argument::optional_text("player"),
        Argument::optional_text("opponent"),
        Argument::optional_text("result"),
        Argument::optional_text("after"),
        Argument::optional_text("format"),
        Argument::optional_text("dialect"),
    ],
    answers: "all finished games, an ArchivedGame a line (`application/x-ndjson`); with `format=sgf` those of Dots as SGF",
    errors: &[
        (Code::UnknownGame, None),
        (Code::InvalidFilter, None),
        (Code::NoSuchPlayer, None),
        (Code::NoSuchMatch, None),
    ],
    ..Endpoint::handler(
        Method::Get,
        "/api/games",
        caller_of(&download),
        Some(Scope::Read),
        module_path!(),
    )
};

inventory::submit! { ENDPOINT }

#[derive(Deserialize)]
pub(super) struct GamesQuery {
    game: Option<String>,
    player: Option<String>,
    opponent: Option<String>,
    result: Option<String>,
    after: Option<String>,
    format: Option<String>,
    dialect: Option<String>,
}

/// The format of the games.
#[derive(Clone, Copy)]
enum Format {
    JsonLines,
    Sgf(Dialect),
}

pub(super) async fn download(
    State(app): State<AppState>,
    query: Result<Query<GamesQuery>, QueryRejection>,
) -> Result<Response, HandlerError> {
    let Query(query) = query.map_err(|_| Code::InvalidFilter)?;
    let mut games = HistoryFilter::read(
        query.game.as_deref(),
        query.opponent.as_deref(),
        query.result.as_deref(),
    )
    .map_err(Error::from)?;
    let dialect = read_dialect(query.dialect.as_deref())?;
    let format = match query.format.as_deref().map(str::trim) {
        None | Some("" | "jsonl") => Format::JsonLines,
        Some("sgf") if games.game.is_none_or(|game| game == GameKind::Dots) => {
            games.game = Some(GameKind::Dots);
            Format::Sgf(dialect)
        }
        Some(_) => return Err(Code::InvalidFilter.into()),
    };
    let after = query
        .after
        .as_deref()
        .map(str::trim)
        .filter(|id| !id.is_empty());
    let after: Option<MatchId> = after
        .map(str::parse)
        .transpose()
        .map_err(|_| Code::BadRequest)?;
    let filter = ArchiveFilter::read(&app.db, query.player.as_deref(), games).await?;
    let reader = ArchiveReader::open(&app.db, filter, after).await?;
    let kind = match format {
        Format::JsonLines => "application/x-ndjson",
        Format::Sgf(_) => "application/x-go-sgf; charset=utf-8",
    };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let body = Body::from_stream(pages(reader, format).inspect_err(log_broken_body));
    Ok((headers, body).into_response())
}

/// Streams the pages, at a bounded pace. Each is read when the page before has been sent.
fn pages(
    reader: ArchiveReader,
    format: Format,
) -> impl stream::Stream<Item = Result<Bytes, Error>> {
    stream::try_unfold((reader, false), move |(mut reader, goes_on)| async move {
        if goes_on {
            tokio::time::sleep(ARCHIVE_PAGE_INTERVAL).await;
        }
        let games = reader.next(ARCHIVE_PAGE_LEN).await?;
        if games.is_empty() {
            return Ok(None);
        }
        let mut text = String::new();
        for game in &games {
            match format {
                Format::JsonLines => text.extend([&*game.line()?, "\n"]),
                Format::Sgf(dialect) => text.extend(game.sgf(dialect)),
            }
        }
        Ok::<_, Error>(Some((Bytes::from(text), (reader, true))))
    })
}
