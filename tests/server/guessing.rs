//! Limits on guessing passwords and on registering, against clients that try to get round them.

use super::app::{TestApp, wait_until};
use super::player::{PASSWORD, Response, Visitor, send};
use futures::{StreamExt as _, stream};
use sha2::{Digest as _, Sha256};
use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroU32;
use tochki_protocol::{Code, limits};
use tochki_server::accounts::{Browser, ClientAddress};
use tochki_server::attempts::{AttemptSource, Attempts};
use tochki_server::settings::Settings;

async fn sign_in(visitor: &Visitor, name: &str, password: &str) -> Response {
    let form = [("name", name), ("password", password)];
    visitor.post("/api/login", &form).await
}

/// Returns the value of a cookie of this visitor.
fn cookie(visitor: &Visitor, name: &str) -> String {
    let cookies = visitor.cookies();
    let value = cookies
        .split("; ")
        .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    value
        .unwrap_or_else(|| panic!("no {name} in {cookies}"))
        .to_owned()
}

/// Signs in from a browser that has only the cookie by which it is known.
async fn sign_in_with_device(app: &TestApp, device: &str, name: &str, password: &str) -> Response {
    let form = [("name", name), ("password", password)];
    let post = app.visitor().post_request("/api/login").form(&form);
    send(post.header("cookie", format!("device={device}"))).await
}

/// Lets this time pass for all counts.
async fn pass(app: &TestApp, seconds: i32) {
    sqlx::query("update attempts set empty_at = empty_at - make_interval(secs => $1)")
        .bind(f64::from(seconds))
        .execute(&app.db)
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn many_addresses_have_a_bounded_number_of_guesses_a_day_and_the_owner_gets_in() {
    const ROUNDS: i32 = 20;
    const ADDRESSES: u32 = 200;
    let app = TestApp::init().await;
    let device = cookie(&*app.with_user("ann").await, "device");
    let attempts = Attempts::open(app.db.clone(), &Settings::default());
    let (mut guesses, mut let_in, mut owner) = (0, 0, 0);
    for _ in 0..ROUNDS {
        let answers = stream::iter(0..ADDRESSES).map(async |number| {
            let address = IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0000 + number));
            // A guess that is dropped was wrong.
            let source = AttemptSource::Address(address);
            match attempts.try_password(source, "Ann").await {
                Ok(_) => 1,
                Err(refused) => {
                    assert_eq!(refused.code(), Code::TooManyAttempts);
                    assert!(refused.retry_after().is_some());
                    0
                }
            }
        });
        let answers: Vec<i32> = answers.buffer_unordered(6).collect().await;
        guesses += answers.len();
        let_in += answers.iter().sum::<i32>();
        let answer = sign_in_with_device(&app, &device, "ann", PASSWORD).await;
        owner += i32::from(answer.status == 200);
        pass(&app, 24 * 60 * 60 / ROUNDS).await;
    }
    println!("{guesses} guesses in a day: {let_in} let in; the owner {owner} of {ROUNDS}");
    assert_eq!(guesses, 4_000);
    // A thousand for the name, and of each address its own share, which comes back every twelve hours.
    let shares = i32::try_from(ADDRESSES * (limits::SIGN_IN_OWN_SHARE + 2)).unwrap();
    assert!((900..=1000 + shares).contains(&let_in), "{let_in}");
    assert_eq!(owner, ROUNDS);
}

#[tokio::test]
async fn guessing_does_not_keep_a_known_browser_out() {
    let app = TestApp::with_settings(|settings| {
        settings.sign_in_by_name = NonZeroU32::new(3).unwrap();
    })
    .await;
    let ann = app.with_user("ann").await;
    let bob = app.with_user("bob").await;
    let (device, of_bob) = (cookie(&ann, "device"), cookie(&bob, "device"));
    for _ in 0..3 {
        sign_in(&app.visitor(), "ann", "wrong horse")
            .await
            .assert_error(401, "bad_credentials");
    }
    // From the same address without the cookie, with an invented one, or with that of somebody else.
    sign_in(&app.visitor(), "ann", PASSWORD)
        .await
        .assert_error(429, "too_many_attempts");
    for other in ["invented", &of_bob] {
        sign_in_with_device(&app, other, "ann", PASSWORD)
            .await
            .assert_error(429, "too_many_attempts");
    }
    let signed_in = sign_in_with_device(&app, &device, "ann", PASSWORD).await;
    assert_eq!(signed_in.assert_ok()["id"], ann.id);
    let kept = signed_in
        .cookies()
        .into_iter()
        .any(|set| set.starts_with(&format!("device={device};")));
    assert!(
        kept,
        "the browser stays the same: {:?}",
        signed_in.cookies()
    );

    // The known browser has a limit of its own.
    for _ in 0..3 {
        sign_in_with_device(&app, &device, "ann", "wrong horse")
            .await
            .assert_error(401, "bad_credentials");
    }
    let refused = sign_in_with_device(&app, &device, "ann", PASSWORD).await;
    refused.assert_error(429, "too_many_attempts");
    assert!((1..=10).contains(&retry_after(&refused)), "{refused:?}");
}

#[tokio::test]
async fn an_invented_device_is_not_taken_over() {
    let app = TestApp::init().await;
    app.with_user("ann").await;
    let invented = "A".repeat(43);
    let signed_in = sign_in_with_device(&app, &invented, "ann", PASSWORD).await;
    signed_in.assert_ok();
    assert!(
        signed_in
            .cookies()
            .iter()
            .all(|set| !set.contains(&invented))
    );
    let stored: i64 = sqlx::query_scalar("select count(*) from devices where token_hash = $1")
        .bind(Sha256::digest(&invented).to_vec())
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_eq!(stored, 0);
}

#[tokio::test]
async fn right_passwords_do_not_count_and_instances_count_together() {
    let app = TestApp::with_settings(|settings| {
        settings.sign_in_by_name = NonZeroU32::new(3).unwrap();
    })
    .await;
    let there = TestApp::on(
        app.database.clone(),
        Settings {
            sign_in_by_name: NonZeroU32::new(3).unwrap(),
            ..TestApp::settings()
        },
    )
    .await;
    app.with_user("ann").await;
    for _ in 0..8 {
        sign_in(&app.visitor(), "ann", PASSWORD).await.assert_ok();
    }
    for visitor in [app.visitor(), there.visitor(), app.visitor()] {
        sign_in(&visitor, "ann", "wrong horse")
            .await
            .assert_error(401, "bad_credentials");
    }
    for visitor in [app.visitor(), there.visitor()] {
        sign_in(&visitor, "ann", PASSWORD)
            .await
            .assert_error(429, "too_many_attempts");
    }
    pass(&app, 11).await;
    sign_in(&there.visitor(), "ann", PASSWORD).await.assert_ok();
}

#[tokio::test]
async fn concurrent_guesses_are_counted_before_they_are_checked() {
    let app = TestApp::with_settings(|settings| {
        settings.sign_in_by_name = NonZeroU32::new(3).unwrap();
    })
    .await;
    app.with_user("ann").await;
    let guesses = (0..30).map(async |_| sign_in(&app.visitor(), "ann", "wrong horse").await.code());
    let answers = futures::future::join_all(guesses).await;
    let checked = answers
        .iter()
        .filter(|code| code.as_deref() == Some("bad_credentials"));
    assert_eq!(checked.count(), 3, "{answers:?}");
}

#[tokio::test]
async fn registrations_by_address_are_limited() {
    let app = TestApp::with_settings(|settings| {
        settings.registrations_by_address = Settings::default().registrations_by_address;
    })
    .await;
    let register = async |name: &str, password: &str| {
        let form = [("name", name), ("password", password)];
        app.visitor().post("/api/register", &form).await
    };
    for number in 0..5 {
        register(&format!("newcomer-{number}"), PASSWORD)
            .await
            .assert_ok();
        // A request that is refused for another reason does not count.
        register("x", PASSWORD)
            .await
            .assert_error(400, "invalid_name");
        register("newcomer-0", PASSWORD)
            .await
            .assert_error(409, "name_taken");
        register("newcomer", "short")
            .await
            .assert_error(400, "invalid_password");
    }
    let refused = register("newcomer-5", PASSWORD).await;
    refused.assert_error(429, "too_many_attempts");
    assert!((590..=600).contains(&retry_after(&refused)), "{refused:?}");

    // Becoming an account counts as well.
    let guest = app.visitor();
    guest
        .post("/api/be_guest", &[("name", "visitor")])
        .await
        .assert_ok();
    let keep = [("name", "visitor"), ("password", PASSWORD)];
    guest
        .post("/api/keep_account", &keep)
        .await
        .assert_error(429, "too_many_attempts");
    pass(&app, 600).await;
    guest.post("/api/keep_account", &keep).await.assert_ok();
    register("newcomer-5", PASSWORD)
        .await
        .assert_error(429, "too_many_attempts");
}

fn retry_after(refused: &Response) -> u32 {
    let seconds = refused.header("retry-after").and_then(|s| s.parse().ok());
    seconds.expect("a number of seconds")
}

/// Signs in from an address, in a browser that has never been here.
async fn sign_in_from(app: &TestApp, address: &str, name: &str, password: &str) -> Response {
    let form = [("name", name), ("password", password)];
    let post = app.visitor().post_request("/api/login").form(&form);
    send(post.header("x-forwarded-for", address)).await
}

#[tokio::test]
async fn guesses_from_elsewhere_never_keep_the_owner_out() {
    let app = TestApp::with_settings(|settings| settings.trust_proxy = 1).await;
    app.with_user("ann").await;
    for guesser in 0..10 {
        for _ in 0..10 {
            let address = format!("10.0.0.{guesser}");
            let refused = sign_in_from(&app, &address, "ann", "wrong horse").await;
            refused.assert_error(401, "bad_credentials");
        }
    }
    // The hundred guesses that a name has in a row are used up.
    // The owner, in a new browser at a new address, gets in at once, and as often as they like.
    for _ in 0..5 {
        sign_in_from(&app, "192.0.2.7", "ann", PASSWORD)
            .await
            .assert_ok();
    }
    // A client that guesses at a new address has the share of that address, and no more.
    for _ in 0..limits::SIGN_IN_OWN_SHARE {
        sign_in_from(&app, "192.0.2.8", "ann", "wrong horse")
            .await
            .assert_error(401, "bad_credentials");
    }
    let refused = sign_in_from(&app, "192.0.2.8", "ann", PASSWORD).await;
    refused.assert_error(429, "too_many_attempts");
    assert!(retry_after(&refused) <= 100, "{refused:?}");
    // A site of IPv6 is one address here.
    for host in 0..4 {
        let address = format!("2001:db8:7:{host}::1");
        let answer = sign_in_from(&app, &address, "ann", "wrong horse").await;
        let expected = if host < limits::SIGN_IN_OWN_SHARE {
            401
        } else {
            429
        };
        assert_eq!(answer.status, expected, "{address}");
    }
    // Other names are not concerned.
    app.with_user("bob").await;
    sign_in_from(&app, "10.0.0.3", "bob", PASSWORD)
        .await
        .assert_ok();
}

#[tokio::test]
async fn a_right_password_is_taken_back_when_the_visitor_leaves() {
    let app = TestApp::with_settings(|settings| {
        settings.sign_in_by_name = NonZeroU32::new(20).unwrap();
    })
    .await;
    app.with_user("ann").await;
    // Registering is counted, too.
    sqlx::query("delete from attempts")
        .execute(&app.db)
        .await
        .unwrap();
    let browser = Browser {
        client: ClientAddress {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
        },
        agent: String::new(),
        device: None,
        session: None,
    };
    let counted = async |password: &str| {
        for _ in 0..10 {
            let signing_in = app.state.accounts.sign_in(&browser, "ann", password);
            // The visitor is gone before there is an answer.
            tokio::select! {
                biased;
                _ = signing_in => panic!("it takes longer"),
                () = std::future::ready(()) => {}
            }
        }
    };
    // A wrong one counts for ten seconds, and for the name in all for more than a minute.
    let is_counted = async || {
        sqlx::query_scalar::<_, bool>(
            "select max(empty_at) > now() + interval '1 minute' from attempts",
        )
        .fetch_one(&app.db)
        .await
        .unwrap()
    };
    counted(PASSWORD).await;
    wait_until("right passwords to be checked", async || {
        let done: i64 = sqlx::query_scalar("select count(*) from attempts")
            .fetch_one(&app.db)
            .await
            .unwrap();
        (done > 0
            && app
                .state
                .accounts
                .sign_in(&browser, "ann", PASSWORD)
                .await
                .is_ok())
        .then_some(())
    })
    .await;
    wait_until("right passwords to be taken back", async || {
        (!is_counted().await).then_some(())
    })
    .await;
    counted("wrong horse").await;
    wait_until("wrong passwords to be counted", async || {
        is_counted().await.then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_password_is_the_same_however_a_keyboard_composes_it() {
    const COMPOSED: &str = "sch\u{f6}ner Morgen";
    const DECOMPOSED: &str = "scho\u{308}ner Morgen";
    let app = TestApp::init().await;
    let form = [("name", "ann"), ("password", COMPOSED)];
    app.visitor().post("/api/register", &form).await.assert_ok();
    for password in [COMPOSED, DECOMPOSED] {
        sign_in(&app.visitor(), "ann", password).await.assert_ok();
    }
    sign_in(&app.visitor(), "ann", "schoner Morgen")
        .await
        .assert_error(401, "bad_credentials");

    // An account from before, with the hash of what was typed then.
    let old = "$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$+8S4V8YDT7B3iqCYapx07P5OqQNrG5TPdD61uZG/Hso";
    sqlx::query("update players set password_hash = $1 where name = 'ann'")
        .bind(old)
        .execute(&app.db)
        .await
        .unwrap();
    // Only as it was typed then, and from then on in both forms.
    sign_in(&app.visitor(), "ann", COMPOSED)
        .await
        .assert_error(401, "bad_credentials");
    for password in [DECOMPOSED, COMPOSED] {
        sign_in(&app.visitor(), "ann", password).await.assert_ok();
    }
    let hash: String = sqlx::query_scalar("select password_hash from players where name = 'ann'")
        .fetch_one(&app.db)
        .await
        .unwrap();
    assert_ne!(hash, old);
}
