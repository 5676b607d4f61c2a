//! `GET /api/my_data`: all data about the caller, as one JSON document.
//!
//! The document has no bound, so it is streamed: only some rows are in memory at a time, and no connection to the database is
//! kept while the client reads.

use super::caller::caller_of;
use super::handler_error::{HandlerError, log_broken_body};
use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use futures::{Stream, StreamExt as _, TryStreamExt as _, stream};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use tochki_pages::context::Player;
use tochki_pages::endpoint::{Endpoint, Method, inventory};
use tochki_protocol::{PlayerId, limits};
use tochki_server::accounts::db::my_data::{self, Section};
use tochki_server::db::Db;
use tochki_server::{AppState, Error, WithSubject as _};

/// `GET /api/my_data`.
pub(super) const ENDPOINT: Endpoint = Endpoint {
    answers: "everything stored about the caller, as one JSON document (a download)",
    ..Endpoint::handler(
        Method::Get,
        "/api/my_data",
        caller_of(&download),
        None,
        module_path!(),
    )
};

inventory::submit! { ENDPOINT }

/// Streams everything of the account, and then every match with its events.
pub(super) async fn download(
    State(app): State<AppState>,
    player: Player,
) -> Result<Response, HandlerError> {
    let id = player.id;
    let head = my_data::account_data(&app.db, id).await?;
    let ids = my_data::row_ids(&app.db, id).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (
            header::CONTENT_DISPOSITION,
            r#"attachment; filename="tochki-my-data.json""#,
        ),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let document = document(app.db.clone(), id, head, ids);
    let body = Body::from_stream(document.inspect_err(log_broken_body));
    Ok((headers, body).into_response())
}

/// A part of the document.
enum Part {
    Text(String),
    /// Rows of a section, after others of it or not.
    Rows(Section, bool, Vec<i64>),
}

/// Writes the object `head` with a list more for each section.
fn document(
    db: Db,
    player: PlayerId,
    head: String,
    mut ids: BTreeMap<Section, Vec<i64>>,
) -> impl Stream<Item = Result<String, Error>> {
    let mut head: Map<String, Value> = serde_json::from_str(&head).unwrap_or_default();
    let puzzle_rating = head.remove("puzzle_rating").unwrap_or_default();
    let head = Value::Object(head).to_string();
    let open = head.strip_suffix('}').unwrap_or(&head).to_owned();
    let mut parts = vec![Part::Text(open)];
    for section in Section::ALL {
        let (name, close) = match section {
            Section::Sessions => (r#""sessions": ["#.to_owned(), "]"),
            Section::PuzzleTries => (
                format!(r#""puzzles": {{"rating": {puzzle_rating}, "tries": ["#),
                "]}",
            ),
            Section::ComputerGames => (r#""computer_games": ["#.to_owned(), "]"),
            Section::Challenges => (r#""challenges": ["#.to_owned(), "]"),
            Section::Messages => (r#""messages": ["#.to_owned(), "]"),
            Section::Tables => (r#""tables": ["#.to_owned(), "]"),
            Section::Reports => (r#""reports": ["#.to_owned(), "]"),
            Section::Reported => (r#""reported": ["#.to_owned(), "]"),
            Section::Acts => (r#""acts": ["#.to_owned(), "]"),
            Section::Matches => (r#""matches": ["#.to_owned(), "]"),
        };
        parts.push(Part::Text(", ".to_owned() + &name));
        let ids = ids.remove(&section).unwrap_or_default();
        let batches = ids.chunks(batch_len(section)).enumerate();
        parts.extend(batches.map(|(n, batch)| Part::Rows(section, n > 0, batch.to_vec())));
        parts.push(Part::Text(close.to_owned()));
    }
    parts.push(Part::Text("}\n".to_owned()));
    stream::iter(parts).then(move |part| {
        let db = db.clone();
        async move {
            match part {
                Part::Text(text) => Ok(text),
                Part::Rows(section, goes_on, ids) => {
                    // Others have their turn at the database in between.
                    tokio::time::sleep(limits::MY_DATA_BATCH_INTERVAL).await;
                    let rows = my_data::rows(&db, player, section, &ids).await;
                    let rows = rows.with_subject(player)?.join(",\n");
                    // Rows may have been deleted meanwhile.
                    let separated = goes_on && !rows.is_empty();
                    Ok(if separated {
                        ",\n".to_owned() + &rows
                    } else {
                        rows
                    })
                }
            }
        }
    })
}

/// Returns the number of rows of a section that are read at once.
fn batch_len(section: Section) -> usize {
    match section {
        Section::Matches | Section::ComputerGames => limits::MY_DATA_BATCH_LEN,
        _ => limits::MY_DATA_ROWS_BATCH_LEN,
    }
}
