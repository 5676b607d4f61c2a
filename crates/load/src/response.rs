//! Responses of HTTP/1.1, read from bytes that come in pieces: their heads, and bodies in chunks.

use crate::Result;
use crate::numbers::find;

/// A response.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) fn json(&self) -> Result<serde_json::Value> {
        Ok(serde_json::from_slice(&self.body)?)
    }

    /// Returns this response if it is a success.
    pub(crate) fn ok(self) -> Result<Self> {
        if self.status < 300 {
            return Ok(self);
        }
        Err(format!("{}: {}", self.status, String::from_utf8_lossy(&self.body)).into())
    }
}

/// The head of a response.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// The length of the head, with the empty line at its end.
    pub(crate) len: usize,
    pub(crate) body: BodyLength,
    /// The cookies that the response sets, as `name=value`.
    pub(crate) cookies: Vec<String>,
}

/// The length of a body, or the mark of its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyLength {
    /// The body has so many bytes.
    Bytes(usize),
    /// The body comes in chunks, of which the last one is empty.
    Chunked,
}

impl Head {
    /// Reads a head at the beginning of `bytes`; `None` while it is not whole.
    pub(crate) fn read(bytes: &[u8]) -> Result<Option<Self>> {
        let Some(end) = find(bytes, b"\r\n\r\n") else {
            return Ok(None);
        };
        let text = std::str::from_utf8(&bytes[..end])?;
        let mut lines = text.split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1));
        let mut head = Self {
            status: status.ok_or("no status")?.parse()?,
            len: end + 4,
            body: BodyLength::Bytes(0),
            cookies: Vec::new(),
        };
        for line in lines {
            let (name, value) = line.split_once(':').ok_or("a line that is no header")?;
            let value = value.trim();
            if name.eq_ignore_ascii_case("content-length") {
                head.body = BodyLength::Bytes(value.parse()?);
            } else if name.eq_ignore_ascii_case("transfer-encoding") {
                head.body = BodyLength::Chunked;
            } else if name.eq_ignore_ascii_case("set-cookie") {
                let pair = value.split(';').next().unwrap_or_default();
                head.cookies.push(pair.to_owned());
            }
        }
        Ok(Some(head))
    }
}

/// A body that comes in chunks, as far as it has come.
#[derive(Debug, Default)]
pub(crate) struct Chunks {
    pub(crate) body: Vec<u8>,
    /// The number of bytes that the chunks in `body` have on the connection.
    pub(crate) read: usize,
}

impl Chunks {
    /// Takes the chunks that are whole, from all `bytes` of the connection since the first chunk. Returns whether the last
    /// one is among them.
    ///
    /// # Errors
    /// If the bytes are no chunks, or have trailers, which our server does not send.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<bool> {
        loop {
            let rest = &bytes[self.read..];
            let Some(line) = find(rest, b"\r\n") else {
                return Ok(false);
            };
            let size = std::str::from_utf8(&rest[..line])?;
            // An extension may follow.
            let size = size.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(size, 16)?;
            let begin = line + 2;
            let end = begin.checked_add(size).ok_or("a chunk too large")?;
            let Some(close) = rest.get(end..end.saturating_add(2)) else {
                return Ok(false);
            };
            if close != b"\r\n" {
                return Err("a chunk that does not end where it says".into());
            }
            self.body.extend_from_slice(&rest[begin..end]);
            self.read += end + 2;
            if size == 0 {
                return Ok(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_says_how_its_body_ends() {
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\nSet-Cookie: session=Ab-1; Path=/; HttpOnly\r\n\r\nbody";
        let read = Head::read(head).unwrap().unwrap();
        assert_eq!(
            read,
            Head {
                status: 200,
                len: head.len() - 4,
                body: BodyLength::Bytes(12),
                cookies: vec!["session=Ab-1".to_owned()],
            }
        );
        let chunked = b"HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n";
        let read = Head::read(chunked).unwrap().unwrap();
        assert_eq!((read.status, read.body), (404, BodyLength::Chunked));
        assert_eq!(Head::read(&head[..30]).unwrap(), None, "not whole");
        assert!(Head::read(b"nonsense\r\n\r\n").is_err());
    }

    #[test]
    fn chunks_are_put_together_wherever_they_are_cut() {
        let bytes = b"4\r\nWiki\r\n6;name=value\r\npedia \r\nb\r\nin\r\n\r\nchunk\r\n0\r\n\r\nHTTP/1.1 200 OK";
        let len = bytes.len() - b"HTTP/1.1 200 OK".len();
        for cut in 0..=bytes.len() {
            let mut chunks = Chunks::default();
            let whole = chunks.take(&bytes[..cut]).unwrap();
            assert_eq!(whole, cut >= len, "{cut}");
            if !whole {
                assert!(chunks.take(bytes).unwrap(), "{cut}");
            }
            assert_eq!(chunks.body, b"Wikipedia in\r\n\r\nchunk", "{cut}");
            assert_eq!(chunks.read, len, "the next response is left alone");
        }
    }

    #[test]
    fn what_is_no_chunk_is_an_error() {
        for bytes in [
            &b"x\r\nabc\r\n"[..],
            b"2\r\nabc\r\n",
            b"\r\n\r\n",
            b"0\r\nname: value\r\n\r\n",
            b"ffffffffffffffff\r\n",
        ] {
            assert!(Chunks::default().take(bytes).is_err(), "{bytes:?}");
        }
    }
}
