//! Berserk in arenas: half of the clock for a point more, when it is refused, and what gives no point.

use super::app::TestApp;
use super::player::{Player, Response, Visitor};
use super::tournament_steps::{
    account, address, arena, begin, join, make, pass, pass_first_move, play, players, standings,
    wait_for_pairings,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tochki_protocol::{Code, TournamentId, TournamentScore, TournamentStanding};
use tochki_rules::GameKind;
use tochki_server::tournaments::{NewFormat, NewTournament};

/// Returns an arena of Gomoku with berserk, whose point needs five moves of each side.
pub(crate) fn with_berserk() -> NewTournament {
    let mut arena = arena();
    arena.terms.setup = GameKind::Gomoku.default_setup();
    arena.format = NewFormat::Arena {
        minutes: 20,
        streaks: false,
        last_games: false,
        berserk: true,
    };
    arena
}

pub(crate) async fn berserk(player: &Visitor, id: i64) -> Response {
    player
        .post("/api/berserk", &[("match_id", &id.to_string())])
        .await
}

/// Lets both sides move in turn, in these rows of their columns.
async fn moves(seats: [&Player; 2], id: i64, rows: std::ops::Range<u32>) {
    for row in rows {
        for (player, column) in seats.into_iter().zip([0, 14]) {
            let mv = format!("{column},{}", 2 * row);
            player.make_move(id, &mv, &[]).await.assert_ok();
        }
    }
}

/// Begins an arena of these players, and waits for their game.
async fn begun(
    app: &TestApp,
    players: &BTreeMap<i64, Player>,
    new: NewTournament,
) -> (TournamentId, (i64, [i64; 2])) {
    let id = make(app, players.values().next().unwrap(), new).await;
    for player in players.values() {
        join(app, player, id).await.unwrap();
    }
    begin(app, id).await;
    pass(app, id, 5).await;
    (id, wait_for_pairings(app, id, 1).await[0])
}

async fn rows(app: &TestApp, id: TournamentId) -> BTreeMap<i64, TournamentStanding> {
    let rows = standings(app, id).await.rows.into_iter();
    rows.map(|row| (row.player.id.0, row)).collect()
}

#[tokio::test]
async fn a_win_with_half_the_clock_is_a_point_more() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob"]).await;
    let (id, (match_id, seats)) = begun(&app, &players, with_berserk()).await;
    let [first, second] = seats.map(|seat| &players[&seat]);
    let before = first.snapshot(match_id).await;
    assert_eq!(before["tournament"]["berserk"], true);
    assert_eq!(before["berserk"], Value::Null);
    let page = first.get(&format!("/match/{match_id}")).await.text;
    assert!(page.contains(r#"action="/api/berserk""#));

    let mut stream = second.stream(&format!("/events/match/{match_id}")).await;
    assert_eq!(berserk(first, match_id).await.version(), 1);
    let told = stream.next_named("berserked").await;
    assert_eq!(told["seat"], 1);
    assert_eq!(told["clock"]["left_ms"], json!([30_000, 60_000]));
    // However often it is sent, the clock is halved once.
    for _ in 0..3 {
        assert_eq!(berserk(first, match_id).await.version(), 1);
    }
    let snapshot = first.snapshot(match_id).await;
    assert_eq!(snapshot["version"], 1);
    assert_eq!(snapshot["berserk"], json!([true, false]));
    assert_eq!(snapshot["clock"]["left_ms"], json!([30_000, 60_000]));

    let stranger = app.with_user("cid").await;
    berserk(&stranger, match_id)
        .await
        .assert_error(403, "not_a_player");
    berserk(&app.visitor(), match_id)
        .await
        .assert_error(401, "signed_out");
    moves([first, second], match_id, 0..1).await;
    berserk(second, match_id)
        .await
        .assert_error(409, "no_berserk");
    moves([first, second], match_id, 1..5).await;
    let page = second.get(&format!("/match/{match_id}")).await.text;
    assert!(!page.contains(r#"action="/api/berserk""#));
    second.resign(match_id).await.assert_ok();

    let rows = rows(&app, id).await;
    let (winner, loser) = (&rows[&first.id], &rows[&second.id]);
    assert_eq!(winner.score, 3);
    assert_eq!(loser.score, 0);
    assert_eq!([winner.berserks, loser.berserks], [1, 0]);
    let pairings = app.state.tournaments.pairings(id, None, 0).await.unwrap();
    let pairing = &pairings.pairings[0];
    assert_eq!(pairing.berserk, [true, false]);
    let points = pairing.points.unwrap().map(TournamentScore::quarters);
    assert_eq!(points, [12, 0]);
    let page = second.get(&format!("/tournament/{}", id.0)).await.text;
    assert_eq!(page.matches(r#"class="berserks""#).count(), 2);
    berserk(first, match_id).await.assert_error(409, "finished");
    // A rated game stays one.
    assert!(!first.snapshot(match_id).await["result"]["ratings"].is_null());
}

#[tokio::test]
async fn short_games_losses_and_forfeits_give_no_point() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob"]).await;
    let (id, pair) = begun(&app, &players, with_berserk()).await;
    let [first, second] = pair.1;
    for seat in [first, second] {
        berserk(&players[&seat], pair.0).await.assert_ok();
    }
    play(&players, pair, second).await;
    let scores = rows(&app, id).await;
    assert_eq!(scores[&first].score, 2);
    assert_eq!(scores[&second].score, 0);
    assert_eq!(scores[&second].berserks, 1);

    // The first does not come to a game with half the clock.
    pass(&app, id, 30).await;
    let (match_id, [away, winner]) = wait_for_pairings(&app, id, 1).await[0];
    berserk(&players[&winner], match_id).await.assert_ok();
    let forfeit = pass_first_move(&app, &players[&winner], match_id).await;
    assert_eq!(forfeit["result"]["reason"], "forfeit");
    let after = rows(&app, id).await;
    assert_eq!(after[&winner].berserks, scores[&winner].berserks);
    let gained = |player: &i64| after[player].score.quarters() - scores[player].score.quarters();
    assert_eq!([gained(&winner), gained(&away)], [8, 0]);
}

#[tokio::test]
async fn it_is_a_switch_of_arenas_with_clocks_that_add_time() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob"]).await;
    let by = account(players.values().next().unwrap());
    for clock in ["25/300", "60~10x3"] {
        let mut other = with_berserk();
        other.terms.clock = clock.parse().unwrap();
        let tournaments = &app.state.tournaments;
        let made = tournaments.create(&by, true, &address(&by), other).await;
        assert_eq!(made.unwrap_err().code(), Code::InvalidTournament, "{clock}");
    }
    let (_, (match_id, seats)) = begun(&app, &players, arena()).await;
    let first = &players[&seats[0]];
    berserk(first, match_id)
        .await
        .assert_error(409, "no_berserk");
    let snapshot = first.snapshot(match_id).await;
    assert_eq!(snapshot["tournament"]["berserk"], Value::Null);
    let page = first.get(&format!("/match/{match_id}")).await.text;
    assert!(!page.contains("/api/berserk"));
}

#[tokio::test]
async fn absence_counts_from_the_first_moves_on_and_not_from_halved_clocks() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob"]).await;
    let (_, (match_id, seats)) = begun(&app, &players, with_berserk()).await;
    let [first, second] = seats.map(|seat| &players[&seat]);
    let away_for_long = async || {
        let moved = sqlx::query(
            "update absences set since = now() - interval '10 seconds' where match_id = $1",
        );
        moved.bind(match_id).execute(&app.db).await.unwrap();
    };
    let reported = async || -> i64 {
        sqlx::query_scalar("select count(*) from reported_absences where match_id = $1")
            .bind(match_id)
            .fetch_one(&app.db)
            .await
            .unwrap()
    };
    for player in [first, second] {
        berserk(player, match_id).await.assert_ok();
    }
    away_for_long().await;
    assert_eq!(reported().await, 0, "nobody has moved");
    first.make_move(match_id, "0,0", &[]).await.assert_ok();
    away_for_long().await;
    assert_eq!(reported().await, 0, "one has moved");
    second.make_move(match_id, "14,0", &[]).await.assert_ok();
    assert_eq!(reported().await, 0, "absence begins now");
    away_for_long().await;
    assert_eq!(reported().await, 2);
}
