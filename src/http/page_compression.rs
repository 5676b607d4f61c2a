//! Compression of pages, which are made anew for each request.
//!
//! A page is rendered as a whole before it is sent, so it is compressed as a whole and has a length. tower-http would send it
//! without one, with a window of 4 MiB.

use super::compressed::accepts_brotli;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use brotli::CompressorWriter;
use brotli::enc::BrotliEncoderParams;
use futures::{Stream, StreamExt as _};
use std::io::Write as _;

/// How well pages are compressed, from 0 to 11.
pub(super) const QUALITY: i32 = 6;

/// The binary logarithm of the window: hardly a page is longer than 256 KiB.
const WINDOW_BITS: i32 = 18;

/// Compresses a page if the browser reads brotli. Everything else is left to the layer around this one.
pub(super) async fn compress_page(request: Request, next: Next) -> Response {
    let is_wanted = request.method() == Method::GET && accepts_brotli(request.headers());
    let response = next.run(request).await;
    if !is_wanted || !is_page(response.headers()) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let compressed = match compress(body.into_data_stream()).await {
        Ok(compressed) => compressed,
        // A body that breaks off, as this one has.
        Err(error) => {
            let broken = futures::stream::iter([Err::<Bytes, _>(error)]);
            return Response::from_parts(head, Body::from_stream(broken));
        }
    };
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers
        .insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
    head.headers
        .append(header::VARY, HeaderValue::from_static("accept-encoding"));
    Response::from_parts(head, Body::from(compressed))
}

/// Whether it is a page that nobody has compressed yet.
fn is_page(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
        && !headers.contains_key(header::CONTENT_ENCODING)
}

async fn compress<E>(mut page: impl Stream<Item = Result<Bytes, E>> + Unpin) -> Result<Vec<u8>, E> {
    let params = BrotliEncoderParams {
        quality: QUALITY,
        lgwin: WINDOW_BITS,
        ..BrotliEncoderParams::default()
    };
    let mut encoder = CompressorWriter::with_params(Vec::new(), 4096, &params);
    while let Some(part) = page.next().await {
        // Writing to memory cannot fail.
        let _ = encoder.write_all(&part?);
    }
    Ok(encoder.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::executor::block_on;
    use futures::stream;
    use std::convert::Infallible;

    #[test]
    fn compressed_page_is_the_same() {
        let parts: Vec<String> = (0..50_u32)
            .map(|n| format!("<p>{}</p>", n.pow(3)).repeat(1 + n as usize * 300))
            .collect();
        assert!(parts.concat().len() > 1 << WINDOW_BITS);
        let page = parts
            .clone()
            .into_iter()
            .map(|part| Ok::<_, Infallible>(part.into()));
        let compressed = block_on(compress(stream::iter(page))).unwrap();
        let mut read = Vec::new();
        brotli::BrotliDecompress(&mut &*compressed, &mut read).expect("brotli");
        assert!(read == parts.concat().as_bytes());
    }

    #[test]
    fn broken_page_is_an_error() {
        let page = stream::iter([Ok(Bytes::from_static(b"<p>")), Err("broken")]);
        assert_eq!(block_on(compress(page)), Err("broken"));
    }
}
