//! Several accounts of one address in an arena: their games count while there are few others, and operators are told of them.

use super::app::{TestApp, wait_until};
use super::player::Player;
use super::tournament_steps::{
    account, arena, begin, join, make, pass, play, players, running, standings, wait_for_pairings,
};
use serde_json::json;
use std::collections::BTreeMap;
use tochki_protocol::{Code, TournamentId};
use tochki_server::attempts::client_address::ClientAddress;

/// Enters at an address.
async fn join_at(
    app: &TestApp,
    player: &Player,
    id: TournamentId,
    address: [u8; 4],
) -> Result<(), Code> {
    let (player, from) = (
        account(player),
        ClientAddress {
            address: address.into(),
        },
    );
    let joined = app.state.tournaments.join(&player, &from, id, None);
    joined.await.map_err(|error| error.code())
}

async fn scores(app: &TestApp, id: TournamentId) -> BTreeMap<i64, u32> {
    let rows = standings(app, id).await.rows.into_iter();
    rows.map(|row| (row.player.id.0, row.score.quarters() / 4))
        .collect()
}

/// Lets two accounts of one address and so many others play once, then the two alone. Returns the points of the second game of the two.
async fn points_of_twins(
    app: &TestApp,
    name: &str,
    others: usize,
    address_of_others: Option<[u8; 4]>,
) -> u32 {
    const TWINS: [u8; 4] = [10, 9, 9, 9];
    let names: Vec<String> = (0..others + 2).map(|at| format!("{name}{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let players = players(app, &names).await;
    let all: Vec<&Player> = players.values().collect();
    let id = make(app, all[0], arena()).await;
    for (at, player) in all.iter().enumerate() {
        match address_of_others {
            _ if at < 2 => join_at(app, player, id, TWINS).await.unwrap(),
            Some(address) => join_at(app, player, id, address).await.unwrap(),
            None => join(app, player, id).await.unwrap(),
        }
    }
    begin(app, id).await;
    pass(app, id, 10).await;
    let pairs = wait_for_pairings(app, id, all.len() / 2).await;
    // Who pauses plays on, and is not paired again.
    for player in &all[2..] {
        let tournaments = &app.state.tournaments;
        tournaments.leave(&account(player), id).await.unwrap();
    }
    for pair in pairs {
        play(&players, pair, pair.1[1]).await;
    }
    let before = scores(app, id).await;
    pass(app, id, 30).await;
    let pair = wait_for_pairings(app, id, 1).await[0];
    let mut seats = pair.1;
    seats.sort_unstable();
    assert_eq!(seats, [all[0].id, all[1].id]);
    let counts = async || {
        let pairings = app.state.tournaments.pairings(id, None, 0).await.unwrap();
        pairings.pairings[0].counts
    };
    let known = counts().await;
    play(&players, pair, pair.1[1]).await;
    assert_eq!(running(app, id).await, []);
    let after = scores(app, id).await;
    let gained: Vec<u32> = pair.1.iter().map(|one| after[one] - before[one]).collect();
    assert_eq!(gained[1], 0);
    // Whatever does not count is known from the beginning.
    let expected = if gained[0] == 0 { Some(false) } else { None };
    assert_eq!(known, expected);
    assert_eq!(counts().await, Some(gained[0] > 0));
    gained[0]
}

#[tokio::test]
async fn games_of_one_address_count_while_there_are_few_others() {
    let app = TestApp::init().await;
    assert!(points_of_twins(&app, "few", 2, None).await > 0);
    assert_eq!(points_of_twins(&app, "many", 8, None).await, 0);
    // As in a school: nobody has come from elsewhere.
    assert!(points_of_twins(&app, "school", 8, Some([10, 9, 9, 9])).await > 0);
}

#[tokio::test]
async fn operators_are_told_of_accounts_of_one_address() {
    let app = TestApp::init().await;
    let operator = app.with_operator("olga").await;
    let players = players(&app, &["ann", "bob", "cid", "dan"]).await;
    let [ann, bob, cid, dan] = (players.values().collect::<Vec<_>>())
        .try_into()
        .ok()
        .unwrap();
    let id = make(&app, ann, arena()).await;
    for (player, low) in [(ann, 1), (bob, 2), (cid, 1), (dan, 1)] {
        join_at(&app, player, id, [10, 8, 0, low]).await.unwrap();
    }
    // Who leaves and comes back is told of once.
    let tournaments = &app.state.tournaments;
    tournaments.leave(&account(cid), id).await.unwrap();
    join_at(&app, cid, id, [10, 8, 0, 1]).await.unwrap();
    begin(&app, id).await;
    tournaments.leave(&account(bob), id).await.unwrap();
    tournaments.leave(&account(dan), id).await.unwrap();
    pass(&app, id, 10).await;
    let pair = wait_for_pairings(&app, id, 1).await[0];
    play(&players, pair, pair.1[0]).await;

    let list = operator.get("/api/operator_shared_addresses").await;
    let list = list.assert_ok();
    let [group] = list.as_array().unwrap().as_slice() else {
        panic!("one group, not {list}");
    };
    assert_eq!(
        group["tournament"],
        json!({"id": id.0, "name": "Evening arena"})
    );
    let names: Vec<&str> = (group["players"].as_array().unwrap().iter())
        .map(|player| player["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["ann", "cid", "dan"]);
    let figures = ["count", "games", "uncounted"].map(|field| group[field].as_i64().unwrap());
    assert_eq!(figures, [3, 1, 0]);
    let page = operator.get("/operator/rings").await.text;
    assert!(page.contains(&format!("/tournament/{}", id.0)));
    ann.get("/api/operator_shared_addresses")
        .await
        .assert_error(403, "not_operator");
    // It is forgotten after a while.
    sqlx::query("update shared_addresses set at = at - interval '31 days'")
        .execute(&app.db)
        .await
        .unwrap();
    let _sweeps = app.another_instance().await;
    wait_until("the end of the list", async || {
        let list = operator.get("/api/operator_shared_addresses").await;
        list.assert_ok()
            .as_array()
            .unwrap()
            .is_empty()
            .then_some(())
    })
    .await;
}
