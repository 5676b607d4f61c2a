//! A stream for several topics, as the tabs of a browser share it: each topic goes on where it was, makes its player present by
//! itself, and ends alone.

use super::absences::wait_until_absent;
use super::app::{BEGUN, SMALL, TestApp, begin, start_match, wait_until};
use super::player::{Player, Visitor, send, try_open};
use super::sse_client::{Event, Stream};
use reqwest::Method;
use serde_json::{Value, json};
use std::num::NonZeroU32;
use tochki_protocol::limits;

/// Opens a stream of these topics.
async fn open(visitor: &Visitor, topics: &str) -> Stream {
    visitor.stream(&format!("/events?topics={topics}")).await
}

/// Returns the next event of this topic and name; others before it are skipped.
async fn next_of(stream: &mut Stream, topic: &str, name: &str) -> Event {
    loop {
        let event = stream.next().await;
        if event.topic() == Some(topic) && event.name == name {
            return event;
        }
    }
}

/// Returns the next end of a topic, with its code.
async fn next_end(stream: &mut Stream) -> (String, String) {
    let ended = stream.next_named("topic_ended").await;
    let text = |name: &str| ended[name].as_str().expect("a text").to_owned();
    assert!(!text("message").is_empty());
    (text("topic"), text("code"))
}

fn link(table: &Value) -> &str {
    table["link"].as_str().expect("a link")
}

/// Returns whether players of a match are present.
async fn present(visitor: &Visitor, id: i64) -> Value {
    visitor.snapshot(id).await["present"].clone()
}

#[tokio::test]
async fn a_stream_carries_several_topics() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    let table = eve.open_table(&[]).await.assert_ok();
    let (of_match, of_table) = (format!("match:{id}"), format!("table:{}", link(&table)));
    let mut stream = open(&ann, &format!("{of_match},lobby:gomoku,me,{of_table}")).await;
    let snapshot = next_of(&mut stream, "lobby:gomoku", "snapshot").await;
    let names = |event: &Event| event.data["players"][0]["name"].clone();
    assert_eq!(names(&snapshot), "ann", "the topic is presence in the room");
    assert_eq!(
        present(&eve, id).await,
        json!([true, false]),
        "and at the match"
    );

    // Every topic is live, and each event has the topic and the versions of all.
    ann.make_move(id, "0,0", &[]).await.assert_ok();
    let moved = next_of(&mut stream, &of_match, "moved").await;
    assert_eq!(moved.shared_id, Some(format!("{of_match} {of_match}@1")));
    let _waiting = eve.join_lobby_of("gomoku").await;
    let joined = next_of(&mut stream, "lobby:gomoku", "joined").await;
    assert_eq!(joined.shared_id, Some(format!("lobby:gomoku {of_match}@1")));
    assert_eq!(joined.data["name"], "eve");
    bob.make_move(id, "1,1", &[]).await.assert_ok();
    next_of(&mut stream, "me", "your_move").await;
    let cid = app.with_user("cid").await;
    cid.sit(&table).await.assert_ok();
    loop {
        let told = next_of(&mut stream, &of_table, "table").await;
        if told.data["seats"][1]["name"] == "cid" {
            break;
        }
    }
}

#[tokio::test]
async fn each_topic_resumes_where_it_was() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (cid, dan) = (app.with_user("cid").await, app.with_user("dan").await);
    let matches = [
        start_match(&ann, &bob, SMALL).await,
        start_match(&cid, &dan, SMALL).await,
    ];
    begin(&ann, &bob, matches[0]).await;
    begin(&cid, &dan, matches[1]).await;
    let [one, other] = matches.map(|id| format!("match:{id}"));
    // The page of the second match has its first event already.
    let path = format!("/events?topics={one},{other}@1,me");
    let mut stream = ann.stream(&path).await;
    let mut last = None;
    let mut seen = Vec::new();
    while seen.len() < 3 {
        let event = stream.next().await;
        if event.name == "moved" {
            seen.push(event.topic().unwrap().to_owned());
        }
        last = event.shared_id.or(last);
    }
    seen.sort();
    assert_eq!(seen, [one.as_str(), &one, &other], "what the page has not");
    let last = last.expect("an id");
    assert!(
        last.ends_with(&format!(" {one}@{BEGUN},{other}@{BEGUN}")),
        "{last}"
    );
    drop(stream);

    ann.make_move(matches[0], "1,1", &[]).await.assert_ok();
    cid.make_move(matches[1], "2,2", &[]).await.assert_ok();
    // With and without the matches in the server's cache.
    let there = app.another_instance().await;
    for visitor in [ann.clone(), ann.at_instance(there.address)] {
        let mut resumed = visitor.resume(&path, &last).await;
        let mut moves = Vec::new();
        while moves.len() < 2 {
            let event = resumed.next().await;
            if event.name == "moved" {
                moves.push((event.topic().unwrap().to_owned(), event.data["mv"].clone()));
            }
        }
        moves.sort_by_key(|(topic, _)| *topic != one);
        assert_eq!(
            moves,
            [(one.clone(), json!("1,1")), (other.clone(), json!("2,2"))],
            "neither a gap nor a repeat"
        );
        // A topic without versions begins anew.
        let mut again = visitor.resume(&path, &last).await;
        next_of(&mut again, "me", "snapshot").await;
    }
}

#[tokio::test]
async fn an_unknown_topic_is_refused_and_one_that_is_not_there_ends_alone() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let many: Vec<String> = (0..=limits::STREAM_MAX_TOPICS)
        .map(|id| format!("match:{id}"))
        .collect();
    for (topics, code) in [
        ("", "bad_request"),
        ("watch:1", "bad_request"),
        ("me,match:x", "bad_request"),
        ("table:..", "bad_request"),
        ("lobby:chess", "unknown_game"),
        (&many.join(","), "bad_request"),
    ] {
        let path = format!("/events?topics={topics}");
        ann.get(&path).await.assert_error(400, code);
    }
    let topics = "match:999,table:0000000000,lobby:dots";
    let mut stream = open(&ann, topics).await;
    let mut ended = [next_end(&mut stream).await, next_end(&mut stream).await];
    ended.sort();
    let expected = [
        ("match:999", "no_such_match"),
        ("table:0000000000", "no_such_table"),
    ];
    assert_eq!(
        ended,
        expected.map(|(topic, code)| (topic.into(), code.into()))
    );
    next_of(&mut stream, "lobby:dots", "snapshot").await;
    // A visitor who is not signed in has no rooms, and may watch.
    let mut visitors = open(&app.visitor(), "lobby:dots,me").await;
    for topic in ["lobby:dots", "me"] {
        assert_eq!(
            next_end(&mut visitors).await,
            (topic.into(), "signed_out".into())
        );
    }
    let program = ann.as_program("read").await;
    let mut reading = open(&program, "lobby:dots,me").await;
    let refused = ("lobby:dots".into(), "out_of_scope".into());
    assert_eq!(next_end(&mut reading).await, refused);
    next_of(&mut reading, "me", "snapshot").await;
}

#[tokio::test]
async fn the_end_of_one_topic_leaves_the_others_alone() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let table = eve.open_table(&[]).await.assert_ok();
    let (of_match, of_table) = (format!("match:{id}"), format!("table:{}", link(&table)));
    let mut stream = open(&ann, &format!("{of_match}@{BEGUN},{of_table},lobby:boxes")).await;
    next_of(&mut stream, "lobby:boxes", "snapshot").await;
    bob.resign(id).await.assert_ok();
    next_of(&mut stream, &of_match, "finished").await;
    eve.stand_up(&table).await.assert_ok();
    next_of(&mut stream, &of_table, "table_closed").await;
    let _waiting = eve.join_lobby_of("boxes").await;
    let joined = next_of(&mut stream, "lobby:boxes", "joined").await;
    assert_eq!(joined.data["name"], "eve");
    // And what is said after the end of the match.
    let said = [("place", id.to_string()), ("text", "well played".into())];
    let said = said.each_ref().map(|(name, value)| (*name, value.as_str()));
    bob.post("/api/say", &said).await.assert_ok();
    next_of(&mut stream, &of_match, "said").await;
}

#[tokio::test]
async fn a_broken_topic_ends_alone() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    // No instance has it in memory.
    sqlx::query("update match_events set body = '{}' where match_id = $1")
        .bind(id)
        .execute(&app.db)
        .await
        .unwrap();
    let there = app.another_instance().await;
    let eve = app.with_user("eve").await.at_instance(there.address);
    let mut stream = open(&eve, &format!("match:{id},lobby:dots")).await;
    let (topic, code) = next_end(&mut stream).await;
    assert_eq!((topic, &*code), (format!("match:{id}"), "broken_record"));
    next_of(&mut stream, "lobby:dots", "snapshot").await;
}

#[tokio::test]
async fn a_topic_that_is_left_out_ends_its_presence_and_the_others_have_no_gap() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    // Another room than that in which they have met, where they are still present for a moment.
    let mut room = bob.join_lobby_of("boxes").await;
    let before = open(&ann, &format!("match:{id}@{BEGUN},lobby:boxes")).await;
    assert_eq!(room.next_named("joined").await["id"], ann.id);
    // The tab in the waiting room is closed: the next stream is open before the last one is closed.
    let mut after = open(&ann, &format!("match:{id}@{BEGUN}")).await;
    drop(before);
    assert_eq!(room.next_named("left").await["id"], ann.id);
    assert_eq!(present(&bob, id).await, json!([true, false]));
    let absent: i64 =
        sqlx::query_scalar("select count(*) from absences where player_id = $1 and not awaited")
            .bind(ann.id)
            .fetch_one(&app.db)
            .await
            .unwrap();
    assert_eq!(absent, 0, "not for a moment");
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    after.expect("moved").await;
    // The tab of the match is the last one.
    let last = open(&ann, "me").await;
    drop(after);
    wait_until_absent(&app.db, &ann).await;
    drop(last);
}

#[tokio::test]
async fn the_end_of_the_session_ends_the_stream() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let stream = open(&ann, &format!("match:{id},lobby:boxes,me")).await;
    ann.post("/api/logout", &[]).await.assert_ok();
    let rest = stream.collect_rest().await;
    let last = rest.last().expect("an event");
    assert_eq!((&*last.name, &last.shared_id), ("signed_out", &None));
    wait_until_absent(&app.db, &ann).await;
    wait_until("the end of the presence in the room", async || {
        let room = bob.get("/api/waiting_room?game=boxes").await.assert_ok();
        (room["players"] == json!([])).then_some(())
    })
    .await;
}

/// Returns the key that a page has of the session that it was loaded with.
async fn page_key(visitor: &Visitor, page: &str) -> String {
    let page = visitor.get(page).await.text;
    let (_, rest) = page
        .split_once("data-session=\"")
        .expect("a page with a stream");
    rest.split('"').next().expect("its end").to_owned()
}

#[tokio::test]
async fn a_page_gets_nothing_of_another_session() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let page = format!("/match/{id}");
    let (anns, bobs) = (page_key(&ann, &page).await, page_key(&bob, &page).await);
    let nobodys = page_key(&app.visitor(), &page).await;
    assert_eq!(nobodys, "");
    assert!(anns != bobs && anns.len() == 22, "{anns} {bobs}");
    assert!(!ann.cookies().contains(&anns), "it is not the token");
    let path = |key: &str| format!("/events?topics=match:{id}&session={key}");
    for (visitor, own) in [(&*ann, &anns), (&bob, &bobs), (&app.visitor(), &nobodys)] {
        for key in [&anns, &bobs, &nobodys] {
            if key == own {
                let opened = try_open(visitor.request(Method::GET, &path(key))).await;
                assert!(opened.is_ok());
            } else {
                visitor
                    .get(&path(key))
                    .await
                    .assert_error(401, "signed_out");
            }
        }
    }
    // It is another one after signing out and in again, and it opens nothing by itself.
    let again = app.visitor();
    let sign_in = [("name", "ann"), ("password", super::player::PASSWORD)];
    again.post("/api/login", &sign_in).await.assert_ok();
    assert_ne!(page_key(&again, &page).await, anns);
    let cookie = app
        .visitor()
        .request(Method::GET, "/api/whoami")
        .header("cookie", format!("session={anns}"));
    assert!(send(cookie).await.assert_ok().is_null());
}

#[tokio::test]
async fn a_stream_of_many_topics_counts_once() {
    let app = TestApp::with_settings(|settings| {
        settings.streams_by_session = NonZeroU32::new(2).unwrap();
        settings.streams_by_address = NonZeroU32::new(3).unwrap();
    })
    .await;
    let (ann, bob) = app.with_two_users().await;
    let topics = "me,lobby:dots,lobby:boxes,lobby:gomoku,lobby:reversi";
    let path = format!("/events?topics={topics}");
    let opened = async |player: &Player| try_open(player.request(Method::GET, &path)).await;
    // As a browser has two for a moment when it changes the topics.
    let mut anns = vec![opened(&ann).await.unwrap(), opened(&ann).await.unwrap()];
    ann.get(&path).await.assert_error(429, "too_many_streams");
    let _bobs = opened(&bob).await.unwrap();
    bob.get(&path).await.assert_error(429, "too_many_streams");
    anns.pop();
    wait_until("room for another stream", async || {
        anns.push(opened(&ann).await.ok()?);
        Some(())
    })
    .await;
}

#[tokio::test]
async fn a_shared_stream_comes_as_json_too() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    ann.make_move(id, "0,0", &[]).await.assert_ok();
    let request = ann
        .request(Method::GET, &format!("/events?topics=match:{id}"))
        .header("accept", "application/x-ndjson");
    let mut response = request.send().await.unwrap();
    let mut text = String::new();
    while !text.contains("moved") || !text.ends_with('\n') {
        let chunk = response.chunk().await.unwrap().expect("the stream goes on");
        text += str::from_utf8(&chunk).unwrap();
    }
    let line = text.lines().find(|line| line.contains("moved")).unwrap();
    let event: Value = serde_json::from_str(line).expect("JSON");
    assert_eq!(event["id"], format!("match:{id} match:{id}@1"));
}
