//! Passkeys, with an authenticator in software: adding them, signing in, and everything that is refused.

use super::app::TestApp;
use super::authenticator::{Authenticator, ORIGIN};
use super::player::{PASSWORD, Player, Response, Visitor, send};
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use std::num::NonZeroU32;
use tochki_protocol::limits;
use tochki_server::settings::Settings;

/// A new password.
const NEW: &str = "a brand new horse";

/// Starts a server at an address to which passkeys can belong.
async fn app() -> TestApp {
    app_with(|_| ()).await
}

async fn app_with(choose: impl FnOnce(&mut Settings)) -> TestApp {
    TestApp::with_settings(|settings| {
        settings.public_origin = Some(ORIGIN.to_owned());
        choose(settings);
    })
    .await
}

async fn begin_adding(player: &Visitor) -> Value {
    let form = [("password", PASSWORD)];
    player
        .post("/api/passkey_begin_registration", &form)
        .await
        .assert_ok()
}

async fn finish_adding(player: &Visitor, credential: &str) -> Response {
    let form = [("credential", credential), ("name", "my phone")];
    player.post("/api/passkey_finish_registration", &form).await
}

/// Adds a passkey and returns its number.
async fn add(player: &Player, authenticator: &mut Authenticator) -> i64 {
    let options = begin_adding(player).await;
    let answer = authenticator.create(&options);
    finish_adding(player, &answer).await.id("id")
}

async fn begin_sign_in(browser: &Visitor) -> Value {
    browser
        .post("/api/passkey_begin_sign_in", &[])
        .await
        .assert_ok()
}

async fn finish_sign_in(browser: &Visitor, credential: &str) -> Response {
    browser
        .post("/api/passkey_finish_sign_in", &[("credential", credential)])
        .await
}

async fn sign_in(browser: &Visitor, authenticator: &mut Authenticator) -> Response {
    let options = begin_sign_in(browser).await;
    finish_sign_in(browser, &authenticator.get(&options)).await
}

async fn list(player: &Visitor) -> Value {
    player.get("/api/passkeys").await.assert_ok()
}

#[tokio::test]
async fn a_passkey_signs_in_without_a_name() {
    let app = app().await;
    let ann = app.with_user("ann").await;
    for mut authenticator in [Authenticator::es256(), Authenticator::eddsa()] {
        let id = add(&ann, &mut authenticator).await;
        let before = list(&ann).await;
        let added = before["passkeys"].as_array().unwrap().last().unwrap();
        assert_eq!(added["id"], id);
        assert_eq!(added["name"], "my phone");
        assert!(added["created_at"].is_i64() && added["used_at"].is_null());
        for _ in 0..2 {
            let browser = app.visitor();
            let account = sign_in(&browser, &mut authenticator).await.assert_ok();
            assert_eq!(account["id"], ann.id);
            assert_eq!(browser.get("/api/whoami").await.assert_ok()["name"], "ann");
            assert!(
                browser.cookies().contains("device="),
                "the browser is known"
            );
        }
        let after = list(&ann).await;
        assert!(after["passkeys"].as_array().unwrap().last().unwrap()["used_at"].is_i64());
    }
    assert_eq!(list(&ann).await["available"], true);
}

#[tokio::test]
async fn signing_in_replaces_the_session_of_the_browser() {
    let app = app().await;
    let (ann, bob) = app.with_two_users().await;
    let mut authenticator = Authenticator::es256();
    add(&ann, &mut authenticator).await;
    let former = bob.at_instance(app.address);
    sign_in(&bob, &mut authenticator).await.assert_ok();
    assert_eq!(bob.get("/api/whoami").await.assert_ok()["name"], "ann");
    assert!(former.get("/api/whoami").await.assert_ok().is_null());
}

#[tokio::test]
async fn credentials_travel_as_json_too() {
    let app = app().await;
    let ann = app.with_user("ann").await;
    let post = async |visitor: &Visitor, path: &str, body: Value| {
        let request = visitor.post_request(path).body(body.to_string());
        send(request.header(CONTENT_TYPE, "application/json")).await
    };
    let mut authenticator = Authenticator::es256();
    let options = post(
        &ann,
        "/api/passkey_begin_registration",
        json!({"password": PASSWORD}),
    )
    .await
    .assert_ok();
    assert_eq!(options["rp"], json!({"id": "localhost", "name": "Tochki"}));
    assert_eq!(options["user"]["name"], "ann");
    assert_eq!(
        options["authenticatorSelection"]["userVerification"],
        "required"
    );
    let credential: Value = serde_json::from_str(&authenticator.create(&options)).unwrap();
    let added = post(
        &ann,
        "/api/passkey_finish_registration",
        json!({"credential": credential}),
    )
    .await;
    assert_eq!(added.assert_ok()["name"], "", "an unknown browser");

    let browser = app.visitor();
    let options = post(&browser, "/api/passkey_begin_sign_in", json!({})).await;
    let answer = authenticator.get(&options.assert_ok());
    let credential: Value = serde_json::from_str(&answer).unwrap();
    post(
        &browser,
        "/api/passkey_finish_sign_in",
        json!({"credential": credential}),
    )
    .await
    .assert_ok();
    let known = begin_adding(&ann).await["excludeCredentials"].clone();
    assert_eq!(known[0]["id"], credential["id"]);
    assert_eq!(known[0]["transports"], json!(["hybrid", "internal"]));
}

#[tokio::test]
async fn a_challenge_is_answered_once_and_in_time() {
    let app = app().await;
    let ann = app.with_user("ann").await;
    let mut authenticator = Authenticator::eddsa();

    let options = begin_adding(&ann).await;
    let made = authenticator.create(&options);
    finish_adding(&ann, &made).await.assert_ok();
    let again = Authenticator::eddsa().create(&options);
    finish_adding(&ann, &again)
        .await
        .assert_error(401, "passkey_refused");

    let browser = app.visitor();
    let options = begin_sign_in(&browser).await;
    let answer = authenticator.get(&options);
    finish_sign_in(&browser, &answer).await.assert_ok();
    for answer in [answer, authenticator.get(&options)] {
        finish_sign_in(&browser, &answer)
            .await
            .assert_error(401, "passkey_refused");
    }

    // A wrong answer uses the challenge up, too.
    let options = begin_sign_in(&browser).await;
    finish_sign_in(&browser, "{}")
        .await
        .assert_error(401, "passkey_refused");
    finish_sign_in(&browser, &authenticator.get(&options))
        .await
        .assert_error(401, "passkey_refused");

    // A newer challenge takes its place.
    let old = begin_sign_in(&browser).await;
    begin_sign_in(&browser).await;
    finish_sign_in(&browser, &authenticator.get(&old))
        .await
        .assert_error(401, "passkey_refused");

    let options = begin_sign_in(&browser).await;
    sqlx::query("update passkey_challenges set expires_at = expires_at - $1")
        .bind(limits::PASSKEY_CHALLENGE_TIMEOUT)
        .execute(&app.db)
        .await
        .unwrap();
    finish_sign_in(&browser, &authenticator.get(&options))
        .await
        .assert_error(401, "passkey_refused");
}

#[tokio::test]
async fn a_challenge_is_answered_by_the_browser_that_has_it() {
    let app = app().await;
    let (ann, bob) = app.with_two_users().await;
    let mut authenticator = Authenticator::es256();
    add(&ann, &mut authenticator).await;

    let (browser, other) = (app.visitor(), app.visitor());
    let options = begin_sign_in(&browser).await;
    let answer = authenticator.get(&options);
    finish_sign_in(&other, &answer)
        .await
        .assert_error(401, "passkey_refused");
    begin_sign_in(&other).await;
    finish_sign_in(&other, &answer)
        .await
        .assert_error(401, "passkey_refused");
    finish_sign_in(&browser, &answer).await.assert_ok();

    // Nor does one session finish what another has begun, nor one ceremony what another has.
    let options = begin_adding(&ann).await;
    begin_adding(&bob).await;
    let mut second = Authenticator::es256();
    let made = second.create(&options);
    finish_adding(&bob, &made)
        .await
        .assert_error(401, "passkey_refused");
    let mut third = Authenticator::es256();
    begin_adding(&ann).await;
    let of_sign_in = begin_sign_in(&ann).await;
    let options = json!({"challenge": of_sign_in["challenge"], "user": options["user"]});
    finish_adding(&ann, &third.create(&options))
        .await
        .assert_error(401, "passkey_refused");
    assert_eq!(list(&ann).await["passkeys"].as_array().unwrap().len(), 1);
    assert_eq!(list(&bob).await["passkeys"], json!([]));
}

/// The lies that an authenticator or a browser could tell.
const LIES: [fn(&mut Authenticator); 5] = [
    |one| "https://evil.example".clone_into(&mut one.origin),
    |one| "http://localhost:3000".clone_into(&mut one.origin),
    |one| "evil.example".clone_into(&mut one.domain),
    |one| one.verified = false,
    |one| one.cross_origin = true,
];

#[tokio::test]
async fn other_sites_and_unverified_users_are_refused() {
    let app = app().await;
    let ann = app.with_user("ann").await;
    let mut honest = Authenticator::es256();
    add(&ann, &mut honest).await;
    for (number, lie) in LIES.into_iter().enumerate() {
        let mut liar = Authenticator::es256();
        lie(&mut liar);
        let made = liar.create(&begin_adding(&ann).await);
        let answer = finish_adding(&ann, &made).await;
        assert_eq!(
            answer.code().as_deref(),
            Some("passkey_refused"),
            "{number}"
        );
        let mut liar = honest.clone();
        lie(&mut liar);
        let answer = sign_in(&app.visitor(), &mut liar).await;
        assert_eq!(
            answer.code().as_deref(),
            Some("passkey_refused"),
            "{number}"
        );
    }
    sign_in(&app.visitor(), &mut honest).await.assert_ok();
}

#[tokio::test]
async fn nobody_signs_in_with_the_passkey_of_another() {
    let app = app().await;
    let (ann, bob) = app.with_two_users().await;
    let (mut of_ann, mut of_bob) = (Authenticator::es256(), Authenticator::es256());
    add(&ann, &mut of_ann).await;
    add(&bob, &mut of_bob).await;
    assert_ne!(of_ann.handle, of_bob.handle);

    // The key of the one as the passkey of the other.
    let mut forged = of_bob.clone();
    forged.id.clone_from(&of_ann.id);
    forged.handle.clone_from(&of_ann.handle);
    sign_in(&app.visitor(), &mut forged)
        .await
        .assert_error(401, "passkey_refused");
    // The player's own passkey for the account of the other.
    let mut forged = of_bob.clone();
    forged.handle.clone_from(&of_ann.handle);
    sign_in(&app.visitor(), &mut forged)
        .await
        .assert_error(401, "passkey_refused");
    let mut stranger = Authenticator::es256();
    stranger.handle.clone_from(&of_ann.handle);
    sign_in(&app.visitor(), &mut stranger)
        .await
        .assert_error(404, "unknown_passkey");

    // A passkey that is known already is not added again, by nobody.
    for player in [&ann, &bob] {
        let mut same = Authenticator::es256();
        same.id.clone_from(&of_ann.id);
        let made = same.create(&begin_adding(player).await);
        finish_adding(player, &made)
            .await
            .assert_error(401, "passkey_refused");
    }
    let account = sign_in(&app.visitor(), &mut of_ann).await.assert_ok();
    assert_eq!(account["id"], ann.id);
}

#[tokio::test]
async fn a_removed_passkey_is_unknown() {
    let app = app().await;
    let (ann, bob) = app.with_two_users().await;
    let mut authenticator = Authenticator::es256();
    let id = add(&ann, &mut authenticator).await.to_string();
    bob.post("/api/remove_passkey", &[("id", &id)])
        .await
        .assert_error(404, "unknown_passkey");
    ann.post("/api/remove_passkey", &[("id", &id)])
        .await
        .assert_ok();
    sign_in(&app.visitor(), &mut authenticator)
        .await
        .assert_error(404, "unknown_passkey");
    assert_eq!(list(&ann).await["passkeys"], json!([]));
}

#[tokio::test]
async fn a_counter_that_does_not_grow_is_refused() {
    let app = app().await;
    let ann = app.with_user("ann").await;
    let mut authenticator = Authenticator::es256();
    add(&ann, &mut authenticator).await;
    let mut copy = authenticator.clone();
    for _ in 0..3 {
        sign_in(&app.visitor(), &mut authenticator)
            .await
            .assert_ok();
    }
    // The copy counts 2, 3 and 4, where 4 was the last; then the counter is missing.
    for _ in 0..3 {
        sign_in(&app.visitor(), &mut copy)
            .await
            .assert_error(401, "passkey_refused");
    }
    copy.counter = None;
    sign_in(&app.visitor(), &mut copy)
        .await
        .assert_error(401, "passkey_refused");
    sign_in(&app.visitor(), &mut authenticator)
        .await
        .assert_ok();
}

#[tokio::test]
async fn a_closed_account_is_refused_and_a_deleted_one_forgotten() {
    let app = app().await;
    let (ann, bob) = app.with_two_users().await;
    let (mut of_ann, mut of_bob) = (Authenticator::es256(), Authenticator::es256());
    add(&ann, &mut of_ann).await;
    add(&bob, &mut of_bob).await;
    sqlx::query("update players set closed_at = now() where id = $1")
        .bind(ann.id)
        .execute(&app.db)
        .await
        .unwrap();
    sign_in(&app.visitor(), &mut of_ann)
        .await
        .assert_error(403, "account_closed");
    let mut forged = of_ann.clone();
    forged.verified = false;
    sign_in(&app.visitor(), &mut forged)
        .await
        .assert_error(401, "passkey_refused");

    let codes = bob.post("/api/recovery_codes", &[("password", PASSWORD)]);
    let codes = codes.await.assert_ok();
    begin_adding(&bob).await;
    bob.post("/api/delete_account", &[("password", PASSWORD)])
        .await
        .assert_ok();
    sign_in(&app.visitor(), &mut of_bob)
        .await
        .assert_error(404, "unknown_passkey");
    let code = codes["codes"][0].as_str().unwrap();
    let form = [("name", "bob"), ("code", code), ("new_password", NEW)];
    app.visitor()
        .post("/api/recover", &form)
        .await
        .assert_error(401, "bad_credentials");
    let left: i64 = sqlx::query_scalar(
        "select (select count(*) from passkeys where player_id = $1)
             + (select count(*) from passkey_challenges where player_id = $1)
             + (select count(*) from recovery_codes where player_id = $1)
             + (select count(*) from players where id = $1 and passkey_handle is not null)",
    )
    .bind(bob.id)
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn adding_needs_the_password_and_a_domain() {
    let app = app().await;
    let ann = app.with_user("ann").await;
    let wrong = [("password", "wrong horse")];
    ann.post("/api/passkey_begin_registration", &wrong)
        .await
        .assert_error(403, "wrong_password");
    let made = Authenticator::es256().create(&json!({"challenge": "AAAA", "user": {"id": "AAAA"}}));
    finish_adding(&ann, &made)
        .await
        .assert_error(401, "passkey_refused");

    // Without a public origin the address that was asked for counts: here an IP address, or as the header says.
    let plain = TestApp::init().await;
    let bob = plain.with_user("bob").await;
    assert_eq!(list(&bob).await["available"], false);
    bob.post("/api/passkey_begin_registration", &[("password", PASSWORD)])
        .await
        .assert_error(409, "passkeys_unavailable");
    plain
        .visitor()
        .post("/api/passkey_begin_sign_in", &[])
        .await
        .assert_error(409, "passkeys_unavailable");
    let login = plain.visitor().get("/login").await.text;
    assert!(!login.contains("passkey-sign-in"), "no button");
    let at = |host: &'static str| {
        let post = plain.visitor().post_request("/api/passkey_begin_sign_in");
        send(post.header("host", host).form::<[(&str, &str)]>(&[]))
    };
    assert_eq!(at("localhost:3000").await.assert_ok()["rpId"], "localhost");
    at("[::1]:3000")
        .await
        .assert_error(409, "passkeys_unavailable");
}

#[tokio::test]
async fn passkeys_and_sign_in_challenges_are_limited() {
    let app =
        app_with(|settings| settings.sign_in_by_address = NonZeroU32::new(100).unwrap()).await;
    let ann = app.with_user("ann").await;
    for _ in 1..limits::PASSKEYS_MAX {
        add(&ann, &mut Authenticator::eddsa()).await;
    }
    // Two tabs begin to add the last one; both authenticators make a passkey.
    let elsewhere = app.visitor();
    let login = [("name", "ann"), ("password", PASSWORD)];
    elsewhere.post("/api/login", &login).await.assert_ok();
    let (here, there) = (begin_adding(&ann).await, begin_adding(&elsewhere).await);
    let made = Authenticator::eddsa().create(&here);
    finish_adding(&ann, &made).await.assert_ok();
    let made = Authenticator::eddsa().create(&there);
    finish_adding(&elsewhere, &made)
        .await
        .assert_error(409, "too_many_passkeys");
    ann.post("/api/passkey_begin_registration", &[("password", PASSWORD)])
        .await
        .assert_error(409, "too_many_passkeys");

    // Challenges that nobody answers do not pile up.
    sqlx::query(
        "insert into passkey_challenges (browser, state, expires_at)
         select int4send(n), '', now() + interval '1 minute' from generate_series(1, $1) as n",
    )
    .bind(limits::PASSKEY_CHALLENGES_MAX.cast_signed())
    .execute(&app.db)
    .await
    .unwrap();
    let browser = app.visitor();
    begin_sign_in(&browser).await;
    let open: Vec<bool> = sqlx::query_scalar("select length(browser) = 32 from passkey_challenges")
        .fetch_all(&app.db)
        .await
        .unwrap();
    assert_eq!(open.len(), limits::PASSKEY_CHALLENGES_MAX as usize);
    assert!(open.contains(&true), "the oldest go first");
    // A hundred, and what a slow machine is given back meanwhile.
    let mut refused = None;
    for _ in 0..1_000 {
        let answer = browser.post("/api/passkey_begin_sign_in", &[]).await;
        if answer.status != 200 {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("an end to it");
    refused.assert_error(429, "too_many_attempts");
    assert!(refused.header("retry-after").is_some());
}

#[tokio::test]
async fn guesses_at_the_password_keep_no_passkey_out() {
    let app = app_with(|settings| settings.sign_in_by_name = NonZeroU32::MIN).await;
    let ann = app.with_user("ann").await;
    let mut authenticator = Authenticator::es256();
    add(&ann, &mut authenticator).await;
    let browser = app.visitor();
    let wrong = [("name", "ann"), ("password", "wrong horse")];
    browser
        .post("/api/login", &wrong)
        .await
        .assert_error(401, "bad_credentials");
    browser
        .post("/api/login", &wrong)
        .await
        .assert_error(429, "too_many_attempts");
    sign_in(&browser, &mut authenticator).await.assert_ok();
}

#[tokio::test]
async fn who_comes_with_a_passkey_may_set_a_new_password() {
    let app = app().await;
    let ann = app.with_user("ann").await;
    let mut authenticator = Authenticator::es256();
    add(&ann, &mut authenticator).await;
    let reset = async |player: &Visitor, password: &str| {
        let form = [("new_password", password)];
        player.post("/api/reset_password", &form).await
    };
    reset(&ann, NEW).await.assert_error(401, "passkey_refused");
    assert_eq!(list(&ann).await["proven"], false);

    let browser = app.visitor();
    sign_in(&browser, &mut authenticator).await.assert_ok();
    assert_eq!(list(&browser).await["proven"], true);
    let page = browser.get("/account").await.text;
    assert!(page.contains("You have just signed in with a passkey"));
    reset(&browser, "password1")
        .await
        .assert_error(400, "invalid_password");
    let old = browser.cookies();
    reset(&browser, NEW).await.assert_ok();
    assert_ne!(browser.cookies(), old, "a new token");
    assert!(ann.get("/api/whoami").await.assert_ok().is_null());
    reset(&browser, "yet another horse")
        .await
        .assert_error(401, "passkey_refused");
    for (password, status) in [(PASSWORD, 401), (NEW, 200)] {
        let form = [("name", "ann"), ("password", password)];
        let answer = app.visitor().post("/api/login", &form).await;
        assert_eq!(answer.status, status);
    }

    sign_in(&browser, &mut authenticator).await.assert_ok();
    sqlx::query("update sessions set passkey_at = passkey_at - $1")
        .bind(limits::PASSKEY_RESET_TIMEOUT)
        .execute(&app.db)
        .await
        .unwrap();
    reset(&browser, "yet another horse")
        .await
        .assert_error(401, "passkey_refused");
}

#[tokio::test]
async fn the_account_page_and_my_data_list_them() {
    let app = app().await;
    let ann = app.with_user("ann").await;
    let page = ann.get("/account").await.text;
    assert!(page.contains("add-passkey"));
    let mut authenticator = Authenticator::es256();
    let id = add(&ann, &mut authenticator).await.to_string();
    sign_in(&app.visitor(), &mut authenticator)
        .await
        .assert_ok();
    let page = ann.get("/account").await.text;
    assert!(page.contains("my phone") && page.contains("Remove: my phone"));
    let answer = ann.get("/api/my_data").await;
    let data = answer.assert_ok();
    assert_eq!(data["passkeys"][0]["name"], "my phone");
    assert!(data["passkeys"][0]["used_at"].is_i64());
    for secret in ["credential_id", "public_key", "handle"] {
        assert!(!answer.text.contains(secret), "{secret}");
    }
    let form = [
        ("id", id.as_str()),
        ("next", "/account?done=passkey-removed"),
    ];
    let post = ann.post_request("/api/remove_passkey").form(&form);
    let removed = send(post.header("accept", "text/html")).await;
    assert_eq!(removed.status, 302);
    let page = ann.get(removed.header("location").unwrap()).await.text;
    assert!(page.contains("Passkey removed.") && !page.contains("my phone"));
}
