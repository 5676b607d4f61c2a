//! The history of a player's own matches: filters, pages, downloads.

use super::app::{SMALL, TestApp, begin, start_match, wait_until};
use super::player::{Player, send};
use reqwest::Method;
use serde_json::{Value, json};
use tochki_rules::record;
use tochki_rules::replay::replay;

/// Four games of Ann: Dots won against Bob, Dots lost against Юра, Dots drawn with Bob, Gomoku won against Юра.
struct Played {
    app: TestApp,
    ann: Player,
    bob: Player,
    games: [i64; 4],
}

async fn play_four_matches() -> Played {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let yura = app.with_user("Юра_2").await;
    let won = start_match(&ann, &bob, SMALL).await;
    ann.make_move(won, "1,0", &[]).await.version();
    bob.make_move(won, "4,4", &[]).await.version();
    ann.make_move(won, "2,2", &[]).await.version();
    bob.resign(won).await.version();
    let lost = start_match(&yura, &ann, SMALL).await;
    yura.make_move(lost, "0,0", &[]).await.version();
    ann.make_move(lost, "4,4", &[]).await.version();
    ann.resign(lost).await.version();
    let drawn = start_match(&bob, &ann, SMALL).await;
    begin(&bob, &ann, drawn).await;
    bob.offer(drawn, "draw").await.assert_ok();
    ann.answer_offer(drawn, true).await.assert_ok();
    let _rooms = (
        ann.join_lobby_of("gomoku").await,
        yura.join_lobby_of("gomoku").await,
    );
    let asked = ann.challenge_to("gomoku", &yura, &[]).await.id("id");
    let gomoku = yura.answer_challenge(asked, true).await.id("match");
    ann.make_move(gomoku, "7,7", &[]).await.version();
    yura.make_move(gomoku, "8,8", &[]).await.version();
    yura.resign(gomoku).await.version();
    Played {
        app,
        ann,
        bob,
        games: [won, lost, drawn, gomoku],
    }
}

async fn history(player: &Player, query: &str) -> Value {
    player
        .get(&format!("/api/history?{query}"))
        .await
        .assert_ok()
}

fn ids(history: &Value) -> Vec<i64> {
    let games = history["games"].as_array().expect("games");
    games
        .iter()
        .map(|game| game["id"].as_i64().expect("an id"))
        .collect()
}

#[tokio::test]
async fn history_filters_work() {
    let Played {
        app: _app,
        ann,
        games: [won, lost, drawn, gomoku],
        ..
    } = play_four_matches().await;
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
async fn invalid_filters_are_refused() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    for (query, code) in [
        ("game=chess", "unknown_game"),
        ("result=win", "invalid_filter"),
        ("page=0", "invalid_page"),
    ] {
        ann.get(&format!("/api/history?{query}"))
            .await
            .assert_error(400, code);
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
            .assert_error(400, "invalid_filter");
    }
    ann.get("/history/sgf?game=boxes")
        .await
        .assert_error(400, "invalid_filter");
}

#[tokio::test]
async fn history_is_private() {
    let Played {
        app,
        bob,
        games: [won, _, drawn, _],
        ..
    } = play_four_matches().await;
    assert_eq!(ids(&history(&bob, "").await), [drawn, won]);
    let visitor = app.visitor();
    for path in ["/api/history", "/history/sgf", "/history/jsonl"] {
        visitor.get(path).await.assert_error(401, "signed_out");
    }
    // A browser is redirected to sign in, and then to the page.
    for (path, next) in [
        ("/history?game=dots", "%2Fhistory%3Fgame%3Ddots"),
        ("/history/sgf?game=dots", "%2Fhistory%3Fgame%3Ddots"),
    ] {
        let page = visitor
            .request(Method::GET, path)
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
async fn dots_history_is_one_sgf_collection() {
    let Played {
        app,
        ann,
        games: [won, lost, drawn, _],
        ..
    } = play_four_matches().await;
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
    // Each record can be read again.
    let trees: Vec<&str> = file.text.split_inclusive(")\n").collect();
    let moves: Vec<usize> = trees
        .iter()
        .map(|tree| record::parse(tree).expect("a record").record.plies.len())
        .collect();
    assert_eq!(moves, [2, 2, 3]);
    let file = ann.get("/history/sgf?result=won").await;
    assert_eq!(file.text.matches("(;GM[40]").count(), 1);
    assert_eq!(ann.get("/history/sgf?opponent=nobody").await.text, "");
}

#[tokio::test]
async fn jsonl_history_can_be_replayed() {
    let Played {
        app: _app,
        ann,
        games: [won, lost, drawn, gomoku],
        ..
    } = play_four_matches().await;
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
async fn long_history_is_paged_and_downloads_whole() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
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
async fn history_includes_a_match_once_finished() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    assert_eq!(ids(&history(&ann, "").await), [] as [i64; 0]);
    // Also when it ended by a timeout: Bob has been absent for too long.
    sqlx::query("update absences set since = now() - interval '1 minute', awaited = false where player_id = $1")
        .bind(bob.id)
        .execute(&app.db)
        .await
        .expect("an absence");
    wait_until("an end", async || {
        let seen = history(&ann, "").await;
        (ids(&seen) == [id]).then(|| assert_eq!(seen["games"][0]["reason"], "absence"))
    })
    .await;
}
