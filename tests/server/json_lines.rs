//! Streams as lines of JSON, for programs; the speed at which they may talk; and requests for unchanged data.

use super::app::{SMALL, TIMEOUT, TestApp, begin, start_match};
use super::player::{Visitor, send};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use std::num::NonZeroU32;
use tokio::time::timeout;

/// A stream of lines.
struct Lines {
    response: Response,
    rest: Vec<u8>,
}

impl Lines {
    async fn open(visitor: &Visitor, path: &str, accept: &str) -> Self {
        let request = visitor
            .request(Method::GET, path)
            .header("accept", accept)
            .header("accept-encoding", "gzip, br");
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        let headers = response.headers();
        assert_eq!(headers["content-type"], "application/x-ndjson");
        assert!(!headers.contains_key("content-encoding"));
        Self {
            response,
            rest: Vec::new(),
        }
    }

    /// Returns the next line, without its end.
    async fn line(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                return Some(String::from_utf8(line).unwrap().trim_end().to_owned());
            }
            let chunk = timeout(TIMEOUT, self.response.chunk()).await;
            self.rest.extend(chunk.expect("a line comes").unwrap()?);
        }
    }

    /// Returns the next event of this name.
    async fn event(&mut self, name: &str) -> Value {
        loop {
            let line = self.line().await.expect("the stream goes on");
            if line.is_empty() {
                continue;
            }
            let event: Value = serde_json::from_str(&line).expect("JSON");
            if event["event"] == name {
                return event;
            }
        }
    }
}

const JSON_LINES: &str = "application/x-ndjson";

#[tokio::test]
async fn a_stream_of_json_resumes_without_gap_or_repeat() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let path = format!("/events/match/{id}");
    let mut first = Lines::open(&ann, &path, "text/html, Application/X-NDJSON;q=0.9").await;
    assert_eq!(first.line().await.unwrap(), "", "the stream is open");
    let moved = first.event("moved").await;
    assert_eq!(
        (&moved["id"], &moved["data"]["mv"]),
        (&json!(1), &json!("0,4"))
    );
    assert_eq!(first.event("moved").await["id"], 2);
    drop(first);
    bob.offer(id, "draw").await.assert_ok();
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    let mut again = Lines::open(&ann, &format!("{path}?after=2"), JSON_LINES).await;
    assert_eq!(again.event("offered").await["id"], 3);
    let heartbeat = async { while !again.line().await.unwrap().is_empty() {} };
    timeout(TIMEOUT, heartbeat).await.expect("a heartbeat");
    bob.resign(id).await.assert_ok();
    let finished = again.event("finished").await;
    assert_eq!(finished["data"]["result"]["reason"], "resigned");
}

#[tokio::test]
async fn every_stream_comes_as_json_and_tells_its_end() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let program = ann.as_program("play").await;
    let link = ann.open_table(&[]).await.assert_ok()["link"].clone();
    let link = link.as_str().unwrap();
    let mut streams = Vec::new();
    for (path, event) in [
        ("/events/lobby?game=dots", "snapshot"),
        ("/events/me?available=dots", "snapshot"),
        (&format!("/events/table/{link}"), "table"),
    ] {
        let mut stream = Lines::open(&program, path, JSON_LINES).await;
        let first = stream.event(event).await;
        assert!(
            first["data"].is_object() && first.get("id").is_none(),
            "{first}"
        );
        streams.push(stream);
    }
    let id = ann.get("/api/tokens").await.assert_ok()[0]["id"].to_string();
    ann.post("/api/end_token", &[("id", &id)]).await.assert_ok();
    for stream in &mut streams {
        assert_eq!(stream.event("signed_out").await["data"], json!({}));
        while let Some(line) = stream.line().await {
            assert_eq!(line, "");
        }
    }
}

#[tokio::test]
async fn moves_of_a_match_are_limited() {
    let app = TestApp::with_settings(|settings| {
        settings.moves_per_second = NonZeroU32::new(3).unwrap();
    })
    .await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let tries = (0..20).map(async |_| ann.make_move(id, "9,9", &[]).await);
    let answers = futures::future::join_all(tries).await;
    let refused = answers.iter().find(|answer| answer.status == 429);
    let refused = refused.expect("some are too many");
    refused.assert_error(429, "too_many_requests");
    assert_eq!(refused.header("retry-after"), Some("1"));
    let (carl, dora) = (app.with_user("carl").await, app.with_user("dora").await);
    let other = start_match(&carl, &dora, SMALL).await;
    carl.make_move(other, "1,1", &[]).await.assert_ok();
}

#[tokio::test]
async fn an_unchanged_match_is_not_sent_again() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let ask = async |tag: &str, more: &str| {
        let path = format!("/api/match?id={id}{more}");
        let request = app.visitor().request(Method::GET, &path);
        send(request.header("if-none-match", tag)).await
    };
    let first = ask("\"none\"", "").await;
    first.assert_ok();
    let tag = first.header("etag").unwrap().to_owned();
    assert!(tag.starts_with("W/\"2-"), "{tag}");
    for known in [&tag, &format!("\"x\", {tag}"), tag.trim_start_matches("W/")] {
        let same = ask(known, "").await;
        assert_eq!((same.status, same.text.as_str()), (304, ""));
        assert_eq!(same.header("etag"), Some(&*tag));
    }
    // The time is not part of the match.
    assert_eq!(ask(&tag, "&timed=true").await.status, 304);
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    let changed = ask(&tag, "").await;
    assert_eq!(changed.assert_ok()["version"], 3);
    assert_ne!(changed.header("etag"), Some(&*tag));
    // The present players are part of it.
    let tag = changed.header("etag").unwrap().to_owned();
    let mut watching = ann.stream(&format!("/events/match/{id}")).await;
    watching.next_named("moved").await;
    let present = ask(&tag, "").await;
    assert_ne!(present.header("etag"), Some(&*tag), "{}", present.text);
    // Pages have none.
    assert!(
        ann.get(&format!("/match/{id}"))
            .await
            .header("etag")
            .is_none()
    );
}
