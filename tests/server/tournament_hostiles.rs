//! Players who want more than their games give them, in arenas: who joins late, who stalls at the end, and who takes half of the clock
//! against a bot of their own. Those of other kinds are in `tournament_fairness`, `tournament_dodges`, `tournament_addresses`,
//! `swiss_fairness` and `berserk`.

use super::app::TestApp;
use super::berserk::{berserk, with_berserk};
use super::player::Player;
use super::tournament_steps::{
    account, address, arena, begin, join, make, pass, pass_first_move, play, players, standings,
    wait_for_pairings, wait_for_state,
};
use std::collections::BTreeMap;
use tochki_protocol::{Account, Code, TournamentId, TournamentState};

/// The scores of all, best first.
async fn scores(app: &TestApp, id: TournamentId) -> Vec<(i64, u32)> {
    let rows = standings(app, id).await.rows.into_iter();
    rows.map(|row| (row.player.id.0, row.score.quarters() / 4))
        .collect()
}

/// The ratings of all who have one.
async fn ratings(app: &TestApp) -> BTreeMap<i64, f64> {
    let rows = sqlx::query_as("select player_id, rating::float8 from ratings where games > 0");
    let rows: Vec<(i64, f64)> = rows.fetch_all(&app.db).await.unwrap();
    rows.into_iter().collect()
}

#[tokio::test]
async fn who_joins_late_is_behind_who_came_before_and_too_late_is_refused() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob", "cid", "dan"]).await;
    let all: Vec<&Player> = players.values().collect();
    let [ann, bob, cid, dan] = all[..] else {
        unreachable!("four")
    };
    let id = make(&app, ann, arena()).await;
    for player in [ann, bob] {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    pass(&app, id, 5).await;
    let pair = wait_for_pairings(&app, id, 1).await[0];
    // Nineteen minutes later one joins who has avoided all games so far: last of those without a point.
    pass(&app, id, 19 * 60 - 15).await;
    play(&players, pair, pair.1[0]).await;
    join(&app, cid, id).await.unwrap();
    let winner = pair.1[1];
    assert_eq!(
        scores(&app, id).await,
        [(winner, 2), (pair.1[0], 0), (cid.id, 0)]
    );
    // Pairing closes before the end, and with it the entries.
    pass(&app, id, 45).await;
    assert_eq!(join(&app, dan, id).await, Err(Code::NotOpen));
    pass(&app, id, 60).await;
    wait_for_state(&app, id, TournamentState::Finished).await;
    assert_eq!(join(&app, dan, id).await, Err(Code::NotOpen));
}

#[tokio::test]
async fn who_stalls_a_lost_game_beyond_the_end_loses_the_rating_all_the_same() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob"]).await;
    let ann = players.values().next().unwrap();
    let id = make(&app, ann, arena()).await;
    for player in players.values() {
        join(&app, player, id).await.unwrap();
    }
    begin(&app, id).await;
    pass(&app, id, 5).await;
    // The staller loses one game, and then lets the clock run over the end in another.
    let first = wait_for_pairings(&app, id, 1).await[0];
    let [rival, staller] = first.1;
    play(&players, first, staller).await;
    pass(&app, id, 30).await;
    let second = wait_for_pairings(&app, id, 1).await[0];
    let [mover, other] = second.1.map(|seat| &players[&seat]);
    mover.make_move(second.0, "0,0", &[]).await.assert_ok();
    other.make_move(second.0, "4,4", &[]).await.assert_ok();
    if second.1[0] != staller {
        mover.make_move(second.0, "0,1", &[]).await.assert_ok();
    }
    pass(&app, id, 20 * 60).await;
    wait_for_state(&app, id, TournamentState::Finished).await;
    let before = ratings(&app).await;
    let ended = pass_first_move(&app, &players[&rival], second.0).await;
    let won = second.1.iter().position(|seat| *seat == rival);
    assert_eq!(ended["result"]["winner"], 1 + won.unwrap());
    // The game does not count, so the staller has not gained a point, nor a place, and pays as for any lost game.
    assert_eq!(scores(&app, id).await, [(rival, 2), (staller, 0)]);
    let after = ratings(&app).await;
    assert!(after[&staller] < before[&staller] && after[&rival] > before[&rival]);
}

#[tokio::test]
async fn half_the_clock_against_an_own_bot_gives_neither_a_point_nor_rating() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "robot"]).await;
    let all: Vec<&Player> = players.values().collect();
    let [ann, robot] = all[..] else {
        unreachable!("two")
    };
    sqlx::query("update players set bot = true where id = $1")
        .bind(robot.id)
        .execute(&app.db)
        .await
        .unwrap();
    let mut open = with_berserk();
    open.entry.bots = true;
    let id = make(&app, ann, open).await;
    join(&app, ann, id).await.unwrap();
    let bot = Account {
        bot: true,
        ..account(robot)
    };
    let from = address(&account(ann));
    let joined = app.state.tournaments.join(&bot, &from, id, None).await;
    joined.unwrap();
    // Operators are told of the two.
    let shared: i64 =
        sqlx::query_scalar("select count(*) from shared_addresses where tournament_id = $1")
            .bind(id.0)
            .fetch_one(&app.db)
            .await
            .unwrap();
    assert_eq!(shared, 1);
    begin(&app, id).await;
    pass(&app, id, 5).await;
    let pair = wait_for_pairings(&app, id, 1).await[0];
    berserk(ann, pair.0).await.assert_ok();
    let [first, second] = pair.1.map(|seat| &players[&seat]);
    first.make_move(pair.0, "0,0", &[]).await.assert_ok();
    second.make_move(pair.0, "4,4", &[]).await.assert_ok();
    robot.resign(pair.0).await.assert_ok();
    // A win of so few moves is worth no more than any other, and with bots and people no game is rated.
    assert_eq!(scores(&app, id).await[0], (ann.id, 2));
    assert!(ratings(&app).await.is_empty());
}
