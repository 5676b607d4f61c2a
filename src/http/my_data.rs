//! `GET /api/my_data`: all data about the caller, as one JSON document.
//!
//! It is the only unbounded answer of `/api`, so it is streamed, some matches at a time.

use super::caller::Caller;
use super::handler_error::{HandlerError, log_broken_body};
use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use futures::{Stream, StreamExt as _, TryStreamExt as _, stream};
use tochki_protocol::{Account, PlayerId, limits};
use tochki_server::db::{Db, my_data};
use tochki_server::{Arena, Error, WithSubject as _};

/// Everything of the account, and then every match with its events.
pub(super) async fn download(
    State(arena): State<Arena>,
    Caller(Account { id, .. }): Caller,
) -> Result<Response, HandlerError> {
    let head = my_data::account_data(&arena.db, id).await?;
    let games = my_data::match_ids(&arena.db, id).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (
            header::CONTENT_DISPOSITION,
            r#"attachment; filename="tochki-my-data.json""#,
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let document = document(arena.db.clone(), id, head, games);
    let body = Body::from_stream(document.inspect_err(log_broken_body));
    Ok((headers, body).into_response())
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
        .chunks(limits::MY_DATA_BATCH_LEN)
        .enumerate()
        .map(|(place, batch)| (place > 0, batch.to_vec()))
        .collect();
    let matches = stream::iter(batches).then(move |(goes_on, ids)| {
        let db = db.clone();
        async move {
            let batch = my_data::matches(&db, player, &ids)
                .await
                .with_subject(player)?
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
