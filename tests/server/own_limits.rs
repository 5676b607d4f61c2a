//! Limits on one player, which never fall on another.

use super::app::{SMALL, TestApp, start_match, wait_until};
use super::player::Player;
use futures::future::join_all;
use std::num::NonZeroU32;
use tochki_protocol::limits;

/// The commands of a match, with their other arguments.
const COMMANDS: [(&str, &[(&str, &str)]); 5] = [
    ("/api/move", &[("mv", "9,9")]),
    ("/api/offer", &[("kind", "draw")]),
    ("/api/answer_offer", &[("accept", "true")]),
    ("/api/cancel_offer", &[]),
    // Refused while not both have moved.
    ("/api/resign", &[]),
];

/// Sends a command so often that some are too many. Returns whether some were.
async fn send_too_many(player: &Player, id: i64, path: &str, more: &[(&str, &str)]) -> bool {
    let id = id.to_string();
    let form = [&[("match_id", id.as_str())], more].concat();
    let tries = (0..40).map(async |_| player.post(path, &form).await.status);
    join_all(tries).await.contains(&429)
}

#[tokio::test]
async fn the_opponent_cannot_use_up_the_moves_of_a_player() {
    let app = TestApp::with_settings(|settings| {
        settings.moves_per_second = NonZeroU32::new(3).unwrap();
    })
    .await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    for (path, more) in COMMANDS {
        let id = start_match(&ann, &bob, SMALL).await;
        assert!(send_too_many(&bob, id, path, more).await, "{path}");
        // A stranger has no share of it at all.
        assert!(!send_too_many(&eve, id, path, more).await, "{path}");
        ann.make_move(id, "1,1", &[]).await.assert_ok();
        // A player who has used up the own share has more within a second.
        wait_until("the own share", async || {
            let moved = bob.make_move(id, "3,3", &[]).await;
            (moved.status == 200).then_some(())
        })
        .await;
        // The other way round, with a match that has begun.
        let abort = send_too_many(&bob, id, "/api/abort", &[]).await;
        assert!(abort, "{path}");
        ann.make_move(id, "2,2", &[]).await.assert_ok();
        ann.resign(id).await.assert_ok();
    }
}

#[tokio::test]
async fn opening_tables_and_sitting_down_has_a_pace() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let mut opened = 0;
    let refused = loop {
        let answer = ann.open_table(&[]).await;
        if answer.status != 200 {
            break answer;
        }
        ann.stand_up(&answer.json()).await.assert_ok();
        opened += 1;
    };
    assert_eq!(opened, limits::TABLE_OPENINGS);
    refused.assert_error(429, "too_many_requests");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=limits::TABLE_OPENING_PERIOD.as_secs()).contains(&wait));

    // A table that is played does not count, neither for the creator nor for the other.
    let eve = app.with_user("eve").await;
    for _ in 0..=limits::SEAT_CHANGES.max(limits::TABLE_OPENINGS) {
        let table = eve.open_table(&[]).await.assert_ok();
        bob.sit(&table).await.assert_ok();
        eve.set_ready(&table, true).await.assert_ok();
        let id = bob.set_ready(&table, true).await.id("match");
        super::app::begin(&eve, &bob, id).await;
        eve.resign(id).await.assert_ok();
    }
    let table = eve.open_table(&[]).await.assert_ok();
    let mut sat = 0;
    while bob.sit(&table).await.status == 200 {
        bob.stand_up(&table).await.assert_ok();
        sat += 1;
    }
    assert!(
        (limits::SEAT_CHANGES..limits::SEAT_CHANGES + 5).contains(&sat),
        "{sat}"
    );
    bob.sit(&table).await.assert_error(429, "too_many_requests");
    // Another player at the same address is not concerned.
    let carl = app.with_user("carl").await;
    carl.sit(&table).await.assert_ok();
}

#[tokio::test]
async fn an_address_opens_so_many_tables() {
    let app = TestApp::with_settings(|settings| {
        settings.guests_by_address = NonZeroU32::MAX;
    })
    .await;
    let mut opened = 0;
    for number in 0..10 {
        let guest = app.visitor().be_guest(&format!("visitor{number}")).await;
        for _ in 0..limits::TABLE_OPENINGS {
            let answer = guest.open_table(&[]).await;
            if answer.status == 200 {
                guest.stand_up(&answer.json()).await.assert_ok();
                opened += 1;
            }
        }
    }
    // One more in a period, should the machine be slow.
    let most = limits::TABLE_OPENINGS_BY_ADDRESS;
    assert!((most..most + 10).contains(&opened), "{opened}");
}

#[tokio::test]
async fn messages_have_a_pace_by_address_that_silences_no_player() {
    let app = TestApp::with_settings(|settings| {
        settings.messages_by_address = NonZeroU32::new(7).unwrap();
    })
    .await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let mut said = 0;
    for number in 0..6 {
        let guest = app.visitor().be_guest(&format!("visitor{number}")).await;
        for _ in 0..4 {
            // In the waiting room and as a spectator.
            let place = if number % 2 == 0 {
                "lobby".to_owned()
            } else {
                id.to_string()
            };
            let answer = guest.say(place, "look here").await;
            match answer.status {
                200 => said += 1,
                _ => {
                    answer.assert_error(429, "too_many_messages");
                    assert!(answer.header("retry-after").is_some());
                }
            }
        }
    }
    // One more in a second, should the machine be slow.
    assert!((7..20).contains(&said), "{said}");
    for player in [&ann, &bob] {
        player.say(id, "well played").await.assert_ok();
    }
}
