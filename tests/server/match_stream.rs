//! The stream of a match: no gap and no repeat, with broken connections and slow readers, too.

use super::app::{SMALL, TIMEOUT, TestApp, start_match};
use super::player::{Player, send};
use super::sse_client::{Event, Frame, Stream};
use reqwest::Method;
use reqwest::header::HeaderValue;
use serde_json::json;
use tokio::time::timeout;

/// Plays a match of nine moves, which seat 2 then resigns: versions 1 to 10.
async fn finished_match(ann: &Player, bob: &Player) -> i64 {
    let id = start_match(ann, bob, SMALL).await;
    for n in 0..9 {
        let name = format!("m{n}");
        let form = [("client_id", name.as_str())];
        let mv = format!("{},{}", n % 5, n / 5);
        [ann, bob][n % 2]
            .make_move(id, &mv, &form)
            .await
            .assert_ok();
    }
    bob.resign(id).await.assert_ok();
    id
}

#[track_caller]
fn assert_versions(events: &[Event], versions: impl Iterator<Item = u32>) {
    let ids: Vec<_> = events.iter().map(|event| event.id).collect();
    let expected: Vec<_> = versions.map(Some).collect();
    assert_eq!(ids, expected, "{events:?}");
}

#[tokio::test]
async fn stream_resumes_from_every_version() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = finished_match(&ann, &bob).await;
    let path = format!("/events/match/{id}");
    let all = app.visitor().stream(&path).await.take(10).await;
    assert_versions(&all, 1..=10);
    assert!(all[..9].iter().all(|event| event.name == "moved"));
    assert_eq!(all[9].name, "finished");

    // With and without the match in the server's cache.
    let fresh = app.another_instance().await;
    for instance in [&app, &fresh] {
        let visitor = instance.visitor();
        for version in 0..10 {
            let rest = &all[version as usize..];
            let mut after = visitor.stream(&format!("{path}?after={version}")).await;
            assert_eq!(after.take(rest.len()).await, rest);
            let mut resumed = visitor.resume(&path, version).await;
            assert_eq!(resumed.take(rest.len()).await, rest);
            // `Last-Event-ID` is newer than the page's `after`.
            let mut both = visitor.resume(&format!("{path}?after=0"), version).await;
            assert_eq!(both.take(rest.len()).await, rest);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn repeatedly_cut_stream_misses_nothing() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let visitor = app.visitor();
    let reader = tokio::spawn(async move {
        let mut seen: Vec<Event> = Vec::new();
        while seen.last().is_none_or(|event| event.name != "finished") {
            let mut stream = visitor.resume(&path, seen.len() as u32).await;
            // One or two events before the connection breaks.
            let take = 1 + seen.len() % 2;
            for _ in 0..take {
                seen.push(stream.next().await);
                if seen.last().is_some_and(|event| event.name == "finished") {
                    break;
                }
            }
        }
        seen
    });
    for n in 0..25 {
        let mv = format!("{},{}", n % 5, n / 5);
        [&ann, &bob][n % 2]
            .make_move(id, &mv, &[])
            .await
            .assert_ok();
    }
    let seen = timeout(TIMEOUT, reader).await.unwrap().unwrap();
    assert_versions(&seen, 1..=26);
    let whole = app
        .visitor()
        .stream(&format!("/events/match/{id}"))
        .await
        .take(26)
        .await;
    assert_eq!(seen, whole);
}

#[tokio::test]
async fn version_ahead_of_the_match_gets_resync() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    ann.make_move(id, "0,0", &[]).await.assert_ok();
    for mut stream in [
        ann.stream(&format!("/events/match/{id}?after=2")).await,
        ann.resume(&format!("/events/match/{id}"), u32::MAX).await,
    ] {
        let resync = stream.next().await;
        assert_eq!(
            (resync.id, resync.name.as_str(), &resync.data),
            (None, "resync", &json!({}))
        );
    }
    let mut stream = ann.stream(&format!("/events/match/{id}?after=2")).await;
    stream.expect("resync").await;
    bob.make_move(id, "1,1", &[]).await.assert_ok();
    assert_eq!(stream.next().await.id, Some(2), "and goes on from there");
}

#[tokio::test]
async fn stream_stays_open_after_the_end() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = finished_match(&ann, &bob).await;
    let mut stream = app
        .visitor()
        .stream(&format!("/events/match/{id}?after=9"))
        .await;
    stream.expect("finished").await;
    let mut at_the_end = ann.resume(&format!("/events/match/{id}"), 10).await;
    tokio::join!(
        assert_keep_alive(&mut stream),
        assert_keep_alive(&mut at_the_end)
    );
}

#[tokio::test]
async fn idle_streams_get_heartbeats() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let mut table = ann.stream(&format!("/events/match/{id}")).await;
    let mut lobby = bob.join_lobby().await;
    tokio::join!(assert_keep_alive(&mut table), assert_keep_alive(&mut lobby));
}

/// Checks that the server sends comments, or heartbeats in a waiting room, while there are no events.
async fn assert_keep_alive(stream: &mut Stream) {
    let is_heartbeat = |frame: &Frame| match frame {
        Frame::Comment(comment) => comment == ":",
        Frame::Event(event) => event.name == "heartbeat",
    };
    // Every 3 s by contract.
    for _ in 0..2 {
        let sign =
            async { while !is_heartbeat(&stream.frame().await.expect("the stream goes on")) {} };
        timeout(TIMEOUT, sign).await.expect("a heartbeat");
    }
}

#[tokio::test]
async fn anyone_can_watch_and_only_players_are_present() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let mut visitors = app.visitor().stream(&path).await;
    let mut eves = eve.stream(&path).await;
    assert_eq!(eve.snapshot(id).await["present"], json!([false, false]));
    let _bobs = bob.stream(&path).await;
    assert_eq!(eve.snapshot(id).await["present"], json!([false, true]));
    ann.make_move(id, "2,2", &[]).await.assert_ok();
    for stream in [&mut visitors, &mut eves] {
        assert_eq!(stream.expect("moved").await["mv"], "2,2");
    }
}

#[tokio::test]
async fn page_load_without_scripts_counts_as_presence() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    for visitor in [&eve, &bob] {
        assert_eq!(visitor.get(&format!("/match/{id}")).await.status, 200);
    }
    assert_eq!(ann.snapshot(id).await["present"], json!([false, true]));
}

#[tokio::test]
async fn unknown_match_has_no_stream() {
    let app = TestApp::init().await;
    for id in ["1", "0", "-1", "x", "99999999999999999999", "%00"] {
        app.visitor()
            .get(&format!("/events/match/{id}"))
            .await
            .assert_error(404, "no_such_match");
    }
}

#[tokio::test]
async fn streams_are_neither_buffered_nor_compressed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let asks = ann
        .request(Method::GET, &format!("/events/match/{id}"))
        .header("accept-encoding", "gzip, br");
    let response = asks.send().await.unwrap();
    let header = |name: &str| response.headers().get(name).map(HeaderValue::as_bytes);
    assert_eq!(
        header("content-encoding"),
        None,
        "events are not compressed"
    );
    assert_eq!(header("cache-control"), Some(&b"no-store"[..]));
    assert_eq!(header("x-accel-buffering"), Some(&b"no"[..]));
    let page = ann.request(Method::GET, &format!("/api/match?id={id}"));
    let page = send(page.header("accept-encoding", "br")).await;
    assert_eq!(page.header("content-encoding"), Some("br"), "answers are");
}

/// The number of events that is more than the buffers between server and client hold.
const HISTORY: usize = 100;
const HISTORY_BYTES: usize = 150_000;

#[tokio::test]
async fn slow_reader_loses_no_events() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, r#"{"width":50,"height":50}"#).await;
    let point = |n: usize| format!("{},{}", n % 50, n / 50);
    // A long history: each event is padded with blanks, so that the stream cannot be sent at once.
    for n in 0..HISTORY {
        let (seat, next) = (n % 2 + 1, (n + 1) % 2 + 1);
        let body = format!(
            r#"{{"seat":{seat},"mv":"{}","score":[0,0],"to_move":{next},"passed":false,"clock":null,"client_id":null}}"#,
            point(n)
        );
        sqlx::query(
            "insert into match_events (match_id, version, kind, body, seat) values ($1, $2, 'moved', rpad($3, $4), $5)",
        )
        .bind(id)
        .bind(n as i32 + 1)
        .bind(body)
        .bind(HISTORY_BYTES as i32)
        .bind(seat as i16)
        .execute(&app.db)
        .await
        .unwrap();
    }
    sqlx::query("update matches set version = $1")
        .bind(HISTORY as i32)
        .execute(&app.db)
        .await
        .unwrap();

    let path = format!("/events/match/{id}");
    let mut slow = app.visitor().stream(&path).await;
    let mut quick = app.visitor().resume(&path, HISTORY as u32).await;
    // More than a subscription's capacity.
    for n in HISTORY..HISTORY + 150 {
        [&ann, &bob][n % 2]
            .make_move(id, &point(n), &[])
            .await
            .assert_ok();
        assert_eq!(quick.next().await.id, Some(n as u32 + 1));
    }
    let mut read: Vec<Event> = Vec::new();
    while read.len() < HISTORY + 150 {
        match slow.event().await {
            Some(event) => read.push(event),
            // Nothing was acknowledged, so the kernel closed the connection: a browser reconnects.
            None => slow = app.visitor().resume(&path, read.len() as u32).await,
        }
    }
    assert_versions(&read, 1..=HISTORY as u32 + 150);
    for (n, event) in read.iter().enumerate() {
        assert_eq!(event.data["mv"], point(n));
    }
    ann.make_move(id, "49,49", &[]).await.assert_ok();
    assert_eq!(slow.next().await.data["mv"], "49,49", "and live again");
}
