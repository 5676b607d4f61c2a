//! Game records: download of a match as SGF, and viewing of an uploaded record.

use super::caller::caller_of;
use super::handler_error::HandlerError;
use super::record_text::decode;
use super::record_turns::RecordTurns;
use super::rendering::render_record_page;
use axum::Extension;
use axum::body::{Body, to_bytes};
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequest as _, Multipart, Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use leptos::config::LeptosOptions;
use serde::Deserialize;
use std::fmt::Write as _;
use std::sync::Arc;
use tochki_pages::endpoint::{Endpoint, Method, inventory};
use tochki_pages::ui::{UploadError, UploadedRecord};
use tochki_protocol::{Code, MatchId, Scope, limits};
use tochki_rules::record::{Collection, Dialect, Record};
use tochki_server::AppState;

/// `GET /match/{id}/sgf`.
pub(super) const DOWNLOAD: Endpoint = Endpoint::handler(
    Method::Get,
    "/match/{id}/sgf",
    caller_of(&download),
    Some(Scope::Read),
    module_path!(),
);

inventory::submit! { DOWNLOAD }

/// `POST /sgf`.
pub(super) const OPEN: Endpoint =
    Endpoint::handler(Method::Post, "/sgf", caller_of(&open), None, module_path!());

inventory::submit! { OPEN }

#[derive(Deserialize)]
pub(super) struct DialectQuery {
    dialect: Option<String>,
}

/// Reads the dialect that an address asks for; our own by default.
pub(super) fn read_dialect(text: Option<&str>) -> Result<Dialect, Code> {
    match text.map(str::trim) {
        None | Some("") => Ok(Dialect::default()),
        Some(text) => text.parse().map_err(|_| Code::BadRequest),
    }
}

/// `GET /match/{id}/sgf`
pub(super) async fn download(
    State(app): State<AppState>,
    id: Result<Path<String>, PathRejection>,
    query: Result<Query<DialectQuery>, QueryRejection>,
) -> Result<Response, HandlerError> {
    let Path(id) = id.map_err(|_| Code::NoSuchMatch)?;
    let Query(query) = query.map_err(|_| Code::BadRequest)?;
    let dialect = read_dialect(query.dialect.as_deref())?;
    let id: MatchId = id.parse().map_err(|_| Code::NoSuchMatch)?;
    let record = app.matches.record(id).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/x-go-sgf; charset=utf-8"),
        (header::CONTENT_DISPOSITION, &file_name(id, &record)),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, record.written_as(dialect)).into_response())
}

/// Returns the header that names the file after its players. Their names may be of any script, which old programs do not
/// understand: these get the number of the match.
fn file_name(id: MatchId, record: &Record) -> String {
    let [red, blue] = &record.players;
    let mut header = format!(r#"attachment; filename="tochki-{id}.sgf"; filename*=UTF-8''"#);
    for byte in format!("{}-{}-{id}.sgf", red.name, blue.name).bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.') {
            header.push(char::from(byte));
        } else {
            // Writing into a string cannot fail.
            let _ = write!(header, "%{byte:02X}");
        }
    }
    header
}

/// `POST /sgf`: a record as a file, as text, or once more at another move. The record is shown and forgotten.
pub(super) async fn open(
    State(app): State<AppState>,
    Extension(options): Extension<LeptosOptions>,
    Extension(turns): Extension<RecordTurns>,
    request: Request,
) -> Response {
    let open = move |request| show(request, options, app);
    turns.answer(request, open).await
}

/// Answers the page of the record in a form.
async fn show(request: Request, options: LeptosOptions, app: AppState) -> Response {
    let (parts, body) = request.into_parts();
    let head = Request::from_parts(parts.clone(), Body::empty());
    let uploaded = match to_bytes(body, limits::RECORD_FORM_MAX_BYTES).await {
        Ok(bytes) => {
            let form = Request::from_parts(parts, Body::from(bytes));
            read_form(Form::read(form).await)
        }
        Err(_) => nothing(UploadError::TooLarge),
    };
    let status = match &uploaded.reading {
        Ok(_) => StatusCode::OK,
        Err(UploadError::Empty) => StatusCode::BAD_REQUEST,
        Err(UploadError::TooLarge) => StatusCode::PAYLOAD_TOO_LARGE,
        Err(UploadError::Sgf(_)) => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let mut response = render_record_page(uploaded, head, options, app).await;
    if response.status() == StatusCode::OK {
        *response.status_mut() = status;
    }
    response
}

/// The fields of the upload form, and of the buttons under a game.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Form {
    sgf: String,
    /// The number of the game that is shown, from 1, where the text has several.
    game: Option<String>,
    ply: Option<String>,
    step: Option<String>,
}

impl Form {
    /// Reads the form. A form that cannot be read is empty.
    async fn read(request: Request) -> Self {
        if is_multipart(request.headers()) {
            match Multipart::from_request(request, &()).await {
                Ok(parts) => Self::of_parts(parts).await,
                Err(_) => Self::default(),
            }
        } else {
            let form = axum::Form::<Self>::from_request(request, &()).await;
            form.map_or_else(|_| Self::default(), |axum::Form(form)| form)
        }
    }

    /// Reads the parts of a form. A file counts before a text.
    async fn of_parts(mut parts: Multipart) -> Self {
        let mut form = Self::default();
        while let Ok(Some(part)) = parts.next_field().await {
            let is_file = part.name() == Some("file");
            let Ok(bytes) = part.bytes().await else {
                break;
            };
            // A browser sends a text in the encoding of the page, and a file as it is.
            let text = if is_file {
                decode(&bytes)
            } else {
                String::from_utf8_lossy(&bytes).into_owned()
            };
            if !text.trim().is_empty() && (is_file || form.sgf.is_empty()) {
                form.sgf = text;
            }
        }
        form
    }
}

fn is_multipart(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/form-data"))
}

/// Parses the record, once for all that the page shows of it.
fn read_form(form: Form) -> UploadedRecord {
    let Form {
        sgf,
        game,
        ply,
        step,
    } = form;
    if sgf.trim().is_empty() {
        return nothing(UploadError::Empty);
    }
    if sgf.len() > limits::RECORD_MAX_BYTES {
        return nothing(UploadError::TooLarge);
    }
    let chosen = game.and_then(|number| number.trim().parse::<usize>().ok()?.checked_sub(1));
    let mut uploaded = nothing(UploadError::Empty);
    uploaded.reading = match Collection::read(&sgf) {
        Ok(games) => {
            let chosen = chosen.filter(|place| *place < games.count());
            let listed = games.summaries().take(limits::RECORD_GAMES_LISTED);
            uploaded.games = listed.collect();
            uploaded.games_count = games.count();
            uploaded.game = chosen.unwrap_or_else(|| games.first_of_dots());
            games.parse(uploaded.game).map(Arc::new)
        }
        Err(error) => Err(error),
    }
    .map_err(UploadError::Sgf);
    UploadedRecord {
        sgf,
        ply,
        step,
        ..uploaded
    }
}

fn nothing(complaint: UploadError) -> UploadedRecord {
    UploadedRecord {
        sgf: String::new(),
        games: Vec::new(),
        games_count: 0,
        game: 0,
        reading: Err(complaint),
        ply: None,
        step: None,
    }
}
