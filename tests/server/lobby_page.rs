//! The page of the waiting room as it is without scripts: what it shows, keeps and tells, in its HTML alone.

use super::app::{SMALL, TestApp};
use super::player::{Answer, Player, send};
use serde_json::{Value, json};

/// The page at an address; whatever that asks for, there is one.
async fn page(player: &Player, query: &str) -> String {
    let answer = player.get(&format!("/play{query}")).await;
    assert_eq!(answer.status, 200, "{query}");
    answer.text
}

#[track_caller]
fn shows(page: &str, part: &str) {
    assert!(page.contains(part), "no {part:?} in {page}");
}

#[track_caller]
fn lacks(page: &str, part: &str) {
    assert!(!page.contains(part), "{part:?} in {page}");
}

/// The tag of the field of this name (and value), as far as it matters in which order its attributes come.
#[track_caller]
fn field(page: &str, parts: &[&str]) -> String {
    let mut tags = page.split("<input").skip(1);
    let tag = tags.find_map(|rest| {
        let tag = rest.split('>').next()?;
        parts
            .iter()
            .all(|part| tag.contains(part))
            .then(|| tag.to_owned())
    });
    tag.unwrap_or_else(|| panic!("no field with {parts:?} in {page}"))
}

#[track_caller]
fn is_checked(page: &str, name: &str, value: &str) {
    let tag = field(
        page,
        &[&format!(r#"name="{name}""#), &format!(r#"value="{value}""#)],
    );
    assert!(tag.contains("checked"), "{tag}");
}

/// What the buttons that ask for a game would send.
fn setup(page: &str) -> String {
    let tag = field(page, &[r#"name="setup""#]);
    let text = tag
        .split(r#"value=""#)
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    text.expect("a value").replace("&quot;", "\"")
}

/// The cookie that remembers the choice, as it is set.
fn choice_set(answer: &Answer) -> Option<String> {
    let cookies = answer.cookies();
    let cookie = cookies
        .iter()
        .find_map(|cookie| cookie.strip_prefix("choice="));
    Some(cookie?.split(';').next()?.to_owned())
}

#[tokio::test]
async fn the_choice_stands_in_the_address_and_is_remembered() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let fresh = page(&ann, "").await;
    is_checked(&fresh, "board", "39x32");
    is_checked(&fresh, "clock", "none");

    let said = "?game=dots&board=own&width=7&height=9&start=cross&clock=own&minutes=1&seconds=30&increment=2&rated=no";
    let answer = ann.get(&format!("/play{said}")).await;
    let kept = "game=dots&board=7x9&start=cross&clock=90+2&rated=no";
    assert_eq!(choice_set(&answer).as_deref(), Some(kept));
    for page in [answer.text, page(&ann, "").await] {
        is_checked(&page, "board", "own");
        is_checked(&page, "start", "cross");
        is_checked(&page, "clock", "own");
        is_checked(&page, "rated", "no");
        assert!(field(&page, &[r#"name="width""#]).contains(r#"value="7""#));
        assert!(field(&page, &[r#"name="minutes""#]).contains(r#"value="1""#));
        assert!(field(&page, &[r#"name="seconds""#]).contains(r#"value="30""#));
        assert_eq!(setup(&page), r#"{"width":7,"height":9,"start":"cross"}"#);
        shows(
            &page,
            "Dots · 7 × 9 · cross · 1 min 30 s + 2 s a move · not rated",
        );
        // The page reloads itself into the same.
        shows(
            &page,
            "5;url=/play?game=dots&amp;board=7x9&amp;start=cross&amp;clock=90+2&amp;rated=no",
        );
    }
    assert_eq!(
        choice_set(&ann.get("/play").await),
        None,
        "nothing new to remember"
    );
    is_checked(&page(&ann, "?board=20x20").await, "clock", "none");
}

#[tokio::test]
async fn a_wrong_number_is_told_at_its_field_and_nothing_is_lost() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let _bobs = bob.waits().await;
    ann.get("/play?game=dots&board=13x13&clock=300+5").await;
    let said = "?game=dots&board=own&width=51&height=abc&clock=180+2";
    let wrong = page(&ann, said).await;
    let width = field(&wrong, &[r#"name="width""#]);
    assert!(
        width.contains(r#"value="51""#) && width.contains(r#"aria-invalid="true""#),
        "{width}"
    );
    assert!(field(&wrong, &[r#"name="height""#]).contains(r#"value="abc""#));
    is_checked(&wrong, "board", "own");
    is_checked(&wrong, "clock", "180+2");
    shows(&wrong, "Please correct what is marked.");
    shows(&wrong, "5 to 50 points each way.");
    lacks(&wrong, r#"http-equiv="refresh""#);
    // Nobody is asked for a game that nobody chose.
    let button = wrong
        .split("<button")
        .find(|rest| rest.contains(r#"name="opponent""#));
    let tag = button.and_then(|rest| rest.split('>').next());
    assert!(tag.is_some_and(|tag| tag.contains("disabled")), "{tag:?}");
    lacks(&wrong, r#"name="setup""#);
    is_checked(&page(&ann, "").await, "board", "13x13");

    let crossed = page(
        &ann,
        "?game=dots&board=own&width=9&height=30&start=four_crosses",
    )
    .await;
    shows(&crossed, "Four crosses need at least 10 points each way.");
    is_checked(&crossed, "start", "four_crosses");
}

#[tokio::test]
async fn a_choice_that_no_cookie_carries_is_refused() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let long = "a".repeat(201);
    for junk in ["a; Path=/x", "a\r\nb", "a,b", "ж", &long] {
        let answer = ann.post("/api/remember_choice", &[("choice", junk)]).await;
        answer.refused(400, "bad_request");
        assert!(answer.cookies().is_empty());
    }
    let plain = [("choice", "game=dots&board=13x13")];
    let visitor = app.visitor().post("/api/remember_choice", &plain).await;
    visitor.refused(401, "signed_out");
    for odd in ["", "board=4x4", "game=chess&board=9x9", "&&==+"] {
        let answer = ann.post("/api/remember_choice", &[("choice", odd)]).await;
        answer.refused(400, "unknown_game");
        // Whatever a browser remembers, there is a page.
        let cookies = format!("{}; choice={odd}|game=dots&board=4x4", ann.cookies());
        let asked = ann.asks(reqwest::Method::GET, "/play?game=dots");
        let answer = send(asked.header("cookie", cookies)).await;
        assert_eq!(answer.status, 200, "{odd}");
    }
}

#[tokio::test]
async fn the_filter_stands_in_the_address() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let _streams = (ann.waits().await, bob.waits().await);
    let none = page(&ann, "?min=1700").await;
    shows(&none, "Nobody who is waiting fits the filter.");
    shows(&none, "0 of 2 shown");
    let some = page(&ann, "?name=BO&max=1600").await;
    shows(&some, "1 of 2 shown");
    shows(&some, "Challenge bob");
    assert!(field(&some, &[r#"name="name""#]).contains(r#"value="BO""#));
    shows(&some, "&amp;max=1600&amp;name=BO\"");
    lacks(&page(&ann, "?min=1600&max=1600").await, "of 2 shown");
    // The form sends both, and Reset says that the filter is not meant.
    let reset = page(&ann, "?board=20x20&min=1700&name=x&reset=yes").await;
    lacks(&reset, "of 2 shown");
    is_checked(&reset, "board", "20x20");
    let open = page(&ann, "?min=1500&open=filter").await;
    lacks(&open, r#"http-equiv="refresh""#);
    shows(&open, r#"aria-expanded="true""#);
}

#[tokio::test]
async fn a_filter_that_cannot_be_read_is_told_and_shows_everybody() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let _streams = (ann.waits().await, bob.waits().await);
    for filter in ["min=a", "max=1e999", "min=2&max=1", "min=%FF"] {
        let told = page(&ann, &format!("?{filter}&name=nobody")).await;
        shows(&told, "The filter in the address could not be read");
        shows(&told, "Challenge bob");
        lacks(&told, "of 2 shown");
    }
}

#[tokio::test]
async fn a_page_without_scripts_tells_how_a_challenge_ended() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let eve = app.with_user("eve").await;
    let _streams = (ann.waits().await, bob.waits().await, eve.waits().await);
    let declined = ann.challenges(&bob, &[("setup", SMALL)]).await.id("id");
    bob.answers(declined, false).await.given();
    let cancelled = eve.challenges(&ann, &[]).await.id("id");
    eve.cancels(cancelled).await.given();

    let ended = |answer: Answer| {
        let endings = answer.given();
        let endings = endings.as_array().expect("a list").clone();
        endings
            .iter()
            .map(|ending| json!([ending["challenge"]["id"], ending["why"]]))
            .collect::<Value>()
    };
    let endings = "/api/endings?game=dots";
    assert_eq!(
        ended(ann.get(endings).await),
        json!([[declined, "declined"], [cancelled, "cancelled"]])
    );
    assert_eq!(
        ended(bob.get(endings).await),
        json!([[declined, "declined"]])
    );
    app.visitor().get(endings).await.refused(401, "signed_out");

    let anns = page(&ann, "").await;
    shows(&anns, "bob declined your challenge.");
    shows(&anns, "eve took the challenge back.");
    shows(
        &page(&bob, "").await,
        "You declined the challenge from ann.",
    );
    let eves = page(&eve, "").await;
    shows(&eves, "You took your challenge to ann back.");
    lacks(&eves, "declined");
}

#[tokio::test]
async fn who_has_left_reads_that_it_was_they() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let anns = ann.waits().await;
    page(&bob, "").await;
    ann.challenges(&bob, &[]).await.given();
    let mut eves = app.with_user("eve").await.waits().await;
    drop(anns);
    assert_eq!(eves.next_named("left").await["id"], ann.id);
    shows(
        &page(&bob, "").await,
        "ann has left the waiting room, so the challenge is over.",
    );
    shows(
        &page(&ann, "").await,
        "The challenge with bob is over: you had left the waiting room.",
    );
}

#[tokio::test]
async fn an_open_challenge_stands_on_the_page_with_its_seconds() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let _streams = (ann.waits().await, bob.waits().await);
    ann.challenges(&bob, &[("setup", SMALL), ("clock", "300+5")])
        .await
        .given();
    let bobs = page(&bob, "").await;
    shows(&bobs, "ann (1600) challenges you.");
    shows(
        &bobs,
        "Dots · 5 × 5 · empty board · 5 min + 5 s a move · rated",
    );
    let left = bobs
        .split(r#"class="countdown""#)
        .nth(1)
        .and_then(|rest| rest.split('>').nth(1))
        .and_then(|rest| rest.split('<').next())
        .and_then(|seconds| seconds.parse::<u32>().ok());
    assert!(
        left.is_some_and(|left| (1..=15).contains(&left)),
        "{left:?}"
    );
    shows(&page(&ann, "").await, "Waiting for an answer from bob.");
}
