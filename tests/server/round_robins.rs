//! Round robins: all pairs of the table in rounds that are played live, who withdraws, and who has no place in it.

use super::app::{TestApp, wait_until};
use super::player::Player;
use super::tournament_steps::{
    account, begin, join, make, pass_break, play_round, players, round_robin, rounds_of, running,
    standings, wait_for_round, wait_for_state,
};
use std::collections::{BTreeMap, BTreeSet};
use tochki_protocol::{Code, TournamentId, TournamentState};

async fn open(
    app: &TestApp,
    names: &[&str],
    double: bool,
) -> (TournamentId, BTreeMap<i64, Player>) {
    let players = players(app, names).await;
    let id = make(app, players.values().next().unwrap(), round_robin(double)).await;
    for player in players.values() {
        join(app, player, id).await.unwrap();
    }
    (id, players)
}

#[tokio::test]
async fn everybody_meets_everybody() {
    let app = TestApp::init().await;
    let (id, players) = open(&app, &["ann", "bob", "cid"], true).await;
    begin(&app, id).await;
    let mut met = Vec::new();
    for round in 1..=6 {
        let pairs = wait_for_round(&app, id, round).await;
        assert_eq!(rounds_of(&app, id).await.rounds, Some(6));
        assert_eq!(pairs.len(), 1);
        met.push(pairs[0].1);
        play_round(&players, &pairs).await;
        if round < 6 {
            pass_break(&app, id).await;
        }
    }
    wait_for_state(&app, id, TournamentState::Finished).await;
    // Each pair twice, with sides swapped.
    let once: BTreeSet<_> = met.iter().copied().collect();
    assert_eq!(once.len(), 6);
    // Who joined first has won all games, who joined last has lost all.
    let ranked: Vec<i64> = (standings(&app, id).await.rows.iter())
        .map(|row| row.player.id.0)
        .collect();
    assert_eq!(ranked, players.keys().copied().collect::<Vec<_>>());
    let rows = standings(&app, id).await.rows;
    assert!(rows[0].score == 4 && rows[1].score == 2 && rows[2].score == 0);
    // A late player has no place in the table.
    let dan = app.with_user("dan").await;
    assert_eq!(join(&app, &dan, id).await, Err(Code::NotOpen));
    let file = app.visitor().get(&format!("/tournament/{id}/trf")).await;
    assert!(file.text.contains("092 Individual: Round-Robin"));
}

#[tokio::test]
async fn the_results_of_who_withdraws_early_are_void_and_later_games_forfeits() {
    let app = TestApp::init().await;
    let (id, players) = open(&app, &["ann", "bob", "cid", "dan"], false).await;
    begin(&app, id).await;
    let pairs = wait_for_round(&app, id, 1).await;
    assert_eq!(pairs.len(), 2);
    play_round(&players, &pairs).await;
    // The winner of a game leaves after one game of three.
    let (_, first_seats) = pairs[0];
    let gone = *first_seats.iter().min().unwrap();
    let tournaments = &app.state.tournaments;
    tournaments
        .leave(&account(&players[&gone]), id)
        .await
        .unwrap();
    let rows = standings(&app, id).await.rows;
    let last = rows.last().unwrap();
    assert!(last.player.id.0 == gone && last.score == 0 && last.paused);
    assert_eq!(join(&app, &players[&gone], id).await, Err(Code::NotOpen));
    pass_break(&app, id).await;
    let pairs = wait_for_round(&app, id, 2).await;
    assert_eq!(pairs.len(), 1, "its opponent has no game");
    play_round(&players, &pairs).await;
    // Another leaves after two games: the third is a forfeit.
    let (_, seats) = pairs[0];
    let later = *seats.iter().max().unwrap();
    tournaments
        .leave(&account(&players[&later]), id)
        .await
        .unwrap();
    pass_break(&app, id).await;
    wait_until("the last round", async || {
        (rounds_of(&app, id).await.round == 3).then_some(())
    })
    .await;
    let last = running(&app, id).await;
    play_round(&players, &last).await;
    wait_for_state(&app, id, TournamentState::Finished).await;
    let forfeits: i64 = sqlx::query_scalar(
        "select count(*) from tournament_pairings where tournament_id = $1 and round = 3 and forfeit and match_id is null",
    )
    .bind(id.0)
    .fetch_one(&app.db)
    .await
    .unwrap();
    // Its last opponent is the one who has gone, unless they have met.
    let met_gone = first_seats.contains(&later);
    assert_eq!(forfeits, i64::from(met_gone));
}

#[tokio::test]
async fn a_table_has_three_to_sixteen_places() {
    let app = TestApp::init().await;
    let (id, players) = open(&app, &["ann", "bob"], false).await;
    sqlx::query("update tournaments set starts_at = now() where id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .unwrap();
    wait_for_state(&app, id, TournamentState::Cancelled).await;
    let id = make(&app, players.values().next().unwrap(), round_robin(false)).await;
    for number in 0..17 {
        let player = app.with_user(&format!("player{number}")).await;
        let joined = join(&app, &player, id).await;
        let expected = if number < 16 {
            Ok(())
        } else {
            Err(Code::TournamentFull)
        };
        assert_eq!(joined, expected, "{number}");
    }
}
