//! The file of an arena: complete, counted again by others to the same standings, and without the names of those who are gone.

use super::app::TestApp;
use super::berserk::{berserk, with_berserk};
use super::player::{PASSWORD, Player};
use super::tournament_steps::{
    account, arena, begin, join, make, pass, pass_first_move, play, players, standings,
    wait_for_pairings, wait_for_state,
};
use serde_json::Value;
use std::collections::BTreeMap;
use tochki_protocol::{TournamentId, TournamentState};
use tochki_tournaments::records;

async fn file(app: &TestApp, id: TournamentId) -> Value {
    let path = format!("/tournament/{}/json", id.0);
    let file = app.visitor().get(&path).await;
    assert_eq!(file.header("content-type"), Some("application/json"));
    assert!(file.text.ends_with("}\n"));
    file.assert_ok()
}

/// Returns name, score and performance of each row, as `tochki standings` counts them.
fn recounted(file: &Value) -> Vec<(String, f64, Option<i64>)> {
    let mut output = Vec::new();
    records::standings(file.to_string().as_bytes(), &mut output).unwrap();
    let answer: Value = serde_json::from_slice(&output).unwrap();
    let rows = answer["standings"].as_array().expect("standings");
    let row = |row: &Value| {
        let place = usize::try_from(row["player"].as_u64().unwrap()).unwrap();
        let name = file["players"][place]["name"].as_str().unwrap();
        let score = row["score"].as_f64().unwrap();
        (name.to_owned(), score, row["performance"].as_i64())
    };
    rows.iter().map(row).collect()
}

async fn shown(app: &TestApp, id: TournamentId) -> Vec<(String, f64, Option<i64>)> {
    let rows = standings(app, id).await.rows.into_iter();
    rows.map(|row| {
        let score = f64::from(row.score.quarters()) / 4.0;
        (row.player.name, score, row.performance)
    })
    .collect()
}

/// Plays a wave: games of one move with half the clock, and a forfeit.
async fn play_wave(app: &TestApp, players: &BTreeMap<i64, Player>, id: TournamentId) {
    pass(app, id, 30).await;
    let pairs = wait_for_pairings(app, id, 2).await;
    berserk(&players[&pairs[0].1[0]], pairs[0].0)
        .await
        .assert_ok();
    play(players, pairs[0], pairs[0].1[1]).await;
    pass_first_move(app, &players[&pairs[1].1[1]], pairs[1].0).await;
}

#[tokio::test]
async fn the_file_of_an_arena_counts_to_its_standings() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid", "dan", "eve"]).await;
    let ann = players.values().next().unwrap();
    let id = make(&app, ann, with_berserk()).await;
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    let path = format!("/tournament/{}/json", id.0);
    begin(&app, id).await;
    let early = app.visitor().get(&path).await;
    early.assert_error(409, "not_finished");
    for _ in 0..2 {
        play_wave(&app, &players, id).await;
        // Who has not come is paused.
        for player in players.values() {
            join(&app, player, id).await.unwrap();
        }
    }
    pass(&app, id, 20 * 60).await;
    wait_for_state(&app, id, TournamentState::Finished).await;

    let record = file(&app, id).await;
    assert_eq!(record["format"], "arena");
    assert_eq!(record["name"], "Evening arena");
    assert_eq!(record["berserk"], true);
    assert_eq!(record["streaks"], false);
    let games = record["games"].as_array().unwrap();
    assert_eq!(games.len(), 4);
    let forfeits = games.iter().filter(|game| game["forfeit"] == true).count();
    assert_eq!(forfeits, 2);
    assert_eq!(recounted(&record), shown(&app, id).await);
    let page = app.visitor().get(&format!("/tournament/{}", id.0)).await;
    assert!(page.text.contains(&format!(r#"href="{path}""#)));
    assert!(!page.text.contains("/trf"));

    // Who is removed afterwards is named so, and who is gone has no name.
    let removed = players.values().nth(1).unwrap();
    let (maker, tournaments) = (account(ann), &app.state.tournaments);
    let done = tournaments.remove(&maker, true, id, account(removed).id);
    done.await.unwrap();
    let gone = players.values().nth(2).unwrap();
    gone.post("/api/delete_account", &[("password", PASSWORD)])
        .await
        .assert_ok();
    let record = file(&app, id).await;
    assert!(!record.to_string().contains(&gone.name));
    let marked: Vec<&Value> = (record["players"].as_array().unwrap().iter())
        .filter(|player| player["removed"] == true)
        .collect();
    assert!(marked.iter().any(|player| player["name"] == *removed.name));
}

#[tokio::test]
async fn an_arena_without_games_has_a_file() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let id = make(&app, &ann, arena()).await;
    join(&app, &ann, id).await.unwrap();
    begin(&app, id).await;
    pass(&app, id, 20 * 60).await;
    wait_for_state(&app, id, TournamentState::Finished).await;
    let record = file(&app, id).await;
    assert_eq!(record["games"], serde_json::json!([]));
    assert_eq!(recounted(&record), [("ann".to_owned(), 0.0, None)]);
    for path in ["trf", "csv"] {
        let path = format!("/tournament/{}/{path}", id.0);
        let none = app.visitor().get(&path).await;
        none.assert_error(404, "no_such_tournament");
    }
}
