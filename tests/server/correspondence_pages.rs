//! Pages of matches by correspondence, without scripts: the time of a match in words, the boards of its players, and the form of a
//! profile.

use super::app::{SMALL, TestApp, begin};
use super::player::{Player, Response, send};
use serde_json::{Value, json};

async fn page(reader: &Player, path: &str) -> Response {
    let request = reader.request(reqwest::Method::GET, path);
    send(request.header("accept", "text/html")).await
}

/// Starts a match, and returns it with its players in the order of their seats.
async fn start<'a>(ann: &'a Player, bob: &'a Player, clock: &str) -> (i64, &'a Player, &'a Player) {
    let form = [("setup", SMALL), ("clock", clock), ("rated", "true")];
    let challenge = ann.challenge(bob, &form).await.id("id");
    let id = bob.answer_challenge(challenge, true).await.id("match");
    if ann.snapshot(id).await["players"][0]["id"] == ann.id {
        (id, ann, bob)
    } else {
        (id, bob, ann)
    }
}

#[tokio::test]
async fn a_board_without_an_engine_is_offered_on_both_turns_and_plans_on_the_opponents() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    let (id, first, second) = start(&ann, &bob, "3d").await;
    begin(&ann, &bob, id).await;
    let table = format!("/match/{id}");
    let (board, plan) = (format!("{table}/analysis"), format!("{table}/plan"));
    for (reader, has_board, has_plan) in [
        (first, true, false),
        (second, true, true),
        (&cid, false, false),
    ] {
        let html = page(reader, &table).await.text;
        let has = |path: &str| html.contains(&format!("href=\"{path}\""));
        assert_eq!(
            (has(&board), has(&plan)),
            (has_board, has_plan),
            "{}",
            reader.name
        );
        let rule = html.contains("No engine help while this rated game runs.");
        assert_eq!(rule, has_board, "{}", reader.name);
    }
    for player in [first, second] {
        let html = page(player, &board).await.text;
        assert!(html.contains("<h1>Analysis board</h1>"), "{html}");
        assert!(html.contains("No engine help"), "the rule");
        assert!(!html.contains("engine_worker"), "no engine is fetched");
    }
    for stranger in [page(&cid, &board).await, app.visitor().get(&board).await] {
        assert_eq!(stranger.header("location"), Some(&*table));
    }
    // The page of plans says why it has none.
    let html = page(first, &plan).await.text;
    assert!(html.contains("Make your move first"), "{html}");
    assert!(html.contains(&format!("href=\"{board}\"")), "{html}");
    let html = page(second, &plan).await.text;
    assert!(html.contains("Lines of moves"), "{html}");
    first.resign(id).await.assert_ok();
    let html = page(first, &table).await.text;
    assert!(!html.contains("Analysis board") && !html.contains("No engine help"));
}

/// The rated matches that the page of an analysis has for this reader.
async fn guarded(reader: &Player) -> Vec<Value> {
    let html = page(reader, "/analysis?game=dots&board=20x20&moves=5,5")
        .await
        .text;
    let data = html
        .split("id=\"analysed\"")
        .nth(1)
        .expect("the data of the island");
    let data = data.split_once('>').expect("an element").1;
    let data = data.split("</script>").next().unwrap_or_default();
    let data: Value = serde_json::from_str(data).expect("JSON");
    data["running"].as_array().expect("a list").clone()
}

#[tokio::test]
async fn the_analysis_knows_the_rated_matches_of_its_reader() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let cid = app.with_user("cid").await;
    let (id, _, _) = start(&ann, &bob, "3d").await;
    assert!(guarded(&ann).await.is_empty(), "nobody has moved");
    begin(&ann, &bob, id).await;
    let unrated = [("setup", SMALL), ("clock", "3d"), ("rated", "false")];
    let challenge = ann.challenge(&bob, &unrated).await.id("id");
    let other = bob.answer_challenge(challenge, true).await.id("match");
    begin(&ann, &bob, other).await;
    for player in [&ann, &bob] {
        let guarded = guarded(player).await;
        assert_eq!(guarded.len(), 1, "{guarded:?}");
        assert_eq!(guarded[0]["path"], format!("/match/{id}"));
    }
    assert!(guarded(&cid).await.is_empty());
    ann.resign(id).await.assert_ok();
    assert!(guarded(&ann).await.is_empty(), "it is over");
}

#[tokio::test]
async fn the_time_for_first_moves_is_said_where_the_clock_has_more() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (id, first, second) = start(&ann, &bob, "7d+1d..14d").await;
    let table = format!("/match/{id}");
    let line = "First move: 2 d 23 h left. Then the game is aborted.";
    for reader in [first, second] {
        let html = page(reader, &table).await.text;
        assert!(html.contains(line), "{html}");
    }
    first.make_move(id, "0,0", &[]).await.assert_ok();
    let html = page(second, &table).await.text;
    assert!(html.contains(line), "the other one's first move");
    second.make_move(id, "1,1", &[]).await.assert_ok();
    let html = page(second, &table).await.text;
    assert!(!html.contains("First move:"), "{html}");
}

#[tokio::test]
async fn a_profile_offers_the_boards_of_each_game_and_all_days() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let html = page(&ann, "/@bob?game=gomoku&challenge=open").await.text;
    assert!(html.contains("<details id=\"challenge\" open"), "{html}");
    for clock in ["1d", "2d", "5d", "10d", "14d", "3d+1d..7d"] {
        assert!(html.contains(&format!("value=\"{clock}\"")), "{clock}");
    }
    let setup = html.split("name=\"setup\"").nth(1).expect("the boards");
    let options = setup.split("</select>").next().unwrap_or_default();
    let boards: Vec<String> = options
        .split("value=\"")
        .skip(1)
        .filter_map(|option| Some(option.split_once("\">")?.0.replace("&quot;", "\"")))
        .collect();
    assert!(boards.len() >= 4, "{options}");
    // The form is taken as it is sent.
    let board = boards.last().expect("a board");
    let form = [
        ("opponent", &*bob.id.to_string()),
        ("next", "/@bob?challenge=sent"),
        ("game", "gomoku"),
        ("setup", board),
        ("clock", "5d"),
        ("rated", "true"),
    ];
    ann.post("/api/challenge", &form).await.assert_ok();
    let own = bob.get("/api/my_challenges").await.assert_ok();
    let asked: Value = serde_json::from_str(board).expect("JSON");
    assert_eq!((&own[0]["setup"], &own[0]["clock"]), (&asked, &json!("5d")));
}
