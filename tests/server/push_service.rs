//! A push service on loopback: takes pushes, checks who has sent them, and decrypts what a browser would.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Verifier as _;
use p256::ecdsa::{Signature, VerifyingKey};
use serde_json::Value;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use web_push_native::{Auth, decrypt};

/// The answer of the service.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// A response with this head.
    Head(&'static str),
    /// A response whose body never ends.
    Endless,
    /// None.
    Silence,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// The service, until the test ends.
pub(crate) struct PushService {
    pub(crate) address: SocketAddr,
    answers: Arc<Mutex<VecDeque<Answer>>>,
    requests: Arc<Mutex<Vec<Request>>>,
}

/// A browser with the keys of a subscription.
pub(crate) struct PushBrowser {
    secret: p256::SecretKey,
    auth: [u8; 16],
    pub(crate) endpoint: String,
}

impl PushService {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let service = Self {
            address: listener.local_addr().expect("an address"),
            answers: Arc::default(),
            requests: Arc::default(),
        };
        let (answers, requests) = (service.answers.clone(), service.requests.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (answers, requests) = (answers.clone(), requests.clone());
                tokio::spawn(serve(stream, answers, requests));
            }
        });
        service
    }

    /// Answers the next pushes so; those after them are taken.
    pub(crate) fn answer(&self, answers: impl IntoIterator<Item = Answer>) {
        self.answers.lock().unwrap().extend(answers);
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// A browser that has subscribed here under this name.
    pub(crate) fn browser(&self, name: &str) -> PushBrowser {
        let secret = loop {
            if let Ok(secret) = p256::SecretKey::from_slice(&rand::random::<[u8; 32]>()) {
                break secret;
            }
        };
        PushBrowser {
            secret,
            auth: rand::random(),
            endpoint: format!("http://{}/{name}", self.address),
        }
    }
}

async fn serve(
    mut stream: TcpStream,
    answers: Arc<Mutex<VecDeque<Answer>>>,
    requests: Arc<Mutex<Vec<Request>>>,
) {
    while let Some(request) = read(&mut stream).await {
        requests.lock().unwrap().push(request);
        let answer = answers.lock().unwrap().pop_front();
        let answer = answer.unwrap_or(Answer::Head("201 Created\r\ncontent-length: 0"));
        match answer {
            Answer::Head(head) => {
                let head = format!("HTTP/1.1 {head}\r\n\r\n");
                if stream.write_all(head.as_bytes()).await.is_err() {
                    return;
                }
            }
            Answer::Endless => {
                let head =
                    b"HTTP/1.1 500 Error\r\nretry-after: 0\r\ncontent-length: 100000000\r\n\r\n";
                let mut written = stream.write_all(head).await;
                while written.is_ok() {
                    written = stream.write_all(&[b'x'; 8192]).await;
                }
                return;
            }
            Answer::Silence => {
                let _ = stream.read(&mut [0]).await;
                return;
            }
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).ok()?;
    let mut lines = head.trim_end().split("\r\n");
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length")?;
    let mut body = vec![0; length.1.parse().ok()?];
    stream.read_exact(&mut body).await.ok()?;
    Some(Request {
        path,
        headers,
        body,
    })
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> &str {
        let mut headers = self.headers.iter();
        let found = headers.find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    /// Checks the token of the server, and returns its claims.
    pub(crate) fn claims(&self, public_key: &str) -> Value {
        let authorization = self.header("authorization");
        let parts = authorization.strip_prefix("vapid t=").expect("VAPID");
        let (token, key) = parts.split_once(", k=").expect("a key");
        assert_eq!(key, public_key);
        let (signed, signature) = token.rsplit_once('.').expect("a signature");
        let point = URL_SAFE_NO_PAD.decode(key).expect("base64url");
        let key = VerifyingKey::from_sec1_bytes(&point).expect("a point");
        let signature = URL_SAFE_NO_PAD.decode(signature).expect("base64url");
        let signature = Signature::from_slice(&signature).expect("a signature");
        key.verify(signed.as_bytes(), &signature)
            .expect("of the server");
        let (head, claims) = signed.split_once('.').expect("two parts");
        let json = |part: &str| -> Value {
            let part = URL_SAFE_NO_PAD.decode(part).expect("base64url");
            serde_json::from_slice(&part).expect("JSON")
        };
        assert_eq!(
            json(head),
            serde_json::json!({"typ": "JWT", "alg": "ES256"})
        );
        json(claims)
    }
}

impl PushBrowser {
    pub(crate) fn p256dh(&self) -> String {
        use p256::elliptic_curve::sec1::ToEncodedPoint as _;

        let point = self.secret.public_key().to_encoded_point(false);
        URL_SAFE_NO_PAD.encode(point.as_bytes())
    }

    /// Returns this browser with another endpoint.
    pub(crate) fn with_endpoint(self, endpoint: &str) -> Self {
        Self {
            endpoint: endpoint.to_owned(),
            ..self
        }
    }

    pub(crate) fn auth(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.auth)
    }

    /// Decrypts a push.
    pub(crate) fn read(&self, request: &Request) -> Value {
        let auth = Auth::clone_from_slice(&self.auth);
        let text = decrypt(request.body.clone(), &self.secret, &auth).expect("for this browser");
        assert!(text.len() <= tochki_protocol::limits::PUSH_MAX_BYTES);
        serde_json::from_slice(&text).expect("JSON")
    }
}
