//! A client of HTTP/1.1 that costs little itself: one connection, one request at a time, no more than a server of ours sends.

use crate::Result;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A connection, and the cookie it has got.
pub(crate) struct Client {
    address: SocketAddr,
    socket: TcpStream,
    cookies: Vec<String>,
    /// Read, and not used yet.
    buffer: Vec<u8>,
}

/// A response.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) fn json(&self) -> Result<serde_json::Value> {
        Ok(serde_json::from_slice(&self.body)?)
    }

    /// This response if it is a success.
    pub(crate) fn ok(self) -> Result<Self> {
        if self.status < 300 {
            return Ok(self);
        }
        Err(format!("{}: {}", self.status, String::from_utf8_lossy(&self.body)).into())
    }
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr) -> Result<Self> {
        let socket = TcpStream::connect(address).await?;
        socket.set_nodelay(true)?;
        Ok(Self {
            address,
            socket,
            cookies: Vec::new(),
            buffer: Vec::new(),
        })
    }

    /// Posts a form.
    pub(crate) async fn post(&mut self, path: &str, form: &[(&str, &str)]) -> Result<Response> {
        let fields: Vec<String> = form
            .iter()
            .map(|(name, value)| format!("{name}={}", escape(value)))
            .collect();
        let kind = "application/x-www-form-urlencoded";
        self.send("POST", path, kind, fields.join("&").as_bytes())
            .await
    }

    pub(crate) async fn send(
        &mut self,
        method: &str,
        path: &str,
        kind: &str,
        body: &[u8],
    ) -> Result<Response> {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n",
            self.address,
            self.cookies.join("; "),
            body.len()
        );
        let mut request = head.into_bytes();
        request.extend_from_slice(body);
        self.reconnect_if_closed().await?;
        self.socket.write_all(&request).await?;
        self.response().await
    }

    /// A server closes a connection that was idle for long.
    async fn reconnect_if_closed(&mut self) -> Result<()> {
        match self.socket.try_read(&mut [0; 1]) {
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => Ok(()),
            Ok(1) => Err("a response that nobody has asked for".into()),
            _ => {
                let fresh = Self::connect(self.address).await?;
                self.socket = fresh.socket;
                Ok(())
            }
        }
    }

    async fn response(&mut self) -> Result<Response> {
        let end = loop {
            if let Some(end) = find(&self.buffer, b"\r\n\r\n") {
                break end + 4;
            }
            self.read().await?;
        };
        let head = String::from_utf8_lossy(&self.buffer[..end]).to_ascii_lowercase();
        let original = String::from_utf8_lossy(&self.buffer[..end]).into_owned();
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        let status = status.ok_or("no status")?;
        let mut len = 0;
        for (line, original) in head.lines().zip(original.lines()) {
            if let Some(value) = line.strip_prefix("content-length:") {
                len = value.trim().parse()?;
            } else if line.starts_with("transfer-encoding:") {
                return Err("a chunked response, which this client does not read".into());
            } else if line.starts_with("set-cookie:") {
                let cookie = original["set-cookie:".len()..].trim();
                let pair = cookie.split(';').next().unwrap_or_default();
                self.cookies.push(pair.to_owned());
            }
        }
        while self.buffer.len() < end + len {
            self.read().await?;
        }
        let body = self.buffer[end..end + len].to_vec();
        self.buffer.drain(..end + len);
        Ok(Response { status, body })
    }

    async fn read(&mut self) -> Result<()> {
        if self.socket.read_buf(&mut self.buffer).await? == 0 {
            return Err("the server has closed the connection".into());
        }
        Ok(())
    }
}

/// Where `part` begins.
pub(crate) fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

/// As a value of a form.
fn escape(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
