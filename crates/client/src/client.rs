//! Authenticated requests, retried where that is safe.

use crate::error::Error;
use crate::tls;
use reqwest::header::{self, HeaderMap};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use rustls::pki_types::CertificateDer;
use serde::de::DeserializeOwned;
use std::error::Error as _;
use std::time::Duration;
use std::{fmt, io};
use tochki_protocol::{ApiError, backoff, limits};
use tokio::time::{Instant, sleep};

/// A player at a server, by a token. Cloning it is cheap, and clones share their connections.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    server: String,
    credentials: Credentials,
    retry_for: Duration,
}

/// The credentials of a request.
#[derive(Clone)]
pub(crate) enum Credentials {
    /// No credentials.
    Visitor,
    Token(String),
    /// The cookie, with its name.
    PasswordSession(String),
}

/// Formats the kind alone, without the secrets that open an account.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Visitor => "Visitor",
            Self::Token(_) => "Token",
            Self::PasswordSession(_) => "PasswordSession",
        })
    }
}

/// The retry policy of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// Retried whenever there was no answer: the request is idempotent.
    Always,
    /// Retried only if the request has certainly not been executed.
    IfNotSent,
}

/// The headers and the body of a successful answer.
struct Answer {
    headers: HeaderMap,
    text: String,
}

/// The result of an attempt.
enum Attempt {
    Answered(Response),
    /// The request is to be retried, after the delay if there is one.
    Again(Error, Option<Duration>),
}

impl Client {
    /// Creates a client of the server at this address, such as `https://tochki.example`. With https it trusts the certificate
    /// authorities of this machine.
    ///
    /// # Errors
    /// If there can be no HTTP client on this machine, or it knows no certificate authorities.
    pub fn new(server: &str, token: &str) -> Result<Self, Error> {
        Ok(Self::visitor(server)?.with_token(token))
    }

    /// Creates a client without an account, which can register one ([`PasswordSession::register`](crate::PasswordSession::register)).
    ///
    /// # Errors
    /// As of [`Self::new`].
    pub fn visitor(server: &str) -> Result<Self, Error> {
        let server = server.trim_end_matches('/').to_owned();
        Ok(Self {
            http: http_client(&server, &[])?,
            server,
            credentials: Credentials::Visitor,
            retry_for: limits::CLIENT_RETRY_TIMEOUT,
        })
    }

    /// Makes the client trust these certificate authorities, too: a text in PEM, for a server that has a certificate of its own.
    ///
    /// # Errors
    /// If the text has no certificate, or an unreadable one.
    pub fn trusting(self, pem: &str) -> Result<Self, Error> {
        let roots = tls::read_certificates(pem)?;
        Ok(Self {
            http: http_client(&self.server, &roots)?,
            ..self
        })
    }

    /// Returns a client of the same server that acts by this token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        self.with_credentials(Credentials::Token(token.trim().to_owned()))
    }

    pub(crate) fn with_credentials(&self, credentials: Credentials) -> Self {
        Self {
            credentials,
            ..self.clone()
        }
    }

    /// Sets how long the client tries to reach the server; by default a minute. Streams try without end.
    #[must_use]
    pub fn retry_for(self, time: Duration) -> Self {
        Self {
            retry_for: time,
            ..self
        }
    }

    /// Returns the address of the server.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.server
    }

    pub(crate) async fn get<A: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, String)],
    ) -> Result<A, Error> {
        let request = || self.request(Method::GET, path).query(query);
        let answer = self.call(request, Repeat::Always).await?;
        read(&answer.text)
    }

    pub(crate) async fn post<A: DeserializeOwned>(
        &self,
        path: &str,
        form: &[(&str, String)],
        repeat: Repeat,
    ) -> Result<A, Error> {
        let request = || self.request(Method::POST, path).form(form);
        let answer = self.call(request, repeat).await?;
        read(&answer.text)
    }

    /// Makes a call that opens a session, and returns its cookie, too.
    pub(crate) async fn post_for_session<A: DeserializeOwned>(
        &self,
        path: &str,
        form: &[(&str, String)],
    ) -> Result<(A, String), Error> {
        let request = || self.request(Method::POST, path).form(form);
        let answer = self.call(request, Repeat::IfNotSent).await?;
        let cookie = session_cookie(&answer.headers);
        let cookie = cookie.ok_or_else(|| Error::Unreadable("there is no session cookie".into()));
        Ok((read(&answer.text)?, cookie?))
    }

    async fn call(
        &self,
        request: impl Fn() -> RequestBuilder,
        repeat: Repeat,
    ) -> Result<Answer, Error> {
        let until = Instant::now() + self.retry_for;
        let mut failures = 0;
        loop {
            let attempt =
                attempt(request().timeout(limits::CLIENT_REQUEST_TIMEOUT), repeat).await?;
            let (error, wait) = match attempt {
                Attempt::Answered(mut response) => {
                    let headers = std::mem::take(response.headers_mut());
                    match response.text().await {
                        Ok(text) => return Ok(Answer { headers, text }),
                        Err(error) if repeat == Repeat::Always => (error.into(), None),
                        Err(error) => return Err(error.into()),
                    }
                }
                Attempt::Again(error, wait) => (error, wait),
            };
            // A little later than others that wait for the same server.
            let wait = wait.unwrap_or_else(|| {
                backoff(
                    failures,
                    limits::CLIENT_MIN_BACKOFF,
                    limits::CLIENT_MAX_BACKOFF,
                )
            });
            let wait = wait.mul_f64(rand::random_range(1.0..1.2));
            if Instant::now() + wait >= until {
                return Err(error);
            }
            sleep(wait).await;
            failures += 1;
        }
    }

    /// Opens a stream, and tries until that succeeds or is refused. A server that is away is tried without end, a server that
    /// answers with too many requests or streams for as long as it is with a call.
    pub(crate) async fn open(
        &self,
        path: &str,
        query: &[(&str, String)],
        last_id: Option<u32>,
    ) -> Result<Response, Error> {
        let mut failures = 0;
        let mut too_many_until = None;
        loop {
            let mut request = self.request(Method::GET, path).query(query);
            request = request.header(header::ACCEPT, "text/event-stream");
            if let Some(id) = last_id {
                request = request.header("last-event-id", id);
            }
            match attempt(request, Repeat::Always).await? {
                Attempt::Answered(response) => return Ok(response),
                Attempt::Again(error, wait) => {
                    let wait = wait.unwrap_or_else(|| {
                        backoff(
                            failures,
                            limits::CLIENT_MIN_BACKOFF,
                            limits::CLIENT_MAX_BACKOFF,
                        )
                    });
                    if error.is_too_many() {
                        let now = Instant::now();
                        let until = *too_many_until.get_or_insert(now + self.retry_for);
                        if now + wait >= until {
                            return Err(error);
                        }
                    } else {
                        too_many_until = None;
                    }
                    sleep(wait).await;
                }
            }
            failures += 1;
        }
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", self.server);
        let request = self.http.request(method, url);
        match &self.credentials {
            Credentials::Visitor => request,
            Credentials::Token(token) => request.bearer_auth(token),
            Credentials::PasswordSession(cookie) => request.header(header::COOKIE, cookie),
        }
    }
}

fn http_client(
    server: &str,
    own_roots: &[CertificateDer<'static>],
) -> Result<reqwest::Client, Error> {
    Ok(reqwest::Client::builder()
        .connect_timeout(limits::CLIENT_IDLE_TIMEOUT)
        .read_timeout(limits::CLIENT_IDLE_TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        .tls_backend_preconfigured(tls::config(server, own_roots)?)
        .user_agent(concat!("tochki-client/", env!("CARGO_PKG_VERSION")))
        .build()?)
}

/// Returns the session cookie among those that are set, as it is sent back. With https its name has a prefix.
fn session_cookie(headers: &HeaderMap) -> Option<String> {
    let set = headers.get_all(header::SET_COOKIE).into_iter();
    let mut pairs = set.filter_map(|cookie| cookie.to_str().ok()?.split(';').next());
    let cookie = pairs.find(|pair| {
        let name = pair.split('=').next().unwrap_or_default().trim();
        name.trim_start_matches("__Host-") == "session"
    });
    cookie.map(|pair| pair.trim().to_owned())
}

/// Sends a request once. An error is final.
async fn attempt(request: RequestBuilder, repeat: Repeat) -> Result<Attempt, Error> {
    let response = match request.send().await {
        Ok(response) => response,
        Err(error) if error.is_builder() => return Err(error.into()),
        // Asking again changes nothing.
        Err(error) if let Some(why) = bad_certificate(&error) => {
            return Err(Error::Certificates(why));
        }
        Err(error) if repeat == Repeat::Always || error.is_connect() => {
            return Ok(Attempt::Again(error.into(), None));
        }
        Err(error) => return Err(error.into()),
    };
    let status = response.status();
    if status.is_success() {
        return Ok(Attempt::Answered(response));
    }
    let wait = response.headers().get(header::RETRY_AFTER);
    let wait = wait.and_then(|value| value.to_str().ok()?.parse().ok());
    let wait = wait.map(|seconds| Duration::from_secs(seconds).min(limits::CLIENT_MAX_RETRY_AFTER));
    let text = response.text().await.unwrap_or_default();
    let error = match serde_json::from_str::<ApiError>(&text) {
        Ok(error) => Error::Refused(error),
        // A proxy before the server speaks for itself.
        Err(_) => Error::Unreadable(format!("status {}", status.as_u16())),
    };
    match status {
        // Neither has done anything.
        StatusCode::TOO_MANY_REQUESTS if wait.is_some() => Ok(Attempt::Again(error, wait)),
        StatusCode::SERVICE_UNAVAILABLE => Ok(Attempt::Again(error, wait)),
        StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT if repeat == Repeat::Always => {
            Ok(Attempt::Again(error, wait))
        }
        _ => Err(error),
    }
}

/// Returns the reason why the certificate of the server is refused, if that is the error.
fn bad_certificate(error: &reqwest::Error) -> Option<String> {
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(error @ rustls::Error::InvalidCertificate(_)) = error.downcast_ref() {
            return Some(error.to_string());
        }
        // The source of an I/O error is that of the error inside it.
        let inside = error
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        cause = match inside {
            Some(inside) => Some(inside),
            None => error.source(),
        };
    }
    None
}

fn read<A: DeserializeOwned>(text: &str) -> Result<A, Error> {
    serde_json::from_str(text).map_err(|error| Error::Unreadable(error.to_string()))
}
