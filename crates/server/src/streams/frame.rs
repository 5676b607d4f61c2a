//! The bytes of server-sent events.

use crate::Error;
use bytes::Bytes;
use tochki_play::EncodedEvent;
use tochki_protocol::{ChatMessage, LobbyEvent, StatusEvent};

/// A versioned event of a match. The body is JSON on one line.
pub fn match_frame(version: u32, name: &str, body: &str) -> Bytes {
    format!("id: {version}\nevent: {name}\ndata: {body}\n\n").into()
}

/// An event of a waiting room.
pub fn lobby_frame(event: &LobbyEvent) -> Result<Bytes, Error> {
    Ok(frame(&event.encode()?))
}

/// What a stream of a match says beside its events.
pub(super) fn notice_frame(notice: &StatusEvent) -> Result<Bytes, Error> {
    Ok(frame(&notice.encode()?))
}

/// Something that was said.
pub fn said_frame(said: &ChatMessage) -> Result<Bytes, Error> {
    let body = serde_json::to_string(said)
        .map_err(|error| Error::invariant(format!("a message cannot be written: {error}")))?;
    Ok(frame(&EncodedEvent { name: "said", body }))
}

fn frame(EncodedEvent { name, body }: &EncodedEvent) -> Bytes {
    format!("event: {name}\ndata: {body}\n\n").into()
}

/// The first bytes: a client sees that the line stands, and how soon it should try again when it breaks.
pub(super) fn opening() -> Bytes {
    Bytes::from_static(b"retry: 2000\n\n")
}

/// Something to acknowledge.
pub(super) fn heartbeat() -> Bytes {
    Bytes::from_static(b":\n\n")
}

/// The last bytes of a stream that the server ends.
pub(super) fn closing() -> Bytes {
    Bytes::from_static(b": the server ends this stream\nretry: 500\n\n")
}
