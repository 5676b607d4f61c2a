//! The stream of a match: no gap, no repeat, whatever happens to the line and however slowly somebody reads.

use super::app::{PATIENCE, SMALL, TestApp, start_match};
use super::player::{Player, send};
use super::stream::{Event, Frame, Stream};
use reqwest::Method;
use reqwest::header::HeaderValue;
use serde_json::json;
use std::time::Duration;
use tokio::time::timeout;

/// A match of nine moves, which the second player then gives up: versions 1 to 10.
async fn finished_match(ann: &Player, bob: &Player) -> i64 {
    let id = start_match(ann, bob, SMALL).await;
    for n in 0..9 {
        let name = format!("m{n}");
        let form = [("client_id", name.as_str())];
        let mv = format!("{},{}", n % 5, n / 5);
        [ann, bob][n % 2].moves(id, &mv, &form).await.given();
    }
    bob.resigns(id).await.given();
    id
}

#[track_caller]
fn are_versions(events: &[Event], versions: impl Iterator<Item = u32>) {
    let ids: Vec<_> = events.iter().map(|event| event.id).collect();
    let expected: Vec<_> = versions.map(Some).collect();
    assert_eq!(ids, expected, "{events:?}");
}

#[tokio::test]
async fn a_cut_stream_goes_on_at_every_version() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = finished_match(&ann, &bob).await;
    let path = format!("/events/match/{id}");
    let all = app.visitor().stream(&path).await.take(10).await;
    are_versions(&all, 1..=10);
    assert!(all[..9].iter().all(|event| event.name == "moved"));
    assert_eq!(all[9].name, "finished");

    // With and without the arena's memory of the match.
    let fresh = app.another().await;
    for instance in [&app, &fresh] {
        let visitor = instance.visitor();
        for version in 0..10 {
            let rest = &all[version as usize..];
            let mut after = visitor.stream(&format!("{path}?after={version}")).await;
            assert_eq!(after.take(rest.len()).await, rest);
            let mut resumed = visitor.resume(&path, version).await;
            assert_eq!(resumed.take(rest.len()).await, rest);
            // What the browser remembers of this stream is newer than the page it was opened from.
            let mut both = visitor.resume(&format!("{path}?after=0"), version).await;
            assert_eq!(both.take(rest.len()).await, rest);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_cut_again_and_again_during_a_game_misses_nothing() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let visitor = app.visitor();
    let reader = tokio::spawn(async move {
        let mut seen: Vec<Event> = Vec::new();
        while seen.last().is_none_or(|event| event.name != "finished") {
            let mut stream = visitor.resume(&path, seen.len() as u32).await;
            // Sometimes one, sometimes two before the line breaks.
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
        [&ann, &bob][n % 2].moves(id, &mv, &[]).await.given();
    }
    let seen = timeout(PATIENCE, reader).await.unwrap().unwrap();
    are_versions(&seen, 1..=26);
    let whole = app
        .visitor()
        .stream(&format!("/events/match/{id}"))
        .await
        .take(26)
        .await;
    assert_eq!(seen, whole);
}

#[tokio::test]
async fn who_is_ahead_of_the_match_is_told_to_begin_anew() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    ann.moves(id, "0,0", &[]).await.given();
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
    bob.moves(id, "1,1", &[]).await.given();
    assert_eq!(stream.next().await.id, Some(2), "and goes on from there");
}

#[tokio::test]
async fn a_stream_stays_open_after_the_end() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = finished_match(&ann, &bob).await;
    let mut stream = app
        .visitor()
        .stream(&format!("/events/match/{id}?after=9"))
        .await;
    stream.expect("finished").await;
    let mut at_the_end = ann.resume(&format!("/events/match/{id}"), 10).await;
    tokio::join!(is_kept_alive(&mut stream), is_kept_alive(&mut at_the_end));
}

#[tokio::test]
async fn silence_is_broken_before_a_line_is_taken_for_dead() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let mut table = ann.stream(&format!("/events/match/{id}")).await;
    let mut lobby = bob.waits().await;
    tokio::join!(is_kept_alive(&mut table), is_kept_alive(&mut lobby));
}

/// The server says something, and again, where nothing happens.
async fn is_kept_alive(stream: &mut Stream) {
    // Promised every 3 s; who waits 10 s for a sign of life must get one.
    let patience = Duration::from_secs(10);
    for _ in 0..2 {
        let sign = async {
            let beat = Frame::Comment(":".into());
            while stream.frame().await.expect("the stream goes on") != beat {}
        };
        timeout(patience, sign).await.expect("a sign of life");
    }
}

#[tokio::test]
async fn anyone_may_watch_and_only_players_are_present() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let mut visitors = app.visitor().stream(&path).await;
    let mut eves = eve.stream(&path).await;
    assert_eq!(eve.snapshot(id).await["present"], json!([false, false]));
    let _bobs = bob.stream(&path).await;
    assert_eq!(eve.snapshot(id).await["present"], json!([false, true]));
    ann.moves(id, "2,2", &[]).await.given();
    for stream in [&mut visitors, &mut eves] {
        assert_eq!(stream.expect("moved").await["mv"], "2,2");
    }
}

#[tokio::test]
async fn a_page_that_runs_no_scripts_is_presence_too() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    for visitor in [&eve, &bob] {
        assert_eq!(visitor.get(&format!("/match/{id}")).await.status, 200);
    }
    assert_eq!(ann.snapshot(id).await["present"], json!([false, true]));
}

#[tokio::test]
async fn there_is_no_stream_of_a_match_that_is_not() {
    let app = TestApp::init().await;
    for id in ["1", "0", "-1", "x", "99999999999999999999", "%00"] {
        app.visitor()
            .get(&format!("/events/match/{id}"))
            .await
            .refused(404, "no_such_match");
    }
}

#[tokio::test]
async fn nothing_between_holds_events_back() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let asks = ann
        .asks(Method::GET, &format!("/events/match/{id}"))
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
    let page = ann.asks(Method::GET, &format!("/api/match?id={id}"));
    let page = send(page.header("accept-encoding", "br")).await;
    assert_eq!(page.header("content-encoding"), Some("br"), "answers are");
}

/// So much that no buffer of any system between holds it.
const HISTORY: usize = 100;
const HISTORY_BYTES: usize = 150_000;

#[tokio::test]
async fn who_reads_slowly_loses_nothing() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, r#"{"width":50,"height":50}"#).await;
    let point = |n: usize| format!("{},{}", n % 50, n / 50);
    // A long past: each event is blown up with blanks, so that a stream from its beginning cannot get away at once.
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
    // More than an instance remembers for anybody.
    for n in HISTORY..HISTORY + 150 {
        [&ann, &bob][n % 2].moves(id, &point(n), &[]).await.given();
        assert_eq!(quick.next().await.id, Some(n as u32 + 1));
    }
    let mut read: Vec<Event> = Vec::new();
    while read.len() < HISTORY + 150 {
        match slow.event().await {
            Some(event) => read.push(event),
            // Nothing was acknowledged for so long that the kernel gave up: a browser comes back.
            None => slow = app.visitor().resume(&path, read.len() as u32).await,
        }
    }
    are_versions(&read, 1..=HISTORY as u32 + 150);
    for (n, event) in read.iter().enumerate() {
        assert_eq!(event.data["mv"], point(n));
    }
    ann.moves(id, "49,49", &[]).await.given();
    assert_eq!(slow.next().await.data["mv"], "49,49", "and live again");
}
