//! People at their browsers and programs: who asks, and what they are answered.

use super::app::PATIENCE;
use super::stream::Stream;
use reqwest::cookie::{CookieStore as _, Jar};
use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Client, RequestBuilder, redirect};
use serde_json::Value;
use std::net::SocketAddr;
use std::ops::Deref;
use std::sync::Arc;

/// The password of everybody.
pub(crate) const PASSWORD: &str = "correct horse";

/// Somebody at an address, with cookies.
#[derive(Clone)]
pub(crate) struct Visitor {
    client: Client,
    jar: Arc<Jar>,
    address: SocketAddr,
}

/// A visitor with an account who is signed in.
#[derive(Clone)]
pub(crate) struct Player {
    visitor: Visitor,
    pub(crate) id: i64,
    pub(crate) name: String,
}

/// What the server said.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Visitor {
    pub(crate) fn at(address: SocketAddr) -> Self {
        let jar = Arc::new(Jar::default());
        let client = Client::builder()
            .cookie_provider(jar.clone())
            .redirect(redirect::Policy::none())
            .read_timeout(PATIENCE)
            .build()
            .expect("a client");
        Self {
            client,
            jar,
            address,
        }
    }

    /// The same cookies at another instance.
    pub(crate) fn moved_to(&self, address: SocketAddr) -> Self {
        let moved = Self::at(address);
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

    /// What a request of this visitor carries as its `Cookie`.
    pub(crate) fn cookies(&self) -> String {
        self.jar
            .cookies(&self.url("/").parse().expect("a URL"))
            .map(|value| value.to_str().expect("cookies are ASCII").to_owned())
            .unwrap_or_default()
    }

    /// A request to be completed and [sent](send).
    pub(crate) fn asks(&self, method: reqwest::Method, path: &str) -> RequestBuilder {
        self.client.request(method, self.url(path))
    }

    pub(crate) fn posts(&self, path: &str) -> RequestBuilder {
        self.asks(reqwest::Method::POST, path)
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        send(self.asks(reqwest::Method::GET, path)).await
    }

    pub(crate) async fn post(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        send(self.posts(path).form(form)).await
    }

    /// Opens a stream.
    pub(crate) async fn stream(&self, path: &str) -> Stream {
        open(self.asks(reqwest::Method::GET, path)).await
    }

    /// Comes back to a stream as a browser does: with the id of the last event it has seen.
    pub(crate) async fn resume(&self, path: &str, last: u32) -> Stream {
        open(
            self.asks(reqwest::Method::GET, path)
                .header("last-event-id", last.to_string()),
        )
        .await
    }

    /// Opens an account and is its player from then on.
    pub(crate) async fn register(self, name: &str) -> Player {
        let account = self
            .post("/api/register", &[("name", name), ("password", PASSWORD)])
            .await
            .given();
        Player {
            visitor: self,
            id: account["id"].as_i64().expect("an id"),
            name: account["name"].as_str().expect("a name").to_owned(),
        }
    }

    pub(crate) async fn snapshot(&self, id: i64) -> Value {
        self.get(&format!("/api/match?id={id}")).await.given()
    }
}

impl Deref for Player {
    type Target = Visitor;

    fn deref(&self) -> &Visitor {
        &self.visitor
    }
}

impl Player {
    /// A visitor who has become this player.
    pub(crate) fn known(visitor: Visitor, id: i64, name: String) -> Self {
        Self { visitor, id, name }
    }

    /// The same player at another instance.
    pub(crate) fn moved_to(&self, address: SocketAddr) -> Self {
        Self {
            visitor: self.visitor.moved_to(address),
            ..self.clone()
        }
    }

    /// Comes into the waiting room of Dots; the stream has passed its snapshot.
    pub(crate) async fn waits(&self) -> Stream {
        self.waits_for("dots").await
    }

    /// Comes into the waiting room of a game.
    pub(crate) async fn waits_for(&self, game: &str) -> Stream {
        let mut stream = self.stream(&format!("/events/lobby?game={game}")).await;
        stream.expect("snapshot").await;
        stream
    }

    /// Challenges another to Dots, with more fields of the form.
    pub(crate) async fn challenges(&self, other: &Player, more: &[(&str, &str)]) -> Answer {
        self.challenges_to("dots", other, more).await
    }

    /// Challenges another to a game.
    pub(crate) async fn challenges_to(
        &self,
        game: &str,
        other: &Player,
        more: &[(&str, &str)],
    ) -> Answer {
        let opponent = other.id.to_string();
        let form = [&[("opponent", opponent.as_str()), ("game", game)], more].concat();
        self.post("/api/challenge", &form).await
    }

    pub(crate) async fn answers(&self, challenge: i64, accept: bool) -> Answer {
        let (id, accept) = (challenge.to_string(), accept.to_string());
        self.post("/api/answer_challenge", &[("id", &id), ("accept", &accept)])
            .await
    }

    pub(crate) async fn cancels(&self, challenge: i64) -> Answer {
        self.post("/api/cancel_challenge", &[("id", &challenge.to_string())])
            .await
    }

    pub(crate) async fn moves(&self, id: i64, mv: &str, more: &[(&str, &str)]) -> Answer {
        let id = id.to_string();
        let form = [&[("match_id", id.as_str()), ("mv", mv)], more].concat();
        self.post("/api/move", &form).await
    }

    /// Offers `draw`, `finish` or `takeback`.
    pub(crate) async fn offers(&self, id: i64, kind: &str) -> Answer {
        self.post(
            "/api/offer",
            &[("match_id", &id.to_string()), ("kind", kind)],
        )
        .await
    }

    pub(crate) async fn answers_offer(&self, id: i64, accept: bool) -> Answer {
        let (id, accept) = (id.to_string(), accept.to_string());
        self.post(
            "/api/answer_offer",
            &[("match_id", &id), ("accept", &accept)],
        )
        .await
    }

    pub(crate) async fn cancels_offer(&self, id: i64) -> Answer {
        self.post("/api/cancel_offer", &[("match_id", &id.to_string())])
            .await
    }

    pub(crate) async fn wants_another(&self, id: i64) -> Answer {
        self.post("/api/rematch", &[("match_id", &id.to_string())])
            .await
    }

    pub(crate) async fn resigns(&self, id: i64) -> Answer {
        self.post("/api/resign", &[("match_id", &id.to_string())])
            .await
    }
}

impl Answer {
    /// The body as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    /// What was asked for.
    #[track_caller]
    pub(crate) fn given(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()
    }

    /// The id under this name in what was asked for.
    #[track_caller]
    pub(crate) fn id(&self, name: &str) -> i64 {
        let body = self.given();
        body[name]
            .as_i64()
            .unwrap_or_else(|| panic!("no {name} in {body}"))
    }

    /// The version of a command that was carried out.
    #[track_caller]
    pub(crate) fn version(&self) -> u32 {
        u32::try_from(self.id("version")).expect("versions are small")
    }

    /// A refusal with this status and code, in the shape of all refusals.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, code: &str) -> Value {
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

    /// The code of a refusal; nothing where it was none.
    pub(crate) fn code(&self) -> Option<String> {
        if self.status == 200 {
            return None;
        }
        Some(self.json()["code"].as_str()?.to_owned())
    }

    /// A header's value.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .get(name)
            .map(|value| value.to_str().expect("headers are ASCII"))
    }

    /// All cookies it sets, with their attributes.
    pub(crate) fn cookies(&self) -> Vec<&str> {
        self.headers
            .get_all("set-cookie")
            .into_iter()
            .filter_map(|value: &HeaderValue| value.to_str().ok())
            .collect()
    }
}

/// Sends a request and reads the whole answer.
pub(crate) async fn send(request: RequestBuilder) -> Answer {
    try_send(request).await.expect("the server answers")
}

/// The same where the server may be gone.
pub(crate) async fn try_send(request: RequestBuilder) -> reqwest::Result<Answer> {
    let response = request.send().await?;
    Ok(Answer {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        text: response.text().await?,
    })
}

async fn open(request: RequestBuilder) -> Stream {
    try_open(request).await.expect("the stream opens")
}

/// Opens a stream where the server may be gone.
pub(crate) async fn try_open(request: RequestBuilder) -> reqwest::Result<Stream> {
    let response = request.send().await?.error_for_status()?;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    Ok(Stream::new(response))
}
