//! Leagues: seasons that follow from each other, who goes up and down, who is no member any more, and titles.

use super::app::{TestApp, wait_until};
use super::player::{PASSWORD, Player, Response, send};
use super::tournament_steps::{players, state_of, wait_for_state};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tochki_protocol::{TournamentId, TournamentState};

/// Opens a league whose first season begins at once.
async fn open(operator: &Player, name: &str) -> i64 {
    let form = [
        ("name", name),
        ("game", "reversi"),
        ("clock", "300+3"),
        ("in_days", "0"),
    ];
    operator.post("/api/open_league", &form).await.id("id")
}

async fn post(player: &Player, action: &str, id: i64) -> Response {
    let form = [("id", &*id.to_string())];
    player.post(&format!("/api/{action}_league"), &form).await
}

async fn league(player: &Player, id: i64) -> Value {
    player
        .get(&format!("/api/league?id={id}"))
        .await
        .assert_ok()
}

/// Waits for a season, and returns the tournaments of its divisions with their players.
async fn season(
    app: &TestApp,
    viewer: &Player,
    id: i64,
    number: u32,
) -> Vec<(TournamentId, Vec<i64>)> {
    wait_until("the season", async || {
        (league(viewer, id).await["season"] == number).then_some(())
    })
    .await;
    let shown = league(viewer, id).await;
    let divisions = shown["divisions"].as_array().unwrap().clone();
    let mut found = Vec::new();
    for division in divisions {
        let tournament = TournamentId(division["tournament"].as_i64().unwrap());
        let entrants = sqlx::query_scalar(
            "select player_id from tournament_entrants where tournament_id = $1 order by number",
        );
        let entrants = entrants
            .bind(tournament.0)
            .fetch_all(&app.db)
            .await
            .unwrap();
        found.push((tournament, entrants));
    }
    found
}

/// Ends the tournament of a division with these players in front, in this order; all of a season have their results at once.
async fn finish(app: &TestApp, id: TournamentId, order: &[i64]) {
    wait_for_state(app, id, TournamentState::Running).await;
    wait_until("the first round", async || {
        let tournament = app.state.tournaments.get(id).await.unwrap();
        tournament
            .rounds
            .is_some_and(|rounds| rounds.round > 0)
            .then_some(())
    })
    .await;
    // Each has won against all who are behind, without a game.
    for (at, first) in order.iter().enumerate() {
        for second in &order[at + 1..] {
            let won = sqlx::query(
                "insert into tournament_pairings (tournament_id, round, first, second, finished_at, counts, winner, forfeit, points)
                 select $1, 20, e.number, f.number, now(), true, 1, true, '{2,0}' from tournament_entrants e, tournament_entrants f
                 where e.tournament_id = $1 and f.tournament_id = $1 and e.player_id = $2 and f.player_id = $3",
            );
            let won = won.bind(id.0).bind(first).bind(second);
            won.execute(&app.db).await.unwrap();
        }
    }
    sqlx::query("update tournaments set state = 'finished', finished_at = now(), holder = null, version = version + 1 where id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .unwrap();
    assert_eq!(state_of(app, id).await, TournamentState::Finished);
}

/// Lets the time until the next season pass.
async fn pass(app: &TestApp, id: i64) {
    sqlx::query("update leagues set next_at = now() where id = $1")
        .bind(id)
        .execute(&app.db)
        .await
        .unwrap();
}

#[tokio::test]
async fn two_go_up_and_two_down_and_who_misses_games_is_gone() {
    let app = TestApp::init().await;
    let olga = app.with_operator("olga").await;
    let names: Vec<String> = (0..17).map(|number| format!("player{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let players: BTreeMap<i64, Player> = players(&app, &names).await;
    let ids: Vec<i64> = players.keys().copied().collect();
    let id = open(&olga, "Evening league").await;
    // Nothing begins with nobody, and all are there when it does.
    sqlx::query("update leagues set next_at = now() + interval '1 hour' where id = $1")
        .bind(id)
        .execute(&app.db)
        .await
        .unwrap();
    for player in players.values().take(16) {
        post(player, "join", id).await.assert_ok();
        post(player, "join", id).await.assert_ok();
    }
    let shown = league(&players[&ids[0]], id).await;
    assert_eq!(
        (&shown["members"], &shown["member"]),
        (&json!(16), &json!(true))
    );
    assert_eq!(shown["newcomers"].as_array().unwrap().len(), 16);
    pass(&app, id).await;
    let first = season(&app, &olga, id, 1).await;
    let members: Vec<_> = first.iter().map(|(_, members)| members.clone()).collect();
    assert_eq!(members, [ids[..8].to_vec(), ids[8..16].to_vec()]);
    let upper = app.state.tournaments.get(first[0].0).await.unwrap();
    assert_eq!(upper.name, "Evening league 1/1");
    assert!(upper.entries_closed && upper.rounds.as_ref().is_some_and(|rounds| rounds.double));

    // A season is over once all its tournaments are. One player leaves the league, and one misses two games.
    for (tournament, members) in &first {
        finish(&app, *tournament, members).await;
    }
    post(&players[&ids[3]], "leave", id).await.assert_ok();
    post(&players[&ids[3]], "leave", id)
        .await
        .assert_error(409, "not_open");
    sqlx::query(
        "update tournament_entrants set state = 'out' where tournament_id = $1 and player_id = $2",
    )
    .bind(first[1].0.0)
    .bind(ids[12])
    .execute(&app.db)
    .await
    .unwrap();
    sqlx::query("update tournaments set version = version + 1 where id = $1")
        .bind(first[1].0.0)
        .execute(&app.db)
        .await
        .unwrap();
    post(&players[&ids[16]], "join", id).await.assert_ok();
    assert_eq!(league(&olga, id).await["season"], 1);
    pass(&app, id).await;
    let second = season(&app, &olga, id, 2).await;
    let of = |places: &[usize]| places.iter().map(|place| ids[*place]).collect::<Vec<_>>();
    let members: Vec<_> = second.iter().map(|(_, members)| members.clone()).collect();
    assert_eq!(
        members,
        [
            of(&[0, 1, 2, 4, 5, 8, 9, 6]),
            of(&[7, 10, 11, 13, 14, 15, 16])
        ]
    );

    // The title stays, also on the profile.
    let shown = league(&olga, id).await;
    assert_eq!(shown["titles"][0]["season"], 1);
    assert_eq!(shown["titles"][0]["player"]["id"], ids[0]);
    let profile = olga.get("/api/profile?name=player0").await.assert_ok();
    assert_eq!(profile["titles"][0]["name"], "Evening league");
    let page = async |player: &Player, path: &str| {
        let request = player.request(reqwest::Method::GET, path);
        send(request.header("accept", "text/html")).await.text
    };
    assert!(page(&olga, "/@player0").await.contains("League titles"));
    let own = page(&players[&ids[0]], &format!("/league/{id}")).await;
    assert!(
        own.contains("Division 2")
            && own.contains("Champions")
            && own.contains("/api/leave_league")
    );
    assert!(
        !own.contains("/api/end_league")
            && page(&olga, "/leagues").await.contains("Evening league")
    );

    // No season follows once it has ended.
    post(&olga, "end", id).await.assert_ok();
    post(&olga, "end", id).await.assert_error(409, "not_open");
    post(&players[&ids[12]], "join", id)
        .await
        .assert_error(409, "not_open");
}

#[tokio::test]
async fn a_league_waits_for_members_and_takes_no_guests() {
    let app = TestApp::init().await;
    let olga = app.with_operator("olga").await;
    let (ann, bob) = app.with_two_users().await;
    let short = [("name", "ab"), ("game", "dots"), ("clock", "300+3")];
    olga.post("/api/open_league", &short)
        .await
        .assert_error(400, "invalid_tournament");
    let late = [
        ("name", "League"),
        ("game", "dots"),
        ("clock", "300+3"),
        ("in_days", "61"),
    ];
    olga.post("/api/open_league", &late)
        .await
        .assert_error(400, "invalid_tournament");
    let id = open(&olga, "Small league").await;
    for player in [&ann, &bob] {
        post(player, "join", id).await.assert_ok();
    }
    let guest = app.visitor().be_guest("guest").await;
    let form = [("id", &*id.to_string())];
    let refused = guest.post("/api/join_league", &form).await;
    refused.assert_error(409, "not_qualified");
    pass(&app, id).await;
    // Two are too few: it is looked for more tomorrow.
    wait_until("another day", async || {
        let next = league(&ann, id).await["next_at"].as_i64().unwrap();
        (next > tochki_server::now().0 + 3_600_000).then_some(())
    })
    .await;
    assert_eq!(league(&ann, id).await["season"], 0);
    let deleted = ann.post("/api/delete_account", &[("password", PASSWORD)]);
    deleted.await.assert_ok();
    assert_eq!(league(&bob, id).await["members"], 1);
}
