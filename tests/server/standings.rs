//! The standings.

use super::app::{SMALL, TestApp, begin, start_match};
use super::player::{Player, Visitor};
use serde_json::{Value, json};
use tochki_protocol::limits::RANKED_MATCHES;

async fn standings(visitor: &Visitor, query: &str) -> Value {
    visitor
        .get(&format!("/api/standings?{query}"))
        .await
        .assert_ok()
}

/// Returns places, names and rounded ratings.
fn rows(standings: &Value) -> Vec<(i64, String, i64)> {
    let players = standings["players"].as_array().expect("players");
    let row = |placed: &Value| {
        let rating = placed["player"]["rating"].as_f64().expect("a rating");
        let name = placed["player"]["name"].as_str().expect("a name");
        (
            placed["place"].as_i64().expect("a place"),
            name.to_owned(),
            rating.round() as i64,
        )
    };
    players.iter().map(row).collect()
}

async fn win_match(winner: &Player, loser: &Player) {
    let id = start_match(winner, loser, SMALL).await;
    begin(winner, loser, id).await;
    loser.resign(id).await.assert_ok();
}

/// Wins as many matches as two players may have on one day, which makes both of them ranked, if nobody else plays.
async fn win_matches(winner: &Player, loser: &Player) {
    for _ in 0..RANKED_MATCHES {
        win_match(winner, loser).await;
    }
}

async fn execute(app: &TestApp, statement: &'static str) {
    sqlx::raw_sql(statement)
        .execute(&app.db)
        .await
        .expect("it is done");
}

#[tokio::test]
async fn win_updates_the_standings() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let empty = standings(&ann, "game=dots").await;
    assert_eq!(
        empty,
        json!({"game": "dots", "players": [], "page": 1, "pages": 1, "total": 0, "mine": null})
    );
    for _ in 1..RANKED_MATCHES {
        win_match(&bob, &ann).await;
    }
    assert_eq!(
        standings(&ann, "game=dots").await,
        empty,
        "a rated game is missing"
    );
    // The top list is not empty meanwhile: both are below nobody.
    let top = app.visitor().get("/api/top?game=dots").await.assert_ok();
    assert_eq!(
        (&top[0]["place"], &top[0]["player"]["name"]),
        (&json!(1), &json!("bob"))
    );
    assert_eq!(
        (&top[1]["place"], &top[1]["player"]["name"]),
        (&json!(2), &json!("ann"))
    );
    assert_eq!(top[0]["player"]["provisional"], true);
    win_match(&bob, &ann).await;
    let seen = standings(&ann, "game=dots").await;
    assert_eq!(
        rows(&seen),
        [(1, "bob".into(), 1654), (2, "ann".into(), 1546)]
    );
    assert_eq!(
        (&seen["mine"][0]["place"], &seen["mine"][1]),
        (&json!(2), &json!(1))
    );
    assert_eq!(
        standings(&eve, "game=dots").await["mine"],
        Value::Null,
        "no rated game yet"
    );
    assert_eq!(
        standings(&app.visitor(), "game=dots").await["mine"],
        Value::Null
    );
    assert_eq!(rows(&standings(&ann, "game=boxes").await), []);

    // Two others play by now, and Eve has met one of them.
    win_matches(&ann, &eve).await;
    assert_eq!(rows(&standings(&ann, "game=dots").await).len(), 2);
    win_match(&bob, &eve).await;
    let names: Vec<_> = rows(&standings(&ann, "game=dots").await)
        .into_iter()
        .map(|row| row.1)
        .collect();
    assert_eq!(names, ["bob", "ann", "eve"]);
    // The front page shows the same.
    let front = app.visitor().get("/").await.text;
    let place = |name: &str| {
        front
            .find(&format!("/@{name}\""))
            .unwrap_or_else(|| panic!("no {name}"))
    };
    assert!(place(&names[0]) < place(&names[1]) && place(&names[1]) < place(&names[2]));
    let top = app.visitor().get("/api/top?game=dots").await.assert_ok();
    assert_eq!(top[0]["player"]["name"], "bob");
    assert_eq!(top[0]["player"]["provisional"], Value::Null);
}

#[tokio::test]
async fn equal_ratings_are_ordered_by_account() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    execute(&app, "insert into players (name, name_key) select 'p' || n, 'p' || n from generate_series(1, 120) as n;
        insert into ratings (player_id, game, rating, games, ranked) select id, 'dots', 1700 - (id % 3), 5, true from players").await;
    let mut seen = Vec::new();
    for page in 1..=3 {
        let page = standings(&ann, &format!("game=dots&page={page}")).await;
        assert_eq!((&page["total"], &page["pages"]), (&json!(121), &json!(3)));
        seen.extend(rows(&page));
    }
    assert_eq!(seen.len(), 121);
    let places: Vec<_> = seen.iter().map(|row| row.0).collect();
    assert_eq!(places, (1..=121).collect::<Vec<_>>());
    let expected: Vec<String> = sqlx::query_scalar(
        "select name from ratings join players on id = player_id order by rating desc, id",
    )
    .fetch_all(&app.db)
    .await
    .expect("names");
    assert_eq!(
        seen.iter().map(|row| row.1.clone()).collect::<Vec<_>>(),
        expected
    );

    // The caller's place is their place in the list.
    let mine = standings(&ann, "game=dots").await["mine"].clone();
    let place = seen.iter().find(|row| row.1 == "ann").expect("ann").0;
    assert_eq!(
        (&mine[0]["place"], &mine[1]),
        (&json!(place), &json!((place - 1) / 50 + 1))
    );
    let page = ann
        .get(&format!("/standings/dots?page={}", mine[1]))
        .await
        .text;
    assert!(page.contains("id=\"me\""), "the row is marked");
    let beyond = standings(&ann, "game=dots&page=4").await;
    assert_eq!((rows(&beyond), &beyond["total"]), (vec![], &json!(121)));
}

#[tokio::test]
async fn deleted_and_closed_accounts_are_not_listed() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    win_matches(&bob, &ann).await;
    win_matches(&eve, &ann).await;
    win_match(&bob, &eve).await;
    execute(
        &app,
        "update players set closed_at = now() where name = 'bob'",
    )
    .await;
    let names = |seen: &Value| rows(seen).into_iter().map(|row| row.1).collect::<Vec<_>>();
    let seen = standings(&ann, "game=dots").await;
    assert_eq!(names(&seen), ["eve", "ann"]);
    assert_eq!(seen["mine"][0]["place"], 2);
    execute(
        &app,
        "update players set deleted_at = now(), name = 'deleted player' where name = 'eve'",
    )
    .await;
    assert_eq!(names(&standings(&ann, "game=dots").await), ["ann"]);
    // A first rating of somebody whose account is closed.
    execute(&app, "insert into ratings (player_id, game, games, ranked) select id, 'boxes', 5, true from players where name = 'bob'").await;
    assert_eq!(
        names(&standings(&ann, "game=boxes").await),
        Vec::<String>::new()
    );
    execute(
        &app,
        "update players set closed_at = null where name = 'bob'",
    )
    .await;
    assert_eq!(names(&standings(&ann, "game=dots").await), ["bob", "ann"]);
    assert_eq!(names(&standings(&ann, "game=boxes").await), ["bob"]);
}

#[tokio::test]
async fn invalid_pages_are_refused() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    for (query, code) in [
        ("game=chess", "unknown_game"),
        ("game=", "unknown_game"),
        ("page=2", "bad_request"),
        ("game=dots&page=0", "invalid_page"),
        ("game=dots&page=-1", "invalid_page"),
        ("game=dots&page=1000001", "invalid_page"),
        ("game=dots&page=x", "invalid_page"),
    ] {
        visitor
            .get(&format!("/api/standings?{query}"))
            .await
            .assert_error(400, code);
    }
    assert_eq!(visitor.get("/standings/dots?page=x").await.status, 400);
    assert_eq!(visitor.get("/standings?page=7").await.status, 200);
    assert_eq!(
        visitor.get("/standings/chess").await.header("location"),
        Some("/standings")
    );
}
