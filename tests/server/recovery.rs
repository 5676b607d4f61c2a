//! Recovery codes: coming back without the password, and those who try to without a code. Ended sessions that pages notice.

use super::app::{SMALL, TestApp, begin, start_match};
use super::player::{PASSWORD, Player, Response, Visitor, send};
use serde_json::{Value, json};
use std::num::NonZeroU32;

const NEW: &str = "a brand new horse";

async fn make_codes(player: &Player) -> Vec<String> {
    let made = player
        .post("/api/recovery_codes", &[("password", PASSWORD)])
        .await
        .assert_ok();
    serde_json::from_value(made["codes"].clone()).expect("codes")
}

async fn recover(visitor: &Visitor, name: &str, code: &str, password: &str) -> Response {
    let form = [("name", name), ("code", code), ("new_password", password)];
    visitor.post("/api/recover", &form).await
}

async fn sign_in(visitor: &Visitor, name: &str, password: &str) -> Response {
    let form = [("name", name), ("password", password)];
    visitor.post("/api/login", &form).await
}

#[tokio::test]
async fn recovery_code_sets_a_new_password_once() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let codes = make_codes(&ann).await;
    assert_eq!(codes.len(), 10);
    let of_bob = make_codes(&bob).await;
    let mut stream = ann.join_lobby().await;

    let browser = app.visitor();
    let wrong = recover(&browser, "ann", &of_bob[0], NEW).await;
    let refusal = wrong.assert_error(401, "bad_credentials");
    for (name, code) in [
        ("nobody", codes[0].as_str()),
        ("ann", ""),
        ("ann", "0000-0000-0000-0000"),
        ("a\0nn", "\0"),
    ] {
        let answer = recover(&browser, name, code, NEW).await;
        assert_eq!(answer.assert_error(401, "bad_credentials"), refusal);
    }
    recover(&browser, "ann", &codes[3], "password1")
        .await
        .assert_error(400, "invalid_password");

    let typed = codes[3].replace('-', " ").to_uppercase();
    let account = recover(&browser, "ANN", &typed, NEW).await.assert_ok();
    assert_eq!(account["id"], ann.id);
    assert_eq!(browser.get("/api/whoami").await.assert_ok()["name"], "ann");
    assert!(
        ann.get("/api/whoami").await.assert_ok().is_null(),
        "other sessions end"
    );
    stream.next_named("signed_out").await;
    recover(&app.visitor(), "ann", &codes[3], NEW)
        .await
        .assert_error(401, "bad_credentials");
    sign_in(&app.visitor(), "ann", PASSWORD)
        .await
        .assert_error(401, "bad_credentials");
    sign_in(&app.visitor(), "ann", NEW).await.assert_ok();
    let status = browser.get("/api/recovery_status").await.assert_ok();
    assert_eq!(status, json!({"left": 9, "offered": false}));
    recover(&app.visitor(), "ann", &codes[4], "yet another horse")
        .await
        .assert_ok();
}

#[tokio::test]
async fn concurrent_uses_of_a_code_succeed_once() {
    let app = TestApp::init().await;
    let codes = make_codes(&app.with_user("ann").await).await;
    let uses = (0..5).map(async |_| recover(&app.visitor(), "ann", &codes[0], NEW).await.status);
    let mut answers = futures::future::join_all(uses).await;
    answers.sort_unstable();
    assert_eq!(answers, [200, 401, 401, 401, 401]);
}

#[tokio::test]
async fn making_codes_needs_the_password_and_replaces_the_old_ones() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let guess = [("password", "wrong horse")];
    ann.post("/api/recovery_codes", &guess)
        .await
        .assert_error(403, "wrong_password");
    app.visitor()
        .post("/api/recovery_codes", &guess)
        .await
        .assert_error(401, "signed_out");
    let guest = app.visitor();
    guest
        .post("/api/be_guest", &[("name", "visitor")])
        .await
        .assert_ok();
    guest
        .post("/api/recovery_codes", &guess)
        .await
        .assert_error(403, "wrong_password");
    let (old, new) = (make_codes(&ann).await, make_codes(&ann).await);
    recover(&app.visitor(), "ann", &old[0], NEW)
        .await
        .assert_error(401, "bad_credentials");
    recover(&app.visitor(), "ann", &new[0], NEW)
        .await
        .assert_ok();

    let rows: Vec<String> = sqlx::query_scalar("select recovery_codes::text from recovery_codes")
        .fetch_all(&app.db)
        .await
        .unwrap();
    assert_eq!(rows.len(), 9);
    assert!(
        rows.iter()
            .all(|row| new.iter().all(|code| !row.contains(code)))
    );
}

#[tokio::test]
async fn guesses_at_codes_are_limited_and_keep_nobody_out() {
    let app = TestApp::with_settings(|settings| {
        settings.sign_in_by_name = NonZeroU32::new(3).unwrap();
        settings.trust_proxy = 1;
    })
    .await;
    let codes = make_codes(&app.with_user("ann").await).await;
    let from = async |address: &str, code: &str| {
        let form = [("name", "ann"), ("code", code), ("new_password", NEW)];
        let post = app.visitor().post_request("/api/recover").form(&form);
        send(post.header("x-forwarded-for", address)).await
    };
    for _ in 0..3 {
        from("10.0.0.1", "0000")
            .await
            .assert_error(401, "bad_credentials");
    }
    let refused = from("10.0.0.1", &codes[0]).await;
    refused.assert_error(429, "too_many_attempts");
    assert!(refused.header("retry-after").is_some());
    from("10.0.0.2", &codes[0]).await.assert_ok();
}

#[tokio::test]
async fn codes_are_shown_once_on_a_page() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let refused = ann
        .post("/account/codes", &[("password", "wrong horse")])
        .await;
    assert_eq!(refused.status, 303);
    let back = refused.header("location").unwrap().to_owned();
    assert!(back.starts_with("/account?"), "{back}");
    let page = ann.get(&back).await.text;
    assert!(page.contains("Wrong password. Try again."));

    let shown = ann.post("/account/codes", &[("password", PASSWORD)]).await;
    assert_eq!(shown.status, 200);
    assert_eq!(shown.header("cache-control"), Some("no-store"));
    assert_eq!(shown.text.matches("<li><code>").count(), 10);
    let code = shown
        .text
        .split("<code>")
        .nth(1)
        .and_then(|rest| rest.split('<').next());
    let again = ann.get("/account/codes").await;
    assert!(!again.text.contains("<code>"));
    assert!(
        ann.get("/account")
            .await
            .text
            .contains("You have 10 codes left.")
    );
    recover(&app.visitor(), "ann", code.unwrap(), NEW)
        .await
        .assert_ok();
    app.visitor()
        .post("/account/codes", &[("password", PASSWORD)])
        .await
        .assert_error(401, "signed_out");
}

#[tokio::test]
async fn codes_are_offered_after_the_first_rated_game() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let offered = async |player: &Player| -> Value {
        player.get("/api/recovery_status").await.assert_ok()["offered"].clone()
    };
    assert_eq!(offered(&ann).await, false);
    let id = start_match(&ann, &bob, SMALL).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    bob.make_move(id, "2,2", &[]).await.assert_ok();
    bob.resign(id).await.assert_ok();
    assert_eq!(offered(&ann).await, true);
    assert!(
        ann.get("/play")
            .await
            .text
            .contains("Create recovery codes")
    );
    make_codes(&ann).await;
    assert_eq!(offered(&ann).await, false);
    assert!(
        !ann.get("/play")
            .await
            .text
            .contains("Create recovery codes")
    );
}

#[tokio::test]
async fn streams_of_an_ended_session_are_told() {
    let app = TestApp::init().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let table = bob.post("/api/open_table", &[("game", "gomoku")]).await;
    let elsewhere = app.visitor();
    sign_in(&elsewhere, "ann", PASSWORD).await.assert_ok();
    let mut streams = vec![
        ann.join_lobby().await,
        ann.stream(&format!("/events/match/{id}")).await,
        ann.at_instance(there.address)
            .stream(&format!("/events/match/{id}"))
            .await,
    ];
    if table.status == 200 {
        let link = table.json()["link"].as_str().unwrap().to_owned();
        streams.push(ann.stream(&format!("/events/table/{link}")).await);
    }
    let mut kept = elsewhere.stream(&format!("/events/match/{id}")).await;
    elsewhere.post("/api/end_session", &[]).await.assert_ok();
    for stream in &mut streams {
        stream.next_named("signed_out").await;
        assert!(stream.event().await.is_none(), "and then the stream ends");
    }
    bob.resign(id).await.assert_ok();
    assert_eq!(kept.next_named("finished").await["result"]["winner"], 1);
}

#[tokio::test]
async fn my_data_has_sanctions_and_browsers() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    make_codes(&ann).await;
    sqlx::query(
        "with audited as (insert into audit (operator, act, player_id, player, why) values ('boss', 'muted_day', $1, 'ann', 'rude'))
         update players set muted_until = now() + interval '1 day' where id = $1",
    )
    .bind(ann.id)
    .execute(&app.db)
    .await
    .unwrap();
    let answer = ann.get("/api/my_data").await;
    let data = answer.assert_ok();
    assert_eq!(data["account"]["recovery_codes"], 10);
    assert!(data["account"]["muted_until"].is_i64());
    assert_eq!(data["devices"].as_array().unwrap().len(), 1);
    assert_eq!(data["sessions"][0]["address"], "127.0.0.*");
    assert_eq!(data["sanctions"][0]["why"], "rude");
    assert!(!answer.text.contains("hash"), "no secrets");
}

#[tokio::test]
async fn codes_do_not_outlive_a_changed_password() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let codes = make_codes(&ann).await;
    let form = [("password", PASSWORD), ("new_password", NEW)];
    ann.post("/api/change_password", &form).await.assert_ok();
    let status = ann.get("/api/recovery_status").await.assert_ok();
    assert_eq!(status["left"], 0);
    recover(&app.visitor(), "ann", &codes[0], "yet another horse")
        .await
        .assert_error(401, "bad_credentials");
    sign_in(&app.visitor(), "ann", NEW).await.assert_ok();
}
