//! Banks and byo-yomi, wherever a live game begins: by a challenge, at a table, as a quick game, in a rematch, in a tournament.

use super::app::{SMALL, TestApp, begin, start_match_with};
use super::player::{Player, Response, send};
use super::quick_games::{address_of, app as app_behind_proxy};
use super::tournament_steps::{
    arena, begin as begin_tournament, join, lasting, make, pass, players, wait_for_pairings,
    wait_for_state,
};
use serde_json::{Value, json};
use tochki_protocol::TournamentState;

/// The clocks, their kinds in a snapshot, and the time that each side has at the start.
const CLOCKS: [(&str, &str, i64); 2] = [
    ("25/300", "bank", 325_000),
    ("600~30x5", "byo_yomi", 750_000),
];

/// Asks for a quick game with a clock.
async fn ask(player: &Player, clock: &str) -> Response {
    let form = [("game", "dots"), ("setup", SMALL), ("clock", clock)];
    let post = player.post_request("/api/quick_game").form(&form);
    send(post.header("x-forwarded-for", address_of(player))).await
}

/// Checks that a match has a clock of this kind, and that it is there for the whole match.
async fn assert_clock(player: &Player, id: i64, (clock, kind, left): (&str, &str, i64)) {
    let snapshot = player.snapshot(id).await;
    assert_eq!(snapshot["pace"], "live");
    assert_eq!(snapshot["time_control"], clock);
    let shown = &snapshot["clock"];
    assert_eq!(shown["kind"], kind);
    assert_eq!(shown["left_ms"], json!([left, left]), "{clock}");
}

#[tokio::test]
async fn banks_and_periods_are_played_live() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let form = [("setup", SMALL), ("clock", "600~30x5")];
    let id = start_match_with(&ann, &bob, &form).await;
    let snapshot = ann.snapshot(id).await;
    assert_eq!(snapshot["pace"], "live");
    let clock = &snapshot["clock"];
    assert_eq!(clock["left_ms"], json!([750_000, 750_000]));
    assert_eq!(
        (&clock["kind"], &clock["periods"]),
        (&json!("byo_yomi"), &json!([5, 5]))
    );
    ann.abort(id).await.assert_ok();
    let form = [("setup", SMALL), ("clock", "25/300")];
    let id = start_match_with(&ann, &bob, &form).await;
    let clock = ann.snapshot(id).await["clock"].clone();
    assert_eq!(
        (&clock["kind"], &clock["bank_ms"]),
        (&json!("bank"), &json!([300_000, 300_000]))
    );
    begin(&ann, &bob, id).await;
    let clock = ann.snapshot(id).await["clock"].clone();
    assert_eq!(clock["bank_ms"], json!([300_000, 300_000]));
    assert_eq!(clock["left_ms"], json!([325_000, 325_000]));
}

#[tokio::test]
async fn banks_and_periods_are_agreed_on_at_a_table_and_stay_in_the_rematch() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    for clock in CLOCKS {
        let table = ann.open_table(&[("clock", clock.0)]).await.assert_ok();
        assert_eq!(table["clock"], clock.0);
        let room = bob.get("/api/waiting_room?game=dots").await.assert_ok();
        assert_eq!(room["tables"][0]["clock"], clock.0);
        bob.sit(&table).await.assert_ok();
        ann.set_ready(&table, true).await.assert_ok();
        let id = bob.set_ready(&table, true).await.id("match");
        assert_clock(&ann, id, clock).await;
        begin(&ann, &bob, id).await;
        let path = format!("/events/match/{id}");
        let (mut one, mut two) = (ann.stream(&path).await, bob.stream(&path).await);
        one.next().await;
        two.next().await;
        ann.resign(id).await.assert_ok();
        assert_eq!(
            ann.request_rematch(id).await.assert_ok()["match"],
            Value::Null
        );
        let next = bob.request_rematch(id).await.id("match");
        assert_clock(&bob, next, clock).await;
        ann.abort(next).await.assert_ok();
    }
}

#[tokio::test]
async fn two_who_ask_for_the_same_bank_or_periods_are_paired() {
    let app = app_behind_proxy().await;
    let (ann, bob) = app.with_two_users().await;
    let _rooms = (ann.join_lobby().await, bob.join_lobby().await);
    for clock in CLOCKS {
        let other = ask(&ann, clock.0).await.assert_ok();
        assert_eq!(other["match"], Value::Null);
        // Who wants another clock is another one's opponent.
        let lasting = ask(&bob, "300+5").await.assert_ok();
        assert_eq!(lasting["match"], Value::Null);
        let id = ask(&bob, clock.0).await.id("match");
        assert_clock(&ann, id, clock).await;
        // Aborted, they would not be paired again.
        begin(&ann, &bob, id).await;
        ann.resign(id).await.assert_ok();
    }
}

#[tokio::test]
async fn a_tournament_is_played_with_a_bank_or_with_periods() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob"]).await;
    let ann = players.values().next().expect("ann");
    for clock in CLOCKS {
        let mut arena = arena();
        arena.terms.clock = clock.0.parse().expect("a clock");
        // Two games fit into half of it.
        arena.format = lasting(60);
        let id = make(&app, ann, arena).await;
        for player in players.values() {
            join(&app, player, id).await.expect("entered");
        }
        begin_tournament(&app, id).await;
        pass(&app, id, 5).await;
        let (played, [first, second]) = wait_for_pairings(&app, id, 1).await[0];
        assert_clock(&players[&first], played, clock).await;
        players[&first]
            .make_move(played, "0,0", &[])
            .await
            .assert_ok();
        players[&second]
            .make_move(played, "4,4", &[])
            .await
            .assert_ok();
        players[&first].resign(played).await.assert_ok();
        // The other arena is for the other clock.
        sqlx::query("update tournaments set ends_at = now() where id = $1")
            .bind(id.0)
            .execute(&app.db)
            .await
            .expect("updated");
        wait_for_state(&app, id, TournamentState::Finished).await;
    }
}
