//! Chat: the readers of each message, limits, mutes and reports.

use super::app::{SMALL, TestApp, begin, start_match, wait_until};
use super::player::{Player, Response, Visitor};
use super::sse_client::Stream;
use serde_json::{Value, json};

impl Player {
    /// Sends a message to the lobby or to a match.
    pub(crate) async fn say(&self, place: impl ToString, text: &str) -> Response {
        let place = place.to_string();
        self.post("/api/say", &[("place", &place), ("text", text)])
            .await
    }

    pub(crate) async fn mute(&self, other: &Player, muted: bool) -> Response {
        let (player, muted) = (other.id.to_string(), muted.to_string());
        self.post("/api/mute", &[("player", &player), ("muted", &muted)])
            .await
    }

    pub(crate) async fn report(&self, message: i64, reason: &str) -> Response {
        let message = message.to_string();
        self.post("/api/report", &[("message", &message), ("reason", reason)])
            .await
    }
}

/// The texts that this visitor can read there, oldest first.
async fn read_chat(visitor: &Visitor, place: impl ToString) -> Vec<String> {
    let path = format!("/api/talk?place={}", place.to_string());
    texts(&visitor.get(&path).await.assert_ok()["messages"])
}

fn texts(messages: &Value) -> Vec<String> {
    let messages = messages.as_array().expect("messages");
    let texts = messages.iter().map(|said| said["text"].as_str());
    texts.map(|text| text.expect("a text").to_owned()).collect()
}

/// The text of the next message on a stream.
async fn next_text(stream: &mut Stream) -> String {
    let said = stream.next_named("said").await;
    said["text"].as_str().expect("a text").to_owned()
}

async fn match_stream(visitor: &Visitor, id: i64) -> Stream {
    visitor.stream(&format!("/events/match/{id}")).await
}

#[tokio::test]
async fn all_lobbies_share_one_chat() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let mut dots = ann.join_lobby().await;
    let mut gomoku = bob.join_lobby_of("gomoku").await;
    let said = ann.say("lobby", "  Who plays?\r\n").await.assert_ok();
    let expected = json!({
        "id": said["id"], "place": "lobby", "chat": "lobby", "from": {"id": ann.id, "name": "ann"},
        "text": "Who plays?", "at": said["at"],
    });
    assert_eq!(said, expected);
    for stream in [&mut dots, &mut gomoku] {
        let event = loop {
            let event = stream.next().await;
            if event.name == "said" {
                break event;
            }
        };
        assert_eq!(event.id, None);
        assert_eq!(event.data, expected);
    }
}

#[tokio::test]
async fn player_and_spectator_chats_are_separate_until_the_end() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let (mut anns, mut bobs) = (match_stream(&ann, id).await, match_stream(&bob, id).await);
    let (mut eves, mut nobodys) = (
        match_stream(&eve, id).await,
        match_stream(&app.visitor(), id).await,
    );
    assert_eq!(
        ann.say(id, "Good luck").await.assert_ok()["chat"],
        "players"
    );
    let watched = eve.say(id, "Ann is lost").await.assert_ok();
    assert_eq!(watched["chat"], "spectators");
    assert_eq!(watched["place"], id);
    assert_eq!(next_text(&mut anns).await, "Good luck");
    assert_eq!(next_text(&mut bobs).await, "Good luck");
    assert_eq!(next_text(&mut eves).await, "Ann is lost");
    assert_eq!(next_text(&mut nobodys).await, "Ann is lost");
    assert_eq!(read_chat(&ann, id).await, ["Good luck"]);
    for visitor in [&*eve, &app.visitor()] {
        assert_eq!(read_chat(visitor, id).await, ["Ann is lost"]);
    }

    ann.resign(id).await.assert_ok();
    // Messages from before the end come first.
    for stream in [&mut anns, &mut bobs] {
        assert_eq!(next_text(stream).await, "Ann is lost");
    }
    eve.say(id, "I said so").await.assert_ok();
    bob.say(id, "Thanks").await.assert_ok();
    for stream in [&mut anns, &mut bobs] {
        let mut after = [next_text(stream).await, next_text(stream).await];
        after.sort();
        assert_eq!(after, ["I said so", "Thanks"]);
    }
    assert_eq!(next_text(&mut eves).await, "I said so");
    assert_eq!(
        read_chat(&bob, id).await,
        ["Good luck", "Ann is lost", "I said so", "Thanks"]
    );
    assert_eq!(read_chat(&eve, id).await, ["Ann is lost", "I said so"]);
    let mut again = match_stream(&bob, id).await;
    assert_eq!(
        again.next_named("finished").await["result"]["reason"],
        "resigned"
    );
    let mut received = Vec::new();
    for _ in 0..4 {
        received.push(next_text(&mut again).await);
    }
    received.sort();
    assert_eq!(
        received,
        ["Ann is lost", "Good luck", "I said so", "Thanks"]
    );
}

#[tokio::test]
async fn messages_reach_other_instances() {
    let here = TestApp::init().await;
    let there = here.another_instance().await;
    let (ann, bob) = here.with_two_users().await;
    let bob = bob.at_instance(there.address);
    let id = start_match(&ann, &bob, SMALL).await;
    let (mut lobby, mut table) = (bob.join_lobby().await, match_stream(&bob, id).await);
    for n in 0..3 {
        ann.say("lobby", &format!("all {n}")).await.assert_ok();
    }
    ann.say(id, "you").await.assert_ok();
    for n in 0..3 {
        assert_eq!(next_text(&mut lobby).await, format!("all {n}"));
    }
    assert_eq!(next_text(&mut table).await, "you");
}

#[tokio::test]
async fn new_subscribers_get_50_messages_and_resuming_misses_none() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    for n in 0..60 {
        insert_message(&app, &ann, "lobby", &format!("old {n}")).await;
    }
    let mut stream = bob.join_lobby().await;
    for n in 10..60 {
        assert_eq!(next_text(&mut stream).await, format!("old {n}"));
    }
    ann.say("lobby", "live").await.assert_ok();
    assert_eq!(next_text(&mut stream).await, "live");
    assert_eq!(read_chat(&bob, "lobby").await.len(), 50);
    drop(stream);

    // A message sent without subscribers, or while one subscribes, is received once.
    insert_message(&app, &ann, "lobby", "meanwhile").await;
    let saying = async {
        for n in 0..4 {
            ann.say("lobby", &format!("new {n}")).await.assert_ok();
        }
    };
    let listening = async {
        let mut stream = bob.join_lobby().await;
        let mut received = Vec::new();
        while received.last().is_none_or(|last| last != "new 3") {
            received.push(next_text(&mut stream).await);
        }
        received
    };
    let ((), received) = tokio::join!(saying, listening);
    let tail: Vec<&str> = received[received.len() - 6..]
        .iter()
        .map(String::as_str)
        .collect();
    assert_eq!(
        tail,
        ["live", "meanwhile", "new 0", "new 1", "new 2", "new 3"]
    );
}

/// Stores a message as another instance would, without the rate limit.
async fn insert_message(app: &TestApp, from: &Player, place: &str, text: &str) -> i64 {
    sqlx::query_scalar(
        "insert into messages (place, player_id, text, at) values ($1, $2, $3, now() - interval '1 minute') returning id",
    )
    .bind(place)
    .bind(from.id)
    .bind(text)
    .fetch_one(&app.db)
    .await
    .unwrap()
}

#[tokio::test]
async fn message_length_is_1_to_300_characters() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    ann.say("lobby", &"ж".repeat(300)).await.assert_ok();
    for text in ["ж".repeat(301), "a".repeat(10_000)] {
        ann.say("lobby", &text)
            .await
            .assert_error(400, "message_too_long");
    }
    for text in ["", "  ", "\u{202e}\u{200b}\n"] {
        ann.say("lobby", text)
            .await
            .assert_error(400, "empty_message");
    }
    for place in ["nowhere", "999999", "-1", "99999999999999999999"] {
        ann.say(place, "a").await.assert_error(404, "no_such_match");
    }
    ann.post("/api/say", &[("place", "lobby")])
        .await
        .assert_error(400, "bad_request");
    let nobody = app.visitor();
    let form = [("place", "lobby"), ("text", "a")];
    nobody
        .post("/api/say", &form)
        .await
        .assert_error(401, "signed_out");
    nobody
        .get("/api/talk?place=lobby")
        .await
        .assert_error(401, "signed_out");
    let hostile =
        "<script>alert(1)</script> \u{202e}evil z\u{0}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}";
    let said = ann.say("lobby", hostile).await.assert_ok();
    assert_eq!(
        said["text"],
        "<script>alert(1)</script> evil ź\u{301}\u{301}\u{301}\u{301}"
    );
    let page = ann.get("/play").await.text;
    assert!(
        page.contains("&lt;script&gt;alert(1)&lt;/script&gt; evil"),
        "{page}"
    );
    assert!(!page.contains("<script>alert(1)"), "{page}");
}

#[tokio::test]
async fn messages_are_limited_to_five_in_ten_seconds() {
    let app = TestApp::init().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    // The limit holds across instances.
    let elsewhere = ann.at_instance(there.address);
    let saying = (0..10).map(|n| {
        let ann = [&ann, &elsewhere][n % 2];
        async move { ann.say("lobby", &format!("{n}")).await }
    });
    let answers = futures::future::join_all(saying).await;
    let (said, refused): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!(said.len(), 5);
    for answer in refused {
        answer.assert_error(429, "too_many_messages");
        let seconds = answer.header("retry-after").map(str::parse::<u32>);
        assert!(
            seconds.is_some_and(|seconds| (1..=10).contains(&seconds.unwrap())),
            "{answer:?}"
        );
        assert_eq!(answer.headers.get_all("retry-after").iter().count(), 1);
    }
    bob.say("lobby", "others may").await.assert_ok();
    sqlx::query("update messages set at = at - interval '10 seconds'")
        .execute(&app.db)
        .await
        .unwrap();
    ann.say("lobby", "again").await.assert_ok();
}

#[tokio::test]
async fn muted_players_are_hidden_from_who_muted_them() {
    let app = TestApp::init().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let (mut anns, mut bobs) = (ann.join_lobby().await, bob.join_lobby().await);
    let mut elsewhere = ann.at_instance(there.address).join_lobby().await;
    eve.say("lobby", "before").await.assert_ok();
    for stream in [&mut anns, &mut bobs, &mut elsewhere] {
        assert_eq!(next_text(stream).await, "before");
    }
    ann.mute(&eve, true).await.assert_ok();
    ann.mute(&eve, true).await.assert_ok();
    eve.say("lobby", "noise").await.assert_ok();
    bob.say("lobby", "peace").await.assert_ok();
    for stream in [&mut anns, &mut elsewhere] {
        assert_eq!(next_text(stream).await, "peace");
    }
    assert_eq!(next_text(&mut bobs).await, "noise");
    assert_eq!(read_chat(&ann, "lobby").await, ["peace"]);
    assert_eq!(next_text(&mut ann.join_lobby().await).await, "peace");
    let muted = ann.get("/api/talk?place=lobby").await.assert_ok()["muted"].clone();
    assert_eq!(muted, json!([{"id": eve.id, "name": "eve"}]));

    ann.mute(&eve, false).await.assert_ok();
    eve.say("lobby", "after").await.assert_ok();
    assert_eq!(next_text(&mut anns).await, "after");
    assert_eq!(
        read_chat(&ann, "lobby").await,
        ["before", "noise", "peace", "after"]
    );
    ann.mute(&ann, true).await.assert_error(400, "yourself");
    let form = [("player", "999999"), ("muted", "true")];
    ann.post("/api/mute", &form)
        .await
        .assert_error(404, "no_such_player");
    let visitor = app.visitor();
    visitor
        .post("/api/mute", &form)
        .await
        .assert_error(401, "signed_out");
}

#[tokio::test]
async fn only_visible_messages_can_be_reported_and_only_once() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let private = ann.say(id, "between us").await.id("id");
    let watching = eve.say(id, "boo").await.id("id");
    eve.report(private, "")
        .await
        .assert_error(404, "no_such_message");
    bob.report(watching, "")
        .await
        .assert_error(404, "no_such_message");
    bob.report(999_999, "")
        .await
        .assert_error(404, "no_such_message");
    ann.report(private, "").await.assert_error(400, "yourself");
    bob.report(private, &"r".repeat(301))
        .await
        .assert_error(400, "message_too_long");
    bob.report(private, "rude").await.assert_ok();
    bob.report(private, "very rude").await.assert_ok();
    ann.resign(id).await.assert_ok();
    bob.report(watching, "").await.assert_ok();
    let kept: Vec<(String, String)> =
        sqlx::query_as("select text, reason from reports order by id")
            .fetch_all(&app.db)
            .await
            .unwrap();
    let kept: Vec<(&str, &str)> = kept
        .iter()
        .map(|(text, reason)| (&**text, &**reason))
        .collect();
    assert_eq!(kept, [("between us", "rude"), ("boo", "")]);
}

#[tokio::test]
async fn guest_messages_are_marked() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let mut stream = ann.join_lobby().await;
    let guest = app.visitor();
    guest
        .post("/api/be_guest", &[("name", "Swift-Owl")])
        .await
        .assert_ok();
    let form = [("place", "lobby"), ("text", "hello")];
    guest.post("/api/say", &form).await.assert_ok();
    let said = stream.next_named("said").await;
    assert_eq!(said["from"]["name"], "Swift-Owl");
    assert_eq!(said["from"]["guest"], true);
    let page = ann.get("/play").await.text;
    let (_, said) = page.split_once("Swift-Owl</bdi></a>").expect("a message");
    let (said, _) = said.split_once("hello").expect("its text");
    assert!(
        said.contains(r#"<span class="guest">guest</span>"#),
        "{said}"
    );
}

#[tokio::test]
async fn report_reasons_are_plain_text() {
    let app = TestApp::init().await;
    let boss = app.with_operator("boss").await;
    let (ann, bob) = app.with_two_users().await;
    let message = bob.say("lobby", "<i>hm</i>").await.id("id");
    ann.report(message, "<b>\u{202e}rude\n</b>")
        .await
        .assert_ok();
    let page = boss.get("/operator").await.text;
    assert!(page.contains("&lt;i&gt;hm&lt;/i&gt;"), "{page}");
    assert!(page.contains("&lt;b&gt;rude &lt;/b&gt;"), "{page}");
}

#[tokio::test]
async fn lobby_messages_are_deleted_after_a_month_unless_reported() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    for text in ["old", "old and bad"] {
        insert_message(&app, &ann, "lobby", text).await;
    }
    let bad: i64 = sqlx::query_scalar("select max(id) from messages")
        .fetch_one(&app.db)
        .await
        .unwrap();
    bob.report(bad, "").await.assert_ok();
    sqlx::query("update messages set at = now() - interval '31 days'")
        .execute(&app.db)
        .await
        .unwrap();
    insert_message(&app, &ann, "lobby", "new").await;
    // An instance deletes old messages when it starts.
    let there = app.another_instance().await;
    let bob = bob.at_instance(there.address);
    wait_until("the old message to be deleted", async || {
        (read_chat(&bob, "lobby").await == ["old and bad", "new"]).then_some(())
    })
    .await;
}

#[tokio::test]
async fn each_pair_at_a_table_has_a_chat_that_goes_on_in_its_match() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let carl = app.with_user("carl").await;
    let table = ann.open_table(&[]).await.assert_ok();
    let place = format!("table:{}", table["id"]);
    let stream = format!("/events/table/{}", table["link"].as_str().unwrap());
    let (mut anns, mut carls) = (ann.stream(&stream).await, carl.stream(&stream).await);
    ann.say(&place, "Anybody?")
        .await
        .assert_error(404, "opponent_left");

    bob.sit(&table).await.assert_ok();
    let mut bobs = bob.stream(&stream).await;
    let said = ann.say(&place, "Hello, Bob").await.assert_ok();
    assert_eq!(
        (&said["place"], &said["chat"]),
        (&json!(place), &json!("players"))
    );
    for stream in [&mut anns, &mut bobs] {
        assert_eq!(next_text(stream).await, "Hello, Bob");
    }
    // It is nobody else's, to read, to write or to report.
    let path = format!("/api/talk?place={place}");
    for other in [&*carl, &app.visitor()] {
        other.get(&path).await.assert_error(404, "no_such_table");
    }
    carl.say(&place, "Me too")
        .await
        .assert_error(404, "no_such_table");
    let id = said["id"].as_i64().unwrap();
    carl.report(id, "")
        .await
        .assert_error(404, "no_such_message");
    bob.report(id, "Rude").await.assert_ok();

    // Who comes next reads nothing of it, and who has left nothing more.
    bob.stand_up(&table).await.assert_ok();
    carl.sit(&table).await.assert_ok();
    assert_eq!(read_chat(&ann, &place).await, [""; 0]);
    carl.say(&place, "Hello, Ann").await.assert_ok();
    for stream in [&mut anns, &mut carls] {
        assert_eq!(next_text(stream).await, "Hello, Ann");
    }
    bob.get(&path).await.assert_error(404, "no_such_table");
    let path_of_page = format!("/t/{}", table["link"].as_str().unwrap());
    let page = ann.get(&path_of_page).await.text;
    assert!(page.contains("Hello, Ann") && !page.contains("Hello, Bob"));

    carl.stand_up(&table).await.assert_ok();
    bob.sit(&table).await.assert_ok();
    assert_eq!(read_chat(&bob, &place).await, ["Hello, Bob"]);
    bob.say(&place, "Back again").await.assert_ok();
    ann.set_ready(&table, true).await.assert_ok();
    let id = bob.set_ready(&table, true).await.id("match");
    bob.say(id, "Good luck").await.assert_ok();
    for player in [&ann, &bob] {
        let texts = read_chat(player, id).await;
        assert_eq!(texts, ["Hello, Bob", "Back again", "Good luck"]);
    }
    assert_eq!(read_chat(&carl, id).await, [""; 0]);
    ann.get(&path).await.assert_error(404, "no_such_table");
    while let Some(event) = bobs.event().await {
        assert!(
            event.name != "said" || event.data["text"] != "Hello, Ann",
            "{event:?}"
        );
        if event.name == "match_started" {
            break;
        }
    }
}
