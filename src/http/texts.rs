//! The texts of islands, a script a language. Its address has a hash of them, so it never changes.

use super::handler_error::HandlerError;
use crate::ui::script_at;
use axum::extract::Request;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use tochki_protocol::Code;

/// `GET /texts/{file}`
pub(super) async fn of_islands(request: Request) -> Result<Response, HandlerError> {
    let script = script_at(request.uri().path()).ok_or(Code::NotFound)?;
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    Ok((headers, script).into_response())
}
