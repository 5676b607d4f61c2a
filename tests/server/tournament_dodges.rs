//! Arenas where the driver is late, entrants are elsewhere, and players or texts are removed.

use super::app::{SMALL, TestApp};
use super::tournament_steps::{
    account, arena, begin, join, make, pass, play, players, running, wait_for_pairings,
    wait_for_state, wait_for_turn,
};
use tochki_protocol::{Code, PlayerId, TournamentState};

/// Executes a statement about a tournament or a player.
async fn execute(app: &TestApp, statement: &'static str, id: i64) {
    sqlx::query(statement)
        .bind(id)
        .execute(&app.db)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_game_that_ends_after_the_end_does_not_count_however_late_the_driver_is() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob"]).await;
    let ann = players.values().next().unwrap();
    let id = make(&app, ann, arena()).await;
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    pass(&app, id, 5).await;
    let pair = wait_for_pairings(&app, id, 1).await[0];
    // An instance that holds the lease, and does nothing.
    execute(
        &app,
        "update tournaments set holder = 'gone', held_until = now() + interval '1 hour' where id = $1",
        id.0,
    )
    .await;
    pass(&app, id, 20 * 60).await;
    play(&players, pair, pair.1[0]).await;
    let tournaments = &app.state.tournaments;
    let standings = tournaments.standings(id, 0).await.unwrap();
    assert!(standings.rows.iter().all(|row| row.score == 0));
    let pairings = tournaments.pairings(id, None, 0).await.unwrap().pairings;
    assert_eq!(pairings[0].counts, Some(false));
    assert_eq!(pairings[0].winner, Some(2));
}

#[tokio::test]
async fn two_play_each_other_again_while_a_third_is_elsewhere() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid"]).await;
    let all: Vec<_> = players.values().collect();
    let cid = all[2];
    let id = make(&app, all[0], arena()).await;
    for player in &all {
        join(&app, player, id).await.unwrap();
    }
    execute(
        &app,
        "insert into vacations (player_id, days, counted_at, began_at, ends_at)
         values ($1, 20, now(), now() - interval '1 hour', now() + interval '1 day')",
        cid.id,
    )
    .await;
    begin(&app, id).await;
    for _ in 0..2 {
        pass(&app, id, 30).await;
        let pair = wait_for_pairings(&app, id, 1).await[0];
        assert!(!pair.1.contains(&cid.id));
        play(&players, pair, pair.1[0]).await;
    }
}

#[tokio::test]
async fn who_plays_elsewhere_waits_anew_and_has_no_rematch() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid"]).await;
    let all: Vec<_> = players.values().collect();
    let (ann, bob, cid) = (all[0], all[1], all[2]);
    let id = make(&app, ann, arena()).await;
    for player in [ann, bob] {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    pass(&app, id, 5).await;
    let pair = wait_for_pairings(&app, id, 1).await[0];
    play(&players, pair, pair.1[0]).await;
    let again = ann.request_rematch(pair.0).await;
    again.assert_error(409, "in_tournament");
    // Bob dodges the next game by another one, and ends that.
    let (_bobs, _cids) = (bob.join_lobby().await, cid.join_lobby().await);
    let challenge = bob.challenge(cid, &[("setup", SMALL)]).await.id("id");
    let accepted = cid.answer_challenge(challenge, true).await;
    let other = accepted.json()["match"].as_i64().unwrap();
    pass(&app, id, 60).await;
    wait_for_turn(&app, id).await;
    assert_eq!(running(&app, id).await, []);
    bob.abort(other).await.assert_ok();
    let waits: f64 = sqlx::query_scalar(
        "select extract(epoch from waits_from - now())::float8 from tournament_entrants where player_id = $1",
    )
    .bind(bob.id)
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert!(waits > 4.0, "{waits}");
}

#[tokio::test]
async fn who_was_removed_has_no_place_also_after_the_end() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid"]).await;
    let ann = players.values().next().unwrap();
    let id = make(&app, ann, arena()).await;
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    pass(&app, id, 5).await;
    let pair = wait_for_pairings(&app, id, 1).await[0];
    let [winner, loser] = pair.1;
    play(&players, pair, loser).await;
    pass(&app, id, 20 * 60).await;
    let tournaments = &app.state.tournaments;
    wait_for_state(&app, id, TournamentState::Finished).await;
    let first = tournaments.standings(id, 0).await.unwrap().rows[0]
        .player
        .id;
    assert_eq!(first.0, winner);
    let by = account(ann);
    let creator = tournaments.remove(&by, false, id, first).await;
    assert_eq!(creator.unwrap_err().code(), Code::NotOpen);
    tournaments.remove(&by, true, id, first).await.unwrap();
    let cancelled = tournaments.cancel(&by, true, id).await;
    assert_eq!(cancelled.unwrap_err().code(), Code::NotOpen);
    let standings = tournaments.standings(id, 0).await.unwrap();
    assert_eq!(standings.players, 2);
    assert!(standings.rows.iter().all(|row| row.player.id != first));
    let row = tournaments.standing_of(id, PlayerId(winner)).await.unwrap();
    assert_eq!(row, None);
}

#[tokio::test]
async fn who_has_left_enters_as_anybody_else() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = make(&app, &ann, arena()).await;
    join(&app, &bob, id).await.unwrap();
    let tournaments = &app.state.tournaments;
    tournaments.leave(&account(&bob), id).await.unwrap();
    let by = account(&ann);
    tournaments
        .close_entries(&by, false, id, true)
        .await
        .unwrap();
    // Once more is nothing more.
    let version = tournaments.get(id).await.unwrap().version;
    tournaments
        .close_entries(&by, false, id, true)
        .await
        .unwrap();
    assert_eq!(tournaments.get(id).await.unwrap().version, version);
    assert_eq!(join(&app, &bob, id).await, Err(Code::NotOpen));
    tournaments
        .close_entries(&by, false, id, false)
        .await
        .unwrap();
    execute(
        &app,
        "update tournaments set min_rating = 1700 where id = $1",
        id.0,
    )
    .await;
    assert_eq!(join(&app, &bob, id).await, Err(Code::NotQualified));
}

#[tokio::test]
async fn the_texts_of_a_muted_creator_are_not_shown() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = make(&app, &ann, arena()).await;
    let tournaments = &app.state.tournaments;
    // A tournament of a player is pointed to once some have entered.
    execute(
        &app,
        "update tournaments set by_operator = false where id = $1",
        id.0,
    )
    .await;
    join(&app, &bob, id).await.unwrap();
    assert!(tournaments.next(None).await.unwrap().is_none());
    execute(
        &app,
        "update players set muted_until = now() + interval '1 hour' where id = $1",
        ann.id,
    )
    .await;
    let shown = tournaments.get(id).await.unwrap();
    assert_eq!(shown.name, format!("Arena {id}"));
    assert_eq!(shown.description, "");
    assert_eq!(shown.creator.map(|creator| creator.id.0), Some(ann.id));
}
