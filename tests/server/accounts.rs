//! Registering, signing in and out: names, passwords, sessions.

use super::app::{SMALL, TestApp, start_match};
use super::player::{Answer, PASSWORD, Visitor, send};
use futures::future::join_all;
use sha2::{Digest as _, Sha256};
use std::num::NonZeroU32;

async fn registers(visitor: &Visitor, name: &str, password: &str) -> Answer {
    let form = [("name", name), ("password", password)];
    visitor.post("/api/register", &form).await
}

async fn signs_in(visitor: &Visitor, name: &str, password: &str) -> Answer {
    let form = [("name", name), ("password", password)];
    visitor.post("/api/login", &form).await
}

#[tokio::test]
async fn a_stranger_registers_goes_and_comes_back() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    assert!(visitor.get("/api/whoami").await.given().is_null());

    let account = registers(&visitor, "Ann", PASSWORD).await.given();
    assert_eq!(account["name"], "Ann");
    assert_eq!(visitor.get("/api/whoami").await.given(), account);

    let old = visitor.cookies();
    assert!(
        visitor.post("/api/logout", &[]).await.given().is_null(),
        "signing out answers null"
    );
    assert!(visitor.get("/api/whoami").await.given().is_null());
    assert_eq!(
        visitor.cookies(),
        "",
        "the browser has forgotten the cookie"
    );
    let kept = app
        .visitor()
        .asks(reqwest::Method::GET, "/api/whoami")
        .header("cookie", old);
    assert!(
        send(kept).await.given().is_null(),
        "a session that has ended stays ended"
    );

    assert_eq!(
        signs_in(&visitor, "aNN", PASSWORD).await.given(),
        account,
        "names have no case"
    );
    assert_eq!(visitor.get("/api/whoami").await.given(), account);
}

#[tokio::test]
async fn signing_out_ends_this_session_alone() {
    let app = TestApp::init().await;
    let here = app.with_user("ann").await;
    let there = app.visitor();
    signs_in(&there, "ann", PASSWORD).await.given();
    here.post("/api/logout", &[]).await.given();
    assert!(here.get("/api/whoami").await.given().is_null());
    assert_eq!(there.get("/api/whoami").await.given()["id"], here.id);
    // Signing out twice, or without a session, is no mistake.
    here.post("/api/logout", &[]).await.given();
}

#[tokio::test]
async fn with_a_session_its_streams_end() {
    let app = TestApp::init().await;
    let there = app.another().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let path = format!("/events/match/{id}");
    let second = Visitor::at(app.address);
    signs_in(&second, "ann", PASSWORD).await.given();
    let other_session = second.stream(&path).await;
    let streams = [
        ann.waits().await,
        ann.stream(&path).await,
        ann.moved_to(there.address).stream(&path).await,
    ];
    ann.post("/api/logout", &[]).await.given();
    for stream in streams {
        stream.rest().await;
    }
    assert_eq!(
        bob.snapshot(id).await["present"][0],
        true,
        "in another browser"
    );
    bob.resigns(id).await.given();
    let mut other_session = other_session;
    other_session.expect("finished").await;
}

#[tokio::test]
async fn names_are_letters_first_then_letters_digits_and_dashes() {
    let app = TestApp::init().await;
    for name in ["Бо", "李雷", "नीता", "ab345678901234567890", "x-_9"] {
        let account = registers(&app.visitor(), name, PASSWORD).await.given();
        assert_eq!(account["name"], name);
    }
    let composed = registers(&app.visitor(), "e\u{301}va", PASSWORD).await;
    assert_eq!(composed.given()["name"], "éva", "names are kept in NFC");
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
        let answer = registers(&app.visitor(), name, PASSWORD).await;
        answer.refused(400, "invalid_name");
        assert!(
            answer.cookies().is_empty(),
            "nobody is signed in as {name:?}"
        );
    }
}

#[tokio::test]
async fn a_name_is_taken_in_all_its_spellings() {
    let app = TestApp::init().await;
    for (first, others) in [
        ("Ann", ["aNN", "Ａｎｎ"]),
        ("Ёжик", ["ёЖИК", "Е\u{308}жик"]),
        ("ﬁx", ["FIX", "fix"]),
        ("Οδυσσευς", ["ΟΔΥΣΣΕΥΣ", "οδυσσευς"]),
    ] {
        app.with_user(first).await;
        for other in others {
            registers(&app.visitor(), other, PASSWORD)
                .await
                .refused(409, "name_taken");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_want_a_name_at_once_one_gets_it() {
    let app = TestApp::init().await;
    let visitors: Vec<_> = (0..6).map(|_| app.visitor()).collect();
    let all = visitors
        .iter()
        .map(|visitor| registers(visitor, "ann", PASSWORD));
    let mut codes: Vec<_> = join_all(all).await.iter().map(Answer::code).collect();
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
async fn passwords_have_6_to_128_characters() {
    let app = TestApp::init().await;
    let long = "п".repeat(128);
    for (name, password) in [
        ("short", "123456"),
        ("blanks", "      "),
        ("long", &long),
        ("smile", "🙂🙂🙂🙂🙂🙂"),
        ("nul", "12345\0"),
    ] {
        registers(&app.visitor(), name, password).await.given();
        signs_in(&app.visitor(), name, password).await.given();
        signs_in(&app.visitor(), name, &format!("{password} "))
            .await
            .refused(401, "bad_credentials");
    }
    let longer = "п".repeat(129);
    for password in ["", "12345", "🙂🙂🙂🙂🙂", &longer] {
        registers(&app.visitor(), "ann", password)
            .await
            .refused(400, "invalid_password");
    }
}

#[tokio::test]
async fn a_wrong_pair_is_one_message() {
    let app = TestApp::init().await;
    app.with_user("ann").await;
    let wrong_password = signs_in(&app.visitor(), "ann", "wrong horse").await;
    let refusal = wrong_password.refused(401, "bad_credentials");
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
        let answer = signs_in(&app.visitor(), name, password).await;
        assert_eq!(
            answer.refused(401, "bad_credentials"),
            refusal,
            "{name:?} {password:?}"
        );
    }
}

#[tokio::test]
async fn the_cookie_is_for_this_site_and_not_for_scripts() {
    let app = TestApp::init().await;
    let answer = registers(&app.visitor(), "ann", PASSWORD).await;
    let cookies = answer.cookies();
    let [cookie] = cookies[..] else {
        panic!("one cookie, not {cookies:?}")
    };
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
async fn under_https_the_cookie_is_bound_to_host_and_https() {
    let app = TestApp::with(|settings| {
        settings.public_origin = Some("https://tochki.example".into());
    })
    .await;
    let answer = registers(&app.visitor(), "ann", PASSWORD).await;
    let cookies = answer.cookies();
    let [cookie] = cookies[..] else {
        panic!("one cookie, not {cookies:?}")
    };
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
        let asks = app.visitor().asks(reqwest::Method::GET, "/api/whoami");
        send(asks.header("cookie", cookie)).await.given()
    };
    assert_eq!(with(&format!("other=1; {pair}")).await["name"], "ann");
    let unbound = pair.trim_start_matches("__Host-");
    assert!(
        with(unbound).await.is_null(),
        "a cookie that a neighbouring host could have set counts for nothing"
    );
}

#[tokio::test]
async fn the_database_holds_digests_only() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let token = ann.cookies().trim_start_matches("session=").to_owned();

    let hash: String = sqlx::query_scalar("select password_hash from players")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert!(hash.starts_with("$argon2id$"), "{hash}");
    let stored: Vec<u8> = sqlx::query_scalar("select token_hash from sessions")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(stored, Sha256::digest(token.as_bytes()).to_vec());

    let rows: Vec<String> = sqlx::query_scalar(
        "select players::text from players union all select sessions::text from sessions",
    )
    .fetch_all(&app.db)
    .await
    .unwrap();
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert!(!row.contains(PASSWORD) && !row.contains(&token), "{row}");
    }
}

#[tokio::test]
async fn a_session_ends_by_itself_and_garbage_is_none() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    sqlx::query("update sessions set expires_at = now() - interval '1 second'")
        .execute(&app.db)
        .await
        .unwrap();
    assert!(ann.get("/api/whoami").await.given().is_null());
    for cookie in [
        "session=",
        "session=x",
        "session=a%00b",
        "session",
        "=;;session=\u{e9}",
    ] {
        let asks = app.visitor().asks(reqwest::Method::GET, "/api/whoami");
        assert!(send(asks.header("cookie", cookie)).await.given().is_null());
    }
}

#[tokio::test]
async fn guessing_at_one_name_is_slowed_down() {
    let app = TestApp::with(|settings| {
        settings.sign_in_by_name = NonZeroU32::new(3).unwrap();
    })
    .await;
    app.with_user("ann").await;
    app.with_user("bob").await;
    for guess in ["ann", "Ann", "ANN"] {
        signs_in(&app.visitor(), guess, "wrong horse")
            .await
            .refused(401, "bad_credentials");
    }
    let refused = signs_in(&app.visitor(), "ann", PASSWORD).await;
    refused.refused(429, "too_many_attempts");
    waits_for_a_while(&refused);
    signs_in(&app.visitor(), "bob", PASSWORD).await.given();
}

#[tokio::test]
async fn guessing_from_one_address_is_slowed_down() {
    let app = TestApp::with(|settings| {
        settings.sign_in_by_address = NonZeroU32::new(3).unwrap();
        settings.trust_proxy = true;
    })
    .await;
    app.with_user("ann").await;
    let from = async |forwarded: &str, name: &str, password: &str| {
        let form = [("name", name), ("password", password)];
        let post = app.visitor().posts("/api/login").form(&form);
        send(post.header("x-forwarded-for", forwarded)).await
    };
    // Only the last address is our proxy's word; the others are whatever the client has written there.
    let guesses = (0..20).map(async |number| {
        let forwarded = format!("10.0.0.{number}, 10.9.8.7");
        from(&forwarded, &format!("name{number}"), "wrong horse").await
    });
    are_slowed_down(&join_all(guesses).await);
    from("10.9.8.7, 3.3.3.3", "ann", PASSWORD).await.given();
}

#[tokio::test]
async fn without_a_proxy_nobody_says_their_own_address() {
    let app = TestApp::with(|settings| {
        settings.sign_in_by_address = NonZeroU32::new(2).unwrap();
    })
    .await;
    let guesses = (0..20).map(async |number| {
        let name = format!("name{number}");
        let form = [("name", name.as_str()), ("password", "wrong horse")];
        let post = app.visitor().posts("/api/login").form(&form);
        send(post.header("x-forwarded-for", format!("10.0.0.{number}"))).await
    });
    are_slowed_down(&join_all(guesses).await);
}

/// Some guesses are looked at, and then no more for a while.
#[track_caller]
fn are_slowed_down(guesses: &[Answer]) {
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
        answer.refused(429, "too_many_attempts");
        waits_for_a_while(answer);
    }
}

#[tokio::test]
async fn asking_without_end_is_slowed_down() {
    let app = TestApp::with(|settings| {
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
    refused.refused(429, "too_many_requests");
    waits_for_a_while(&refused);
    // Streams are asked for like everything else. There is a moment in which one more request is good.
    let refused = loop {
        let answer = visitor.get("/events/match/1").await;
        if answer.status != 404 {
            break answer;
        }
    };
    refused.refused(429, "too_many_requests");
    waits_for_a_while(&refused);
}

#[track_caller]
fn waits_for_a_while(refused: &Answer) {
    let seconds = refused.header("retry-after").and_then(|s| s.parse().ok());
    assert!(
        seconds.is_some_and(|seconds: u32| (1..=60).contains(&seconds)),
        "{refused:?}"
    );
}
