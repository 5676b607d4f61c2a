//! One's own finished games: filters, pages, files to take away.

use super::app::{SMALL, TestApp, start_match, until};
use super::player::{Player, send};
use reqwest::Method;
use serde_json::{Value, json};
use tochki_rules::record;
use tochki_rules::replay::replay;

/// Ann plays four games: Dots won against Bob, Dots lost against Юра, Dots drawn with Bob, Gomoku won against Юра.
struct Played {
    app: TestApp,
    ann: Player,
    bob: Player,
    games: [i64; 4],
}

async fn played() -> Played {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let yura = app.with_user("Юра_2").await;
    let won = start_match(&ann, &bob, SMALL).await;
    ann.moves(won, "1,0", &[]).await.version();
    bob.moves(won, "4,4", &[]).await.version();
    ann.moves(won, "2,2", &[]).await.version();
    bob.resigns(won).await.version();
    let lost = start_match(&yura, &ann, SMALL).await;
    yura.moves(lost, "0,0", &[]).await.version();
    ann.resigns(lost).await.version();
    let drawn = start_match(&bob, &ann, SMALL).await;
    bob.offers(drawn, "draw").await.given();
    ann.answers_offer(drawn, true).await.given();
    let _rooms = (
        ann.waits_for("gomoku").await,
        yura.waits_for("gomoku").await,
    );
    let asked = ann.challenges_to("gomoku", &yura, &[]).await.id("id");
    let gomoku = yura.answers(asked, true).await.id("match");
    ann.moves(gomoku, "7,7", &[]).await.version();
    yura.resigns(gomoku).await.version();
    Played {
        app,
        ann,
        bob,
        games: [won, lost, drawn, gomoku],
    }
}

async fn history(player: &Player, query: &str) -> Value {
    player.get(&format!("/api/history?{query}")).await.given()
}

fn ids(history: &Value) -> Vec<i64> {
    let games = history["games"].as_array().expect("games");
    games
        .iter()
        .map(|game| game["id"].as_i64().expect("an id"))
        .collect()
}

#[tokio::test]
async fn a_filter_shows_what_was_asked_for() {
    let Played {
        app: _app,
        ann,
        games: [won, lost, drawn, gomoku],
        ..
    } = played().await;
    for (query, expected) in [
        ("", vec![gomoku, drawn, lost, won]),
        ("game=&opponent=&result=", vec![gomoku, drawn, lost, won]),
        ("game=dots", vec![drawn, lost, won]),
        ("game=reversi", vec![]),
        ("result=won", vec![gomoku, won]),
        ("result=lost", vec![lost]),
        ("result=drawn&game=dots", vec![drawn]),
        ("opponent=BO", vec![drawn, won]),
        ("opponent=%20%D1%80%D0%B0_%20", vec![gomoku, lost]),
        ("opponent=%25", vec![]),
        ("opponent=ann", vec![]),
        (
            "opponent=%D0%AE%D0%A0%D0%90&result=won&game=gomoku",
            vec![gomoku],
        ),
    ] {
        let seen = history(&ann, query).await;
        assert_eq!(ids(&seen), expected, "{query}");
        assert_eq!(seen["total"], json!(expected.len()), "{query}");
    }
    let seen = history(&ann, "result=lost").await["games"][0].clone();
    assert_eq!(
        (
            &seen["seat"],
            &seen["outcome"],
            &seen["reason"],
            &seen["score"]
        ),
        (
            &json!(2),
            &json!("lost"),
            &json!("resigned"),
            &json!([0, 0])
        )
    );
    assert_eq!(seen["opponent"]["name"], "Юра_2");
    assert_eq!(seen["rating"]["before"], 1612.5);
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    for (query, code) in [
        ("game=chess", "unknown_game"),
        ("result=win", "invalid_filter"),
        ("page=0", "invalid_page"),
    ] {
        ann.get(&format!("/api/history?{query}"))
            .await
            .refused(400, code);
        assert_eq!(
            ann.get(&format!("/history?{query}")).await.status,
            400,
            "{query}"
        );
    }
    assert_eq!(
        ids(&history(&ann, "opponent=%00%FF'%25\\").await),
        [] as [i64; 0]
    );
    for file in ["sgf", "jsonl"] {
        ann.get(&format!("/history/{file}?result=win"))
            .await
            .refused(400, "invalid_filter");
    }
    ann.get("/history/sgf?game=boxes")
        .await
        .refused(400, "invalid_filter");
}

#[tokio::test]
async fn only_ones_own_games_are_told() {
    let Played {
        app,
        bob,
        games: [won, _, drawn, _],
        ..
    } = played().await;
    assert_eq!(ids(&history(&bob, "").await), [drawn, won]);
    let visitor = app.visitor();
    for path in ["/api/history", "/history/sgf", "/history/jsonl"] {
        visitor.get(path).await.refused(401, "signed_out");
    }
    // A browser is sent to sign in, and then to the page.
    for (path, next) in [
        ("/history?game=dots", "%2Fhistory%3Fgame%3Ddots"),
        ("/history/sgf?game=dots", "%2Fhistory%3Fgame%3Ddots"),
    ] {
        let page = visitor
            .asks(Method::GET, path)
            .header("accept", "text/html");
        let answer = send(page).await;
        assert_eq!(
            answer.header("location"),
            Some(&*format!("/login?next={next}")),
            "{path}"
        );
    }
}

#[tokio::test]
async fn all_games_of_dots_are_one_collection() {
    let Played {
        app,
        ann,
        games: [won, lost, drawn, _],
        ..
    } = played().await;
    let file = ann.get("/history/sgf").await;
    assert_eq!(file.status, 200);
    assert_eq!(
        file.header("content-type"),
        Some("application/x-go-sgf; charset=utf-8")
    );
    assert_eq!(
        file.header("content-disposition"),
        Some("attachment; filename=\"tochki.sgf\"")
    );
    let mut each = String::new();
    for id in [drawn, lost, won] {
        each += &app.visitor().get(&format!("/match/{id}/sgf")).await.text;
    }
    assert_eq!(file.text, each, "one after the other, the last one first");
    // Each reads back.
    let trees: Vec<&str> = file.text.split_inclusive(")\n").collect();
    let moves: Vec<usize> = trees
        .iter()
        .map(|tree| record::read(tree).expect("a record").record.plies.len())
        .collect();
    assert_eq!(moves, [0, 1, 3]);
    let file = ann.get("/history/sgf?result=won").await;
    assert_eq!(file.text.matches("(;GM[40]").count(), 1);
    assert_eq!(ann.get("/history/sgf?opponent=nobody").await.text, "");
}

#[tokio::test]
async fn games_of_all_kinds_are_lines_that_replay() {
    let Played {
        app: _app,
        ann,
        games: [won, lost, drawn, gomoku],
        ..
    } = played().await;
    let file = ann.get("/history/jsonl").await;
    let lines: Vec<Value> = file
        .text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let order: Vec<_> = lines.iter().map(|line| line["match"].as_i64()).collect();
    assert_eq!(order, [gomoku, drawn, lost, won].map(Some));
    assert_eq!(lines[3]["moves"], json!(["1,0", "4,4", "2,2"]));
    assert_eq!(lines[3]["seats"], json!([1, 2, 1]));
    assert_eq!(lines[1]["players"], json!(["bob", "ann"]));
    assert_eq!(
        (&lines[0]["game"], &lines[0]["winner"]),
        (&json!("gomoku"), &json!(1))
    );
    let mut out = Vec::new();
    replay(file.text.as_bytes(), &mut out, false).expect("it is read");
    let out = String::from_utf8(out).expect("text");
    assert!(out.lines().count() == 4 && !out.contains("error"), "{out}");
}

#[tokio::test]
async fn many_games_come_in_pages_and_in_one_file() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let statement = "
        with played as (
            insert into matches (game, setup, clock, rated, seat1, seat2, rating1, rating2, version, finished_at, winner, reason)
            select 'dots', '{\"width\": 39, \"height\": 32, \"start\": \"empty\"}', 'none', false, $1, $2, 1600, 1600, 2,
                now() - number / 3 * interval '1 hour', 1, 'resigned'
            from generate_series(1, 107) as number
            returning id, finished_at
        ), happened as (
            insert into match_events (match_id, version, kind, body)
            select id, 1, 'moved', '{\"seat\":1,\"mv\":\"5,5\",\"score\":[0,0],\"to_move\":2,\"passed\":false,\"clock\":null,\"client_id\":null}' from played
            union all
            select id, 2, 'finished', '{\"result\":{\"winner\":1,\"reason\":\"resigned\",\"ratings\":null}}' from played
        )
        insert into results (match_id, player_id, opponent_id, game, seat, outcome, finished_at)
        select id, $1, $2, 'dots', 1, 1, finished_at from played";
    sqlx::query(statement)
        .bind(ann.id)
        .bind(bob.id)
        .execute(&app.db)
        .await
        .expect("matches");
    let mut seen = Vec::new();
    for page in 1..=4 {
        let page = history(&ann, &format!("page={page}")).await;
        assert_eq!((&page["total"], &page["pages"]), (&json!(107), &json!(4)));
        seen.extend(ids(&page));
    }
    let expected: Vec<i64> =
        sqlx::query_scalar("select id from matches order by finished_at desc, id desc")
            .fetch_all(&app.db)
            .await
            .expect("ids");
    assert_eq!(seen, expected, "also where several ended at the same time");
    assert_eq!(ids(&history(&ann, "page=5").await), [] as [i64; 0]);
    let file = ann.get("/history/jsonl").await.text;
    let told = file
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["match"].as_i64());
    assert_eq!(
        told.collect::<Vec<_>>(),
        expected.iter().copied().map(Some).collect::<Vec<_>>()
    );
    assert_eq!(
        ann.get("/history/sgf").await.text.matches(";B[ff]").count(),
        107
    );
    let page = ann.get("/history?game=dots&page=2").await.text;
    for words in [
        "107 games",
        "Page 2 of 4",
        "/history?page=3&amp;game=dots",
        "/history/sgf?game=dots",
    ] {
        assert!(page.contains(words), "no {words}");
    }
}

#[tokio::test]
async fn a_match_is_in_the_history_as_soon_as_it_has_ended() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two().await;
    let id = start_match(&ann, &bob, SMALL).await;
    assert_eq!(ids(&history(&ann, "").await), [] as [i64; 0]);
    // Also where it ended by itself: Bob has been away for too long.
    sqlx::query("update absences set since = now() - interval '1 minute', awaited = false where player_id = $1")
        .bind(bob.id)
        .execute(&app.db)
        .await
        .expect("an absence");
    until("an end", async || {
        let seen = history(&ann, "").await;
        (ids(&seen) == [id]).then(|| assert_eq!(seen["games"][0]["reason"], "absence"))
    })
    .await;
}
