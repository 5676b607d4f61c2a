//! What people say to each other: who hears it, where, and how much.

use super::app::{SMALL, TestApp, start_match, until};
use super::player::{Answer, Player, Visitor};
use super::stream::Stream;
use serde_json::{Value, json};

impl Player {
    /// Says something in the waiting rooms, or at a match.
    pub(crate) async fn says(&self, place: impl ToString, text: &str) -> Answer {
        let place = place.to_string();
        self.post("/api/say", &[("place", &place), ("text", text)])
            .await
    }

    pub(crate) async fn mutes(&self, other: &Player, muted: bool) -> Answer {
        let (player, muted) = (other.id.to_string(), muted.to_string());
        self.post("/api/mute", &[("player", &player), ("muted", &muted)])
            .await
    }

    pub(crate) async fn reports(&self, message: i64, reason: &str) -> Answer {
        let message = message.to_string();
        self.post("/api/report", &[("message", &message), ("reason", reason)])
            .await
    }
}

/// What this visitor reads there, oldest first.
async fn reads(visitor: &Visitor, place: impl ToString) -> Vec<String> {
    let path = format!("/api/talk?place={}", place.to_string());
    texts(&visitor.get(&path).await.given()["messages"])
}

fn texts(messages: &Value) -> Vec<String> {
    let messages = messages.as_array().expect("messages");
    let texts = messages.iter().map(|said| said["text"].as_str());
    texts.map(|text| text.expect("a text").to_owned()).collect()
}

/// The next message on a stream.
async fn hears(stream: &mut Stream) -> String {
    let said = stream.next_named("said").await;
    said["text"].as_str().expect("a text").to_owned()
}

async fn stream_of(visitor: &Visitor, id: i64) -> Stream {
    visitor.stream(&format!("/events/match/{id}")).await
}

#[tokio::test]
async fn all_waiting_rooms_share_one_chat() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let mut dots = ann.waits().await;
    let mut gomoku = bob.waits_for("gomoku").await;
    let said = ann.says("lobby", "  Who plays?\r\n").await.given();
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
async fn the_two_chats_of_a_match_know_nothing_of_each_other_until_its_end() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    let (mut anns, mut bobs) = (stream_of(&ann, id).await, stream_of(&bob, id).await);
    let (mut eves, mut nobodys) = (
        stream_of(&eve, id).await,
        stream_of(&app.visitor(), id).await,
    );
    assert_eq!(ann.says(id, "Good luck").await.given()["chat"], "players");
    let watched = eve.says(id, "Ann is lost").await.given();
    assert_eq!(watched["chat"], "spectators");
    assert_eq!(watched["place"], id);
    assert_eq!(hears(&mut anns).await, "Good luck");
    assert_eq!(hears(&mut bobs).await, "Good luck");
    assert_eq!(hears(&mut eves).await, "Ann is lost");
    assert_eq!(hears(&mut nobodys).await, "Ann is lost");
    assert_eq!(reads(&ann, id).await, ["Good luck"]);
    for visitor in [&*eve, &app.visitor()] {
        assert_eq!(reads(visitor, id).await, ["Ann is lost"]);
    }

    ann.resigns(id).await.given();
    // What was said before the end comes first, then what is said after it.
    for stream in [&mut anns, &mut bobs] {
        assert_eq!(hears(stream).await, "Ann is lost");
    }
    eve.says(id, "I said so").await.given();
    bob.says(id, "Thanks").await.given();
    for stream in [&mut anns, &mut bobs] {
        let mut after = [hears(stream).await, hears(stream).await];
        after.sort();
        assert_eq!(after, ["I said so", "Thanks"]);
    }
    assert_eq!(hears(&mut eves).await, "I said so");
    assert_eq!(
        reads(&bob, id).await,
        ["Good luck", "Ann is lost", "I said so", "Thanks"]
    );
    assert_eq!(reads(&eve, id).await, ["Ann is lost", "I said so"]);
    let mut again = stream_of(&bob, id).await;
    assert_eq!(
        again.next_named("finished").await["result"]["reason"],
        "resigned"
    );
    let mut heard = Vec::new();
    for _ in 0..4 {
        heard.push(hears(&mut again).await);
    }
    heard.sort();
    assert_eq!(heard, ["Ann is lost", "Good luck", "I said so", "Thanks"]);
}

#[tokio::test]
async fn what_is_said_here_is_heard_there() {
    let here = TestApp::init().await;
    let there = here.another().await;
    let (ann, bob) = here.with_two().await;
    let bob = bob.moved_to(there.address);
    let id = start_match(&ann, &bob, SMALL).await;
    let (mut lobby, mut table) = (bob.waits().await, stream_of(&bob, id).await);
    for n in 0..3 {
        ann.says("lobby", &format!("all {n}")).await.given();
    }
    ann.says(id, "you").await.given();
    for n in 0..3 {
        assert_eq!(hears(&mut lobby).await, format!("all {n}"));
    }
    assert_eq!(hears(&mut table).await, "you");
}

#[tokio::test]
async fn who_comes_gets_the_last_fifty_and_who_comes_back_misses_nothing() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    for n in 0..60 {
        write_down(&app, &ann, "lobby", &format!("old {n}")).await;
    }
    let mut stream = bob.waits().await;
    for n in 10..60 {
        assert_eq!(hears(&mut stream).await, format!("old {n}"));
    }
    ann.says("lobby", "live").await.given();
    assert_eq!(hears(&mut stream).await, "live");
    assert_eq!(reads(&bob, "lobby").await.len(), 50);
    drop(stream);

    // Whatever is said while nobody listens, or somebody begins to, is heard once.
    write_down(&app, &ann, "lobby", "meanwhile").await;
    let saying = async {
        for n in 0..4 {
            ann.says("lobby", &format!("new {n}")).await.given();
        }
    };
    let listening = async {
        let mut stream = bob.waits().await;
        let mut heard = Vec::new();
        while heard.last().is_none_or(|last| last != "new 3") {
            heard.push(hears(&mut stream).await);
        }
        heard
    };
    let ((), heard) = tokio::join!(saying, listening);
    let tail: Vec<&str> = heard[heard.len() - 6..]
        .iter()
        .map(String::as_str)
        .collect();
    assert_eq!(
        tail,
        ["live", "meanwhile", "new 0", "new 1", "new 2", "new 3"]
    );
}

/// Puts a message into the database as another instance would, without a limit.
async fn write_down(app: &TestApp, from: &Player, place: &str, text: &str) -> i64 {
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
async fn a_message_has_one_to_three_hundred_characters() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    ann.says("lobby", &"ж".repeat(300)).await.given();
    for text in ["ж".repeat(301), "a".repeat(10_000)] {
        ann.says("lobby", &text)
            .await
            .refused(400, "message_too_long");
    }
    for text in ["", "  ", "\u{202e}\u{200b}\n"] {
        ann.says("lobby", text).await.refused(400, "empty_message");
    }
    for place in ["nowhere", "999999", "-1", "99999999999999999999"] {
        ann.says(place, "a").await.refused(404, "no_such_match");
    }
    ann.post("/api/say", &[("place", "lobby")])
        .await
        .refused(400, "bad_request");
    let nobody = app.visitor();
    let form = [("place", "lobby"), ("text", "a")];
    nobody
        .post("/api/say", &form)
        .await
        .refused(401, "signed_out");
    nobody
        .get("/api/talk?place=lobby")
        .await
        .refused(401, "signed_out");
    let hostile =
        "<script>alert(1)</script> \u{202e}evil z\u{0}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}";
    let said = ann.says("lobby", hostile).await.given();
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
async fn nobody_says_more_than_five_things_in_ten_seconds() {
    let app = TestApp::init().await;
    let there = app.another().await;
    let (ann, bob) = app.with_two().await;
    // At two instances at once, and the limit is one all the same.
    let elsewhere = ann.moved_to(there.address);
    let saying = (0..10).map(|n| {
        let ann = [&ann, &elsewhere][n % 2];
        async move { ann.says("lobby", &format!("{n}")).await }
    });
    let answers = futures::future::join_all(saying).await;
    let (said, refused): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!(said.len(), 5);
    for answer in refused {
        answer.refused(429, "too_many_messages");
        let seconds = answer.header("retry-after").map(str::parse::<u32>);
        assert!(
            seconds.is_some_and(|seconds| (1..=10).contains(&seconds.unwrap())),
            "{answer:?}"
        );
        assert_eq!(answer.headers.get_all("retry-after").iter().count(), 1);
    }
    bob.says("lobby", "others may").await.given();
    sqlx::query("update messages set at = at - interval '10 seconds'")
        .execute(&app.db)
        .await
        .unwrap();
    ann.says("lobby", "again").await.given();
}

#[tokio::test]
async fn whoever_is_muted_is_not_heard_by_the_one_who_muted_them() {
    let app = TestApp::init().await;
    let there = app.another().await;
    let (ann, bob) = app.with_two().await;
    let eve = app.with_user("eve").await;
    let (mut anns, mut bobs) = (ann.waits().await, bob.waits().await);
    let mut elsewhere = ann.moved_to(there.address).waits().await;
    eve.says("lobby", "before").await.given();
    for stream in [&mut anns, &mut bobs, &mut elsewhere] {
        assert_eq!(hears(stream).await, "before");
    }
    ann.mutes(&eve, true).await.given();
    ann.mutes(&eve, true).await.given();
    eve.says("lobby", "noise").await.given();
    bob.says("lobby", "peace").await.given();
    for stream in [&mut anns, &mut elsewhere] {
        assert_eq!(hears(stream).await, "peace");
    }
    assert_eq!(hears(&mut bobs).await, "noise");
    assert_eq!(reads(&ann, "lobby").await, ["peace"]);
    assert_eq!(hears(&mut ann.waits().await).await, "peace");
    let muted = ann.get("/api/talk?place=lobby").await.given()["muted"].clone();
    assert_eq!(muted, json!([{"id": eve.id, "name": "eve"}]));

    ann.mutes(&eve, false).await.given();
    eve.says("lobby", "after").await.given();
    assert_eq!(hears(&mut anns).await, "after");
    assert_eq!(
        reads(&ann, "lobby").await,
        ["before", "noise", "peace", "after"]
    );
    ann.mutes(&ann, true).await.refused(400, "yourself");
    let form = [("player", "999999"), ("muted", "true")];
    ann.post("/api/mute", &form)
        .await
        .refused(404, "no_such_player");
    let visitor = app.visitor();
    visitor
        .post("/api/mute", &form)
        .await
        .refused(401, "signed_out");
}

#[tokio::test]
async fn only_what_one_can_see_is_reported_and_once() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    let private = ann.says(id, "between us").await.id("id");
    let watching = eve.says(id, "boo").await.id("id");
    eve.reports(private, "")
        .await
        .refused(404, "no_such_message");
    bob.reports(watching, "")
        .await
        .refused(404, "no_such_message");
    bob.reports(999_999, "")
        .await
        .refused(404, "no_such_message");
    ann.reports(private, "").await.refused(400, "yourself");
    bob.reports(private, &"r".repeat(301))
        .await
        .refused(400, "message_too_long");
    bob.reports(private, "rude").await.given();
    bob.reports(private, "very rude").await.given();
    ann.resigns(id).await.given();
    bob.reports(watching, "").await.given();
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
async fn a_guest_speaks_and_is_marked() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let mut stream = ann.waits().await;
    let guest = app.visitor();
    guest
        .post("/api/be_guest", &[("name", "Swift-Owl")])
        .await
        .given();
    let form = [("place", "lobby"), ("text", "hello")];
    guest.post("/api/say", &form).await.given();
    let said = stream.next_named("said").await;
    assert_eq!(said["from"]["name"], "Swift-Owl");
    assert_eq!(said["from"]["guest"], true);
    let page = ann.get("/play").await.text;
    let (_, said) = page.split_once("Swift-Owl</a>").expect("a message");
    let (said, _) = said.split_once("hello").expect("its text");
    assert!(
        said.contains(r#"<span class="guest">guest</span>"#),
        "{said}"
    );
}

#[tokio::test]
async fn a_reason_is_plain_text_in_the_operators_eyes_too() {
    let app = TestApp::with(|settings| settings.operator = Some("boss".to_owned())).await;
    let boss = app.with_user("boss").await;
    let (ann, bob) = app.with_two().await;
    let message = bob.says("lobby", "<i>hm</i>").await.id("id");
    ann.reports(message, "<b>\u{202e}rude\n</b>").await.given();
    let page = boss.get("/operator").await.text;
    assert!(page.contains("&lt;i&gt;hm&lt;/i&gt;"), "{page}");
    assert!(page.contains("&lt;b&gt;rude &lt;/b&gt;"), "{page}");
}

#[tokio::test]
async fn what_was_said_a_month_ago_goes_unless_it_was_reported() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    for text in ["old", "old and bad"] {
        write_down(&app, &ann, "lobby", text).await;
    }
    let bad: i64 = sqlx::query_scalar("select max(id) from messages")
        .fetch_one(&app.db)
        .await
        .unwrap();
    bob.reports(bad, "").await.given();
    sqlx::query("update messages set at = now() - interval '31 days'")
        .execute(&app.db)
        .await
        .unwrap();
    write_down(&app, &ann, "lobby", "new").await;
    // An instance cleans up when it starts.
    let there = app.another().await;
    let bob = bob.moved_to(there.address);
    until("the old message to go", async || {
        (reads(&bob, "lobby").await == ["old and bad", "new"]).then_some(())
    })
    .await;
}
