//! Ratings of few games: shown with a question mark, and in no standings.

use super::app::{SMALL, TestApp, begin, start_match, start_match_with};
use super::operator::with_operator;
use super::player::Player;
use serde_json::{Value, json};
use tochki_protocol::limits::RANKED_MATCHES;

/// Plays a rated match that `second` resigns. Returns its id.
async fn play(first: &Player, second: &Player) -> i64 {
    let id = start_match(first, second, SMALL).await;
    begin(first, second, id).await;
    second.resign(id).await.assert_ok();
    id
}

/// Returns whether each player of a list is marked.
fn marks(players: &Value) -> Vec<bool> {
    let marked = |player: &Value| player["provisional"] == true;
    players.as_array().unwrap().iter().map(marked).collect()
}

/// Returns the marks of the waiting room's players.
async fn waiting(one: &Player, other: &Player) -> Vec<bool> {
    let _here = (one.join_lobby().await, other.join_lobby().await);
    let room = one.get("/api/waiting_room?game=dots").await.assert_ok();
    assert_eq!(room["players"].as_array().unwrap().len(), 2, "{room}");
    marks(&room["players"])
}

async fn standings(player: &Player) -> i64 {
    let standings = player.get("/api/standings?game=dots").await.assert_ok();
    standings["total"].as_i64().unwrap()
}

#[tokio::test]
async fn a_rating_is_marked_until_the_fifth_rated_match() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    for _ in 1..RANKED_MATCHES {
        play(&ann, &bob).await;
    }
    assert_eq!(waiting(&ann, &bob).await, [true, true]);
    let own = ann.get("/@ann?game=dots").await.text;
    assert!(own.contains("1 more rated game to enter the leaderboard"));
    assert!(own.contains(r">?</abbr>"), "{own}");
    let seen = bob.get("/@ann?game=dots").await.text;
    assert!(!seen.contains("to enter the leaderboard"));
    assert!(seen.contains(r">?</abbr>"));
    let table = [("game", "dots"), ("name", "here")];
    let table = ann.post("/api/open_table", &table).await.assert_ok();
    assert_eq!(table["creator"]["provisional"], true, "{table}");
    assert_eq!(table["seats"][0]["provisional"], true, "{table}");

    let fifth = play(&ann, &bob).await;
    let after = ann.snapshot(fifth).await;
    assert_eq!(marks(&after["players"]), [true, true], "at the start");
    assert_eq!(marks(&after["result"]["ratings"]), [false, false]);
    assert_eq!(waiting(&ann, &bob).await, [false, false]);
    assert_eq!(standings(&ann).await, 2);
    let own = ann.get("/@ann?game=dots").await.text;
    assert!(!own.contains("to enter the leaderboard"));

    let sixth = start_match(&ann, &bob, SMALL).await;
    let during = ann.snapshot(sixth).await;
    assert_eq!(marks(&during["players"]), [false, false]);
    let room = app.with_user("eve").await;
    let room = room.get("/api/waiting_room?game=dots").await.assert_ok();
    assert_eq!(marks(&room["matches"][0]["players"]), [false, false]);
    begin(&ann, &bob, sixth).await;
    bob.resign(sixth).await.assert_ok();

    // Each match shows the ratings of its time, the latest first.
    let past = ann.get("/api/history").await.assert_ok();
    let opponents: Vec<Value> = past["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["opponent"].clone())
        .collect();
    let of_opponents = marks(&Value::Array(opponents));
    assert_eq!(of_opponents, [false, true, true, true, true, true]);
    let changes: Vec<Value> = past["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["rating"].clone())
        .collect();
    assert_eq!(changes[0], Value::Null, "the sixth of a day is not rated");
    assert_eq!(
        marks(&Value::Array(changes)),
        [false, false, true, true, true, true]
    );
}

#[tokio::test]
async fn an_annulled_match_does_not_count() {
    let (app, boss) = with_operator().await;
    let (ann, bob) = app.with_two_users().await;
    let first = play(&ann, &bob).await;
    for _ in 1..RANKED_MATCHES {
        play(&ann, &bob).await;
    }
    assert_eq!(standings(&ann).await, 2);
    let id = first.to_string();
    let form = [("match_id", id.as_str()), ("why", "")];
    boss.post("/api/operator_annul", &form).await.assert_ok();
    assert_eq!(standings(&ann).await, 0);
    assert_eq!(waiting(&ann, &bob).await, [true, true]);
}

#[tokio::test]
async fn challenges_say_that_a_rating_is_provisional() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let mut bobs = bob.stream("/events/lobby?game=dots").await;
    bobs.expect("snapshot").await;
    let _waiting = ann.join_lobby().await;
    ann.challenge(&bob, &[("setup", SMALL)]).await.assert_ok();
    let challenge = bobs.next_named("challenged").await;
    assert_eq!(
        challenge["from"],
        json!({"id": ann.id, "name": "ann", "rating": 1600.0, "provisional": true})
    );
    let page = bob.get("/play?game=dots").await.text;
    assert!(page.contains("ann (1600?) challenges you"), "{page}");
}

/// Compares the values that the migration computes for older matches with those written with new ones.
#[tokio::test]
async fn older_matches_are_marked_by_the_migration() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    for _ in 0..RANKED_MATCHES {
        play(&ann, &bob).await;
    }
    for _ in 0..2 {
        play(&eve, &ann).await;
    }
    let guest = app.visitor().be_guest("guest").await;
    start_match_with(&eve, &guest, &[("setup", SMALL), ("rated", "false")]).await;
    let marks = async || -> Vec<String> {
        sqlx::query_scalar(
            "select row(id, provisional1, provisional2)::text from matches
             union all
             select row(match_id, player_id, provisional)::text from rating_history order by 1",
        )
        .fetch_all(&app.db)
        .await
        .unwrap()
    };
    let written = marks().await;
    assert_eq!(written.len(), 8 + 14);
    let migration = include_str!("../../migrations/0022_provisional.sql");
    let begin = migration.find("with counted").expect("what is filled in");
    let end = migration.find("-- The standings").expect("what follows");
    sqlx::raw_sql(
        "update matches set provisional1 = false, provisional2 = false;
         update rating_history set provisional = false",
    )
    .execute(&app.db)
    .await
    .unwrap();
    assert_ne!(marks().await, written);
    sqlx::raw_sql(sqlx::AssertSqlSafe(migration[begin..end].to_owned()))
        .execute(&app.db)
        .await
        .unwrap();
    assert_eq!(marks().await, written);
}
