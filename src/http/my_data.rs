//! `GET /api/my_data`: all that is kept about the player who asks, as one JSON document.
//!
//! It is the one answer of `/api` without a bound, so it is sent as it is read, some matches at a time.

use super::handler_error::{HandlerError, log_broken_body};
use crate::context::cookie;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use futures::{Stream, StreamExt as _, TryStreamExt as _, stream};
use tochki_protocol::{Account, Code, PlayerId};
use tochki_server::db::{Db, my_data};
use tochki_server::{About as _, Arena, Error};

/// How many matches are read at once.
const BATCH: usize = 50;

/// Everything of the account, and then every match with its events.
pub(super) async fn take_away(
    State(arena): State<Arena>,
    headers: HeaderMap,
) -> Result<Response, HandlerError> {
    let Account { id, .. } = player(&arena, &headers).await?;
    let head = my_data::besides_games(&arena.db, id).await?;
    let games = my_data::matches_of(&arena.db, id).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (
            header::CONTENT_DISPOSITION,
            r#"attachment; filename="tochki-my-data.json""#,
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let document = document(arena.db, id, head, games);
    let body = Body::from_stream(document.inspect_err(log_broken_body));
    Ok((headers, body).into_response())
}

async fn player(arena: &Arena, headers: &HeaderMap) -> Result<Account, Error> {
    let token = cookie::token(headers, arena.settings.secure()).ok_or(Code::SignedOut)?;
    let session = arena.accounts.of_session(&token).await?;
    Ok(session.ok_or(Code::SignedOut)?.account)
}

/// The object `head` with one member more, `matches`.
fn document(
    db: Db,
    player: PlayerId,
    head: String,
    games: Vec<i64>,
) -> impl Stream<Item = Result<String, Error>> {
    let open = head.strip_suffix('}').unwrap_or(&head).to_owned() + r#", "matches": ["#;
    let batches: Vec<(bool, Vec<i64>)> = games
        .chunks(BATCH)
        .enumerate()
        .map(|(place, batch)| (place > 0, batch.to_vec()))
        .collect();
    let matches = stream::iter(batches).then(move |(goes_on, ids)| {
        let db = db.clone();
        async move {
            let batch = my_data::matches(&db, player, &ids)
                .await
                .about(player)?
                .join(",\n");
            Ok(if goes_on {
                ",\n".to_owned() + &batch
            } else {
                batch
            })
        }
    });
    stream::once(async move { Ok(open) })
        .chain(matches)
        .chain(stream::once(async { Ok("]}\n".to_owned()) }))
        .into_stream()
}
