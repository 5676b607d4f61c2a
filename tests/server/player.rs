//! HTTP clients of the server: visitors and players, their requests, and the responses.

use super::app::TIMEOUT;
use super::described::check_answer;
use super::sse_client::Stream;
use reqwest::cookie::{CookieStore as _, Jar};
use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Client, ClientBuilder, RequestBuilder, redirect};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use serde_json::Value;
use std::fmt::Display;
use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::Arc;

/// The password of every test player.
pub(crate) const PASSWORD: &str = "correct horse";

/// Returns a client for HTTP alone: it knows no certificates, which the machine would have to be asked for.
pub(crate) fn client_builder() -> ClientBuilder {
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let versions = config.with_safe_default_protocol_versions();
    let versions = versions.expect("versions of TLS");
    let roots = versions.with_root_certificates(RootCertStore::empty());
    Client::builder().tls_backend_preconfigured(roots.with_no_client_auth())
}

/// A client with a cookie jar, at one instance.
#[derive(Clone)]
pub(crate) struct Visitor {
    client: Client,
    jar: Arc<Jar>,
    address: SocketAddr,
    /// The token that a program sends in place of cookies.
    token: Option<String>,
}

/// A visitor who is signed in.
#[derive(Clone)]
pub(crate) struct Player {
    visitor: Visitor,
    pub(crate) id: i64,
    pub(crate) name: String,
}

/// A response, read in full.
#[derive(Clone, Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Visitor {
    pub(crate) fn at(address: SocketAddr) -> Self {
        let jar = Arc::new(Jar::default());
        let client = client_builder()
            .cookie_provider(jar.clone())
            .redirect(redirect::Policy::none())
            .read_timeout(TIMEOUT)
            // On a busy machine the server may close an idle connection just as the next request is written to it.
            .pool_max_idle_per_host(0)
            .build()
            .expect("a client");
        Self {
            client,
            jar,
            address,
            token: None,
        }
    }

    /// Returns a program at the same instance that sends this token with every request, and has no cookies.
    pub(crate) fn with_token(&self, token: &str) -> Self {
        Self {
            token: Some(token.to_owned()),
            ..Self::at(self.address)
        }
    }

    /// Returns a client with the same cookies, or the same token, at another instance.
    pub(crate) fn at_instance(&self, address: SocketAddr) -> Self {
        let moved = Self {
            token: self.token.clone(),
            ..Self::at(address)
        };
        for cookie in self.cookies().split("; ").filter(|pair| !pair.is_empty()) {
            moved
                .jar
                .add_cookie_str(cookie, &moved.url("/").parse().expect("a URL"));
        }
        moved
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the `Cookie` header that this visitor sends.
    pub(crate) fn cookies(&self) -> String {
        self.jar
            .cookies(&self.url("/").parse().expect("a URL"))
            .map(|value| value.to_str().expect("cookies are ASCII").to_owned())
            .unwrap_or_default()
    }

    /// Returns a request to complete and [`send`].
    pub(crate) fn request(&self, method: reqwest::Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, self.url(path));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    pub(crate) fn post_request(&self, path: &str) -> RequestBuilder {
        self.request(reqwest::Method::POST, path)
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        send(self.request(reqwest::Method::GET, path)).await
    }

    pub(crate) async fn post(&self, path: &str, form: &[(&str, &str)]) -> Response {
        send(self.post_request(path).form(form)).await
    }

    /// Opens a stream.
    pub(crate) async fn stream(&self, path: &str) -> Stream {
        open(self.request(reqwest::Method::GET, path)).await
    }

    /// Resumes a stream as a browser does: with the id of the last event.
    pub(crate) async fn resume(&self, path: &str, last: impl Display) -> Stream {
        open(
            self.request(reqwest::Method::GET, path)
                .header("last-event-id", last.to_string()),
        )
        .await
    }

    /// Registers an account and signs in.
    pub(crate) async fn register(self, name: &str) -> Player {
        let account = self
            .post("/api/register", &[("name", name), ("password", PASSWORD)])
            .await
            .assert_ok();
        Player {
            visitor: self,
            id: account["id"].as_i64().expect("an id"),
            name: account["name"].as_str().expect("a name").to_owned(),
        }
    }

    pub(crate) async fn snapshot(&self, id: i64) -> Value {
        self.get(&format!("/api/match?id={id}")).await.assert_ok()
    }
}

impl Deref for Player {
    type Target = Visitor;

    fn deref(&self) -> &Visitor {
        &self.visitor
    }
}

impl Player {
    /// Returns a visitor who is signed in as this player.
    pub(crate) fn from_visitor(visitor: Visitor, id: i64, name: String) -> Self {
        Self { visitor, id, name }
    }

    /// Returns this player at another instance.
    pub(crate) fn at_instance(&self, address: SocketAddr) -> Self {
        Self {
            visitor: self.visitor.at_instance(address),
            ..self.clone()
        }
    }

    /// Makes a token with these scopes.
    pub(crate) async fn create_token(&self, scopes: &str) -> String {
        let form = [
            ("name", "a bot"),
            ("scopes", scopes),
            ("end", "month"),
            ("password", PASSWORD),
        ];
        let made = self.post("/api/create_token", &form).await.assert_ok();
        made["token"].as_str().expect("a token").to_owned()
    }

    /// Returns this player with a new token of these scopes.
    pub(crate) async fn as_program(&self, scopes: &str) -> Self {
        let token = self.create_token(scopes).await;
        Self {
            visitor: self.visitor.with_token(&token),
            ..self.clone()
        }
    }

    /// Joins the lobby of Dots; the stream is past its snapshot.
    pub(crate) async fn join_lobby(&self) -> Stream {
        self.join_lobby_of("dots").await
    }

    /// Joins the lobby of a game.
    pub(crate) async fn join_lobby_of(&self, game: &str) -> Stream {
        let mut stream = self.stream(&format!("/events/lobby?game={game}")).await;
        stream.expect("snapshot").await;
        stream
    }

    /// Challenges another player to Dots, with more fields.
    pub(crate) async fn challenge(&self, other: &Player, more: &[(&str, &str)]) -> Response {
        self.challenge_to("dots", other, more).await
    }

    /// Challenges another player to a game.
    pub(crate) async fn challenge_to(
        &self,
        game: &str,
        other: &Player,
        more: &[(&str, &str)],
    ) -> Response {
        let opponent = other.id.to_string();
        let form = [&[("opponent", opponent.as_str()), ("game", game)], more].concat();
        self.post("/api/challenge", &form).await
    }

    pub(crate) async fn answer_challenge(&self, challenge: i64, accept: bool) -> Response {
        let (id, accept) = (challenge.to_string(), accept.to_string());
        self.post("/api/answer_challenge", &[("id", &id), ("accept", &accept)])
            .await
    }

    pub(crate) async fn cancel_challenge(&self, challenge: i64) -> Response {
        self.post("/api/cancel_challenge", &[("id", &challenge.to_string())])
            .await
    }

    pub(crate) async fn make_move(&self, id: i64, mv: &str, more: &[(&str, &str)]) -> Response {
        let id = id.to_string();
        let form = [&[("match_id", id.as_str()), ("mv", mv)], more].concat();
        self.post("/api/move", &form).await
    }

    /// Offers `draw`, `finish` or `takeback`.
    pub(crate) async fn offer(&self, id: i64, kind: &str) -> Response {
        self.post(
            "/api/offer",
            &[("match_id", &id.to_string()), ("kind", kind)],
        )
        .await
    }

    pub(crate) async fn answer_offer(&self, id: i64, accept: bool) -> Response {
        let (id, accept) = (id.to_string(), accept.to_string());
        self.post(
            "/api/answer_offer",
            &[("match_id", &id), ("accept", &accept)],
        )
        .await
    }

    /// Answers the offer of this version.
    pub(crate) async fn answer_offer_of(&self, id: i64, accept: bool, offer: u32) -> Response {
        let (id, accept, offer) = (id.to_string(), accept.to_string(), offer.to_string());
        let form = [("match_id", &*id), ("accept", &*accept), ("offer", &*offer)];
        self.post("/api/answer_offer", &form).await
    }

    pub(crate) async fn cancel_offer(&self, id: i64) -> Response {
        self.post("/api/cancel_offer", &[("match_id", &id.to_string())])
            .await
    }

    pub(crate) async fn request_rematch(&self, id: i64) -> Response {
        self.post("/api/rematch", &[("match_id", &id.to_string())])
            .await
    }

    pub(crate) async fn abort(&self, id: i64) -> Response {
        self.post("/api/abort", &[("match_id", &id.to_string())])
            .await
    }

    pub(crate) async fn resign(&self, id: i64) -> Response {
        self.post("/api/resign", &[("match_id", &id.to_string())])
            .await
    }
}

impl Response {
    /// Returns the body as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    /// Returns the body of a success, as JSON.
    #[track_caller]
    pub(crate) fn assert_ok(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()
    }

    /// Returns the id in this field of a success.
    #[track_caller]
    pub(crate) fn id(&self, name: &str) -> i64 {
        let body = self.assert_ok();
        body[name]
            .as_i64()
            .unwrap_or_else(|| panic!("no {name} in {body}"))
    }

    /// Returns the version in the response to a successful command.
    #[track_caller]
    pub(crate) fn version(&self) -> u32 {
        u32::try_from(self.id("version")).expect("versions are small")
    }

    /// Checks that this is an error with this status and code. Returns its body.
    #[track_caller]
    pub(crate) fn assert_error(&self, status: u16, code: &str) -> Value {
        let body = self.json();
        assert_eq!(
            (self.status, body["code"].as_str()),
            (status, Some(code)),
            "{self:?}"
        );
        assert!(
            body["message"]
                .as_str()
                .is_some_and(|words| !words.is_empty()),
            "{body}"
        );
        body
    }

    /// Returns the error code; `None` for a success.
    pub(crate) fn code(&self) -> Option<String> {
        if self.status == 200 {
            return None;
        }
        Some(self.json()["code"].as_str()?.to_owned())
    }

    /// Returns a header's value.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .get(name)
            .map(|value| value.to_str().expect("headers are ASCII"))
    }

    /// Returns all cookies that the response sets, with their attributes.
    pub(crate) fn cookies(&self) -> Vec<&str> {
        self.headers
            .get_all("set-cookie")
            .into_iter()
            .filter_map(|value: &HeaderValue| value.to_str().ok())
            .collect()
    }
}

/// Sends a request and reads the whole response.
pub(crate) async fn send(request: RequestBuilder) -> Response {
    try_send(request).await.expect("the server answers")
}

/// Sends a request as [`send`] does, where the server may be down.
pub(crate) async fn try_send(request: RequestBuilder) -> reqwest::Result<Response> {
    let (client, request) = request.build_split();
    let request = request?;
    let (method, path) = (request.method().clone(), request.url().path().to_owned());
    let response = client.execute(request).await?;
    let answer = Response {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        text: response.text().await?,
    };
    // An answer that was asked for in another encoding is left to the test.
    if answer.header("content-encoding").is_none() {
        let kind = answer.header("content-type").unwrap_or_default();
        check_answer(&method, &path, answer.status, kind, &answer.text);
    }
    Ok(answer)
}

async fn open(request: RequestBuilder) -> Stream {
    try_open(request).await.expect("the stream opens")
}

/// Opens a stream, where the server may be down.
pub(crate) async fn try_open(request: RequestBuilder) -> reqwest::Result<Stream> {
    let response = request.send().await?.error_for_status()?;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    Ok(Stream::new(response))
}
