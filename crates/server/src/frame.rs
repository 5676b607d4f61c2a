//! Encoding of server-sent events.

use crate::Error;
use bytes::Bytes;
use tochki_play::EncodedEvent;
use tochki_protocol::{
    Account, AnnulmentNotice, ChatMessage, Code, LobbyEvent, Notified, PersonalEvent, StatusEvent,
    TournamentEvent, event_names, limits,
};

/// A versioned event of a match. The body is JSON on one line.
pub(crate) fn match_frame(version: u32, name: &str, body: &str) -> Bytes {
    format!("id: {version}\nevent: {name}\ndata: {body}\n\n").into()
}

/// An event of a waiting room.
pub(crate) fn lobby_frame(event: &LobbyEvent) -> Result<Bytes, Error> {
    Ok(frame(&event.encode()?))
}

/// An event of the personal stream.
pub(crate) fn personal_frame(event: &PersonalEvent) -> Result<Bytes, Error> {
    Ok(frame(&event.encode()?))
}

/// An event of a tournament.
pub(crate) fn tournament_frame(event: &TournamentEvent) -> Result<Bytes, Error> {
    Ok(frame(&event.encode()?))
}

/// An event of a match that has no version.
pub(crate) fn status_frame(event: &StatusEvent) -> Result<Bytes, Error> {
    Ok(frame(&event.encode()?))
}

/// The players who watch a match, for its players.
pub(crate) fn watchers_frame(players: &[Account]) -> Result<Bytes, Error> {
    let body = serde_json::to_string(&serde_json::json!({ "players": players }))
        .map_err(|error| Error::invariant(format!("names cannot be encoded: {error}")))?;
    Ok(frame(&EncodedEvent {
        name: event_names::WATCHERS,
        body,
    }))
}

/// Announces that an operator has annulled the match.
pub(crate) fn annulled() -> Bytes {
    empty_frame(event_names::ANNULLED)
}

/// Announces, on all streams of a player, that a match of theirs was annulled.
pub(crate) fn rating_corrected_frame(notice: &AnnulmentNotice) -> Result<Bytes, Error> {
    let body = serde_json::to_string(notice)
        .map_err(|error| Error::invariant(format!("a notice cannot be encoded: {error}")))?;
    Ok(frame(&EncodedEvent {
        name: event_names::RATING_CORRECTED,
        body,
    }))
}

/// The numbers of unread notifications of the reader and of games on turn, on all of their streams.
pub(crate) fn notified_frame(Notified { unread, on_turn }: Notified) -> Bytes {
    let name = event_names::NOTIFIED;
    format!("event: {name}\ndata: {{\"unread\":{unread},\"on_turn\":{on_turn}}}\n\n").into()
}

/// A chat message.
pub(crate) fn message_frame(message: &ChatMessage) -> Result<Bytes, Error> {
    let body = serde_json::to_string(message)
        .map_err(|error| Error::invariant(format!("a message cannot be encoded: {error}")))?;
    Ok(frame(&EncodedEvent {
        name: event_names::SAID,
        body,
    }))
}

/// An event that only has a name.
fn empty_frame(name: &str) -> Bytes {
    format!("event: {name}\ndata: {{}}\n\n").into()
}

fn frame(EncodedEvent { name, body }: &EncodedEvent) -> Bytes {
    format!("event: {name}\ndata: {body}\n\n").into()
}

/// The first bytes: they show the client that the stream is open, set how soon it reconnects, and tell the release of the
/// server.
pub(crate) fn opening(release: &str) -> Bytes {
    let body = serde_json::json!({ "release": release });
    let name = event_names::RELEASE;
    let retry = limits::STREAM_RETRY_DELAY.as_millis();
    format!("retry: {retry}\n\nevent: {name}\ndata: {body}\n\n").into()
}

/// Announces on a shared stream that one of its topics has ended, or could not be opened.
pub(crate) fn topic_ended(topic: &str, code: Code) -> Bytes {
    let body = serde_json::json!({ "topic": topic, "code": code, "message": code.message() });
    let name = event_names::TOPIC_ENDED;
    format!("event: {name}\ndata: {body}\n\n").into()
}

/// The version of a frame, if it has one.
pub(crate) fn version(frame: &[u8]) -> Option<u32> {
    let rest = frame.strip_prefix(ID)?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    std::str::from_utf8(&rest[..end]).ok()?.parse().ok()
}

/// Replaces the version of a frame by this `id:`.
pub(crate) fn with_id(frame: &[u8], id: &str) -> Bytes {
    let rest = match frame.strip_prefix(ID) {
        Some(rest) => {
            let end = rest.iter().position(|byte| *byte == b'\n');
            &rest[end.map_or(rest.len(), |end| end + 1)..]
        }
        None => frame,
    };
    [ID, id.as_bytes(), b"\n", rest].concat().into()
}

/// The beginning of a frame that has an id.
const ID: &[u8] = b"id: ";

/// The last event of a stream whose session has ended elsewhere.
pub(crate) fn signed_out() -> Bytes {
    empty_frame(event_names::SIGNED_OUT)
}

/// A comment, which the peer has to acknowledge.
pub(crate) fn heartbeat() -> Bytes {
    Bytes::from_static(b":\n\n")
}

/// A heartbeat with an event, for pages that check whether their stream lives: a browser shows them no comments.
pub(crate) fn heartbeat_event() -> Bytes {
    format!(":\nevent: {}\ndata: {{}}\n\n", event_names::HEARTBEAT).into()
}

/// The last bytes of a stream that the server ends.
pub(crate) fn closing() -> Bytes {
    let retry = limits::STREAM_SHUTDOWN_RETRY_DELAY.as_millis();
    format!(": the server ends this stream\nretry: {retry}\n\n").into()
}

/// Converts whole frames to JSON lines: an object for each event, an empty line for a comment.
pub(crate) fn json_lines(frames: &[u8]) -> Bytes {
    // Only frames of this file come here, and they are UTF-8.
    let frames = String::from_utf8_lossy(frames);
    let mut lines = String::with_capacity(frames.len() + 16);
    for frame in frames.split_terminator("\n\n") {
        let field = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name));
        if let (Some(event), Some(data)) = (field("event: "), field("data: "))
            && event != event_names::HEARTBEAT
        {
            lines.push('{');
            // A version is a number. The ids of a shared stream are of letters, digits and a few signs that JSON does not escape.
            match field("id: ") {
                Some(id) if id.bytes().all(|byte| byte.is_ascii_digit()) => {
                    lines.extend(["\"id\":", id, ","]);
                }
                Some(id) => lines.extend(["\"id\":\"", id, "\","]),
                None => {}
            }
            // The names of events are plain words, and bodies are JSON on one line.
            lines.extend(["\"event\":\"", event, "\",\"data\":", data, "}"]);
        }
        lines.push('\n');
    }
    lines.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(frames: &[Bytes], expected: &str) {
        assert_eq!(json_lines(&frames.concat()), expected);
    }

    #[test]
    fn an_id_takes_the_place_of_the_version() {
        let versioned = match_frame(7, "moved", "{}");
        assert_eq!(version(&versioned), Some(7));
        let text = "id: match:3 match:3@7\nevent: moved\ndata: {}\n\n";
        assert_eq!(with_id(&versioned, "match:3 match:3@7"), text);
        let other = empty_frame("annulled");
        assert_eq!(version(&other), None);
        let text = "id: match:3 match:3@7\nevent: annulled\ndata: {}\n\n";
        assert_eq!(with_id(&other, "match:3 match:3@7"), text);
    }

    #[test]
    fn frames_become_lines() {
        check(
            &[match_frame(7, "moved", r#"{"mv":"a: b\n\nevent: x"}"#)],
            "{\"id\":7,\"event\":\"moved\",\"data\":{\"mv\":\"a: b\\n\\nevent: x\"}}\n",
        );
        check(&[heartbeat()], "\n");
        check(&[heartbeat_event()], "\n");
        let events = [
            lobby_frame(&LobbyEvent::Heartbeat {}),
            status_frame(&StatusEvent::Heartbeat {}),
        ];
        for event in events {
            assert_eq!(heartbeat_event(), [b":\n", &*event.unwrap()].concat());
        }
        check(
            &[opening("5e1f")],
            "\n{\"event\":\"release\",\"data\":{\"release\":\"5e1f\"}}\n",
        );
        let shared = with_id(&match_frame(7, "moved", "{}"), "match:3 match:3@7");
        check(
            &[shared],
            "{\"id\":\"match:3 match:3@7\",\"event\":\"moved\",\"data\":{}}\n",
        );
        check(
            &[signed_out(), closing()],
            "{\"event\":\"signed_out\",\"data\":{}}\n\n",
        );
    }
}
