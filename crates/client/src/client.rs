//! Requests: sent with the token, repeated where that is safe.

use crate::error::Error;
use reqwest::{Method, RequestBuilder, Response, StatusCode, header};
use serde::de::DeserializeOwned;
use std::time::Duration;
use tochki_protocol::ApiError;
use tokio::time::{Instant, sleep};

/// How long a request may take. The server ends one within half of it.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// How long a silent line counts as alive. The server writes something every 3 s.
const SILENCE: Duration = Duration::from_secs(10);

/// Between two attempts: twice as long each time.
const FIRST_DELAY: Duration = Duration::from_millis(100);
const LAST_DELAY: Duration = Duration::from_secs(2);

/// A player at a server, by a token. Cloning it is cheap, and clones share their connections.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    server: String,
    token: String,
    retry_for: Duration,
}

/// When a request may be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// Whenever there was no answer: twice is as good as once.
    Always,
    /// Only if it has certainly not been carried out.
    IfNotSent,
}

/// What became of an attempt.
enum Attempt {
    Answered(Response),
    /// After so long another may do better.
    Again(Error, Option<Duration>),
}

impl Client {
    /// A client of the server at this address, such as `https://tochki.example`.
    ///
    /// # Errors
    /// If there can be no HTTP client on this machine.
    pub fn new(server: &str, token: &str) -> Result<Self, Error> {
        Ok(Self {
            http: reqwest::Client::builder()
                .connect_timeout(SILENCE)
                .read_timeout(SILENCE)
                .redirect(reqwest::redirect::Policy::none())
                .user_agent(concat!("tochki-client/", env!("CARGO_PKG_VERSION")))
                .build()?,
            server: server.trim_end_matches('/').to_owned(),
            token: token.trim().to_owned(),
            retry_for: Duration::from_mins(1),
        })
    }

    /// The same, which tries for so long to reach the server; at first a minute. Streams try without end.
    #[must_use]
    pub fn retry_for(self, time: Duration) -> Self {
        Self {
            retry_for: time,
            ..self
        }
    }

    /// The address of the server.
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
        self.call(request, Repeat::Always).await
    }

    pub(crate) async fn post<A: DeserializeOwned>(
        &self,
        path: &str,
        form: &[(&str, String)],
        repeat: Repeat,
    ) -> Result<A, Error> {
        let request = || self.request(Method::POST, path).form(form);
        self.call(request, repeat).await
    }

    async fn call<A: DeserializeOwned>(
        &self,
        request: impl Fn() -> RequestBuilder,
        repeat: Repeat,
    ) -> Result<A, Error> {
        let until = Instant::now() + self.retry_for;
        let mut delay = FIRST_DELAY;
        loop {
            let attempt = attempt(request().timeout(REQUEST_TIMEOUT), repeat).await?;
            let (error, wait) = match attempt {
                Attempt::Answered(response) => match response.text().await {
                    Ok(text) => return read(&text),
                    Err(error) if repeat == Repeat::Always => (error.into(), None),
                    Err(error) => return Err(error.into()),
                },
                Attempt::Again(error, wait) => (error, wait),
            };
            // A little later than others that wait for the same server.
            let wait = wait.unwrap_or(delay).mul_f64(rand::random_range(1.0..1.2));
            if Instant::now() + wait >= until {
                return Err(error);
            }
            sleep(wait).await;
            delay = LAST_DELAY.min(delay * 2);
        }
    }

    /// Opens a stream, and tries until that succeeds or is refused.
    pub(crate) async fn open(
        &self,
        path: &str,
        query: &[(&str, String)],
        last_id: Option<u32>,
    ) -> Result<Response, Error> {
        let mut delay = FIRST_DELAY;
        loop {
            let mut request = self.request(Method::GET, path).query(query);
            request = request.header(header::ACCEPT, "text/event-stream");
            if let Some(id) = last_id {
                request = request.header("last-event-id", id);
            }
            match attempt(request, Repeat::Always).await? {
                Attempt::Answered(response) => return Ok(response),
                Attempt::Again(_, wait) => sleep(wait.unwrap_or(delay)).await,
            }
            delay = LAST_DELAY.min(delay * 2);
        }
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", self.server);
        self.http.request(method, url).bearer_auth(&self.token)
    }
}

/// Sends a request once. An error is final.
async fn attempt(request: RequestBuilder, repeat: Repeat) -> Result<Attempt, Error> {
    let response = match request.send().await {
        Ok(response) => response,
        Err(error) if error.is_builder() => return Err(error.into()),
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
    let wait = wait.map(Duration::from_secs);
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

fn read<A: DeserializeOwned>(text: &str) -> Result<A, Error> {
    serde_json::from_str(text).map_err(|error| Error::Unreadable(error.to_string()))
}
