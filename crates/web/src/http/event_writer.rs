//! Writes an event stream to a socket in chunked encoding, after the head of the HTTP/1.1 response.
//!
//! All ready frames are written with one system call, without a copy unless there is only a single small frame. An open stream
//! has no other buffers.

use axum::body::Bytes;
use futures::StreamExt as _;
use std::future::poll_fn;
use std::io::{self, IoSlice, Write as _};
use std::task::{Context, Poll};
use tochki_protocol::limits;
use tochki_server::streams::EventStream;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

/// The end of a chunk, and of the line before it.
const LINE_END: &[u8] = b"\r\n";

/// The longest line before a chunk, in bytes: the length in hexadecimal digits, and the end of the line.
const HEAD_MAX: usize = usize::BITS as usize / 4 + LINE_END.len();

/// The largest chunk that is put together on the stack, in bytes: nearly every event but a snapshot fits.
const COPIED_CHUNK_MAX: usize = 512;

/// The largest frame that is copied, in bytes.
const COPIED_FRAME_MAX: usize = COPIED_CHUNK_MAX - HEAD_MAX - LINE_END.len();

/// The number of bytes that are read and dropped at once. A client has nothing more to say, so there are seldom any.
const DROPPED_AT_ONCE: usize = 256;

/// Writes all frames and the end of the response. Returns early when the client has closed the connection.
pub(super) async fn write_events(mut socket: TcpStream, mut events: EventStream) {
    let mut frames = Vec::new();
    loop {
        let more = poll_fn(|context| poll_frames(context, &socket, &mut events, &mut frames)).await;
        if !frames.is_empty() && write_chunk(&mut socket, &frames).await.is_err() {
            return;
        }
        frames.clear();
        match more {
            More::Frames => {}
            More::Nothing => break,
            More::NoClient => return,
        }
    }
    // A client that has gone needs no end.
    let _ = socket.write_all(b"0\r\n\r\n").await;
    let _ = socket.shutdown().await;
}

/// The state of the stream after the frames that were ready.
#[derive(Clone, Copy)]
enum More {
    Frames,
    Nothing,
    NoClient,
}

/// Waits for a frame, or for the end of the stream or of the connection, and takes all frames that are ready.
fn poll_frames(
    context: &mut Context<'_>,
    socket: &TcpStream,
    events: &mut EventStream,
    frames: &mut Vec<Bytes>,
) -> Poll<More> {
    while frames.len() < limits::STREAM_WRITE_MAX_FRAMES {
        match events.poll_next_unpin(context) {
            Poll::Ready(Some(frame)) => frames.push(frame),
            Poll::Ready(None) => return Poll::Ready(More::Nothing),
            Poll::Pending => break,
        }
    }
    if !frames.is_empty() {
        return Poll::Ready(More::Frames);
    }
    // Bytes that a client still sends are read only to notice when it closes the connection.
    while socket.poll_read_ready(context).is_ready() {
        match socket.try_read(&mut [0; DROPPED_AT_ONCE]) {
            Ok(0) => return Poll::Ready(More::NoClient),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => return Poll::Ready(More::NoClient),
        }
    }
    Poll::Pending
}

/// Writes frames as one chunk.
async fn write_chunk(socket: &mut TcpStream, frames: &[Bytes]) -> io::Result<()> {
    let written = try_write_chunk(socket, frames);
    let written = match written {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => 0,
        written => written?,
    };
    // The kernel had no room for the rest of the chunk: rare, so the chunk is put together again.
    let rest = {
        let (mut head, len) = head_of(frames);
        let head = &mut head[..len];
        let all = head.len() + body_len(frames) + LINE_END.len();
        if written == all {
            return Ok(());
        }
        let mut chunk = Vec::with_capacity(all);
        chunk.extend_from_slice(head);
        for frame in frames {
            chunk.extend_from_slice(frame);
        }
        chunk.extend_from_slice(LINE_END);
        chunk.split_off(written)
    };
    socket.write_all(&rest).await
}

fn try_write_chunk(socket: &TcpStream, frames: &[Bytes]) -> io::Result<usize> {
    let (head, len) = head_of(frames);
    if let [frame] = frames
        && frame.len() <= COPIED_FRAME_MAX
    {
        // Cheaper than a call with several slices.
        let mut chunk = [0; COPIED_CHUNK_MAX];
        let (end, all) = (len + frame.len(), len + frame.len() + LINE_END.len());
        chunk[..len].copy_from_slice(&head[..len]);
        chunk[len..end].copy_from_slice(frame);
        chunk[end..all].copy_from_slice(LINE_END);
        return socket.try_write(&chunk[..all]);
    }
    let mut slices = [IoSlice::new(b""); limits::STREAM_WRITE_MAX_FRAMES + 2];
    slices[0] = IoSlice::new(&head[..len]);
    for (slice, frame) in slices[1..].iter_mut().zip(frames) {
        *slice = IoSlice::new(frame);
    }
    slices[frames.len() + 1] = IoSlice::new(LINE_END);
    socket.try_write_vectored(&slices[..frames.len() + 2])
}

/// Returns the line before a chunk, and its length.
fn head_of(frames: &[Bytes]) -> ([u8; HEAD_MAX], usize) {
    let mut head = [0; HEAD_MAX];
    let mut rest = &mut head[..];
    // There is room for every length.
    let _ = write!(rest, "{:x}\r\n", body_len(frames));
    let len = HEAD_MAX - rest.len();
    (head, len)
}

fn body_len(frames: &[Bytes]) -> usize {
    frames.iter().map(Bytes::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::stream;
    use tokio::io::AsyncReadExt as _;
    use tokio::net::TcpListener;

    /// Returns the two ends of a connection.
    async fn connection() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (one, other) = tokio::join!(TcpStream::connect(address), listener.accept());
        (one.unwrap(), other.unwrap().0)
    }

    /// Returns the bodies of chunks, and the bytes after the last chunk.
    fn read_chunks(mut text: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let mut body = Vec::new();
        loop {
            let end = text.windows(2).position(|pair| pair == b"\r\n").unwrap();
            let len = usize::from_str_radix(std::str::from_utf8(&text[..end]).unwrap(), 16);
            let (len, rest) = (len.unwrap(), &text[end + 2..]);
            assert_eq!(&rest[len..len + 2], b"\r\n");
            body.extend_from_slice(&rest[..len]);
            text = &rest[len + 2..];
            if len == 0 {
                return (body, text.to_vec());
            }
        }
    }

    #[tokio::test]
    async fn frames_are_chunks_also_for_a_slow_reader() {
        let (mut client, server) = connection().await;
        // More than the kernel keeps, in frames of all sizes.
        let frames: Vec<Bytes> = (0..400_usize)
            .map(|n| Bytes::from(vec![b'a' + (n % 26) as u8; 1 + n * 97]))
            .collect();
        let writing = tokio::spawn(write_events(server, stream::iter(frames.clone()).boxed()));
        let mut read = Vec::new();
        client.read_to_end(&mut read).await.unwrap();
        writing.await.unwrap();
        let (body, rest) = read_chunks(&read);
        assert!(body == frames.concat(), "all of it, in order");
        assert!(rest.is_empty());
    }

    #[tokio::test]
    async fn a_stream_ends_with_its_client() {
        let (client, server) = connection().await;
        let writing = tokio::spawn(write_events(server, stream::pending().boxed()));
        drop(client);
        writing.await.unwrap();
    }
}
