//! The games of everybody: `/api/games`, `tochki export`, and the match to watch now.

use super::app::{SMALL, TestApp, begin, start_match_with, wait_until};
use super::player::{PASSWORD, Player, Visitor};
use super::process::run;
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::Read as _;
use tochki_protocol::limits::ARCHIVE_PAGE_LEN;
use tochki_server::matches::db;

/// Finishes a game of Dots, which `loser` resigns.
async fn finish(winner: &Player, loser: &Player) -> i64 {
    let id = start_match_with(winner, loser, &[("setup", SMALL), ("rated", "false")]).await;
    begin(winner, loser, id).await;
    loser.resign(id).await.assert_ok();
    id
}

/// Moves all ends into the past, instead of waiting until the games are listed.
async fn settle(app: &TestApp) {
    for table in ["matches", "results"] {
        let earlier = format!("update {table} set finished_at = finished_at - interval '1 hour'");
        let earlier = sqlx::query(sqlx::AssertSqlSafe(earlier)).execute(&app.db);
        earlier.await.expect("time passes");
    }
}

async fn games(visitor: &Visitor, query: &str) -> Vec<Value> {
    let answer = visitor.get(&format!("/api/games{query}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
    let lines = answer.text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn ids(games: &[Value]) -> Vec<i64> {
    games
        .iter()
        .map(|game| game["match"].as_i64().expect("a match"))
        .collect()
}

#[tokio::test]
async fn everybody_reads_the_games_of_everybody() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let carl = app.with_user("carl").await;
    let first = finish(&ann, &bob).await;
    let second = finish(&carl, &ann).await;
    let aborted = start_match_with(&ann, &bob, &[]).await;
    ann.abort(aborted).await.assert_ok();
    let running = start_match_with(&ann, &bob, &[]).await;
    let visitor = app.visitor();
    assert_eq!(games(&visitor, "").await, [] as [Value; 0], "not so soon");
    settle(&app).await;
    let all = games(&visitor, "").await;
    assert_eq!(ids(&all), [first, second], "not {aborted}, not {running}");
    let game = &all[0];
    assert_eq!(game["players"], json!(["ann", "bob"]));
    assert_eq!(
        (&game["moves"], &game["seats"]),
        (&json!(["0,4", "4,0"]), &json!([1, 2]))
    );
    assert_eq!(
        (&game["winner"], &game["reason"]),
        (&json!(1), &json!("resigned"))
    );
    assert_eq!(game["setup"]["width"], 5);

    for (query, expected) in [
        (format!("?after={first}"), vec![second]),
        (format!("?after={second}"), vec![]),
        ("?game=dots".into(), vec![first, second]),
        ("?game=boxes".into(), vec![]),
        ("?player=BOB".into(), vec![first]),
        ("?player=ann&result=won".into(), vec![first]),
        ("?player=ann&result=lost&opponent=ar".into(), vec![second]),
        (format!("?player=ann&after={first}"), vec![second]),
        ("?game=&player=&after=&format=".into(), vec![first, second]),
    ] {
        assert_eq!(ids(&games(&visitor, &query).await), expected, "{query}");
    }
    for (query, status, code) in [
        ("game=chess", 400, "unknown_game"),
        ("result=won", 400, "invalid_filter"),
        ("player=ann&result=best", 400, "invalid_filter"),
        ("format=pdf", 400, "invalid_filter"),
        ("format=sgf&game=boxes", 400, "invalid_filter"),
        ("after=x", 400, "bad_request"),
        ("player=nobody", 404, "no_such_player"),
        ("after=999999", 404, "no_such_match"),
    ] {
        let refused = visitor.get(&format!("/api/games?{query}")).await;
        refused.assert_error(status, code);
    }
    let running = running.to_string();
    let refused = visitor.get(&format!("/api/games?after={running}")).await;
    refused.assert_error(404, "no_such_match");

    let sgf = visitor.get("/api/games?format=sgf").await;
    assert_eq!(
        sgf.header("content-type"),
        Some("application/x-go-sgf; charset=utf-8")
    );
    assert_eq!(sgf.text.matches("GM[40]").count(), 2, "{}", sgf.text);
    let program = carl.as_program("read").await;
    assert_eq!(ids(&games(&program, "").await).len(), 2);
}

#[tokio::test]
async fn names_of_deleted_players_are_gone() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    finish(&ann, &bob).await;
    settle(&app).await;
    let deleted = bob
        .post("/api/delete_account", &[("password", PASSWORD)])
        .await;
    deleted.assert_ok();
    let visitor = app.visitor();
    let all = games(&visitor, "").await;
    assert_eq!(all[0]["players"], json!(["ann", "deleted player"]));
    for query in ["?format=sgf", ""] {
        let answer = visitor.get(&format!("/api/games{query}")).await;
        assert!(!answer.text.contains("bob"), "{}", answer.text);
    }
}

#[tokio::test]
async fn the_archive_is_read_page_by_page_and_exported_whole() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let first = finish(&ann, &bob).await;
    settle(&app).await;
    // Copies, some of which end in the same instant.
    let copies = i64::from(2 * ARCHIVE_PAGE_LEN + 7);
    sqlx::query(
        "insert into matches overriding system value
         select (jsonb_populate_record(m, jsonb_build_object('id', m.id + n,
             'finished_at', m.finished_at + n / 10 * interval '1 s'))).*
         from matches m, generate_series(1, $1) n where m.id = $2",
    )
    .bind(copies)
    .bind(first)
    .execute(&app.db)
    .await
    .expect("copies");
    let visitor = app.visitor();
    let all = ids(&games(&visitor, "").await);
    assert_eq!(all, (first..=first + copies).collect::<Vec<_>>());
    let rest = ids(&games(&visitor, &format!("?after={}", first + 55)).await);
    assert_eq!(rest, all[56..]);

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.jsonl.gz");
    let arguments = ["export", file.to_str().expect("a plain path")];
    let settings = |url: &str| [("DATABASE_URL", url.to_owned())];
    let exported = run(&arguments, &settings(app.database.url())).await;
    assert!(exported.status.success(), "{exported:?}");
    let mut text = String::new();
    let packed = File::open(&file).expect("the file");
    GzDecoder::new(packed)
        .read_to_string(&mut text)
        .expect("gzip");
    assert_eq!(text, visitor.get("/api/games").await.text);
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        1,
        "nothing beside it"
    );

    // An export that fails leaves the file of yesterday.
    let before = fs::read(&file).expect("the file");
    let failed = run(&arguments, &settings("postgres://nobody@127.0.0.1:1/none")).await;
    assert!(!failed.status.success(), "{failed:?}");
    assert_eq!(fs::read(&file).expect("the file"), before);
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        1,
        "nothing beside it"
    );
}

#[tokio::test]
async fn the_match_to_watch_is_that_of_the_front_page() {
    let app = TestApp::init().await;
    let visitor = app.visitor();
    assert_eq!(visitor.get("/api/tv").await.assert_ok(), Value::Null);
    let (ann, bob) = app.with_two_users().await;
    let id = start_match_with(&ann, &bob, &[]).await;
    let at_table = format!("/events/match/{id}");
    let _present = (ann.stream(&at_table).await, bob.stream(&at_table).await);
    let worth_watching = async || {
        db::featured_match(&app.state.db)
            .await
            .expect("a database")
            .map(|id| id.0)
    };
    let players = [&ann, &bob].into_iter().cycle();
    let moves = ["1,1", "3,3", "1,2", "3,4", "1,3", "3,5"];
    for (player, mv) in players.zip(moves) {
        assert_eq!(worth_watching().await, None, "a game that has hardly begun");
        player.make_move(id, mv, &[]).await.assert_ok();
    }
    assert_eq!(worth_watching().await, Some(id));
    let shown = wait_until("a match that is not cached", async || {
        let shown = visitor.get("/api/tv").await;
        (shown.text != "null").then_some(shown)
    })
    .await;
    assert_eq!(shown.id("id"), id);
    assert!(
        shown
            .header("etag")
            .is_some_and(|tag| tag.starts_with("W/\"6-"))
    );
    assert_eq!(visitor.get("/api/showcase").await.id("id"), id);

    // A game of two guests comes after those of accounts, though it has more moves.
    let heron = app.visitor().be_guest("Heron").await;
    let egret = app.visitor().be_guest("Egret").await;
    let theirs = start_match_with(&heron, &egret, &[("rated", "false")]).await;
    let at_theirs = format!("/events/match/{theirs}");
    let _guests = (
        heron.stream(&at_theirs).await,
        egret.stream(&at_theirs).await,
    );
    let more = ["2,1", "2,3", "2,2", "2,4"];
    for (player, mv) in [&heron, &egret]
        .into_iter()
        .cycle()
        .zip(moves.into_iter().chain(more))
    {
        player.make_move(theirs, mv, &[]).await.assert_ok();
    }
    assert_eq!(worth_watching().await, Some(id));

    // A player who has left is not waited for by those who watch.
    sqlx::query(
        "insert into absences (match_id, player_id, since, awaited) values ($1, $2, now() - interval '1 s', false)
         on conflict (match_id, player_id) do update set since = excluded.since",
    )
    .bind(id)
    .bind(bob.id)
    .execute(&app.db)
    .await
    .expect("an absence");
    assert_eq!(worth_watching().await, Some(theirs));
}
