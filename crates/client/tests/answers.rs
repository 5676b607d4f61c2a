//! Answers that ask to come again later, and answers over TLS, by a server whose answers a test sets.

use rcgen::{CertifiedKey, generate_simple_self_signed};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tochki_client::protocol::Code;
use tochki_client::rules::GameKind;
use tochki_client::{Client, Error};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// The longest wait for something that must happen, on the slowest machine.
const TIMEOUT: Duration = Duration::from_secs(30);

const ACCOUNT: &str = r#"{"id":7,"name":"robot","guest":false}"#;

/// Returns the answer with this status to a request for JSON.
fn answer(status: &str, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}connection: close\r\n\r\n{body}",
        body.len()
    )
}

fn too_many(retry_after: &str) -> String {
    answer(
        "429 Too Many Requests",
        &format!("retry-after: {retry_after}\r\n"),
        r#"{"code":"too_many_requests","message":"Too many requests."}"#,
    )
}

/// Reads the head of a request and answers it. Returns the head.
async fn serve(mut stream: impl AsyncRead + AsyncWrite + Unpin, answer: &str) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    stream.write_all(answer.as_bytes()).await.ok()?;
    stream.shutdown().await.ok()?;
    Some(String::from_utf8_lossy(&head).into_owned())
}

/// Starts a server that gives these answers, the last one again and again. Returns its address, and the requests.
async fn server(
    answers: Vec<String>,
    tls: Option<TlsAcceptor>,
) -> (String, UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let scheme = if tls.is_some() { "https" } else { "http" };
    let (seen, requests) = unbounded_channel();
    tokio::spawn(async move {
        let last = answers.last().expect("an answer").clone();
        let mut answers = answers.into_iter();
        let mut next = answers.next().unwrap_or_else(|| last.clone());
        while let Ok((stream, _)) = listener.accept().await {
            let served = match &tls {
                None => serve(stream, &next).await,
                Some(tls) => match tls.accept(stream).await {
                    Ok(stream) => serve(stream, &next).await,
                    Err(_) => Some("no handshake".into()),
                },
            };
            if let Some(request) = served {
                next = answers.next().unwrap_or_else(|| last.clone());
                let _ = seen.send(request);
            }
        }
    });
    (format!("{scheme}://localhost:{port}"), requests)
}

/// Starts a server with TLS and a certificate of its own, and returns that certificate, too.
async fn secure_server() -> (String, UnboundedReceiver<String>, String) {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    let answers = vec![answer(
        "200 OK",
        "content-type: application/json\r\n",
        ACCOUNT,
    )];
    let (address, requests) = server(answers, Some(Arc::new(config).into())).await;
    (address, requests, cert.pem())
}

#[tokio::test]
async fn an_unknown_certificate_is_refused_at_once_and_a_trusted_one_taken() {
    let (address, mut requests, pem) = secure_server().await;
    let client = Client::new(&address, "tochki_secret").unwrap();
    let refused = timeout(TIMEOUT, client.whoami()).await.expect("no repeats");
    let refused = refused.unwrap_err();
    assert!(matches!(&refused, Error::Certificates(_)), "{refused}");
    assert!(refused.to_string().contains("UnknownIssuer"), "{refused}");
    // Neither call nor stream sends the token there.
    let streaming = timeout(TIMEOUT, async {
        client.lobby_events(GameKind::Dots).next().await
    });
    let refused = streaming.await.expect("no repeats").unwrap_err();
    assert!(matches!(&refused, Error::Certificates(_)), "{refused}");
    let client = client.trusting(&pem).unwrap();
    let account = client.whoami().await.unwrap().expect("an account");
    assert_eq!(account.name, "robot");
    for _ in 0..2 {
        assert_eq!(requests.recv().await.unwrap(), "no handshake");
    }
    let request = requests.recv().await.unwrap();
    assert!(request.contains("Bearer tochki_secret"), "{request}");
    // The certificate is for `localhost`, not for its address.
    let elsewhere = address.replace("localhost", "127.0.0.1");
    let elsewhere = Client::new(&elsewhere, "tochki_secret").unwrap();
    let refused = elsewhere
        .trusting(&pem)
        .unwrap()
        .whoami()
        .await
        .unwrap_err();
    assert!(matches!(&refused, Error::Certificates(_)), "{refused}");
}

#[tokio::test]
async fn a_client_waits_as_long_as_it_is_told() {
    let good = answer("200 OK", "content-type: application/json\r\n", ACCOUNT);
    let (address, mut requests) = server(vec![too_many("1"), too_many("1"), good], None).await;
    let client = Client::new(&address, "t").unwrap();
    let begun = Instant::now();
    let account = client.whoami().await.unwrap().expect("an account");
    assert_eq!(account.name, "robot");
    assert!(
        begun.elapsed() >= Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    for _ in 0..3 {
        requests.recv().await.unwrap();
    }
    assert!(requests.try_recv().is_err());
}

#[tokio::test]
async fn a_client_that_would_wait_too_long_says_so() {
    for told in ["3600", "18446744073709551615"] {
        let (address, mut requests) = server(vec![too_many(told)], None).await;
        let client = Client::new(&address, "t").unwrap();
        let call = timeout(TIMEOUT, client.whoami()).await.expect("an error");
        assert_eq!(call.unwrap_err().code(), Some(Code::TooManyRequests));
        let mut events = client.lobby_events(GameKind::Dots);
        let stream = timeout(TIMEOUT, events.next()).await.expect("an error");
        assert_eq!(stream.unwrap_err().code(), Some(Code::TooManyRequests));
        for _ in 0..2 {
            requests.recv().await.unwrap();
        }
        assert!(requests.try_recv().is_err(), "one request each");
    }
}

#[tokio::test]
async fn a_client_gives_up_after_its_time() {
    let (address, mut requests) = server(vec![too_many("1")], None).await;
    let client = Client::new(&address, "t").unwrap();
    let client = client.retry_for(Duration::from_secs(2));
    for attempt in 0..2 {
        let refused = match attempt {
            0 => client.whoami().await.map(|_| ()),
            _ => client.personal_events(&[]).next().await.map(|_| ()),
        };
        assert_eq!(refused.unwrap_err().code(), Some(Code::TooManyRequests));
        let mut count = 0;
        while requests.try_recv().is_ok() {
            count += 1;
        }
        assert!((1..=2).contains(&count), "{count} requests");
    }
}
