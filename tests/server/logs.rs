//! The log of a real server: the id of a request in each of its lines, and the names of security events.

use super::app::wait_until;
use super::app::{SMALL, begin, start_match};
use super::cluster::Database;
use super::player::{PASSWORD, Visitor, send};
use super::process::Server;
use reqwest::Method;
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;
use tochki_server::moderation;

/// Starts a server that logs JSON into a file.
async fn logging_server(more: &[(&'static str, &str)]) -> (Server, TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut settings = vec![
        ("LOG_FORMAT", "json".to_owned()),
        ("RUST_LOG", "info".to_owned()),
    ];
    settings.extend(
        more.iter()
            .map(|(name, value)| (*name, (*value).to_owned())),
    );
    let log = folder.path().join("log");
    let server = Server::start_logging(Database::fresh().await, settings, log).await;
    (server, folder)
}

/// Waits for a line that is as wanted.
async fn line(folder: &TempDir, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    wait_until(what, async || {
        lines(folder.path()).into_iter().find(&wanted)
    })
    .await
}

/// Returns all complete lines. Each is JSON.
fn lines(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("log")).expect("the log");
    let complete = text.rsplit_once('\n').map_or("", |(complete, _)| complete);
    complete
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}")))
        .collect()
}

async fn sign_in(visitor: &Visitor, id: &str) -> u16 {
    let asked = visitor
        .request(Method::POST, "/api/login")
        .header("x-request-id", id);
    let form = [("name", "ann"), ("password", "typed by somebody")];
    send(asked.form(&form)).await.status
}

#[tokio::test]
async fn the_id_of_a_request_is_in_the_line_of_the_statement_that_failed() {
    let (server, folder) = logging_server(&[]).await;
    let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    sqlx::raw_sql("alter table match_events rename to gone")
        .execute(&server.db)
        .await
        .unwrap();
    let (number, request) = (id.to_string(), "move-4711");
    let form = [("match_id", number.as_str()), ("mv", "1,1")];
    let asked = ann
        .post_request("/api/move")
        .header("x-request-id", request);
    let answer = send(asked.form(&form)).await;
    answer.assert_error(500, "internal");
    assert_eq!(answer.header("x-request-id"), Some(request));
    let failed = line(&folder, "the failure", |line| line["span"]["id"] == request).await;
    let told = failed.to_string();
    for part in [
        "a request failed",
        "db/appends.rs:",
        &format!("match {id}"),
        "127.0.0.1",
    ] {
        assert!(told.contains(part), "no {part} in {told}");
    }
}

#[tokio::test]
async fn an_id_that_is_no_plain_word_is_replaced() {
    let (server, _folder) = logging_server(&[]).await;
    let visitor = server.visitor();
    for odd in ["two words", "a\"b", &"a".repeat(65)] {
        let asked = visitor
            .request(Method::GET, "/healthz")
            .header("x-request-id", odd);
        let answer = send(asked).await;
        let made = answer.header("x-request-id").expect("an id");
        assert!(
            made.len() == 16 && made.chars().all(|c| c.is_ascii_hexdigit()),
            "{made}"
        );
    }
}

#[tokio::test]
async fn security_events_have_names() {
    let (server, folder) =
        logging_server(&[("SIGN_IN_BY_NAME", "1"), ("STREAMS_BY_SESSION", "1")]).await;
    let ann = server.with_user("ann").await;
    let visitor = server.visitor();
    assert_eq!(sign_in(&visitor, "first").await, 401);
    assert_eq!(sign_in(&visitor, "second").await, 429);
    let _stream = ann.stream("/events/me").await;
    ann.get("/events/me")
        .await
        .assert_error(429, "too_many_streams");
    let of_target = |target: &'static str| move |line: &Value| line["target"] == target;
    let failed = line(&folder, "auth.failed", of_target("auth.failed")).await;
    assert_eq!(failed["span"]["id"], "first");
    assert_eq!(failed["span"]["client"], "127.0.0.1");
    let limited = line(&folder, "auth.limited", of_target("auth.limited")).await;
    assert_eq!(limited["span"]["id"], "second");
    line(&folder, "rate.limited", of_target("rate.limited")).await;

    let bob = server.with_user("bob").await;
    moderation::appoint(&server.db, "ann")
        .await
        .expect("an operator");
    ann.act("mute", &bob, &[("length", "ever")])
        .await
        .assert_ok();
    let act = line(&folder, "operator.act", of_target("operator.act")).await;
    assert_eq!(act["fields"]["operator"], ann.id);
    assert_eq!(act["fields"]["player"], bob.id);
    let text = std::fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(
        !text.contains("typed by somebody") && !text.contains(PASSWORD),
        "{text}"
    );
}
