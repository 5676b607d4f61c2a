//! Registering, signing in and out: names, passwords, sessions.

use super::app::{BEGUN, SMALL, TestApp, begin, start_match};
use super::player::{PASSWORD, Response, Visitor, send};
use futures::future::join_all;
use sha2::{Digest as _, Sha256};
use std::num::NonZeroU32;
use tochki_server::settings::Settings;

async fn register(visitor: &Visitor, name: &str, password: &str) -> Response {
    let form = [("name", name), ("password", password)];
    visitor.post("/api/register", &form).await
}

async fn sign_in(visitor: &Visitor, name: &str, password: &str) -> Response {
    let form = [("name", name), ("password", password)];
    visitor.post("/api/login", &form).await
}

#[tokio::test]
async fn register_sign_out_and_sign_in() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    assert!(visitor.get("/api/whoami").await.assert_ok().is_null());

    let account = register(&visitor, "Ann", PASSWORD).await.assert_ok();
    assert_eq!(account["name"], "Ann");
    assert_eq!(visitor.get("/api/whoami").await.assert_ok(), account);

    let old = visitor.cookies();
    assert!(
        visitor.post("/api/logout", &[]).await.assert_ok().is_null(),
        "signing out answers null"
    );
    assert!(visitor.get("/api/whoami").await.assert_ok().is_null());
    assert!(
        visitor.cookies().starts_with("device=") && !visitor.cookies().contains("session="),
        "the session's cookie is removed, the browser stays known"
    );
    let kept = app
        .visitor()
        .request(reqwest::Method::GET, "/api/whoami")
        .header("cookie", old);
    assert!(
        send(kept).await.assert_ok().is_null(),
        "an ended session stays invalid"
    );

    assert_eq!(
        sign_in(&visitor, "aNN", PASSWORD).await.assert_ok(),
        account,
        "names are case-insensitive"
    );
    assert_eq!(visitor.get("/api/whoami").await.assert_ok(), account);
}

#[tokio::test]
async fn signing_out_ends_only_this_session() {
    let app = TestApp::init().await;
    let here = app.with_user("ann").await;
    let there = app.visitor();
    sign_in(&there, "ann", PASSWORD).await.assert_ok();
    here.post("/api/logout", &[]).await.assert_ok();
    assert!(here.get("/api/whoami").await.assert_ok().is_null());
    assert_eq!(there.get("/api/whoami").await.assert_ok()["id"], here.id);
    // Signing out twice, or without a session, is no error.
    here.post("/api/logout", &[]).await.assert_ok();
}

#[tokio::test]
async fn ending_a_session_ends_its_streams() {
    let app = TestApp::init().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let path = format!("/events/match/{id}?after={BEGUN}");
    let second = Visitor::at(app.address);
    sign_in(&second, "ann", PASSWORD).await.assert_ok();
    let other_session = second.stream(&path).await;
    let streams = [
        ann.join_lobby().await,
        ann.stream(&path).await,
        ann.at_instance(there.address).stream(&path).await,
    ];
    ann.post("/api/logout", &[]).await.assert_ok();
    for stream in streams {
        stream.collect_rest().await;
    }
    assert_eq!(
        bob.snapshot(id).await["present"][0],
        true,
        "in another browser"
    );
    bob.resign(id).await.assert_ok();
    let mut other_session = other_session;
    other_session.expect("finished").await;
}

#[tokio::test]
async fn name_syntax_is_checked() {
    let app = TestApp::init().await;
    for name in ["Бо", "李雷", "नीता", "ab345678901234567890", "x-_9"] {
        let account = register(&app.visitor(), name, PASSWORD).await.assert_ok();
        assert_eq!(account["name"], name);
    }
    let composed = register(&app.visitor(), "e\u{301}va", PASSWORD).await;
    assert_eq!(composed.assert_ok()["name"], "éva", "names are kept in NFC");
    for name in [
        "",
        "a",
        "1ab",
        "_ab",
        "-ab",
        "a b",
        "a.b",
        "<b>ab",
        "a\u{202e}b",
        "a\0b",
        "a🙂",
        "\u{301}ab",
        "ab3456789012345678901",
        "admin\nadmin",
    ] {
        let answer = register(&app.visitor(), name, PASSWORD).await;
        answer.assert_error(400, "invalid_name");
        assert!(
            answer.cookies().is_empty(),
            "nobody is signed in as {name:?}"
        );
    }
}

#[tokio::test]
async fn names_that_look_the_same_are_taken() {
    let app = TestApp::init().await;
    for (first, others) in [
        ("Ann", ["aNN", "Ａｎｎ"]),
        ("Ёжик", ["ёЖИК", "Е\u{308}жик"]),
        ("ﬁx", ["FIX", "fix"]),
        ("Οδυσσευς", ["ΟΔΥΣΣΕΥΣ", "οδυσσευς"]),
    ] {
        app.with_user(first).await;
        for other in others {
            register(&app.visitor(), other, PASSWORD)
                .await
                .assert_error(409, "name_taken");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_registrations_of_a_name_succeed_once() {
    let app = TestApp::init().await;
    let visitors: Vec<_> = (0..6).map(|_| app.visitor()).collect();
    let all = visitors
        .iter()
        .map(|visitor| register(visitor, "ann", PASSWORD));
    let mut codes: Vec<_> = join_all(all).await.iter().map(Response::code).collect();
    codes.sort();
    assert_eq!(codes[0], None);
    assert!(
        codes[1..]
            .iter()
            .all(|code| code.as_deref() == Some("name_taken")),
        "{codes:?}"
    );
}

#[tokio::test]
async fn password_length_is_8_to_128_characters() {
    let app = TestApp::init().await;
    let long = "Щит и меч! ".repeat(12)[..]
        .chars()
        .take(128)
        .collect::<String>();
    for (name, password) in [
        ("short", "xK3#vQ9p"),
        ("blanks", " q z  vj "),
        ("long", &long),
        ("smile", "🙂🙃😉🐘🍋🚲🎈🐙"),
        ("nul", "xK3#vQ9\0"),
    ] {
        register(&app.visitor(), name, password).await.assert_ok();
        sign_in(&app.visitor(), name, password).await.assert_ok();
        sign_in(&app.visitor(), name, &format!("{password} "))
            .await
            .assert_error(401, "bad_credentials");
    }
    let longer = format!("{long}!");
    for password in ["", "xK3#vQ9", "🙂🙃😉🐘🍋🚲🎈", &longer] {
        let refused = register(&app.visitor(), "ann", password)
            .await
            .assert_error(400, "invalid_password");
        assert_eq!(refused["message"], "A password has 8 to 128 characters.");
    }
}

#[tokio::test]
async fn the_name_and_common_passwords_are_refused_with_a_reason() {
    let app = TestApp::init().await;
    for (password, reason) in [
        ("Annabella", "not the name"),
        ("annabella", "not the name"),
        ("password1", "easily guessed"),
        ("12345678", "easily guessed"),
        ("qwertyuiop", "easily guessed"),
    ] {
        let refused = register(&app.visitor(), "Annabella", password)
            .await
            .assert_error(400, "invalid_password");
        let message = refused["message"].as_str().unwrap();
        assert!(message.contains(reason), "{password}: {message}");
    }
}

#[tokio::test]
async fn wrong_name_and_wrong_password_get_the_same_error() {
    let app = TestApp::init().await;
    app.with_user("ann").await;
    let wrong_password = sign_in(&app.visitor(), "ann", "wrong horse").await;
    let refusal = wrong_password.assert_error(401, "bad_credentials");
    assert!(wrong_password.cookies().is_empty());
    for (name, password) in [
        ("bob", PASSWORD),
        ("", ""),
        ("ann", ""),
        ("a\0nn", PASSWORD),
        ("ann\0", PASSWORD),
        ("no name at all, and too long for one", PASSWORD),
        ("' or 1=1 --", PASSWORD),
    ] {
        let answer = sign_in(&app.visitor(), name, password).await;
        assert_eq!(
            answer.assert_error(401, "bad_credentials"),
            refusal,
            "{name:?} {password:?}"
        );
    }
}

#[tokio::test]
async fn session_cookie_is_same_site_and_http_only() {
    let app = TestApp::init().await;
    let answer = register(&app.visitor(), "ann", PASSWORD).await;
    let cookies = answer.cookies();
    let [cookie, device] = cookies[..] else {
        panic!("two cookies, not {cookies:?}")
    };
    let (_, of_device) = device.split_once("; ").expect("attributes");
    assert!(device.starts_with("device="), "{device}");
    assert!(
        of_device.contains("HttpOnly") && of_device.contains("SameSite=Lax"),
        "{device}"
    );
    let mut parts = cookie.split("; ");
    let pair = parts.next().expect("a name and a value");
    let token = pair.strip_prefix("session=").expect("the session");
    assert!(token.len() >= 40, "256 bits take room: {token}");
    let attributes: Vec<_> = parts.collect();
    assert!(attributes.contains(&"HttpOnly"), "{cookie}");
    assert!(attributes.contains(&"SameSite=Lax"), "{cookie}");
    assert!(attributes.contains(&"Path=/"), "{cookie}");
    assert!(
        !attributes.contains(&"Secure"),
        "over plain http a Secure cookie would be lost: {cookie}"
    );
}

#[tokio::test]
async fn session_cookie_under_https_is_secure_with_host_prefix() {
    let app = TestApp::with_settings(|settings| {
        settings.public_origin = Some("https://tochki.example".into());
    })
    .await;
    let answer = register(&app.visitor(), "ann", PASSWORD).await;
    let cookies = answer.cookies();
    let [cookie, device] = cookies[..] else {
        panic!("two cookies, not {cookies:?}")
    };
    assert!(
        device.starts_with("__Host-device=") && device.contains("Secure"),
        "{device}"
    );
    let (pair, attributes) = cookie.split_once("; ").expect("attributes");
    assert!(pair.starts_with("__Host-session="), "{cookie}");
    for attribute in ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(
            attributes.split("; ").any(|one| one == attribute),
            "{cookie}"
        );
    }
    assert!(!attributes.contains("Domain"), "{cookie}");

    let with = async |cookie: &str| {
        let asks = app.visitor().request(reqwest::Method::GET, "/api/whoami");
        send(asks.header("cookie", cookie)).await.assert_ok()
    };
    assert_eq!(with(&format!("other=1; {pair}")).await["name"], "ann");
    let unbound = pair.trim_start_matches("__Host-");
    assert!(
        with(unbound).await.is_null(),
        "a cookie without the __Host- prefix is ignored"
    );
}

#[tokio::test]
async fn database_stores_only_digests() {
    let app = TestApp::with_settings(|settings| {
        settings.hashing_cost = Settings::default().hashing_cost;
    })
    .await;
    let ann = app.with_user("ann").await;
    let cookies = ann.cookies();
    let value = |name: &str| {
        let mut pairs = cookies.split("; ");
        let value = pairs.find_map(|pair| pair.strip_prefix(name)).expect(name);
        value.to_owned()
    };
    let (token, device) = (value("session="), value("device="));

    let hash: String = sqlx::query_scalar("select password_hash from players")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert!(
        hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
        "{hash}"
    );
    let stored: Vec<u8> = sqlx::query_scalar("select token_hash from sessions")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(stored, Sha256::digest(token.as_bytes()).to_vec());

    let rows: Vec<String> = sqlx::query_scalar(
        "select players::text from players union all select sessions::text from sessions
         union all select devices::text from devices",
    )
    .fetch_all(&app.db)
    .await
    .unwrap();
    assert_eq!(rows.len(), 3);
    for row in rows {
        for secret in [PASSWORD, &token, &device] {
            assert!(!row.contains(secret), "{row}");
        }
    }
}

#[tokio::test]
async fn sessions_expire_and_unknown_tokens_are_ignored() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    sqlx::query("update sessions set expires_at = now() - interval '1 second'")
        .execute(&app.db)
        .await
        .unwrap();
    assert!(ann.get("/api/whoami").await.assert_ok().is_null());
    for cookie in [
        "session=",
        "session=x",
        "session=a%00b",
        "session",
        "=;;session=\u{e9}",
    ] {
        let asks = app.visitor().request(reqwest::Method::GET, "/api/whoami");
        assert!(
            send(asks.header("cookie", cookie))
                .await
                .assert_ok()
                .is_null()
        );
    }
}

#[tokio::test]
async fn sign_ins_by_name_are_limited() {
    let app = TestApp::with_settings(|settings| {
        settings.sign_in_by_name = NonZeroU32::new(3).unwrap();
    })
    .await;
    app.with_user("ann").await;
    app.with_user("bob").await;
    for guess in ["ann", "Ann", "ANN"] {
        sign_in(&app.visitor(), guess, "wrong horse")
            .await
            .assert_error(401, "bad_credentials");
    }
    let refused = sign_in(&app.visitor(), "ann", PASSWORD).await;
    refused.assert_error(429, "too_many_attempts");
    assert_retry_after(&refused);
    sign_in(&app.visitor(), "bob", PASSWORD).await.assert_ok();
}

#[tokio::test]
async fn sign_ins_by_address_are_limited() {
    let app = TestApp::with_settings(|settings| {
        settings.sign_in_by_address = NonZeroU32::new(3).unwrap();
        settings.trust_proxy = 1;
    })
    .await;
    app.with_user("ann").await;
    let from = async |forwarded: &str, name: &str, password: &str| {
        let form = [("name", name), ("password", password)];
        let post = app.visitor().post_request("/api/login").form(&form);
        send(post.header("x-forwarded-for", forwarded)).await
    };
    // Only the last address was added by our proxy; the client can write any others.
    let guesses = (0..20).map(async |number| {
        let forwarded = format!("10.0.0.{number}, 10.9.8.7");
        from(&forwarded, &format!("name{number}"), "wrong horse").await
    });
    assert_rate_limited(&join_all(guesses).await);
    from("10.9.8.7, 3.3.3.3", "ann", PASSWORD).await.assert_ok();
}

#[tokio::test]
async fn forwarded_address_is_ignored_without_trust_proxy() {
    let app = TestApp::with_settings(|settings| {
        settings.sign_in_by_address = NonZeroU32::new(2).unwrap();
    })
    .await;
    let guesses = (0..20).map(async |number| {
        let name = format!("name{number}");
        let form = [("name", name.as_str()), ("password", "wrong horse")];
        let post = app.visitor().post_request("/api/login").form(&form);
        send(post.header("x-forwarded-for", format!("10.0.0.{number}"))).await
    });
    assert_rate_limited(&join_all(guesses).await);
}

/// Checks that some attempts are checked, and the rest are refused for a while.
#[track_caller]
fn assert_rate_limited(guesses: &[Response]) {
    let refused = |code: &str| {
        let answers = guesses.iter();
        answers
            .filter(|answer| answer.code().as_deref() == Some(code))
            .collect::<Vec<_>>()
    };
    let (tried, slowed) = (refused("bad_credentials"), refused("too_many_attempts"));
    assert!(tried.len() >= 2 && !slowed.is_empty(), "{guesses:?}");
    assert_eq!(tried.len() + slowed.len(), guesses.len(), "{guesses:?}");
    for answer in slowed {
        answer.assert_error(429, "too_many_attempts");
        assert_retry_after(answer);
    }
}

#[tokio::test]
async fn requests_by_address_are_limited() {
    let app = TestApp::with_settings(|settings| {
        settings.requests_by_address = NonZeroU32::new(10).unwrap();
    })
    .await;
    let visitor = app.visitor();
    let refused = loop {
        let answer = visitor.get("/api/whoami").await;
        if answer.status != 200 {
            break answer;
        }
    };
    refused.assert_error(429, "too_many_requests");
    assert_retry_after(&refused);
    // Opening a stream counts, too. The limit refills with time, so a single request may still pass.
    let refused = loop {
        let answer = visitor.get("/events/match/1").await;
        if answer.status != 404 {
            break answer;
        }
    };
    refused.assert_error(429, "too_many_requests");
    assert_retry_after(&refused);
}

#[track_caller]
fn assert_retry_after(refused: &Response) {
    let seconds = refused.header("retry-after").and_then(|s| s.parse().ok());
    assert!(
        seconds.is_some_and(|seconds: u32| (1..=60).contains(&seconds)),
        "{refused:?}"
    );
}
