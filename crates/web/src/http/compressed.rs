//! Files embedded in the program: the texts of islands, a script for each language, and the style sheet of most
//! pages. Their URLs contain a hash of the content, so they can be cached for ever.

use super::handler_error::HandlerError;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use brotli::enc::BrotliEncoderParams;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};
use tochki_pages::translations::script_at;
use tochki_pages::ui::info_stylesheet;
use tochki_protocol::Code;

/// The compressed files by their paths. There is one a language and one style sheet, so it cannot grow.
static COMPRESSED: LazyLock<Mutex<HashMap<String, Bytes>>> = LazyLock::new(Mutex::default);

/// `GET /texts/{file}`
pub(super) async fn texts_of_islands(request: Request) -> Result<Response, HandlerError> {
    let script = script_at(request.uri().path()).ok_or(Code::NotFound)?;
    Ok(respond(
        &request,
        "text/javascript; charset=utf-8",
        script.into(),
    ))
}

/// `GET /info_pages.css`
pub(super) async fn stylesheet(request: Request) -> Response {
    respond(
        &request,
        "text/css; charset=utf-8",
        info_stylesheet().into(),
    )
}

fn respond(request: &Request, content_type: &'static str, text: Cow<'static, str>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::VARY, "accept-encoding"),
    ];
    if !accepts_brotli(request.headers()) {
        return (headers, text).into_response();
    }
    // The best compression takes milliseconds, so each file is compressed once.
    let mut compressed = COMPRESSED.lock().expect("no panic while the lock is held");
    let body = compressed
        .entry(request.uri().path().to_owned())
        .or_insert_with(|| compress(&text))
        .clone();
    (headers, [(header::CONTENT_ENCODING, "br")], body).into_response()
}

fn accepts_brotli(headers: &HeaderMap) -> bool {
    let accepted = headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|accepted| accepted.to_str().ok());
    accepted.is_some_and(|accepted| accepted.split(',').any(|encoding| encoding.trim() == "br"))
}

fn compress(text: &str) -> Bytes {
    let mut compressed = Vec::new();
    let params = BrotliEncoderParams::default();
    // Writing to memory cannot fail; without a body the browser would say so.
    let _ = brotli::BrotliCompress(&mut text.as_bytes(), &mut compressed, &params);
    compressed.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_script_is_the_same() {
        let text = "window.texts=[\"ход\"];".repeat(100);
        let compressed = compress(&text);
        assert!(compressed.len() < text.len() / 10);
        let mut read = Vec::new();
        brotli::BrotliDecompress(&mut &*compressed, &mut read).expect("brotli");
        assert_eq!(read, text.as_bytes());
    }
}
