//! An event stream as its reader has it: the response of a connection of its own, or one of many streams of a connection of
//! HTTP/2.

use crate::Result;
use crate::numbers::find;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

/// The number of connections from one address of loopback, which has some 28,000 ports for them.
const CONNECTIONS_BY_SOURCE: usize = 10_000;

/// The number of streams of a connection of HTTP/2; the server allows 200.
pub(crate) const STREAMS_BY_CONNECTION: usize = 100;

/// The number of bytes that a stream of HTTP/2, and a connection, may send before the reader has read them.
const WINDOW: u32 = 1 << 20;

/// An open stream.
pub(crate) enum EventStream {
    Http1 {
        socket: TcpStream,
        /// The bytes that came along with the head of the response.
        begun: Vec<u8>,
    },
    Http2(h2::RecvStream),
}

impl EventStream {
    /// Opens a stream over HTTP/1.1, and reads the head of its response. `number` counts the streams of a test.
    pub(crate) async fn open(
        address: SocketAddr,
        path: &str,
        cookies: &str,
        number: usize,
    ) -> Result<Self> {
        let mut socket = connect(address, number).await?;
        let cookies = if cookies.is_empty() {
            String::new()
        } else {
            format!("cookie: {cookies}\r\n")
        };
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: {address}\r\naccept: text/event-stream\r\n{cookies}\r\n"
        );
        socket.write_all(request.as_bytes()).await?;
        let mut begun = Vec::with_capacity(1024);
        loop {
            if socket.read_buf(&mut begun).await? == 0 {
                return Err("a stream was not opened".into());
            }
            if let Some(end) = find(&begun, b"\r\n\r\n") {
                if !begun.starts_with(b"HTTP/1.1 200") {
                    return Err(String::from_utf8_lossy(&begun).into_owned().into());
                }
                begun.drain(..end + 4);
                return Ok(Self::Http1 { socket, begun });
            }
        }
    }

    /// Appends the next bytes, and returns their number. Over HTTP/1.1 the lengths of chunks are among them, which stand between
    /// whole events.
    ///
    /// # Errors
    /// If the connection fails, and when the stream has ended.
    pub(crate) async fn read(&mut self, into: &mut Vec<u8>) -> Result<usize> {
        match self {
            Self::Http1 { socket, begun } => {
                if !begun.is_empty() {
                    let begun = std::mem::take(begun);
                    into.extend_from_slice(&begun);
                    return Ok(begun.len());
                }
                into.reserve(4096);
                match socket.read_buf(into).await? {
                    0 => Err("a stream has ended".into()),
                    count => Ok(count),
                }
            }
            Self::Http2(body) => {
                let data = body.data().await.ok_or("a stream has ended")??;
                body.flow_control().release_capacity(data.len())?;
                into.extend_from_slice(&data);
                Ok(data.len())
            }
        }
    }
}

/// Opens a connection from one of the addresses of loopback, because there are fewer ports than a test may have connections.
async fn connect(address: SocketAddr, number: usize) -> Result<TcpStream> {
    let source = u8::try_from(number / CONNECTIONS_BY_SOURCE)?;
    let socket = TcpSocket::new_v4()?;
    if source > 0 {
        let source = IpAddr::V4(Ipv4Addr::new(127, 0, source, 1));
        socket.bind(SocketAddr::new(source, 0))?;
    }
    let socket = socket.connect(address).await?;
    socket.set_nodelay(true)?;
    Ok(socket)
}

/// A connection of HTTP/2 without TLS, as a proxy may have it to the server.
#[derive(Clone)]
pub(crate) struct Http2 {
    address: SocketAddr,
    requests: h2::client::SendRequest<&'static [u8]>,
}

impl Http2 {
    pub(crate) async fn connect(address: SocketAddr) -> Result<Self> {
        let socket = connect(address, 0).await?;
        let (requests, connection) = h2::client::Builder::new()
            .initial_window_size(WINDOW)
            .initial_connection_window_size(WINDOW)
            .handshake(socket)
            .await?;
        // It ends with the last of its streams, whose readers are told of an error.
        tokio::spawn(async move {
            let _ = connection.await;
        });
        Ok(Self { address, requests })
    }

    /// Opens a stream, and reads the head of its response.
    pub(crate) async fn open(self, path: &str) -> Result<EventStream> {
        let request = http::Request::get(format!("http://{}{path}", self.address))
            .header(http::header::ACCEPT, "text/event-stream")
            .body(())?;
        let (response, _) = self.requests.ready().await?.send_request(request, true)?;
        let response = response.await?;
        if response.status() != http::StatusCode::OK {
            return Err(format!("a stream was not opened: {}", response.status()).into());
        }
        Ok(EventStream::Http2(response.into_body()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpListener;

    /// Reads the bytes of a stream up to its end.
    async fn read_all(mut stream: EventStream) -> Vec<u8> {
        let mut read = Vec::new();
        while stream.read(&mut read).await.is_ok() {}
        read
    }

    #[tokio::test]
    async fn a_stream_is_read_after_the_head_of_its_response() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            for head in ["HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found"] {
                let (mut socket, _) = listener.accept().await.unwrap();
                let mut request = [0; 1024];
                let count = socket.read(&mut request).await.unwrap();
                assert!(find(&request[..count], b"\r\ncookie: session=a\r\n").is_some());
                for part in [head, "\r\n", "server: x\r\n\r\nid: 1\n\n", "id: 2\n\n"] {
                    socket.write_all(part.as_bytes()).await.unwrap();
                }
            }
        });
        let open = || EventStream::open(address, "/events", "session=a", 0);
        assert_eq!(read_all(open().await.unwrap()).await, b"id: 1\n\nid: 2\n\n");
        assert!(open().await.is_err());
    }

    #[tokio::test]
    async fn a_connection_of_http2_has_many_streams() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            let (socket, _) = listener.accept().await.unwrap();
            let mut connection = h2::server::handshake(socket).await.unwrap();
            while let Some(Ok((request, mut respond))) = connection.accept().await {
                let path = request.uri().path().to_owned();
                let response = http::Response::new(());
                let mut body = respond.send_response(response, false).unwrap();
                body.send_data(path.into(), true).unwrap();
            }
        });
        let connection = Http2::connect(address).await.unwrap();
        let mut streams = Vec::new();
        for number in 0..STREAMS_BY_CONNECTION {
            let path = format!("/events/{number}");
            streams.push((path.clone(), connection.clone().open(&path).await.unwrap()));
        }
        for (path, stream) in streams {
            assert_eq!(read_all(stream).await, path.into_bytes());
        }
    }
}
