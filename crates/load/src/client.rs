//! A client of HTTP/1.1 that costs little itself: one connection, one request at a time, and only the parts of HTTP that a server
//! of ours uses.

use crate::Result;
use crate::response::{BodyLength, Chunks, Head, Response};
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// The timeout of a response.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A connection, and the cookies it has got.
pub(crate) struct Client {
    address: SocketAddr,
    socket: TcpStream,
    /// The header lines that every request has.
    headers: String,
    cookies: Vec<String>,
    /// The bytes that are read, and not used yet.
    buffer: Vec<u8>,
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr) -> Result<Self> {
        let socket = TcpStream::connect(address).await?;
        socket.set_nodelay(true)?;
        Ok(Self {
            address,
            socket,
            headers: String::new(),
            cookies: Vec::new(),
            buffer: Vec::new(),
        })
    }

    /// Sends this header with every request.
    pub(crate) fn with_header(mut self, name: &str, value: &str) -> Self {
        let _ = write!(self.headers, "{name}: {value}\r\n");
        self
    }

    /// Returns the cookies as a header has them.
    pub(crate) fn cookies(&self) -> String {
        self.cookies.join("; ")
    }

    pub(crate) async fn get(&mut self, path: &str) -> Result<Response> {
        self.request("GET", path, "", b"").await
    }

    /// Posts a form.
    pub(crate) async fn post(&mut self, path: &str, form: &[(&str, &str)]) -> Result<Response> {
        let fields: Vec<String> = form
            .iter()
            .map(|(name, value)| format!("{name}={}", escape(value)))
            .collect();
        let kind = "application/x-www-form-urlencoded";
        self.post_body(path, kind, fields.join("&").as_bytes())
            .await
    }

    pub(crate) async fn post_body(
        &mut self,
        path: &str,
        kind: &str,
        body: &[u8],
    ) -> Result<Response> {
        let about = format!("content-type: {kind}\r\ncontent-length: {}\r\n", body.len());
        self.request("POST", path, &about, body).await
    }

    async fn request(
        &mut self,
        method: &str,
        path: &str,
        about: &str,
        body: &[u8],
    ) -> Result<Response> {
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\n{}{about}",
            self.address, self.headers
        );
        if !self.cookies.is_empty() {
            let _ = write!(head, "cookie: {}\r\n", self.cookies());
        }
        head.push_str("\r\n");
        let mut request = head.into_bytes();
        request.extend_from_slice(body);
        let answered = tokio::time::timeout(TIMEOUT, self.exchange(&request)).await;
        answered.map_err(|_| format!("{method} {path} was not answered within {TIMEOUT:?}"))?
    }

    async fn exchange(&mut self, request: &[u8]) -> Result<Response> {
        self.reconnect_if_closed().await?;
        self.socket.write_all(request).await?;
        self.response().await
    }

    /// Opens a new connection if the server has closed this one, as it does when it was idle for long.
    async fn reconnect_if_closed(&mut self) -> Result<()> {
        match self.socket.try_read(&mut [0; 1]) {
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => Ok(()),
            Ok(1) => Err("a response that nobody has asked for".into()),
            _ => {
                let fresh = Self::connect(self.address).await?;
                self.socket = fresh.socket;
                self.buffer.clear();
                Ok(())
            }
        }
    }

    async fn response(&mut self) -> Result<Response> {
        let head = loop {
            if let Some(head) = Head::read(&self.buffer)? {
                break head;
            }
            self.read().await?;
        };
        let (body, end) = match head.body {
            BodyLength::Bytes(len) => {
                let end = head.len + len;
                self.buffer.reserve(end.saturating_sub(self.buffer.len()));
                while self.buffer.len() < end {
                    self.read().await?;
                }
                (self.buffer[head.len..end].to_vec(), end)
            }
            BodyLength::Chunked => {
                let mut chunks = Chunks::default();
                while !chunks.take(&self.buffer[head.len..])? {
                    self.read().await?;
                }
                (chunks.body, head.len + chunks.read)
            }
        };
        self.buffer.drain(..end);
        for cookie in head.cookies {
            let name = cookie.split('=').next().unwrap_or_default();
            self.cookies
                .retain(|known| known.split('=').next() != Some(name));
            self.cookies.push(cookie);
        }
        Ok(Response {
            status: head.status,
            body,
        })
    }

    async fn read(&mut self) -> Result<()> {
        self.buffer.reserve(4096);
        if self.socket.read_buf(&mut self.buffer).await? == 0 {
            return Err("the server has closed the connection".into());
        }
        Ok(())
    }
}

/// Escapes a text as a value of a form.
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

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpListener;

    #[tokio::test]
    async fn one_connection_has_many_requests() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let served = tokio::spawn(async move {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut requests = Vec::new();
            for answer in [
                "HTTP/1.1 200 OK\r\nset-cookie: session=a; Path=/\r\ncontent-length: 2\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n[1,\r\n2\r\n2]\r\n0\r\n\r\n",
                "HTTP/1.1 409 Conflict\r\nset-cookie: session=b\r\ncontent-length: 4\r\n\r\nbusy",
            ] {
                let mut request = vec![0; 1024];
                let count = socket.read(&mut request).await.unwrap();
                requests.push(String::from_utf8(request[..count].to_vec()).unwrap());
                let (one, other) = answer.split_at(40);
                socket.write_all(one.as_bytes()).await.unwrap();
                tokio::time::sleep(Duration::from_millis(5)).await;
                socket.write_all(other.as_bytes()).await.unwrap();
            }
            requests
        });
        let client = Client::connect(address).await.unwrap();
        let mut client = client.with_header("x-forwarded-for", "10.8.0.1");
        let form = [("name", "a b"), ("setup", "{}")];
        client.post("/api/x", &form).await.unwrap().ok().unwrap();
        let page = client.get("/page").await.unwrap().ok().unwrap();
        assert_eq!(page.json().unwrap(), serde_json::json!([1, 2]));
        let refused = client.get("/page").await.unwrap();
        assert_eq!(refused.status, 409);
        assert_eq!(refused.ok().err().unwrap().to_string(), "409: busy");
        assert_eq!(client.cookies(), "session=b");
        let requests = served.await.unwrap();
        assert!(requests[0].contains("\r\nx-forwarded-for: 10.8.0.1\r\n"));
        assert!(requests[0].ends_with("\r\n\r\nname=a%20b&setup=%7B%7D"));
        assert!(!requests[0].contains("cookie"));
        assert!(requests[1].contains("\r\ncookie: session=a\r\n"));
    }
}
