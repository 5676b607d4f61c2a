//! Fleets of two bots, with many games at once on one server that is killed in the middle: no acknowledged move and no game is
//! lost.
//!
//! `cargo make bots` plays 200 of them and prints a line for each.

use super::app::wait_until;
use super::bot_process::{BotProcess, bot_token, own_engine};
use super::cluster::Database;
use super::player::Player;
use super::process::Server;
use futures::{StreamExt as _, stream};
use sqlx::PgPool;
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use tochki_rules::{GameKind, Position, Setup};
use tokio::time::{Instant, sleep};

const BOARDS: [(&str, &str); 4] = [
    ("dots", r#"{"width":8,"height":8}"#),
    ("boxes", r#"{"cols":3,"rows":3}"#),
    ("gomoku", r#"{"size":15}"#),
    ("reversi", "{}"),
];

/// A pair of accounts, one of each bot.
struct Pair {
    players: [Player; 2],
    tokens: [String; 2],
    game: &'static str,
    setup: &'static str,
}

/// The record that is stored of a match.
struct Record {
    id: i64,
    kind: GameKind,
    moves: usize,
    /// The number of moves that a bot was told are made, of which it has a line in its log.
    acknowledged: usize,
    reason: String,
}

async fn pair(server: &Server, number: usize) -> Pair {
    let mut players = Vec::new();
    let mut tokens = Vec::new();
    for side in ["left", "right"] {
        let player = server.with_user(&format!("{side}-{number}")).await;
        tokens.push(bot_token(&player).await);
        players.push(player);
    }
    let (game, setup) = BOARDS[number % BOARDS.len()];
    let two = |_| "two of each";
    Pair {
        players: players.try_into().map_err(|_| "two players").unwrap(),
        tokens: tokens.try_into().map_err(two).unwrap(),
        game,
        setup,
    }
}

/// Challenges the right account by the left one. Both bots only answer and play.
async fn start(pair: &Pair) -> i64 {
    let [left, right] = &pair.players;
    let mut room = left.join_lobby_of(pair.game).await;
    let form = [("setup", pair.setup), ("clock", "none")];
    wait_until("a bot that waits", async || {
        let sent = left.challenge_to(pair.game, right, &form).await;
        (sent.status == 200).then_some(())
    })
    .await;
    loop {
        // The room is told of the matches of others, too.
        let started = room.next_named("match_started").await;
        if started["players"][0]["id"] == left.id {
            return started["match"].as_i64().expect("its id");
        }
    }
}

async fn count(db: &PgPool, of: &'static str) -> i64 {
    sqlx::query_scalar(of)
        .fetch_one(db)
        .await
        .expect("an answer")
}

/// Returns the acknowledged moves in the log of a bot: `match 7: 3,4 at version 12`.
fn acknowledged(log: &str) -> HashSet<(i64, String, u32)> {
    let lines = log.lines().filter_map(|line| {
        let (_, rest) = line.split_once("match ")?;
        let (id, rest) = rest.split_once(": ")?;
        let (mv, version) = rest.split_once(" at version ")?;
        Some((
            id.parse().ok()?,
            mv.to_owned(),
            version.trim().parse().ok()?,
        ))
    });
    lines.collect()
}

/// Plays `games` at once, and kills the server when a third of the moves of a usual game is made.
async fn play_all(games: usize, timeout: Duration) -> Vec<Record> {
    let mut server = Server::start_on(Database::fresh().await).await;
    let pairs: Vec<Pair> = stream::iter(0..games)
        .map(|number| pair(&server, number))
        .buffered(8)
        .collect()
        .await;
    let rules = format!("games = {games}\n[engine]\nmove_time = 0.05\nidle_timeout = 120\n");
    // An engine begins when somebody has opened this pipe to write, so that all games run at once.
    let folder = tempfile::tempdir().expect("a folder");
    let hold = folder.path().join("hold");
    let path = hold.display();
    let waits = format!(
        "if [ -p {path} ]; then : <{path}; fi; exec {}",
        own_engine(&["--random"]).join(" ")
    );
    let engine = ["sh", "-c", &waits].map(str::to_owned);
    let more = ["--game", "dots,boxes,gomoku,reversi"];
    let bots = [0, 1].map(|side| {
        let tokens: Vec<String> = (pairs.iter())
            .map(|pair| pair.tokens[side].clone())
            .collect();
        BotProcess::start(server.address, &tokens, &rules, &more, &engine)
    });
    // The engines have been tried by then.
    for bot in &bots {
        bot.expect_log(" is signed in").await;
    }
    let made = std::process::Command::new("mkfifo").arg(&hold).status();
    assert!(made.expect("mkfifo").success());
    let ids: Vec<i64> = stream::iter(&pairs).map(start).buffered(16).collect().await;
    let running = "select count(distinct match_id) from playing";
    assert_eq!(count(&server.db, running).await, games as i64);
    // To read, too, so that opening it does not wait.
    let mut options = std::fs::OpenOptions::new();
    let _opened = options.read(true).write(true).open(&hold).expect("a pipe");
    let until = Instant::now() + timeout;
    let events = "select count(*) from match_events";
    while count(&server.db, events).await < 10 * games as i64 {
        assert!(Instant::now() < until, "no third of the games in time");
        sleep(Duration::from_millis(50)).await;
    }
    server.kill().await;
    server.restart().await;
    while count(&server.db, running).await > 0 {
        assert!(Instant::now() < until, "the games do not end in time");
        sleep(Duration::from_millis(100)).await;
    }
    // The last answers are on their way to the bots.
    for id in &ids {
        for bot in &bots {
            let end = format!("match {id} against ");
            wait_until("the end in the log", async || {
                let log = bot.log();
                let mut lines = log.lines();
                let told = lines.any(|line| line.contains(&end) && line.contains(" after "));
                told.then_some(())
            })
            .await;
        }
    }
    let mut told: HashMap<i64, Vec<(String, u32)>> = HashMap::new();
    for bot in &bots {
        for (id, mv, version) in acknowledged(&bot.log()) {
            told.entry(id).or_default().push((mv, version));
        }
    }
    let mut records = Vec::new();
    for (pair, id) in pairs.iter().zip(ids) {
        let told = told.remove(&id).unwrap_or_default();
        records.push(record(&server, pair, id, &told).await);
    }
    records
}

/// Checks one match: all acknowledged moves are stored, each once, and its moves lead to its end.
async fn record(server: &Server, pair: &Pair, id: i64, told: &[(String, u32)]) -> Record {
    let stored: Vec<(String, Option<String>)> = sqlx::query_as(
        "select body::jsonb ->> 'mv', client_id from match_events
         where match_id = $1 and body::jsonb ->> 'mv' is not null order by version",
    )
    .bind(id)
    .fetch_all(&server.db)
    .await
    .expect("the events");
    let names: HashSet<_> = stored.iter().map(|(_, name)| name).collect();
    assert_eq!(
        names.len(),
        stored.len(),
        "match {id}: a move for each version"
    );
    for (mv, version) in told {
        let name = Some(format!("tochki-bot-{id}-{version}"));
        let found = stored.iter().find(|(_, stored)| *stored == name);
        assert_eq!(
            found.map(|(stored, _)| stored),
            Some(mv),
            "match {id}: the move of version {version} was acknowledged"
        );
    }
    let snapshot = server.visitor().snapshot(id).await;
    let result = &snapshot["result"];
    let reason = result["reason"].as_str().expect("a result").to_owned();
    let text = serde_json::json!({"game": pair.game, "setup": snapshot["setup"]});
    let setup: Setup = serde_json::from_value(text).expect("a setup");
    let mut position = Position::new(&setup);
    for (mv, _) in &stored {
        let mv = position.parse_move(mv).expect("a move");
        position.play(mv).expect("a legal move");
    }
    let outcome = position.outcome().unwrap_or_else(|| {
        panic!("match {id} was not played to its end: {reason}");
    });
    let winner = outcome.winner.map_or(0, |seat| i64::from(seat.number()));
    assert_eq!(result["winner"], winner, "match {id}");
    Record {
        id,
        kind: setup.kind(),
        moves: stored.len(),
        acknowledged: told.len(),
        reason,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn eight_games_of_two_bots_survive_a_killed_server() {
    let records = play_all(8, Duration::from_mins(5)).await;
    assert_eq!(records.len(), 8);
    for record in records {
        // A move whose answer was lost with the server is sent again, and is answered then.
        assert_eq!(record.acknowledged, record.moves, "match {}", record.id);
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "minutes; `cargo make bots`"]
async fn many_games_of_two_bots_survive_a_killed_server() {
    let games = std::env::var("BOT_GAMES").map_or(200, |games| games.parse().expect("a number"));
    let began = Instant::now();
    let records = play_all(games, Duration::from_hours(1)).await;
    println!(
        "{:>8} {:8} {:>6} {:>13}  end",
        "match", "game", "moves", "acknowledged"
    );
    for Record {
        id,
        kind,
        moves,
        acknowledged,
        reason,
    } in &records
    {
        println!(
            "{id:>8} {:8} {moves:>6} {acknowledged:>13}  {reason}",
            kind.id()
        );
    }
    let moves: usize = records.iter().map(|record| record.moves).sum();
    println!(
        "{} games, {moves} moves in {} s; the server was killed once, and nothing is lost",
        records.len(),
        began.elapsed().as_secs()
    );
}
