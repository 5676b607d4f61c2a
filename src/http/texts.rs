//! The texts of islands, a script for each language. Its address has a hash of them, so it never changes.

use super::handler_error::HandlerError;
use crate::ui::script_at;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use brotli::enc::BrotliEncoderParams;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};
use tochki_protocol::Code;

/// The compressed scripts by their addresses. There is one a language, so it cannot grow.
static COMPRESSED: LazyLock<Mutex<HashMap<String, Bytes>>> = LazyLock::new(Mutex::default);

/// `GET /texts/{file}`
pub(super) async fn of_islands(request: Request) -> Result<Response, HandlerError> {
    let path = request.uri().path();
    let script = script_at(path).ok_or(Code::NotFound)?;
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::VARY, "accept-encoding"),
    ];
    if !accepts_brotli(request.headers()) {
        return Ok((headers, script).into_response());
    }
    // The best compression takes milliseconds, so each script is compressed once.
    let mut compressed = COMPRESSED.lock().expect("no panic while the lock is held");
    let body = compressed
        .entry(path.to_owned())
        .or_insert_with(|| compress(&script))
        .clone();
    Ok((headers, [(header::CONTENT_ENCODING, "br")], body).into_response())
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
