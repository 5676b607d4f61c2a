//! A push service that takes every push at once, over TLS.

use crate::Result;
use crate::network::{PUSH_ADDRESS, PUSH_HOST};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

const CREATED: &[u8] = b"HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n";

/// The service, as long as the program runs.
pub(crate) struct PushService {
    certificate: String,
    counted: Arc<Counted>,
}

#[derive(Default)]
struct Counted {
    accepted: AtomicU64,
    /// The times of the first and the last of them.
    span: Mutex<Option<(Instant, Instant)>>,
}

impl Counted {
    fn accept(&self) {
        self.accepted.fetch_add(1, Ordering::Relaxed);
        let now = Instant::now();
        self.lock().get_or_insert((now, now)).1 = now;
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Instant, Instant)>> {
        self.span.lock().expect("no panic while the lock is held")
    }
}

impl PushService {
    /// Starts it at the usual port. Its certificate, which signs itself, is written into this folder.
    pub(crate) async fn start(folder: &Path) -> Result<Self> {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(vec![PUSH_HOST.to_owned()])?;
        let file = folder.join("push_service.pem");
        std::fs::write(&file, cert.pem())?;
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let tls = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)?;
        let acceptor = TlsAcceptor::from(Arc::new(tls));
        let listener = TcpListener::bind((PUSH_ADDRESS, 443)).await?;
        let counted = Arc::<Counted>::default();
        let service = Self {
            certificate: file.to_string_lossy().into_owned(),
            counted: counted.clone(),
        };
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (acceptor, counted) = (acceptor.clone(), counted.clone());
                // A connection that breaks is the sender's to open again.
                tokio::spawn(async move { drop(serve(acceptor, socket, &counted).await) });
            }
        });
        Ok(service)
    }

    /// Returns the file with the certificate.
    pub(crate) fn certificate(&self) -> &str {
        &self.certificate
    }

    /// Returns the number of pushes that it has taken.
    pub(crate) fn accepted(&self) -> u64 {
        self.counted.accepted.load(Ordering::Relaxed)
    }

    /// Returns the time from the first of them to the last.
    pub(crate) fn span(&self) -> Duration {
        let span = *self.counted.lock();
        span.map_or(Duration::ZERO, |(first, last)| last - first)
    }
}

/// Answers the requests of a connection, one after the other.
async fn serve(acceptor: TlsAcceptor, socket: TcpStream, counted: &Counted) -> Result<()> {
    socket.set_nodelay(true)?;
    let mut stream = acceptor.accept(socket).await?;
    let mut buffer = Vec::new();
    loop {
        let end = loop {
            if let Some(end) = end_of_request(&buffer)? {
                break end;
            }
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        };
        buffer.drain(..end);
        counted.accept();
        stream.write_all(CREATED).await?;
        stream.flush().await?;
    }
}

/// Returns the length of the request that a buffer begins with, if all of it is there.
fn end_of_request(buffer: &[u8]) -> Result<Option<usize>> {
    let Some(head) = buffer.windows(4).position(|end| end == b"\r\n\r\n") else {
        return Ok(None);
    };
    let text = std::str::from_utf8(&buffer[..head])?;
    let mut lines = text.split("\r\n").skip(1);
    let length = lines.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse::<usize>())
    });
    let end = head + 4 + length.ok_or("a push without a length")??;
    Ok((buffer.len() >= end).then_some(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_ends_after_its_body() {
        let head = "POST /1 HTTP/1.1\r\nTTL: 7\r\nContent-Length: 3\r\n\r\n";
        let end = |text: &str| end_of_request(text.as_bytes()).unwrap();
        assert_eq!(end(head), None);
        assert_eq!(end(&format!("{head}ab")), None);
        assert_eq!(end(&format!("{head}abcPOST")), Some(head.len() + 3));
        assert!(end_of_request(b"POST /1 HTTP/1.1\r\nTTL: 7\r\n\r\n").is_err());
    }
}
