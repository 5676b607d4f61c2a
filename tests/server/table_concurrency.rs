//! Tables under concurrency: simultaneous requests, and matches that start elsewhere.

use super::app::{SMALL, TestApp, begin, start_match};
use super::player::Response;
use super::tables::{get_table, seats};

#[tokio::test]
async fn concurrent_sits_fill_one_seat() {
    let app = TestApp::init().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await.at_instance(there.address);
    for _ in 0..10 {
        let table = ann.open_table(&[]).await.assert_ok();
        let (bobs, cids) = tokio::join!(bob.sit(&table), cid.sit(&table));
        let mut codes = [bobs.code(), cids.code()];
        codes.sort();
        assert_eq!(codes, [None, Some("table_full".to_owned())]);
        ann.stand_up(&table).await.assert_ok();
    }
}

#[tokio::test]
async fn concurrent_ready_starts_one_match() {
    let app = TestApp::init().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let bob = bob.at_instance(there.address);
    for _ in 0..5 {
        let table = ann.open_table(&[]).await.assert_ok();
        bob.sit(&table).await.assert_ok();
        let (anns, bobs) = tokio::join!(ann.set_ready(&table, true), bob.set_ready(&table, true));
        let begun = get_table(&ann, &table).await["match"]
            .as_i64()
            .expect("a match");
        let told = [anns.assert_ok(), bobs.assert_ok()];
        assert!(told.iter().any(|table| table["match"] == begun), "{told:?}");
        begin(&ann, &bob, begun).await;
        bob.resign(begun).await.assert_ok();
    }
}

#[tokio::test]
async fn starting_another_match_leaves_the_table() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (cid, dan) = (app.with_user("cid").await, app.with_user("dan").await);
    let anns = ann.open_table(&[]).await.assert_ok();
    let cids = cid.open_table(&[]).await.assert_ok();
    dan.sit(&anns).await.assert_ok();
    bob.sit(&cids).await.assert_ok();
    cid.set_ready(&cids, true).await.assert_ok();
    start_match(&ann, &bob, SMALL).await;
    assert_eq!(
        get_table(&dan, &anns).await["closed"],
        true,
        "its creator plays"
    );
    assert!(
        get_table(&dan, &anns).await.get("match").is_none(),
        "elsewhere"
    );
    assert_eq!(
        seats(&get_table(&cid, &cids).await),
        [Some(("cid", false)), None]
    );
    dan.sit(&cids).await.assert_ok();
}

#[tokio::test]
async fn concurrent_match_starts_with_a_common_player_are_serialized() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    let table = ann.open_table(&[]).await.assert_ok();
    bob.sit(&table).await.assert_ok();
    ann.set_ready(&table, true).await.assert_ok();
    let _waiting = (bob.join_lobby().await, cid.join_lobby().await);
    let challenge = cid.challenge(&bob, &[]).await.id("id");
    let (begun, accepted) = tokio::join!(
        bob.set_ready(&table, true),
        bob.answer_challenge(challenge, true)
    );
    // Whichever came first, the other is refused.
    let matches: i64 = sqlx::query_scalar("select count(*) from matches")
        .fetch_one(&app.db)
        .await
        .expect("an answer");
    assert_eq!(matches, 1, "{begun:?} {accepted:?}");
    let refusals: Vec<_> = [&begun, &accepted]
        .into_iter()
        .filter_map(Response::code)
        .collect();
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    let known = [
        "no_such_table",
        "not_seated",
        "challenge_closed",
        "already_playing",
    ];
    assert!(known.contains(&&*refusals[0]), "{refusals:?}");
}
