//! The page for programs: the programs that it prints run, with nothing but the address and the token put in.

use super::app::{TIMEOUT, TestApp};
use super::player::Player;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::Command;
use tokio::time::timeout;

const WITH_CURL: &str = include_str!("../../crates/pages/src/ui/programs/first_game.sh");
const WITH_PYTHON: &str = include_str!("../../crates/pages/src/ui/programs/first_game.py");

/// Plays the first game of a program whose player is `ann`: `bob` follows its link, both make their first move, and he resigns.
async fn play_against(app: &TestApp, interpreter: &str, sample: &str) {
    let (ann, bob) = app.with_two_users().await;
    let code = sample
        .replace("https://arena.example", &app.visitor().url(""))
        .replace("tochki_put_yours_here", &ann.create_token("play").await);
    assert_ne!(code, sample);
    let mut program = Command::new(interpreter)
        .args(["-c", &code])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap_or_else(|error| panic!("{interpreter}: {error}"));
    let mut output = BufReader::new(program.stdout.take().expect("its output"));
    let mut line = String::new();
    let said = timeout(TIMEOUT, output.read_line(&mut line)).await;
    said.expect("it says where it waits").expect("a line");
    let link = line.split("/t/").nth(1).expect("the address of the table");
    let link = link.split_whitespace().next().expect("a link").to_owned();
    let id = accept(&bob, &link).await;

    let mut events = bob.stream(&format!("/events/match/{id}")).await;
    let seat = i64::from(bob.snapshot(id).await["players"][1]["id"] == bob.id) + 1;
    if seat == 1 {
        bob.make_move(id, "0,0", &[]).await.assert_ok();
    }
    let mut moved = events.expect("moved").await;
    while moved["seat"] == seat {
        moved = events.expect("moved").await;
    }
    if seat == 2 {
        // It may have chosen any point but one of these.
        for mv in ["0,0", "0,1"] {
            bob.make_move(id, mv, &[]).await;
        }
    }
    bob.resign(id).await.assert_ok();
    let mut rest = String::new();
    let reading = timeout(TIMEOUT, output.read_to_string(&mut rest)).await;
    reading.expect("it ends with the game").expect("text");
    let ended = program.wait_with_output().await.expect("it ends");
    assert!(ended.status.success(), "{ended:?} {rest}");
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
    let result = &bob.snapshot(id).await["result"];
    assert_eq!(result["reason"], "resigned");
}

/// Sits down at the table, and is ready. Returns the match that begins.
async fn accept(player: &Player, link: &str) -> i64 {
    let table = player
        .get(&format!("/api/table?link={link}"))
        .await
        .id("id");
    let table = table.to_string();
    let mut events = player.stream(&format!("/events/table/{link}")).await;
    let sit = [("table", table.as_str()), ("link", link)];
    player.post("/api/sit", &sit).await.assert_ok();
    let ready = [("table", table.as_str()), ("ready", "true")];
    player.post("/api/ready", &ready).await.assert_ok();
    let started = events.next_named("match_started").await;
    started["match"].as_i64().expect("a match")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_game_is_played_with_curl() {
    play_against(&TestApp::init().await, "bash", WITH_CURL).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_game_is_played_with_python() {
    play_against(&TestApp::init().await, "python3", WITH_PYTHON).await;
}

#[tokio::test]
async fn the_page_prints_the_programs_as_they_are() {
    let app = TestApp::init().await;
    let page = app.visitor().get("/programs").await;
    assert_eq!(page.status, 200);
    let text = page.text.replace("&lt;", "<").replace("&gt;", ">");
    let text = text
        .replace("&quot;", "\"")
        .replace("&#x27;", "'")
        .replace("&amp;", "&");
    for sample in [WITH_CURL, WITH_PYTHON] {
        assert!(text.contains(sample), "{text}");
        assert!(sample.lines().count() <= 10, "a short program");
    }
    // Every address, with its arguments and errors.
    for part in [
        "POST /api/move",
        "<code translate=\"no\">client_id</code> (optional)",
        "<code translate=\"no\">not_your_turn</code>",
        "GET /events/match/{id}",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(
        text.contains("People play rated games without help"),
        "{text}"
    );
    assert!(text.contains("/programs"), "the footer leads here");
    assert!(
        app.with_user("ann")
            .await
            .get("/account")
            .await
            .text
            .contains("/programs\">API guide")
    );
}
