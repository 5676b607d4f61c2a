//! Limits on challenges, so that nobody is pestered: the number that a player may get, in all and from one sender.

use super::app::{TestApp, wait_until};
use super::challenges::running_matches;
use super::player::{Player, Response, send};
use std::num::NonZeroU32;
use tochki_protocol::limits;
use tochki_server::settings::Settings;

/// Starts a server with the limits of challenges as a player meets them.
async fn with_limits() -> TestApp {
    TestApp::with_settings(real_limits).await
}

fn real_limits(settings: &mut Settings) {
    settings.challenge_pause = limits::CHALLENGE_PAUSE.as_secs() as u32;
    settings.challenges_per_minute = NonZeroU32::new(limits::CHALLENGES_PER_WINDOW).unwrap();
    settings.challenges_from_one = NonZeroU32::new(limits::CHALLENGES_PER_WINDOW_FROM_ONE).unwrap();
}

/// Starts a server with these limits, where players have addresses of their own.
async fn with_addresses() -> TestApp {
    TestApp::with_settings(|settings| {
        real_limits(settings);
        settings.trust_proxy = 1;
    })
    .await
}

/// Sends a challenge to Dots from an address.
async fn challenge_from(from: &Player, to: &Player, address: &str) -> Response {
    let opponent = to.id.to_string();
    let form = [
        ("opponent", opponent.as_str()),
        ("game", "dots"),
        ("rated", "false"),
    ];
    let post = from.post_request("/api/challenge").form(&form);
    send(post.header("x-forwarded-for", address)).await
}

/// Moves all challenges into the past.
async fn pass(app: &TestApp, seconds: f64) {
    sqlx::query(
        "update challenges set created_at = created_at - make_interval(secs => $1),
             closed_at = closed_at - make_interval(secs => $1)",
    )
    .bind(seconds)
    .execute(&app.db)
    .await
    .unwrap();
}

/// Challenges and cancels at once.
async fn challenge_and_cancel(from: &Player, to: &Player) -> Response {
    let answer = from.challenge(to, &[]).await;
    if answer.status == 200 {
        from.cancel_challenge(answer.id("id")).await.assert_ok();
    }
    answer
}

#[track_caller]
fn assert_enough(refused: &Response) {
    refused.assert_error(429, "challenged_enough");
    let seconds = refused.header("retry-after").map(str::parse::<u32>);
    assert!(
        matches!(seconds, Some(Ok(1..=60))),
        "{:?}",
        refused.header("retry-after")
    );
}

#[tokio::test]
async fn a_declined_player_waits_a_minute() {
    let app = with_limits().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let _waiting = (
        ann.join_lobby().await,
        bob.join_lobby().await,
        eve.join_lobby().await,
    );
    let declined = ann.challenge(&bob, &[]).await.id("id");
    bob.answer_challenge(declined, false).await.assert_ok();
    for more in [&[][..], &[("rated", "false")]] {
        ann.challenge(&bob, more)
            .await
            .assert_error(409, "asked_lately");
    }
    // Others may be asked, and others may ask.
    challenge_and_cancel(&ann, &eve).await.assert_ok();
    challenge_and_cancel(&eve, &bob).await.assert_ok();
    pass(&app, 58.0).await;
    ann.challenge(&bob, &[])
        .await
        .assert_error(409, "asked_lately");
    pass(&app, 2.0).await;
    challenge_and_cancel(&ann, &bob).await.assert_ok();
}

#[tokio::test]
async fn whoever_declined_may_ask_and_be_accepted() {
    let app = with_limits().await;
    let (ann, bob) = app.with_two_users().await;
    let _waiting = (ann.join_lobby().await, bob.join_lobby().await);
    let declined = ann.challenge(&bob, &[]).await.id("id");
    bob.answer_challenge(declined, false).await.assert_ok();
    bob.challenge(&ann, &[]).await.assert_ok();
    // The same challenge the other way is an acceptance, and no new question.
    let accepted = ann.challenge(&bob, &[]).await.assert_ok();
    assert!(accepted["match"].is_number(), "{accepted}");
    assert_eq!(running_matches(&app).await, 1);
}

#[tokio::test]
async fn three_challenges_a_minute_from_one_player() {
    let app = with_addresses().await;
    let mut other = Settings::default();
    real_limits(&mut other);
    let there = TestApp::on(app.database.clone(), other).await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let _waiting = (bob.join_lobby().await, eve.join_lobby().await);
    let ann_there = ann.at_instance(there.address);
    // Both instances count together.
    for from in [&ann, &ann_there, &ann] {
        challenge_and_cancel(from, &bob).await.assert_ok();
    }
    for from in [&ann, &ann_there] {
        assert_enough(&challenge_and_cancel(from, &bob).await);
    }
    challenge_and_cancel(&ann, &eve).await.assert_ok();
    let from_elsewhere = challenge_from(&eve, &bob, "192.0.2.9").await.id("id");
    eve.cancel_challenge(from_elsewhere).await.assert_ok();
    pass(&app, 60.0).await;
    for _ in 0..3 {
        challenge_and_cancel(&ann, &bob).await.assert_ok();
    }
    assert_enough(&challenge_and_cancel(&ann, &bob).await);
}

/// Each of them rings the phone of a player who is not there.
#[tokio::test]
async fn three_challenges_a_day_by_correspondence_from_one_player_that_are_not_accepted() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let terms = [("rated", "false"), ("clock", "3d")];
    let ask = async || ann.challenge(&bob, &terms).await;
    // One that is accepted is none.
    let accepted = ask().await.id("id");
    bob.answer_challenge(accepted, true).await.assert_ok();
    for number in 0..3 {
        let challenge = ask().await.id("id");
        if number == 0 {
            bob.answer_challenge(challenge, false).await.assert_ok();
        } else {
            ann.cancel_challenge(challenge).await.assert_ok();
        }
    }
    let refused = ask().await;
    refused.assert_error(429, "challenged_enough");
    let seconds: u32 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((86_300..=86_400).contains(&seconds), "{seconds}");
    // Neither is Bob refused, nor anybody else.
    let other = app.with_user("cid").await;
    let asked = bob.challenge(&ann, &terms).await.id("id");
    bob.cancel_challenge(asked).await.assert_ok();
    ann.challenge(&other, &terms).await.assert_ok();
    pass(&app, 86_401.0).await;
    ask().await.id("id");

    // Bob has one notification of all of them.
    let told: Vec<String> = wait_until("one notification", async || {
        let subjects: Vec<String> = sqlx::query_scalar(
            "select subject from notifications where player_id = $1 and kind = 'challenge' and detail is null",
        )
        .bind(bob.id)
        .fetch_all(&app.db)
        .await
        .unwrap();
        (!subjects.is_empty()).then_some(subjects)
    })
    .await;
    assert_eq!(told, [format!("challenger:{}", ann.id)]);
}

#[tokio::test]
async fn ten_challenges_a_minute_from_all_players_at_once() {
    let app = with_addresses().await;
    let bob = app.with_user("bob").await;
    let _bobs = bob.join_lobby().await;
    let mut crowd = Vec::new();
    for n in 0..14 {
        crowd.push(app.with_user(&format!("crowd{n}")).await);
    }
    let asked = crowd
        .iter()
        .enumerate()
        .map(async |(number, one)| challenge_from(one, &bob, &format!("192.0.2.{number}")).await);
    let asked = futures::future::join_all(asked).await;
    let (got, refused): (Vec<_>, Vec<_>) = asked.iter().partition(|answer| answer.status == 200);
    assert_eq!((got.len(), refused.len()), (10, 4));
    refused.into_iter().for_each(assert_enough);
}

#[tokio::test]
async fn who_is_muted_by_the_opponent_is_not_waited_for() {
    let app = with_limits().await;
    let (ann, bob) = app.with_two_users().await;
    let _waiting = (ann.join_lobby().await, bob.join_lobby().await);
    bob.mute(&ann, true).await.assert_ok();
    ann.challenge(&bob, &[])
        .await
        .assert_error(404, "not_waiting");
    let room = bob.get("/api/waiting_room?game=dots").await.assert_ok();
    assert_eq!(room["challenges"], serde_json::json!([]));
    // A player who muted another may still ask, and the answer is no question.
    let asked = bob.challenge(&ann, &[]).await.id("id");
    ann.challenge(&bob, &[("rated", "false")])
        .await
        .assert_error(404, "not_waiting");
    ann.answer_challenge(asked, false).await.assert_ok();
    bob.mute(&ann, false).await.assert_ok();
    ann.challenge(&bob, &[]).await.assert_ok();
}

/// Lets four guests, each at an address of their own or all at one, challenge and cancel as often as they can.
async fn challenge_and_cancel_without_end(app: &TestApp, bob: &Player, one_address: bool) -> usize {
    let mut sent = 0;
    for number in 0..4 {
        let guest = app
            .visitor()
            .be_guest(&format!("pest{number}-{one_address}"))
            .await;
        let address = format!("198.51.100.{}", if one_address { 99 } else { number });
        for _ in 0..5 {
            let answer = challenge_from(&guest, bob, &address).await;
            if answer.status == 200 {
                sent += 1;
                guest.cancel_challenge(answer.id("id")).await.assert_ok();
            } else {
                assert_enough(&answer);
            }
        }
    }
    sent
}

#[tokio::test]
async fn nobody_can_be_made_unreachable_by_cancelled_challenges() {
    let app = with_addresses().await;
    let bob = app.with_user("bob").await;
    let _waiting = bob.join_lobby().await;
    // Cancelled ones count for their senders, and one address has one share.
    assert_eq!(challenge_and_cancel_without_end(&app, &bob, true).await, 3);
    assert_eq!(
        challenge_and_cancel_without_end(&app, &bob, false).await,
        12
    );
    // Bob can be challenged as often as ever.
    for number in 0..10 {
        let guest = app.visitor().be_guest(&format!("newcomer{number}")).await;
        challenge_from(&guest, &bob, &format!("192.0.2.{number}"))
            .await
            .assert_ok();
    }
    let last = app.visitor().be_guest("last").await;
    assert_enough(&challenge_from(&last, &bob, "192.0.2.77").await);
}

#[tokio::test]
async fn accepted_challenges_do_not_use_up_the_share_of_an_address() {
    let app = with_addresses().await;
    let bob = app.with_user("bob").await;
    let _waiting = bob.join_lobby().await;
    for number in 0..5 {
        let pupil = app.visitor().be_guest(&format!("pupil{number}")).await;
        let asked = challenge_from(&pupil, &bob, "192.0.2.1").await.id("id");
        let id = bob.answer_challenge(asked, true).await.id("match");
        bob.abort(id).await.assert_ok();
    }
}
