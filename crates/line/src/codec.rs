//! Codec of the line protocol: splits bytes into lines, and parses lines into requests.
//!
//! `AnyDelimiterCodec` of tokio-util does the splitting. Its `LinesCodec` would do, but drops a line that is not UTF-8 before
//! anything has looked at the line, and TLS begins with such bytes.
//!
//! The codec also recognizes the first line of an HTTP request. A web page can make the browser of its visitor send such a
//! request to this port, with a body of the page's choice, whose lines must not be obeyed.

use std::io;
use tochki_protocol::limits;
use tokio_util::bytes::BytesMut;
use tokio_util::codec::{AnyDelimiterCodec, AnyDelimiterCodecError, Decoder};

/// Decodes the byte stream of a connection. A line that is too long counts at once; the rest of the line is dropped.
#[derive(Debug)]
pub(crate) struct LineCodec {
    lines: AnyDelimiterCodec,
    /// Number of bytes that were in the buffer when it was looked at last.
    seen: usize,
    /// Number of bytes of the current line that are dropped.
    dropped: usize,
}

/// A step of reading.
#[derive(Debug)]
pub(crate) enum Frame {
    /// A line.
    Line(Received),
    /// More bytes without the end of a line. They cost the client a part of a line.
    Part,
}

/// A parsed line from a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// A request.
    Request(Request),
    /// An answer to a request of the server; it is ignored.
    Answer,
    /// A line that is not valid.
    Unreadable,
    /// The first line of a request of HTTP, or the beginning of TLS.
    Http,
}

/// A request of a client. Names are as they were sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Login {
        name: String,
        token: Option<String>,
    },
    Load,
    Create {
        game: String,
    },
    Join {
        game: String,
    },
    Leave,
    Turn {
        /// The place in its row; no board has a row or a place of 255.
        x: u8,
        row: u8,
    },
    Ping,
    Sync,
    Reconnect {
        name: String,
        token: Option<String>,
    },
}

impl Default for LineCodec {
    fn default() -> Self {
        // The end of a line is one of its bytes. Nothing is encoded.
        let max_length = limits::LINE_MAX_BYTES - 1;
        Self {
            lines: AnyDelimiterCodec::new_with_max_length(b"\n".to_vec(), Vec::new(), max_length),
            seen: 0,
            dropped: 0,
        }
    }
}

impl Decoder for LineCodec {
    type Item = Frame;
    type Error = io::Error;

    /// Takes the next line, or says that there is more of one.
    ///
    /// # Errors
    /// When a line has no end that is worth waiting for.
    fn decode(&mut self, bytes: &mut BytesMut) -> io::Result<Option<Frame>> {
        let before = bytes.len();
        let line = match self.lines.decode(bytes) {
            Ok(Some(line)) => Some(read(&line)),
            // Judged by as many bytes however they arrive.
            Err(AnyDelimiterCodecError::MaxChunkLengthExceeded) => {
                Some(if is_http(&bytes[..limits::LINE_MAX_BYTES]) {
                    Received::Http
                } else {
                    Received::Unreadable
                })
            }
            Err(AnyDelimiterCodecError::Io(error)) => return Err(error),
            Ok(None) => None,
        };
        let has_more = before > self.seen;
        self.seen = bytes.len();
        if let Some(received) = line {
            self.dropped = 0;
            return Ok(Some(Frame::Line(received)));
        }
        self.dropped += before - bytes.len();
        if self.dropped > limits::LINE_DROPPED_MAX_BYTES {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(has_more.then_some(Frame::Part))
    }
}

/// Returns whether a line is the first one of an HTTP request (a method, and a path or an address), or begins like TLS.
fn is_http(line: &[u8]) -> bool {
    let mut words = line.split(|byte| *byte == b' ');
    let is_method = |word: &[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_graphic);
    let is_target = |word: &[u8]| matches!(word, [b'/' | b'*', ..]) || word.starts_with(b"http");
    words.next().is_some_and(is_method) && words.next().is_some_and(is_target)
        || line.starts_with(&[0x16, 0x03])
}

/// Reads a line without its end. A `\r` before the end is ignored.
fn read(line: &[u8]) -> Received {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if is_http(line) {
        return Received::Http;
    }
    let Ok(text) = str::from_utf8(line) else {
        return Received::Unreadable;
    };
    if text.chars().any(|c| !c.is_ascii() || c.is_ascii_control()) {
        return Received::Unreadable;
    }
    let fields: Vec<&str> = text.split('|').collect();
    request(&fields).unwrap_or(Received::Unreadable)
}

fn request(fields: &[&str]) -> Option<Received> {
    let token = |text: &&str| Some((*text).to_owned());
    Some(Received::Request(match fields {
        ["LOGIN", name, rest @ ..] if rest.len() <= 1 => Request::Login {
            name: (*name).to_owned(),
            token: rest.first().and_then(token),
        },
        ["LOAD"] => Request::Load,
        ["CREATE", game] => Request::Create {
            game: (*game).to_owned(),
        },
        ["JOIN", game] => Request::Join {
            game: (*game).to_owned(),
        },
        ["LEAVE"] => Request::Leave,
        ["TURN", x, row] => Request::Turn {
            x: number(x)?,
            row: number(row)?,
        },
        ["PING"] => Request::Ping,
        ["SYNC"] => Request::Sync,
        // Both names may be left out.
        ["RECONNECT", rest @ ..] if rest.len() <= 3 => Request::Reconnect {
            name: rest.first().copied().unwrap_or_default().to_owned(),
            token: rest.get(2).and_then(token),
        },
        ["PONG"] => return Some(Received::Answer),
        [first, ..] if is_answer(first) => return Some(Received::Answer),
        _ => return None,
    }))
}

/// Reads a number in digits. A number that no board reaches is 255.
fn number(text: &str) -> Option<u8> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u8::MAX))
}

/// Returns whether a word is `OK`, or `ERR` and a number.
fn is_answer(word: &str) -> bool {
    let error = word.strip_prefix("ERR").and_then(number);
    word == "OK" || error.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn receive(bytes: &[u8]) -> Vec<Received> {
        receive_in_parts(&[bytes])
    }

    fn receive_in_parts(parts: &[&[u8]]) -> Vec<Received> {
        let (mut codec, mut bytes) = (LineCodec::default(), BytesMut::new());
        let mut received = Vec::new();
        for part in parts {
            bytes.extend_from_slice(part);
            received.extend(lines(&mut codec, &mut bytes).expect("no line is endless"));
        }
        received
    }

    /// The lines that are complete, or too long.
    fn lines(codec: &mut LineCodec, bytes: &mut BytesMut) -> io::Result<Vec<Received>> {
        let mut received = Vec::new();
        while let Some(frame) = codec.decode(bytes)? {
            if let Frame::Line(line) = frame {
                received.push(line);
            }
        }
        assert!(bytes.len() < limits::LINE_MAX_BYTES);
        Ok(received)
    }

    #[track_caller]
    fn check(line: &str, expected: Received) {
        assert_eq!(read(line.as_bytes()), expected, "{line:?}");
    }

    fn login(name: &str, token: Option<&str>) -> Received {
        Received::Request(Request::Login {
            name: name.into(),
            token: token.map(Into::into),
        })
    }

    fn reconnect(name: &str, token: Option<&str>) -> Received {
        Received::Request(Request::Reconnect {
            name: name.into(),
            token: token.map(Into::into),
        })
    }

    #[test]
    fn every_request_is_read() {
        check("LOGIN|bob", login("bob", None));
        check("LOGIN|bob|tochki_abc\r", login("bob", Some("tochki_abc")));
        check("LOAD", Received::Request(Request::Load));
        check(
            "CREATE|den",
            Received::Request(Request::Create { game: "den".into() }),
        );
        check(
            "JOIN|den",
            Received::Request(Request::Join { game: "den".into() }),
        );
        check("LEAVE", Received::Request(Request::Leave));
        check(
            "TURN|0|6",
            Received::Request(Request::Turn { x: 0, row: 6 }),
        );
        check(
            "TURN|007|99999999999999999999",
            Received::Request(Request::Turn { x: 7, row: 255 }),
        );
        check("PING", Received::Request(Request::Ping));
        check("SYNC", Received::Request(Request::Sync));
        check("RECONNECT|bob|den", reconnect("bob", None));
        check("RECONNECT||", reconnect("", None));
        check("RECONNECT", reconnect("", None));
        check("RECONNECT|bob||t", reconnect("bob", Some("t")));
    }

    #[test]
    fn answers_of_a_client_are_answers() {
        for answer in ["OK", "ERR1", "ERR5", "PONG", "OK|x"] {
            check(answer, Received::Answer);
        }
    }

    #[test]
    fn anything_else_is_unreadable() {
        for line in [
            "",
            " ",
            "login|bob",
            "LOGIN",
            "LOGIN|a|b|c",
            "LOAD|x",
            "CREATE",
            "CREATE|a|b",
            "JOIN",
            "LEAVE|",
            "TURN|0",
            "TURN|0|0|0",
            "TURN|-1|0",
            "TURN|+1|0",
            "TURN||",
            "TURN|a|b",
            "PONG|1",
            "ERR",
            "ERRx",
            "LOGIN|b\u{e9}",
            "LO\0AD",
            "\rLOAD",
            "RECONNECT|a|b|c|d",
            "|",
            "LOAD ",
        ] {
            check(line, Received::Unreadable);
        }
        assert_eq!(receive(b"LOGIN|\xff\n"), [Received::Unreadable]);
    }

    #[test]
    fn requests_of_http_are_recognized() {
        for line in [
            "GET / HTTP/1.1",
            "POST /LOGIN|bob HTTP/1.1\r",
            "OPTIONS * HTTP/1.1",
            "PRI * HTTP/2.0",
            "GET http://127.0.0.1:10000/ HTTP/1.1",
            "LOGIN|bob / HTTP/1.1",
            "\u{16}\u{3}\u{1}",
        ] {
            check(line, Received::Http);
        }
        for line in ["HELLO WORLD", " / ", "GET", "LOGIN|bob"] {
            assert_ne!(read(line.as_bytes()), Received::Http, "{line:?}");
        }
        let long = format!("POST /{} HTTP/1.1\r\nLOAD\n", "x".repeat(5000)).into_bytes();
        let load = Received::Request(Request::Load);
        assert_eq!(receive(&long), [Received::Http, load]);
    }

    #[test]
    fn a_line_without_an_end_is_endless_after_a_megabyte() {
        let (mut codec, mut bytes) = (LineCodec::default(), BytesMut::new());
        let part = [b'x'; limits::LINE_MAX_BYTES];
        let (mut length, mut received) = (0, Vec::new());
        loop {
            bytes.extend_from_slice(&part);
            length += part.len();
            match lines(&mut codec, &mut bytes) {
                Ok(more) => received.extend(more),
                Err(_) => break,
            }
        }
        assert_eq!(length, limits::LINE_DROPPED_MAX_BYTES + part.len());
        assert_eq!(received, [Received::Unreadable], "once, at its 256th byte");
    }

    #[test]
    fn bytes_without_the_end_of_a_line_are_told_once() {
        let (mut codec, mut bytes) = (LineCodec::default(), BytesMut::new());
        let mut next = |more: &[u8]| {
            bytes.extend_from_slice(more);
            let mut frames = Vec::new();
            while let Some(frame) = codec.decode(&mut bytes).expect("no line is endless") {
                frames.push(matches!(frame, Frame::Part));
            }
            frames
        };
        assert_eq!(next(b"LO"), [true]);
        assert_eq!(next(b""), [] as [bool; 0]);
        assert_eq!(next(b"A"), [true]);
        assert_eq!(next(b"D\nLOAD\nLO"), [false, false]);
        assert_eq!(next(&[b'x'; 300]), [false]);
        assert_eq!(next(&[b'x'; 300]), [true]);
        assert_eq!(next(b"\nLOAD\n"), [false]);
    }

    #[test]
    fn a_line_has_at_most_256_bytes_with_its_end() {
        let line = |length: usize| format!("LOGIN|{}\n", "x".repeat(length - 7)).into_bytes();
        assert_ne!(receive(&line(256)), [Received::Unreadable]);
        assert_eq!(receive(&line(257)), [Received::Unreadable]);
        let mut two = line(5000);
        two.extend(b"LOAD\n");
        let load = Received::Request(Request::Load);
        assert_eq!(receive(&two), [Received::Unreadable, load]);
    }

    proptest! {
        #[test]
        fn the_same_bytes_are_the_same_lines_however_they_are_cut(
            lines in prop::collection::vec("(LOGIN\\|[a-z]{0,300}|LOAD|TURN\\|[0-9]\\|[0-9]|[ -~]{0,20})\r?\n", 0..8),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        ) {
            let bytes = lines.concat().into_bytes();
            let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            at.extend([0, bytes.len()]);
            at.sort_unstable();
            let parts: Vec<&[u8]> = at.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(receive_in_parts(&parts), receive(&bytes));
            prop_assert_eq!(receive(&bytes).len(), lines.len());
        }

        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
            let mut lines = bytes.split(|byte| *byte == b'\n').rev();
            let too_long = lines.next().is_some_and(|rest| rest.len() >= limits::LINE_MAX_BYTES);
            prop_assert_eq!(receive(&bytes).len(), lines.count() + usize::from(too_long));
        }
    }
}
