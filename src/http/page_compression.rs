//! Compression of pages, which are made anew for each request.
//!
//! tower-http has a window of 4 MiB for each, and with it brotli takes twice as long for the same bytes.

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
use std::task::Poll;

/// How well pages are compressed, from 0 to 11.
pub(super) const QUALITY: i32 = 6;

/// The binary logarithm of the window: hardly a page is longer than 256 KiB.
const WINDOW_BITS: i32 = 18;

/// How much is compressed before it is sent, if all of it is there.
const PART_LEN: usize = 16 * 1024;

/// Compresses a page if the browser reads brotli. Everything else is left to the layer around this one.
pub(super) async fn compress_page(request: Request, next: Next) -> Response {
    let is_wanted = request.method() == Method::GET && accepts_brotli(request.headers());
    let response = next.run(request).await;
    if !is_wanted || !is_page(response.headers()) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers
        .insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
    head.headers
        .append(header::VARY, HeaderValue::from_static("accept-encoding"));
    let body = Body::from_stream(compress(body.into_data_stream()));
    Response::from_parts(head, body)
}

/// Whether it is a page that nobody has compressed yet.
fn is_page(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
        && !headers.contains_key(header::CONTENT_ENCODING)
}

/// The same, compressed. What has come is sent on while the rest is awaited.
fn compress<E>(
    mut page: impl Stream<Item = Result<Bytes, E>> + Unpin,
) -> impl Stream<Item = Result<Bytes, E>> {
    let params = BrotliEncoderParams {
        quality: QUALITY,
        lgwin: WINDOW_BITS,
        ..BrotliEncoderParams::default()
    };
    // Writing to memory cannot fail.
    let mut encoder = Some(CompressorWriter::with_params(Vec::new(), 4096, &params));
    let mut is_flushed = true;
    futures::stream::poll_fn(move |context| {
        loop {
            let Some(open) = &mut encoder else {
                return Poll::Ready(None);
            };
            match page.poll_next_unpin(context) {
                Poll::Ready(Some(Ok(part))) => {
                    let _ = open.write_all(&part);
                    is_flushed = false;
                    if open.get_ref().len() < PART_LEN {
                        continue;
                    }
                }
                Poll::Ready(Some(Err(error))) => {
                    encoder = None;
                    return Poll::Ready(Some(Err(error)));
                }
                Poll::Ready(None) => {
                    let rest = encoder.take().map(CompressorWriter::into_inner);
                    return Poll::Ready(rest.map(|rest| Ok(rest.into())));
                }
                Poll::Pending => {
                    if is_flushed {
                        return Poll::Pending;
                    }
                    let _ = open.flush();
                    is_flushed = true;
                }
            }
            let part = std::mem::take(open.get_mut());
            if !part.is_empty() {
                return Poll::Ready(Some(Ok(part.into())));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::channel::mpsc;
    use futures::executor::block_on;
    use std::convert::Infallible;

    fn decompress(compressed: &[u8]) -> Vec<u8> {
        let mut read = Vec::new();
        let mut reader = brotli::Decompressor::new(compressed, 4096);
        // The end is not there yet.
        let _ = std::io::Read::read_to_end(&mut reader, &mut read);
        read
    }

    #[test]
    fn each_part_can_be_read_before_the_next() {
        let (parts, page) = mpsc::unbounded();
        let mut compressed = compress(page);
        let mut received = Vec::new();
        let mut sent = Vec::new();
        for n in 0..5 {
            let part = format!("<p>{n}</p>").repeat(1 + n * 10_000);
            sent.extend_from_slice(part.as_bytes());
            parts
                .unbounded_send(Ok::<_, Infallible>(part.into()))
                .unwrap();
            while decompress(&received) != sent {
                received.extend_from_slice(&block_on(compressed.next()).unwrap().unwrap());
            }
        }
        drop(parts);
        while let Some(part) = block_on(compressed.next()) {
            received.extend_from_slice(&part.unwrap());
        }
        let mut read = Vec::new();
        brotli::BrotliDecompress(&mut &*received, &mut read).unwrap();
        assert_eq!(read, sent);
    }

    #[test]
    fn broken_page_ends_with_its_error() {
        let page = futures::stream::iter([Ok(Bytes::from_static(b"<p>")), Err("broken")]);
        let parts: Vec<_> = block_on(compress(page).collect());
        assert_eq!(parts.last(), Some(&Err("broken")));
    }
}
