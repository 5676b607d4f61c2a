//! Who has entered an arena and does not come is not paired: the first wave is for those who are here, or have said so.

use super::app::TestApp;
use super::player::Player;
use super::tournament_steps::{
    account, arena, begin, confirm, join, make, pass, players, running, wait_for_pairings,
    wait_for_turn,
};
use tochki_play::Millis;
use tochki_protocol::{Code, TournamentId};

async fn is_here(app: &TestApp, player: &Player, id: TournamentId) -> bool {
    let entry = app
        .state
        .tournaments
        .entry(id, &account(player), false)
        .await;
    entry.unwrap().here
}

/// Makes an arena that begins in an hour, and lets these players enter.
async fn entered(app: &TestApp, maker: &Player, all: &[&Player]) -> TournamentId {
    let mut later = arena();
    later.starts_at = tochki_server::now() + Millis::from_hours(1);
    let id = make(app, maker, later).await;
    for player in all {
        join(app, player, id).await.unwrap();
    }
    id
}

async fn begin_in_a_minute(app: &TestApp, id: TournamentId) {
    sqlx::query("update tournaments set starts_at = now() + interval '1 minute' where id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .unwrap();
}

#[tokio::test]
async fn the_first_wave_is_for_those_who_are_here() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid", "dan"]).await;
    let all: Vec<&Player> = players.values().collect();
    let [ann, bob, cid, dan] = all[..] else {
        unreachable!("four")
    };
    let id = entered(&app, ann, &all).await;
    // One has the page open, one waits in a room, one says so: not too early.
    let page = format!("/events/tournament/{}", id.0);
    let _ann = ann.stream(&page).await;
    let _bob = bob.join_lobby().await;
    assert_eq!(confirm(&app, cid, id).await, Err(Code::NotOpen));
    begin_in_a_minute(&app, id).await;
    assert_eq!(confirm(&app, cid, id).await, Ok(()));
    assert!(is_here(&app, cid, id).await && !is_here(&app, dan, id).await);

    begin(&app, id).await;
    pass(&app, id, 10).await;
    let first = wait_for_pairings(&app, id, 1).await;
    wait_for_turn(&app, id).await;
    assert_eq!(running(&app, id).await, first);
    let seats: Vec<i64> = first.iter().flat_map(|(_, seats)| *seats).collect();
    assert!(seats.len() == 2 && !seats.contains(&dan.id));
    // The last one comes, and meets who waits.
    let _dan = dan.stream(&page).await;
    pass(&app, id, 10).await;
    let both = wait_for_pairings(&app, id, 2).await;
    assert!(both.iter().any(|(_, seats)| seats.contains(&dan.id)));
}

#[tokio::test]
async fn who_enters_late_or_once_more_is_here() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid"]).await;
    let all: Vec<&Player> = players.values().collect();
    let [ann, bob, cid] = all[..] else {
        unreachable!("three")
    };
    let id = entered(&app, ann, &[ann, bob]).await;
    let mut own = ann.stream("/events/me").await;
    begin_in_a_minute(&app, id).await;
    // A program is called, and answers.
    assert_eq!(own.next_named("round_soon").await["tournament"], id.0);
    let form = [("id", &*id.0.to_string())];
    let said = ann.post("/api/confirm_presence", &form).await;
    said.assert_ok();
    assert!(is_here(&app, ann, id).await);
    assert!(!is_here(&app, bob, id).await);
    assert_eq!(join(&app, bob, id).await, Ok(()));
    assert!(is_here(&app, bob, id).await);
    begin(&app, id).await;
    assert_eq!(join(&app, cid, id).await, Ok(()));
    assert!(is_here(&app, cid, id).await);
    pass(&app, id, 10).await;
    wait_for_pairings(&app, id, 1).await;
}

#[tokio::test]
async fn a_page_that_was_open_before_entering_counts() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob"]).await;
    let all: Vec<&Player> = players.values().collect();
    let [ann, bob] = all[..] else {
        unreachable!("two")
    };
    let id = entered(&app, ann, &[]).await;
    let page = format!("/events/tournament/{}", id.0);
    let _streams = (ann.stream(&page).await, bob.stream(&page).await);
    for player in [ann, bob] {
        join(&app, player, id).await.unwrap();
        assert!(!is_here(&app, player, id).await);
    }
    begin(&app, id).await;
    pass(&app, id, 10).await;
    wait_for_pairings(&app, id, 1).await;
}
