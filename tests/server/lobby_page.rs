//! The page of the waiting room without scripts: its HTML and its forms.

use super::app::{SMALL, TestApp};
use super::player::{Player, Response, send};
use reqwest::Method;
use serde_json::{Value, json};

/// Returns the page for a query; it is always 200.
async fn page(player: &Player, query: &str) -> String {
    let answer = player.get(&format!("/play{query}")).await;
    assert_eq!(answer.status, 200, "{query}");
    answer.text
}

#[track_caller]
fn assert_contains(page: &str, part: &str) {
    assert!(page.contains(part), "no {part:?} in {page}");
}

#[track_caller]
fn assert_lacks(page: &str, part: &str) {
    assert!(!page.contains(part), "{part:?} in {page}");
}

/// Returns the tag that contains these attributes, in this order.
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

/// Returns the setup that the challenge buttons would send.
fn setup(page: &str) -> String {
    let tag = field(page, &[r#"name="setup""#]);
    let text = tag
        .split(r#"value=""#)
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    text.expect("a value").replace("&quot;", "\"")
}

/// Returns the value of the `choice` cookie, as it is set.
fn choice_cookie(answer: &Response) -> Option<String> {
    let cookies = answer.cookies();
    let cookie = cookies
        .iter()
        .find_map(|cookie| cookie.strip_prefix("choice="));
    Some(cookie?.split(';').next()?.to_owned())
}

#[tokio::test]
async fn choice_is_in_the_address_and_remembered() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let fresh = page(&ann, "").await;
    is_checked(&fresh, "board", "39x32");
    is_checked(&fresh, "clock", "300+5");

    let said = "?game=dots&board=own&width=7&height=9&start=cross&clock=own&minutes=1&seconds=30&increment=2&rated=no";
    let answer = ann.get(&format!("/play{said}")).await;
    let kept = "game=dots&board=7x9&start=cross&clock=90+2&rated=no";
    assert_eq!(choice_cookie(&answer).as_deref(), Some(kept));
    for page in [answer.text, page(&ann, "").await] {
        is_checked(&page, "board", "own");
        is_checked(&page, "start", "cross");
        is_checked(&page, "clock", "own");
        is_checked(&page, "rated", "no");
        assert!(field(&page, &[r#"name="width""#]).contains(r#"value="7""#));
        assert!(field(&page, &[r#"name="minutes""#]).contains(r#"value="1""#));
        assert!(field(&page, &[r#"name="seconds""#]).contains(r#"value="30""#));
        assert_eq!(setup(&page), r#"{"width":7,"height":9,"start":"cross"}"#);
        assert_contains(
            &page,
            "Dots · 7 × 9 · cross · 1 min 30 s + 2 s per move · unrated",
        );
        // The page reloads with the same query.
        assert_contains(
            &page,
            "5;url=/play?game=dots&amp;board=7x9&amp;start=cross&amp;clock=90+2&amp;rated=no",
        );
    }
    assert_eq!(
        choice_cookie(&ann.get("/play").await),
        None,
        "nothing new to remember"
    );
    is_checked(&page(&ann, "?board=20x20").await, "clock", "300+5");
    is_checked(&page(&ann, "?clock=none").await, "clock", "none");
}

#[tokio::test]
async fn invalid_number_is_shown_at_its_field() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let _bobs = bob.join_lobby().await;
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
    assert_contains(&wrong, "Correct the marked fields.");
    assert_contains(&wrong, "5 to 50 points per side.");
    assert_lacks(&wrong, r#"http-equiv="refresh""#);
    // No challenge button is shown with an invalid choice.
    let button = wrong
        .split("<button")
        .find(|rest| rest.contains(r#"name="opponent""#));
    let tag = button.and_then(|rest| rest.split('>').next());
    assert!(tag.is_some_and(|tag| tag.contains("disabled")), "{tag:?}");
    assert_lacks(&wrong, r#"name="setup""#);
    is_checked(&page(&ann, "").await, "board", "13x13");

    let crossed = page(
        &ann,
        "?game=dots&board=own&width=9&height=30&start=four_crosses",
    )
    .await;
    assert_contains(&crossed, "Four crosses need at least 10 points per side.");
    is_checked(&crossed, "start", "four_crosses");
}

#[tokio::test]
async fn choice_unfit_for_a_cookie_is_refused() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let long = "a".repeat(201);
    for junk in ["a; Path=/x", "a\r\nb", "a,b", "ж", &long] {
        let answer = ann.post("/api/remember_choice", &[("choice", junk)]).await;
        answer.assert_error(400, "bad_request");
        assert!(answer.cookies().is_empty());
    }
    // Each time control is fit for one.
    for clock in ["300+5", "25/300", "0~30x5", "3d"] {
        let choice = format!("game=reversi&clock={clock}&rated=no");
        let answer = ann
            .post("/api/remember_choice", &[("choice", &choice)])
            .await;
        assert!(
            choice_cookie(&answer).is_some_and(|kept| kept.starts_with(&choice)),
            "{clock}"
        );
    }
    let plain = [("choice", "game=dots&board=13x13")];
    let visitor = app.visitor().post("/api/remember_choice", &plain).await;
    visitor.assert_error(401, "signed_out");
    for odd in ["", "board=4x4", "game=chess&board=9x9", "&&==+"] {
        let answer = ann.post("/api/remember_choice", &[("choice", odd)]).await;
        answer.assert_error(400, "unknown_game");
        // Any cookie value gives a page.
        let cookies = format!("{}; choice={odd}|game=dots&board=4x4", ann.cookies());
        let asked = ann.request(reqwest::Method::GET, "/play?game=dots");
        let answer = send(asked.header("cookie", cookies)).await;
        assert_eq!(answer.status, 200, "{odd}");
    }
}

#[tokio::test]
async fn filter_is_in_the_address() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let _streams = (ann.join_lobby().await, bob.join_lobby().await);
    let none = page(&ann, "?min=1700").await;
    assert_contains(&none, "No waiting player matches the filter.");
    assert_contains(&none, "0 of 2 shown");
    let some = page(&ann, "?name=BO&max=1600").await;
    assert_contains(&some, "1 of 2 shown");
    assert_contains(&some, "Challenge bob");
    assert!(field(&some, &[r#"name="name""#]).contains(r#"value="BO""#));
    assert_contains(&some, "&amp;max=1600&amp;name=BO\"");
    assert_lacks(&page(&ann, "?min=1600&max=1600").await, "of 2 shown");
    // The form sends both; Reset means that the filter is ignored.
    let reset = page(&ann, "?board=20x20&min=1700&name=x&reset=yes").await;
    assert_lacks(&reset, "of 2 shown");
    is_checked(&reset, "board", "20x20");
    let open = page(&ann, "?min=1500&open=filter").await;
    assert_lacks(&open, r#"http-equiv="refresh""#);
    assert_contains(&open, r#"aria-expanded="true""#);
}

#[tokio::test]
async fn invalid_filter_is_reported_and_ignored() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let _streams = (ann.join_lobby().await, bob.join_lobby().await);
    for filter in ["min=a", "max=1e999", "min=2&max=1", "min=%FF"] {
        let told = page(&ann, &format!("?{filter}&name=nobody")).await;
        assert_contains(&told, "Could not read the filter");
        assert_contains(&told, "Challenge bob");
        assert_lacks(&told, "of 2 shown");
    }
}

#[tokio::test]
async fn whoever_has_played_nothing_begins_with_a_board_that_a_phone_shows_whole() {
    let app = TestApp::init().await;
    for (mobile, board) in [("?1", "13x13"), ("?0", "20x20")] {
        let visitor = app.visitor();
        let request = visitor.request(Method::GET, "/computer/dots");
        let answer = send(request.header("sec-ch-ua-mobile", mobile)).await;
        is_checked(&answer.text, "board", board);
    }
}

#[tokio::test]
async fn page_without_scripts_shows_how_a_challenge_ended() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let _streams = (
        ann.join_lobby().await,
        bob.join_lobby().await,
        eve.join_lobby().await,
    );
    let declined = ann.challenge(&bob, &[("setup", SMALL)]).await.id("id");
    bob.answer_challenge(declined, false).await.assert_ok();
    let cancelled = eve.challenge(&ann, &[]).await.id("id");
    eve.cancel_challenge(cancelled).await.assert_ok();

    let ended = |answer: Response| {
        let endings = answer.assert_ok();
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
    app.visitor()
        .get(endings)
        .await
        .assert_error(401, "signed_out");

    let anns = page(&ann, "").await;
    assert_contains(&anns, "bob declined your challenge.");
    assert_contains(&anns, "eve withdrew the challenge.");
    assert_contains(
        &page(&bob, "").await,
        "You declined the challenge from ann.",
    );
    let eves = page(&eve, "").await;
    assert_contains(&eves, "You withdrew your challenge to ann.");
    assert_lacks(&eves, "declined");
}

#[tokio::test]
async fn player_who_left_sees_why_the_challenge_closed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let anns = ann.join_lobby().await;
    page(&bob, "").await;
    ann.challenge(&bob, &[]).await.assert_ok();
    let mut eves = app.with_user("eve").await.join_lobby().await;
    drop(anns);
    assert_eq!(eves.next_named("left").await["id"], ann.id);
    assert_contains(
        &page(&bob, "").await,
        "ann left the lobby. The challenge is closed.",
    );
    assert_contains(
        &page(&ann, "").await,
        "You left the lobby. The challenge with bob is closed.",
    );
}

#[tokio::test]
async fn open_challenge_shows_its_remaining_seconds() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let _streams = (ann.join_lobby().await, bob.join_lobby().await);
    ann.challenge(&bob, &[("setup", SMALL), ("clock", "300+5")])
        .await
        .assert_ok();
    let bobs = page(&bob, "").await;
    assert_contains(&bobs, "ann (1600?) challenges you.");
    assert_contains(
        &bobs,
        "Dots · 5 × 5 · empty board · 5 min + 5 s per move · rated",
    );
    let left = bobs
        .split(r#"class="countdown"#)
        .nth(1)
        .and_then(|rest| rest.split('>').nth(1))
        .and_then(|rest| rest.split('<').next())
        .and_then(|seconds| seconds.parse::<u32>().ok());
    assert!(
        left.is_some_and(|left| (1..=15).contains(&left)),
        "{left:?}"
    );
    assert_contains(&page(&ann, "").await, "Waiting for bob to answer.");
}
