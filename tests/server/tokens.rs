//! Tokens: the calls that they reach, their end, and the rows that are kept of them.

use super::app::{SMALL, TestApp, begin, start_match, wait_until};
use super::player::{PASSWORD, Player, Response, send};
use reqwest::Method;
use serde_json::json;
use std::num::NonZeroU32;

async fn create(player: &Player, name: &str, scopes: &str, end: &str, password: &str) -> Response {
    let form = [
        ("name", name),
        ("scopes", scopes),
        ("end", end),
        ("password", password),
    ];
    player.post("/api/create_token", &form).await
}

async fn end_all(player: &Player) {
    for token in player
        .get("/api/tokens")
        .await
        .assert_ok()
        .as_array()
        .unwrap()
    {
        let id = token["id"].to_string();
        player
            .post("/api/end_token", &[("id", &id)])
            .await
            .assert_ok();
    }
}

#[tokio::test]
async fn a_program_plays_a_game_with_a_token() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let program = bob.as_program("read,play").await;
    assert_eq!(
        program.get("/api/whoami").await.assert_ok(),
        json!({"id": bob.id, "name": "bob"})
    );
    let id = start_match(&ann, &program, SMALL).await;
    let mut events = program.stream(&format!("/events/match/{id}")).await;
    begin(&ann, &program, id).await;
    program.resign(id).await.assert_ok();
    assert_eq!(events.next_named("finished").await["result"]["winner"], 1);
    program
        .post("/api/say", &[("place", "lobby"), ("text", "hello")])
        .await
        .assert_ok();
    let played = program.get("/api/history").await.assert_ok();
    assert_eq!(played["total"], 1);
    assert!(!program.get("/history/jsonl").await.text.is_empty());
}

#[tokio::test]
async fn a_token_needs_no_origin_and_no_cookie_helps_a_bad_one() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let token = ann.create_token("play").await;
    let foreign = |request: reqwest::RequestBuilder| {
        request
            .header("origin", "https://elsewhere.example")
            .header("sec-fetch-site", "cross-site")
            .form(&[("place", "lobby"), ("text", "hello")])
    };
    send(foreign(ann.post_request("/api/say")))
        .await
        .assert_error(403, "foreign_origin");
    send(foreign(ann.with_token(&token).post_request("/api/say")))
        .await
        .assert_ok();
    let cut = &token[..token.len() - 1];
    for bad in [
        "Bearer tochki_none",
        "Bearer",
        "bearer ",
        &format!("Bearer {cut}"),
        &format!("Bearer {token}x"),
        &format!("Bearer {}", token.to_uppercase()),
    ] {
        for path in [
            "/api/whoami",
            "/api/match?id=1",
            "/history/sgf",
            "/events?topics=me",
            "/events/lobby",
        ] {
            // With the cookie of the session.
            let answer = send(ann.request(Method::GET, path).header("authorization", bad)).await;
            answer.assert_error(401, "bad_token");
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{bad}");
        }
        let request = ann.post_request("/api/say").header("authorization", bad);
        send(foreign(request)).await.assert_error(401, "bad_token");
    }
    let other = app.with_user("bob").await;
    let beside = other
        .request(Method::GET, "/api/whoami")
        .bearer_auth(&token);
    assert_eq!(send(beside).await.assert_ok()["name"], "ann");
    // Another scheme is for a proxy in front.
    let basic = ann
        .request(Method::GET, "/api/whoami")
        .basic_auth("a", Some("b"));
    assert_eq!(send(basic).await.assert_ok()["name"], "ann");
}

#[tokio::test]
async fn token_is_accepted_only_in_the_authorization_header() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let token = ann.create_token("play").await;
    let nobody = app.visitor();
    for name in ["access_token", "token", "authorization", "bearer"] {
        let path = format!("/api/whoami?{name}={token}");
        assert!(nobody.get(&path).await.assert_ok().is_null());
        let form = [(name, token.as_str()), ("place", "lobby"), ("text", "hm")];
        nobody
            .post("/api/say", &form)
            .await
            .assert_error(401, "signed_out");
        let cookie = format!("session={token}; {name}={token}");
        let request = nobody
            .request(Method::GET, "/api/whoami")
            .header("cookie", cookie);
        assert!(send(request).await.assert_ok().is_null());
    }
    // Pages know no tokens, and show nobody.
    let page = ann.with_token(&token).get("/play").await;
    assert!(!page.text.contains("/account"), "{}", page.status);
}

#[tokio::test]
async fn making_a_token_needs_the_password_and_a_session() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    for (name, scopes, end) in [
        ("", "read", "month"),
        ("  ", "read", "month"),
        (&*"x".repeat(41), "read", "month"),
        ("a\nb", "read", "month"),
        ("bot", "", "month"),
        ("bot", "admin", "month"),
        ("bot", "read,account", "month"),
        ("bot", "read", "decade"),
    ] {
        create(&ann, name, scopes, end, PASSWORD)
            .await
            .assert_error(400, "bad_request");
    }
    create(&ann, "bot", "read", "year", "wrong horse")
        .await
        .assert_error(403, "wrong_password");
    let guest = app.visitor();
    guest
        .post("/api/be_guest", &[("name", "visitor")])
        .await
        .assert_ok();
    let form = [
        ("name", "bot"),
        ("scopes", "read"),
        ("end", "year"),
        ("password", ""),
    ];
    guest
        .post("/api/create_token", &form)
        .await
        .assert_error(403, "wrong_password");
    let program = ann.as_program("play").await;
    create(&program, "bot", "play", "never", PASSWORD)
        .await
        .assert_error(403, "out_of_scope");
    program
        .get("/api/tokens")
        .await
        .assert_error(403, "out_of_scope");
    create(&ann, "Бот", "play", "never", PASSWORD)
        .await
        .assert_ok();
    let listed = ann.get("/api/tokens").await.assert_ok();
    assert_eq!(listed[0]["name"], "Бот");
    assert_eq!(listed[0]["scopes"], json!(["read", "play"]));
    assert!(listed[0]["expires_at"].is_null() && listed[0]["used_at"].is_null());
    assert!(listed[1]["expires_at"].is_i64() && listed[1]["used_at"].is_i64());
}

#[tokio::test]
async fn a_player_has_a_limited_number_of_tokens() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    for _ in 0..18 {
        create(&ann, "bot", "read", "year", PASSWORD)
            .await
            .assert_ok();
    }
    // At once, because the last ones must not slip through together.
    let tries = (0..5).map(async |_| create(&ann, "bot", "read", "year", PASSWORD).await);
    let answers = futures::future::join_all(tries).await;
    let (made, refused): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!((made.len(), refused.len()), (2, 3));
    refused[0].assert_error(409, "too_many_tokens");
    end_all(&ann).await;
    create(&ann, "bot", "read", "year", PASSWORD)
        .await
        .assert_ok();
}

#[tokio::test]
async fn a_token_that_has_ended_is_none_and_its_streams_are_told() {
    let app = TestApp::init().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let program = ann.as_program("play").await;
    let mut streams = [
        program.stream("/events/lobby?game=dots").await,
        program
            .at_instance(there.address)
            .stream("/events/lobby?game=boxes")
            .await,
    ];
    for stream in &mut streams {
        stream.expect("snapshot").await;
    }
    let mut of_session = ann.join_lobby().await;
    let id = ann.get("/api/tokens").await.assert_ok()[0]["id"].to_string();
    bob.post("/api/end_token", &[("id", &id)])
        .await
        .assert_error(404, "no_such_token");
    ann.post("/api/end_token", &[("id", &id)]).await.assert_ok();
    program
        .get("/api/whoami")
        .await
        .assert_error(401, "bad_token");
    for stream in &mut streams {
        stream.next_named("signed_out").await;
        assert!(stream.event().await.is_none());
    }
    let _other = bob.join_lobby().await;
    of_session.next_named("joined").await;
}

#[tokio::test]
async fn tokens_end_with_the_password_and_with_the_account() {
    let app = TestApp::init().await;
    let operator = app.with_operator("opal").await;
    let ann = app.with_user("ann").await;
    let is_bad = async |program: &Player| {
        let answer = program.get("/api/whoami").await;
        answer.assert_error(401, "bad_token");
    };

    let program = ann.as_program("play").await;
    let mut stream = program.stream("/events/lobby?game=dots").await;
    let change = [("password", PASSWORD), ("new_password", "another long one")];
    ann.post("/api/change_password", &change).await.assert_ok();
    is_bad(&program).await;
    stream.next_named("signed_out").await;
    let change = [("password", "another long one"), ("new_password", PASSWORD)];
    ann.post("/api/change_password", &change).await.assert_ok();

    let program = ann.as_program("play").await;
    let mut stream = program.stream("/events/lobby?game=dots").await;
    let made = ann.post("/api/recovery_codes", &[("password", PASSWORD)]);
    let codes = made.await.assert_ok();
    let code = codes["codes"][0].as_str().unwrap();
    let form = [("name", "ann"), ("code", code), ("new_password", PASSWORD)];
    ann.post("/api/recover", &form).await.assert_ok();
    is_bad(&program).await;
    stream.next_named("signed_out").await;

    let program = ann.as_program("play").await;
    let mut stream = program.stream("/events/lobby?game=dots").await;
    let id = ann.id.to_string();
    let close = |closed| [("player", id.clone()), ("closed", closed)];
    let close = |closed: &str| close(closed.to_owned());
    for closed in ["true", "false"] {
        let form = close(closed);
        let form = form.each_ref().map(|(name, value)| (*name, &**value));
        operator
            .post("/api/operator_close", &form)
            .await
            .assert_ok();
        is_bad(&program).await;
    }
    stream.next_named("signed_out").await;

    let bob = app.with_user("bob").await;
    let program = bob.as_program("play").await;
    bob.post("/api/delete_account", &[("password", PASSWORD)])
        .await
        .assert_ok();
    is_bad(&program).await;
    let left: i64 = sqlx::query_scalar("select count(*) from tokens")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn a_token_ends_when_its_time_is_over() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let program = ann.as_program("play").await;
    let mut stream = program.stream("/events/lobby?game=dots").await;
    sqlx::query("update tokens set expires_at = now()")
        .execute(&app.db)
        .await
        .unwrap();
    program
        .get("/api/whoami")
        .await
        .assert_error(401, "bad_token");
    stream.next_named("signed_out").await;
    assert_eq!(ann.get("/api/tokens").await.assert_ok(), json!([]));
}

#[tokio::test]
async fn a_token_of_a_muted_player_is_muted() {
    let app = TestApp::init().await;
    let operator = app.with_operator("opal").await;
    let ann = app.with_user("ann").await;
    let program = ann.as_program("play").await;
    let form = [("player", &*ann.id.to_string()), ("length", "hour")];
    operator.post("/api/operator_mute", &form).await.assert_ok();
    program
        .post("/api/say", &[("place", "lobby"), ("text", "hello")])
        .await
        .assert_error(403, "muted");
}

#[tokio::test]
async fn a_token_of_an_operator_is_a_players() {
    let app = TestApp::init().await;
    let operator = app.with_operator("opal").await;
    let program = operator.as_program("read,play").await;
    operator.get("/api/operator_desk").await.assert_ok();
    for path in ["/api/operator_desk", "/api/operator_house"] {
        program.get(path).await.assert_error(403, "out_of_scope");
    }
    program
        .get("/api/operator_none")
        .await
        .assert_error(404, "not_found");
    program
        .post("/api/whoami", &[])
        .await
        .assert_error(405, "method_not_allowed");
}

#[tokio::test]
async fn a_token_that_may_read_holds_no_seat() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let program = ann.as_program("read").await;
    let id = start_match(&ann, &bob, SMALL).await;
    let mut events = program.stream(&format!("/events/match/{id}")).await;
    begin(&ann, &bob, id).await;
    events.next_named("moved").await;
    let place = format!("match:{id}");
    let here: i64 = sqlx::query_scalar("select count(*) from presence where place = $1")
        .bind(&place)
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(here, 0);
    program
        .make_move(id, "1,1", &[])
        .await
        .assert_error(403, "out_of_scope");
    let player = ann.as_program("play").await;
    let _there = player.stream(&format!("/events/match/{id}")).await;
    let here: i64 = sqlx::query_scalar("select player_id from presence where place = $1")
        .bind(&place)
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(here, ann.id);
}

#[tokio::test]
async fn only_a_hash_of_a_token_is_kept_and_its_last_use_to_the_minute() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let token = ann.create_token("read").await;
    assert!(token.starts_with("tochki_") && token.len() == 50, "{token}");
    let program = ann.with_token(&token);
    let row = async || -> String {
        sqlx::query_scalar("select tokens::text from tokens")
            .fetch_one(&app.db)
            .await
            .unwrap()
    };
    assert!(!row().await.contains(&token));
    program.get("/api/whoami").await.assert_ok();
    let once = row().await;
    program.get("/api/whoami").await.assert_ok();
    assert_eq!(row().await, once, "noted once a minute");
    sqlx::query("update tokens set used_at = now() - interval '61 seconds'")
        .execute(&app.db)
        .await
        .unwrap();
    let aged = row().await;
    program.get("/api/whoami").await.assert_ok();
    assert_ne!(row().await, aged);
    let mine = ann.get("/api/my_data").await.assert_ok();
    assert_eq!(mine["tokens"][0]["name"], "a bot");
    assert_eq!(mine["tokens"][0]["scopes"], json!(["read"]));
    assert!(!mine.to_string().contains("hash"));
}

#[tokio::test]
async fn a_token_is_shown_once_on_a_page() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let form = |password| {
        [
            ("name", "<b>bot</b>"),
            ("scopes", "read,play"),
            ("end", "never"),
            ("password", password),
        ]
    };
    let refused = ann.post("/account/token", &form("wrong horse")).await;
    assert_eq!(refused.status, 303);
    let back = refused.header("location").unwrap().to_owned();
    assert!(
        ann.get(&back)
            .await
            .text
            .contains("Wrong password. Try again.")
    );
    let shown = ann.post("/account/token", &form(PASSWORD)).await;
    assert_eq!(shown.status, 200);
    assert_eq!(shown.header("cache-control"), Some("no-store"));
    let token = shown.text.split("<code>").nth(1).unwrap();
    let token = token.split('<').next().unwrap();
    assert_eq!(
        ann.with_token(token).get("/api/whoami").await.assert_ok()["name"],
        "ann"
    );
    let page = ann.get("/account").await.text;
    assert!(page.contains("&lt;b&gt;bot&lt;/b&gt;") && !page.contains("<b>bot"));
    assert!(!page.contains(token) && page.contains("may read and play"));
    assert!(!ann.get("/account/token").await.text.contains("<code>"));
    let id = ann.get("/api/tokens").await.assert_ok()[0]["id"].to_string();
    let end = ann
        .post_request("/api/end_token")
        .header("accept", "text/html")
        .form(&[("id", &*id), ("next", "/account?done=token")]);
    let ended = send(end).await;
    assert_eq!(ended.header("location"), Some("/account?done=token"));
    assert!(
        ann.get("/account?done=token")
            .await
            .text
            .contains("Token revoked.")
    );
}

#[tokio::test]
async fn requests_of_a_token_are_limited() {
    let app = TestApp::with_settings(|settings| {
        settings.requests_by_token = NonZeroU32::new(5).unwrap();
    })
    .await;
    let ann = app.with_user("ann").await;
    let (program, other) = (ann.as_program("read").await, ann.as_program("read").await);
    let refused = wait_until("a refusal", async || {
        let answers = (0..10).map(async |_| program.get("/api/whoami").await);
        let answers = futures::future::join_all(answers).await;
        answers.into_iter().find(|answer| answer.status != 200)
    })
    .await;
    refused.assert_error(429, "too_many_requests");
    assert_eq!(refused.header("retry-after"), Some("1"));
    other.get("/api/whoami").await.assert_ok();
    ann.get("/api/whoami").await.assert_ok();
}
